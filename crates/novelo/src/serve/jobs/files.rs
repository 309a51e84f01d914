//! The files that belong to a result: charts, tables, whole reports.

use std::sync::Arc;

use novelo_lab::plots::Chart;
use serde::Serialize;
use utoipa::ToSchema;

/// A file to look at or to keep.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct File {
    /// Its name.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Its content type.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// `chart`, `narrow` (the chart before it, drawn for a small screen) or `download`.
    pub role: &'static str,
    /// What is in it.
    #[serde(skip)]
    pub text: Arc<str>,
}

impl File {
    /// A chart as SVG, for a page and for a phone.
    pub fn charts(name: &str, chart: &Chart) -> [Self; 2] {
        let file = |name: String, role, drawing: String| {
            let (title, text) = (chart.title.clone(), drawing.into());
            Self { name, title, kind: "image/svg+xml", role, text }
        };
        [
            file(format!("{name}.svg"), "chart", chart.svg()),
            file(format!("{name}.narrow.svg"), "narrow", chart.narrow_svg()),
        ]
    }

    /// A file to keep.
    pub fn download(name: &str, title: &str, kind: &'static str, text: String) -> Self {
        Self { name: name.into(), title: title.into(), kind, role: "download", text: text.into() }
    }
}
