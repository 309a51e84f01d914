//! Who may ask: pages that this server itself has sent, and programs on this machine.
//!
//! A page from elsewhere can make a browser send requests here. It gives itself away by its `Origin` or
//! `Sec-Fetch-Site`; or, after a DNS rebinding, by a `Host` that is a name this server does not go by. An address
//! made of digits cannot be rebound, so those are always served.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::api_error::ApiError;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
    connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Lets through what may ask, and puts the headers on every answer.
pub async fn guard(State(names): State<Arc<[String]>>, request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api");
    let mut response = match admit(request.headers(), api, &names) {
        Ok(()) => next.run(request).await,
        Err(api_error) => api_error.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if api {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    response
}

fn admit(headers: &HeaderMap, api: bool, names: &[String]) -> Result<(), ApiError> {
    let forbidden = |message: &str| Err(ApiError::new(StatusCode::FORBIDDEN, message));
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(header::HOST).unwrap_or_default();
    if headers.get_all(header::HOST).iter().count() != 1 || !known(host, names) {
        return forbidden("this server does not go by that name");
    }
    if text(header::ORIGIN).is_some_and(|origin| origin.strip_prefix("http://") != Some(host)) {
        return forbidden("requests from other pages are not served");
    }
    let site = text(HeaderName::from_static("sec-fetch-site"));
    if api && matches!(site, Some("cross-site" | "same-site")) {
        return forbidden("requests from other pages are not served");
    }
    Ok(())
}

/// Whether a Host is an address in digits, this machine, or a name given on the command line.
fn known(host: &str, names: &[String]) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let digits = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    digits.parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(host: &str, extra: &[(&'static str, &str)]) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        for (name, value) in extra {
            headers.insert(HeaderName::from_static(name), value.parse().unwrap());
        }
        admit(&headers, true, &["lab.example".into()]).is_ok()
    }

    #[test]
    fn names_that_could_be_rebound_are_refused() {
        for host in
            ["127.0.0.1:7878", "localhost", "LOCALHOST:1", "[::1]:7878", "10.0.0.7:80", "lab.example:7878"]
        {
            assert!(judge(host, &[]), "{host}");
        }
        for host in
            ["evil.example:7878", "127.0.0.1.evil.example", "", "localhost.", "lab.example.evil", "a:b:1"]
        {
            assert!(!judge(host, &[]), "{host}");
        }
    }

    #[test]
    fn other_pages_are_refused() {
        let host = "127.0.0.1:7878";
        assert!(judge(host, &[("origin", "http://127.0.0.1:7878"), ("sec-fetch-site", "same-origin")]));
        assert!(judge(host, &[("sec-fetch-site", "none")]));
        for origin in ["http://evil.example", "null", "https://127.0.0.1:7878", "http://127.0.0.1:1"] {
            assert!(!judge(host, &[("origin", origin)]), "{origin}");
        }
        assert!(!judge(host, &[("sec-fetch-site", "cross-site")]));
    }
}
