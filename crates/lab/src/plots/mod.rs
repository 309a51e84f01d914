//! Plots as data, and drawn.
//!
//! Each function here makes a [`Chart`] of runs or summaries; with the feature `plots` a chart is drawn as SVG or PNG.

#[cfg(feature = "plots")]
pub mod board;
#[cfg(feature = "plots")]
mod draw;
mod figures;

use serde::Serialize;

pub use figures::{
    Against, Measure, anytime, bars, cactus, h_against_distance, scaling, scatter, sweep, sweep_boards,
};

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
    /// What its numbers are.
    pub unit: Unit,
}

/// What the numbers of an axis are, by which they are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Counts and plain numbers.
    #[default]
    Number,
    /// Seconds.
    Seconds,
    /// Bytes.
    Bytes,
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

impl Axis {
    /// The same axis, of numbers that are something.
    #[must_use]
    pub fn of(self, unit: Unit) -> Self {
        Self { unit, ..self }
    }
}

impl Chart {
    /// Its series in the order in which a legend names them, by their places: curves from the highest at their end down,
    /// each with its mark after it.
    pub fn legend(&self) -> Vec<usize> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (i, series) in self.series.iter().enumerate() {
            match groups.last_mut() {
                Some(group) if series.shape == Shape::Mark => group.push(i),
                _ => groups.push(vec![i]),
            }
        }
        let is_curve = |series: &Series| matches!(series.shape, Shape::Line | Shape::Steps | Shape::Mark);
        if self.series.iter().all(is_curve) {
            let end = |group: &[usize]| {
                let last = self.series[group[0]].points.last();
                last.map_or((f64::NEG_INFINITY, 0.0), |point| (point.y, -point.x))
            };
            groups.sort_by(|a, b| end(b).partial_cmp(&end(a)).unwrap_or(std::cmp::Ordering::Equal));
        }
        groups.concat()
    }

    /// Whether it has at least two points that differ to the right.
    pub fn says_something(&self) -> bool {
        let mut places = self.series.iter().flat_map(|series| &series.points).map(|point| point.x);
        let first = places.next();
        first.is_some_and(|first| places.any(|place| (place - first).abs() > f64::EPSILON))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_names_curves_from_the_highest_down_and_marks_with_their_curves() {
        let curve = |name: &str, shape, ends: f64| {
            let points = vec![Point::new(1.0, 9.0), Point::new(2.0, ends)];
            Series { name: name.into(), shape, points }
        };
        let series = vec![
            curve("low", Shape::Line, 1.0),
            curve("least of low", Shape::Mark, 1.0),
            curve("high", Shape::Line, 5.0),
            curve("middle", Shape::Line, 3.0),
        ];
        let (x, y) = (Axis::linear("x"), Axis::log("y"));
        let mut chart = Chart { title: "t".into(), note: None, x, y, series, diagonal: None };
        assert_eq!(chart.legend(), [2, 3, 0, 1]);
        chart.series[0].shape = Shape::Points;
        assert_eq!(chart.legend(), [0, 1, 2, 3], "points have no order");
    }

    #[cfg(feature = "plots")]
    #[test]
    fn a_narrow_drawing_has_the_letters_of_a_wide_one() {
        let series = (0..6).map(|i| Series {
            name: format!("a method with the long name {i}"),
            shape: Shape::Line,
            points: vec![Point::new(1.0, 2.0 + f64::from(i)), Point::new(9.0, 90.0)],
        });
        let (x, y) = (Axis::linear("cost of an optimal solution"), Axis::log("time, logarithmic"));
        let title = "Time against cost of an optimal solution".into();
        let chart = Chart { title, note: None, x, y, series: series.collect(), diagonal: None };
        let width = |drawing: &str| -> f64 {
            let frame = drawing.split("viewBox=\"0 0 ").nth(1).unwrap();
            frame.split(' ').next().unwrap().parse().unwrap()
        };
        let (wide, narrow) = (chart.svg(), chart.narrow_svg());
        assert!(width(&wide) > 700.0 && width(&narrow) < 400.0);
        for drawing in [wide, narrow] {
            assert!(drawing.contains("font-size=\"11\"") && drawing.contains("long name 5"), "{drawing}");
        }
    }
}
