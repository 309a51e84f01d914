//! Who may ask: pages that this server itself has sent, and programs on this machine. Where other machines reach it, whoever
//! has its token: in a header, or in the link that the server prints, which leaves it in a cookie.
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

/// Who is admitted.
#[derive(Debug, Default)]
pub struct Admission {
    /// The names the server goes by beside its own.
    pub names: Vec<String>,
    /// What must be known to be served; anybody is without one.
    pub token: Option<String>,
}

/// The header and the cookie that hold the token.
const TOKEN: &str = "novelo-token";

impl Admission {
    /// Whether a text is the token. How long that takes says nothing of where they differ.
    fn knows(&self, given: &str) -> bool {
        let Some(token) = &self.token else { return true };
        let differs = token.bytes().zip(given.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
        token.len() == given.len() && differs == 0
    }

    /// Whether a header or a cookie holds the token.
    fn is_known(&self, headers: &HeaderMap) -> bool {
        let header = headers.get(TOKEN).and_then(|value| value.to_str().ok());
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        self.token.is_none()
            || header.is_some_and(|given| self.knows(given))
            || pairs.any(|(name, given)| name == TOKEN && self.knows(given))
    }

    /// The cookie to leave with who comes by the link.
    fn cookie(&self, query: Option<&str>) -> Option<HeaderValue> {
        let token = self.token.as_ref()?;
        let given = query?.split('&').find_map(|pair| pair.strip_prefix("token="))?;
        let cookie = format!("{TOKEN}={token}; Path=/; HttpOnly; SameSite=Strict");
        self.knows(given).then(|| cookie.parse().expect("a token is plain"))
    }
}

/// Lets through what may ask, and puts the headers on every answer.
pub async fn guard(State(admission): State<Arc<Admission>>, request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api");
    let cookie = admission.cookie(request.uri().query());
    let mut response = match admit(request.headers(), api, &admission.names) {
        Ok(()) if cookie.is_some() || admission.is_known(request.headers()) => next.run(request).await,
        Ok(()) => ApiError::new(
            StatusCode::UNAUTHORIZED,
            "this server asks for the token that it printed at its start",
        )
        .help(format!("open the link it printed, or send the token in the header {TOKEN}"))
        .into_response(),
        Err(api_error) => api_error.into_response(),
    };
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
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
    let origins = headers.get_all(header::ORIGIN).iter().map(|origin| origin.to_str().unwrap_or("?"));
    if origins.into_iter().any(|origin| origin.strip_prefix("http://") != Some(host)) {
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
    fn every_origin_counts() {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, "127.0.0.1:7878".parse().unwrap());
        headers.append(header::ORIGIN, "http://127.0.0.1:7878".parse().unwrap());
        assert!(admit(&headers, true, &[]).is_ok());
        headers.append(header::ORIGIN, "http://evil.example".parse().unwrap());
        assert!(admit(&headers, true, &[]).is_err());
    }

    #[test]
    fn a_token_is_asked_for_where_there_is_one() {
        let with = |name: &'static str, value: &str| {
            HeaderMap::from_iter([(HeaderName::from_static(name), value.parse().unwrap())])
        };
        let open = Admission::default();
        assert!(open.is_known(&HeaderMap::new()) && open.cookie(Some("token=")).is_none());
        let admission = Admission { token: Some("abc".into()), ..Admission::default() };
        for known in
            [with(TOKEN, "abc"), with("cookie", "novelo-token=abc"), with("cookie", "a=b; novelo-token=abc")]
        {
            assert!(admission.is_known(&known), "{known:?}");
        }
        for unknown in
            [HeaderMap::new(), with(TOKEN, "ab"), with(TOKEN, "abcd"), with("cookie", "novelo-token=")]
        {
            assert!(!admission.is_known(&unknown), "{unknown:?}");
        }
        assert!(admission.cookie(Some("x=1&token=abc")).is_some());
        assert!(
            [None, Some("token=abd"), Some("token")]
                .into_iter()
                .all(|query| admission.cookie(query).is_none())
        );
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
