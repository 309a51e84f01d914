//! The body of a request: JSON, and nothing that was not asked for.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;

use super::api_error::ApiError;

/// The longest body that is read.
pub const LONGEST: usize = 1 << 20;

/// The longest that a whole body may take to come.
const WITHIN: Duration = Duration::from_secs(20);

/// A body read as JSON. Nesting is bounded by the reader, length by [`LONGEST`].
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the body must be JSON")
                .help("send it with Content-Type: application/json"));
        }
        let read = tokio::time::timeout(WITHIN, Bytes::from_request(request, state)).await;
        let late = |_| {
            let message = format!("the body did not come within {} seconds", WITHIN.as_secs());
            ApiError::new(StatusCode::REQUEST_TIMEOUT, message)
        };
        let bytes = read.map_err(late)?.map_err(|rejection| {
            let long = rejection.status() == StatusCode::PAYLOAD_TOO_LARGE;
            let message = if long {
                format!("the body is longer than {LONGEST} bytes")
            } else {
                "the body could not be read".into()
            };
            ApiError::new(rejection.status(), message)
        })?;
        serde_json::from_slice(&bytes).map(Self).map_err(|error| {
            ApiError::bad(format!("the body is not what this address takes: {error}")).field("body")
        })
    }
}
