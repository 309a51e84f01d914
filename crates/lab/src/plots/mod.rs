//! Plots as data, and drawn.
//!
//! Each function here makes a [`Chart`] of runs or summaries; a chart is drawn as [SVG](Chart::svg) or
//! [PNG](Chart::png).

mod draw;
mod figures;

use serde::Serialize;

pub use figures::{Against, Measure, bars, cactus, h_against_distance, scaling, scatter, sweep};

/// A plot as data: axes, series, and a title.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What else must be said.
    pub note: Option<String>,
    /// The axis to the right.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
    /// Whether the line x = y is drawn, and what it is called.
    pub diagonal: Option<String>,
}

/// An axis.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Axis {
    /// What it measures, with its unit.
    pub label: String,
    /// Whether its scale is logarithmic.
    pub log: bool,
    /// Names in place of numbers: the first stands at 1.
    pub categories: Vec<String>,
}

/// Points that belong together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Series {
    /// What the legend calls it.
    pub name: String,
    /// How it is drawn.
    pub shape: Shape,
    /// Its points.
    pub points: Vec<Point>,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Points alone.
    Points,
    /// Points joined by a line.
    Line,
    /// A line in steps.
    Steps,
    /// Bars from the left to the point.
    Bars,
    /// One large mark.
    Mark,
}

/// One point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
    /// How much it stands for, from 0 to 1: the size of its mark.
    pub weight: f64,
}

impl Point {
    /// A point of the usual size.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, weight: 0.25 }
    }
}

impl Axis {
    /// An axis of numbers.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// An axis of numbers above zero, on a logarithmic scale.
    pub fn log(label: impl Into<String>) -> Self {
        Self { log: true, ..Self::linear(label) }
    }
}

impl Chart {
    /// Whether it has at least two points that differ to the right.
    pub fn says_something(&self) -> bool {
        let mut places = self.series.iter().flat_map(|series| &series.points).map(|point| point.x);
        let first = places.next();
        first.is_some_and(|first| places.any(|place| (place - first).abs() > f64::EPSILON))
    }
}
