//! Tables as data, and the forms they are written in.

mod columns;
mod forms;
pub mod units;

use serde::Serialize;

pub use columns::of_summaries;

/// A table: every cell as a number, as text, and whether it is the best of its column.
#[derive(Debug, Clone, Serialize)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with a cell for every column.
    pub rows: Vec<Vec<Cell>>,
}

/// What a column holds.
#[derive(Debug, Clone, Serialize)]
pub struct Column {
    /// Its name, as CSV and JSON call it.
    pub name: String,
    /// Its heading.
    pub heading: String,
    /// Its heading where there is little room.
    pub short: String,
    /// Whether it holds numbers.
    pub numeric: bool,
    /// Whether it may be left out where there is little room.
    #[serde(skip)]
    pub spare: bool,
}

/// One value.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Cell {
    /// As it goes into CSV and JSON.
    pub value: serde_json::Value,
    /// As a person reads it.
    pub text: String,
    /// The same where there is little room.
    pub short: String,
    /// Whether it is the best of its column.
    pub best: bool,
    /// Where more about it stands on the same page.
    #[serde(skip)]
    pub link: Option<String>,
}

impl Cell {
    /// A text, the same in every form.
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { value: text.clone().into(), short: text.clone(), text, ..Self::default() }
    }

    /// A value that is not known or does not apply.
    pub fn absent() -> Self {
        Self { value: serde_json::Value::Null, ..Self::text("–") }
    }
}
