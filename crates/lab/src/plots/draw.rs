//! Charts drawn by kuva: the only file that knows it.

use std::sync::Arc;

use kuva::plot::legend::{LegendEntry, LegendPosition, LegendShape};
use kuva::plot::line::LineStyle;
use kuva::plot::scatter::MarkerShape;
use kuva::plot::{BarPlot, LinePlot, ScatterPlot};
use kuva::render::layout::{AxisLabelOverlap, Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::{Scene, render_multiple};

use super::{Axis, Chart, Point, Series, Shape, Unit};
use crate::table::units;

/// Okabe and Ito's colours, which the colour-blind can tell apart; yellow, too faint on white, is left out.
const COLOURS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#444444"];
/// One for each round of the colours; so are line styles.
const MARKERS: [MarkerShape; 4] =
    [MarkerShape::Circle, MarkerShape::Square, MarkerShape::Triangle, MarkerShape::Cross];
const EDGE: f64 = 16.0;
/// Pixels of the PNG for each unit of the drawing.
const DENSITY: f32 = 2.0;

/// The room that a drawing has.
struct Room {
    width: f64,
    height: f64,
    /// The size of the title's letters.
    title: u32,
    /// About as many letters fit into a line; none where all titles do.
    letters: Option<usize>,
    /// Ticks along the axis to the right, at most.
    ticks: f64,
    /// Whether the legend stands below, rather than at the right.
    below: bool,
}

/// As on paper.
const PAGE: Room = Room { width: 720.0, height: 420.0, title: 16, letters: None, ticks: 12.0, below: false };
/// The width of a phone, with letters as large as on paper.
const PHONE: Room =
    Room { width: 360.0, height: 290.0, title: 14, letters: Some(38), ticks: 6.0, below: true };

impl Chart {
    /// The drawing as SVG.
    pub fn svg(&self) -> String {
        self.svg_in(&PAGE)
    }

    /// The drawing as SVG, half as wide, with letters of the same size.
    pub fn narrow_svg(&self) -> String {
        self.svg_in(&PHONE)
    }

    fn svg_in(&self, room: &Room) -> String {
        let scene = self.scene(room);
        let drawing = kuva::backend::svg::SvgBackend::default().render_scene(&scene);
        // With this, whoever shows it can choose the size.
        let frame = format!("<svg viewBox=\"0 0 {} {}\"", scene.width, scene.height);
        let drawing = drawing.replacen("<svg", &frame, 1);
        // Names inside a drawing must not meet those of another on the same page.
        let letters =
            self.title.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' });
        drawing.replace("kuva-clip", &letters.collect::<String>())
    }

    /// The drawing as PNG; an error if the encoder fails.
    pub fn png(&self) -> Result<Vec<u8>, String> {
        kuva::RasterBackend::new().with_scale(DENSITY).render_scene(&self.scene(&PAGE))
    }

    fn scene(&self, room: &Room) -> Scene {
        let mut plots = Vec::new();
        let mut legend = Vec::new();
        if let Some(name) = &self.diagonal {
            let (low, high) = self.extent();
            let line = LinePlot::new().with_data([(low, low), (high, high)]).with_color("#999999");
            plots.push(line.with_dashed().into());
            legend.push(entry(name, "#999999", LegendShape::Line));
        }
        // A mark has the colour of the series before it.
        let mut place = 0;
        let mut entries = Vec::new();
        for series in &self.series {
            if series.shape == Shape::Mark {
                place -= 1;
            }
            entries.push(draw(series, place, &mut plots, &self.y));
            place += 1;
        }
        legend.extend(self.legend().into_iter().map(|i| entries[i].clone()));
        let layout = self.layout(&plots, legend, room);
        let mut scene = render_multiple(plots, layout);
        // The last tick's number may reach beyond the axis.
        scene.width += EDGE;
        scene
    }

    /// The least and the greatest number of both axes.
    fn extent(&self) -> (f64, f64) {
        let numbers = || self.series.iter().flat_map(|it| &it.points).flat_map(|point| [point.x, point.y]);
        (numbers().fold(f64::INFINITY, f64::min), numbers().fold(0.0, f64::max))
    }

    fn numbers(&self, side: fn(&Point) -> f64) -> impl Iterator<Item = f64> {
        self.series.iter().flat_map(|series| &series.points).map(side)
    }

    /// The distance of ticks on an axis of whole numbers: 1, 2 or 5 with zeros.
    fn whole_step(&self, side: fn(&Point) -> f64, ticks: f64) -> Option<f64> {
        if self.numbers(side).any(|number| number.fract() != 0.0) {
            return None;
        }
        let most = self.numbers(side).fold(0.0, f64::max);
        let steps = [1.0, 2.0, 5.0].into_iter().cycle().zip((0..30).map(|i| 10_f64.powi(i / 3)));
        steps.map(|(digit, power)| digit * power).find(|step| most / step <= ticks)
    }

    /// The distance of ticks that stand at every number of an axis, where these are few and evenly spread.
    fn even_step(&self, side: fn(&Point) -> f64, ticks: f64) -> Option<f64> {
        let mut numbers: Vec<f64> = self.numbers(side).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
        let step = numbers.windows(2).map(|pair| pair[1] - pair[0]).reduce(f64::min)?;
        let even = |number: &f64| {
            let steps = number / step;
            (steps - steps.round()).abs() < 1e-6
        };
        (numbers.len() as f64 <= ticks
            && (numbers[numbers.len() - 1] - numbers[0]) / step < ticks + 0.5
            && numbers.iter().all(even))
        .then_some(step)
    }

    /// High enough for every name beside it or below.
    fn height(&self, legend: usize, room: &Room) -> f64 {
        if !self.y.categories.is_empty() {
            return 130.0 + 26.0 * self.y.categories.len() as f64;
        }
        let names = 18.0 * legend as f64;
        if room.below { room.height + names } else { room.height.max(130.0 + names) }
    }

    fn layout(&self, plots: &[Plot], legend: Vec<LegendEntry>, room: &Room) -> Layout {
        let mut layout = Layout::auto_from_plots(plots)
            .with_width(room.width)
            .with_height(self.height(legend.len(), room))
            .with_title(&self.title)
            .with_title_size(room.title)
            .with_x_label_overlap(AxisLabelOverlap::Thin)
            .with_label_size(13)
            .with_tick_size(11)
            .with_body_size(12)
            .with_x_label(&self.x.label)
            .with_y_label(&self.y.label)
            .with_font_family("DejaVu Sans, Verdana, sans-serif");
        if let Some(letters) = room.letters {
            layout = layout.with_wrap(letters);
        }
        if let Some(note) = &self.note {
            layout = layout.with_subtitle(note).with_subtitle_size(11);
        }
        if self.x.log {
            layout = layout.with_log_x().with_x_tick_format(written(self.x.unit));
            let least = self.numbers(|point| point.x).fold(f64::INFINITY, f64::min);
            if !self.y.categories.is_empty() && least.is_finite() {
                layout = layout.with_x_axis_min(10_f64.powf((least / 2.0).log10().floor()));
            }
        } else if let Some(step) = self
            .even_step(|point| point.x, room.ticks)
            .or_else(|| self.whole_step(|point| point.x, room.ticks))
        {
            layout = layout.with_x_tick_step(step);
        }
        if self.y.log {
            layout = layout.with_log_y().with_y_tick_format(written(self.y.unit));
        } else if self.y.categories.is_empty()
            && let Some(step) = self.whole_step(|point| point.y, PAGE.ticks)
        {
            layout = layout.with_y_tick_step(step);
        }
        if !self.y.categories.is_empty() {
            layout = layout.with_y_categories(self.y.categories.clone());
        }
        // Bars carry their names on the axis.
        if legend.len() > 1 {
            layout = layout
                .with_legend_entries(legend)
                .with_legend_position(if room.below {
                    LegendPosition::OutsideBottomColumns
                } else {
                    LegendPosition::OutsideRightTop
                })
                .with_legend_box(!room.below);
        }
        layout
    }
}

/// How the numbers of an axis are written.
fn written(unit: Unit) -> TickFormat {
    TickFormat::Custom(Arc::new(match unit {
        Unit::Number => units::short_number,
        Unit::Seconds => units::short_seconds,
        Unit::Bytes => units::axis_bytes,
    }))
}

/// Draws a series; its entry in the legend.
fn draw(series: &Series, place: usize, plots: &mut Vec<Plot>, y: &Axis) -> LegendEntry {
    let colour = COLOURS[place % COLOURS.len()];
    let marker = MARKERS[place / COLOURS.len() % MARKERS.len()];
    let data = || series.points.iter().map(|point| (point.x, point.y));
    let dots = |size: f64| {
        let sizes = series.points.iter().map(|point| size * point.weight * 4.0);
        ScatterPlot::new().with_data(data()).with_sizes(sizes).with_color(colour).with_marker(marker)
    };
    let line = || LinePlot::new().with_data(data()).with_color(colour).with_stroke_width(1.8);
    match series.shape {
        Shape::Points => {
            plots.push(dots(2.2).with_marker_opacity(0.7).into());
            entry(&series.name, colour, LegendShape::Circle)
        }
        Shape::Line => {
            plots.push(line().with_line_style(style(place)).into());
            plots.push(dots(3.0).into());
            entry(&series.name, colour, LegendShape::Marker(marker))
        }
        Shape::Steps => {
            plots.push(line().with_step().with_line_style(style(place)).into());
            plots.push(dots(2.5).into());
            entry(&series.name, colour, LegendShape::Marker(marker))
        }
        Shape::Mark => {
            plots.push(dots(4.0).with_marker(MarkerShape::Diamond).into());
            entry(&series.name, colour, LegendShape::Marker(MarkerShape::Diamond))
        }
        Shape::Bars => {
            let mut bars = BarPlot::new().with_horizontal(true).with_width(0.7);
            for (point, name) in series.points.iter().zip(&y.categories) {
                bars = bars.with_colored_bar(name, point.x, colour);
            }
            plots.push(bars.into());
            entry(&series.name, colour, LegendShape::Rect)
        }
    }
}

fn style(place: usize) -> LineStyle {
    match place / COLOURS.len() % 4 {
        0 => LineStyle::Solid,
        1 => LineStyle::Dashed,
        2 => LineStyle::Dotted,
        _ => LineStyle::DashDot,
    }
}

fn entry(label: &str, colour: &str, shape: LegendShape) -> LegendEntry {
    LegendEntry { label: label.into(), color: colour.into(), shape, dasharray: None }
}
