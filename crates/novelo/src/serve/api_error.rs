//! What a request that cannot be served is answered with.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use novelo_puzzles::text::{boundary, either, shortened};
use novelo_puzzles::{ParseError, RequestError};
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

/// A request that is not served, and why.
#[derive(Debug, Clone)]
pub struct ApiError {
    status: StatusCode,
    details: Box<ErrorDetails>,
}

/// What is wrong, where, and what would be right.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ErrorDetails {
    /// What is wrong: a sentence.
    message: String,
    /// Where in the request.
    #[serde(rename = "where")]
    place: Option<Place>,
    /// What would be right.
    help: Option<String>,
    /// Where it was not said which puzzle a text is: the one it was taken for, or all that it may be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    puzzles: Vec<&'static str>,
}

/// A place in a request. Offsets are in UTF-16 units, as a browser counts them.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Place {
    field: String,
    line: Option<usize>,
    column: Option<usize>,
    start: Option<usize>,
    end: Option<usize>,
}

/// The body of every answer that is an error.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    error: ErrorDetails,
}

/// The refusals that any route may answer with, for the `OpenAPI` document.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "only its description is used")]
pub enum ErrorResponses {
    /// The request is wrong.
    #[response(status = 400)]
    Bad(ErrorBody),
    /// It comes from a foreign page.
    #[response(status = 403)]
    Foreign(ErrorBody),
    /// There is no such thing, or it has expired.
    #[response(status = 404)]
    Missing(ErrorBody),
    /// The game or the job cannot do that now.
    #[response(status = 409)]
    Conflict(ErrorBody),
    /// The body is too long.
    #[response(status = 413)]
    Long(ErrorBody),
    /// The body is not JSON.
    #[response(status = 415)]
    NotJson(ErrorBody),
    /// It was understood, and cannot be done.
    #[response(status = 422)]
    Impossible(ErrorBody),
    /// The server has as much to do as it takes on.
    #[response(status = 429)]
    Full(ErrorBody),
}

impl ApiError {
    /// An error with a sentence.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        let details =
            ErrorDetails { message: shortened(message.into()), place: None, help: None, puzzles: Vec::new() };
        Self { status, details: Box::new(details) }
    }

    /// The request is wrong.
    pub fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// It was understood, and cannot be done.
    pub fn impossible(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// There is no such thing.
    pub fn missing(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// The server has as much to do as it takes on.
    pub fn full(message: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, message).help("try again in a few seconds")
    }

    /// With what would be right.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.details.help = Some(help.into());
        self
    }

    /// In a field of the request.
    #[must_use]
    pub fn field(mut self, field: &str) -> Self {
        let place = Place { field: field.into(), line: None, column: None, start: None, end: None };
        self.details.place = Some(place);
        self
    }

    /// A text in a field of the request that cannot be read.
    pub fn in_text(error: ParseError, field: &str, text: &str) -> Self {
        let mut api_error = Self::bad(error.message).field(field);
        let choice = match &error.taken_for[..] {
            [] => None,
            [guess] => Some(format!("it was read as {guess}; if it is another puzzle, choose it")),
            several => Some(format!("choose the puzzle: {}", either(several))),
        };
        let help: Vec<_> = error.help.into_iter().chain(choice).collect();
        api_error.details.help = (!help.is_empty()).then(|| help.join("; "));
        api_error.details.puzzles = error.taken_for;
        if let (Some(span), Some(place)) = (error.span, &mut api_error.details.place) {
            let before = |offset: usize| &text[..boundary(text, offset)];
            let units = |text: &str| text.encode_utf16().count();
            let start = before(span.start);
            place.line = Some(start.matches('\n').count() + 1);
            place.column = Some(units(start.rsplit('\n').next().unwrap_or_default()) + 1);
            place.start = Some(units(start));
            place.end = Some(units(before(span.end)));
        }
        api_error
    }

    /// What is wrong, without the status, for a job that failed later.
    pub fn details(self) -> ErrorDetails {
        *self.details
    }
}

impl From<RequestError> for ApiError {
    fn from(error: RequestError) -> Self {
        let field = match &error {
            RequestError::Parameter(_) => Some("heuristic"),
            RequestError::CannotRun(_) => Some("algorithm"),
            RequestError::Interrupted | RequestError::Limit(_) | RequestError::Unsupported(_) => None,
        };
        let api_error = Self::impossible(error.to_string());
        field.map_or(api_error.clone(), |field| api_error.field(field))
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(ErrorBody { error: *self.details })).into_response();
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_as_a_browser_does() {
        let text = "a𝄞b\nxé!";
        let at = text.find('!').unwrap();
        let api_error = ApiError::in_text(ParseError::at(at..at + 1, "no"), "text", text);
        let place = api_error.details.place.unwrap();
        assert_eq!((place.line, place.column), (Some(2), Some(3)));
        assert_eq!((place.start, place.end), (Some(7), Some(8)));
    }
}
