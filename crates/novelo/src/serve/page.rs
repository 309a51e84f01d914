//! The page: files that are part of the program.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use axum::body::Body;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};

use super::api_error::ApiError;

/// A file of the page, by its path below `page/`; `build.rs` made the table.
#[cfg(not(debug_assertions))]
fn file(path: &str) -> Option<Cow<'static, [u8]>> {
    static FILES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/page.rs"));
    FILES.iter().find(|&&(name, _)| name == path).map(|&(_, data)| Cow::Borrowed(data))
}

/// The same from the source, so that a change of the page needs no compiling.
#[cfg(debug_assertions)]
fn file(path: &str) -> Option<Cow<'static, [u8]>> {
    let is_name = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains('\\');
    let page = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/page"));
    path.split('/').all(is_name).then(|| std::fs::read(page.join(path)).ok())?.map(Cow::Owned)
}

/// What a browser is told a file is, by the end of its name.
fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

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
    let Some(data) = file(path) else {
        return ApiError::missing("there is no such page").help("the page begins at /").into_response();
    };
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    let tag = format!("\"{:016x}\"", hasher.finish());
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let unchanged = known.is_some_and(|known| known.split(',').any(|one| one.trim() == tag));
    let about = [
        (header::CONTENT_TYPE, kind(path).to_owned()),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    if unchanged {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    (about, Body::from(data)).into_response()
}

#[cfg(test)]
mod tests {
    use super::{file, kind};

    #[test]
    fn every_puzzle_has_its_look() {
        for puzzle in novelo_puzzles::PUZZLES {
            let path = format!("boards/{}.js", puzzle.info().name);
            assert!(file(&path).is_some(), "there is no page/{path}");
        }
    }
    #[test]
    fn nothing_but_files_of_the_page_is_sent() {
        for path in [
            "../Cargo.toml",
            "views/../../Cargo.toml",
            "/etc/passwd",
            "views",
            "",
            "views//play.js",
            "nothing.js",
        ] {
            assert!(file(path).is_none(), "{path}");
        }
    }

    #[test]
    fn the_kind_of_every_file_is_known() {
        fn walk(folder: &std::path::Path) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path);
                } else {
                    assert_ne!(
                        kind(path.to_str().unwrap()),
                        "application/octet-stream",
                        "{}",
                        path.display()
                    );
                }
            }
        }
        walk(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/page")));
    }
}
