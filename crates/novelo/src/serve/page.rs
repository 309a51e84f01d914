//! The page: files that are part of the program.

use axum::body::Body;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use rust_embed::RustEmbed;

use super::api_error::ApiError;

#[derive(RustEmbed)]
#[folder = "page/"]
struct Files;

/// A file of the page, or an error that there is none.
pub async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    if path == "api" || path.starts_with("api/") {
        return ApiError::missing("there is no such address; GET /api/openapi.json lists them")
            .into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        let api_error = ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "the page can only be read");
        return ([(header::ALLOW, "GET, HEAD")], api_error).into_response();
    }
    let Some(file) = Files::get(path) else {
        return ApiError::missing("there is no such page").help("the page begins at /").into_response();
    };
    let digest = file.metadata.sha256_hash();
    let tag = digest[..16].iter().fold("\"".to_owned(), |tag, byte| format!("{tag}{byte:02x}")) + "\"";
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let unchanged = known.is_some_and(|known| known.split(',').any(|one| one.trim() == tag));
    let kind = match file.metadata.mimetype() {
        text if text.starts_with("text/") => format!("{text}; charset=utf-8"),
        other => other.to_owned(),
    };
    let about =
        [(header::CONTENT_TYPE, kind), (header::ETAG, tag), (header::CACHE_CONTROL, "no-cache".into())];
    if unchanged {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    (about, Body::from(file.data)).into_response()
}

#[cfg(test)]
mod tests {
    use super::Files;

    #[test]
    fn every_puzzle_has_its_look() {
        for puzzle in novelo_puzzles::PUZZLES {
            let path = format!("boards/{}.js", puzzle.info().name);
            assert!(Files::get(&path).is_some(), "there is no page/{path}");
        }
    }
}
