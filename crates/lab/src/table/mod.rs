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

impl Table {
    /// The same table with the columns of some names, in their order, after those of text.
    pub fn with_columns(&self, names: &[String]) -> Result<Self, String> {
        let texts = (0..self.columns.len()).filter(|&i| !self.columns[i].numeric);
        let mut kept: Vec<usize> = texts.collect();
        for name in names {
            let known = self.columns.iter().position(|column| column.name == *name && column.numeric);
            kept.push(known.ok_or_else(|| {
                let columns = self.columns.iter().filter(|column| column.numeric);
                let names: Vec<_> = columns.map(|column| column.name.as_str()).collect();
                format!("there is no column '{name}'; there are {}", names.join(", "))
            })?);
        }
        let columns = kept.iter().map(|&i| self.columns[i].clone()).collect();
        let row = |row: &Vec<Cell>| kept.iter().map(|&i| row[i].clone()).collect();
        Ok(Self { columns, rows: self.rows.iter().map(row).collect() })
    }
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
