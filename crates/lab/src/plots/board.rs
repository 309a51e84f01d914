//! A board drawn into a file: one drawing for all puzzles, of what an interface is shown.

use kuva::render::color::Color;
use kuva::render::render::{Primitive, Scene, TextAnchor};
use novelo_puzzles::session::{Arrows, Cell, Kind, View};

/// The side of a cell.
const CELL: f64 = 48.0;
const MARGIN: f64 = 16.0;
/// Pixels of the PNG for each unit of the drawing.
const DENSITY: f32 = 2.0;

const INK: &str = "#222222";
const GRID: &str = "#999999";
const PATH: &str = "#0072B2";

/// A board as SVG.
pub fn svg(view: &View) -> String {
    let scene = scene(view);
    let drawing = kuva::backend::svg::SvgBackend::default().render_scene(&scene);
    // With this, whoever shows it can choose the size.
    drawing.replacen("<svg", &format!("<svg viewBox=\"0 0 {} {}\"", scene.width, scene.height), 1)
}

/// A board as PNG; an error if the encoder fails.
pub fn png(view: &View) -> Result<Vec<u8>, String> {
    kuva::RasterBackend::new().with_scale(DENSITY).render_scene(&scene(view))
}

fn scene(view: &View) -> Scene {
    let side = |cells: usize| cells as f64 * CELL + 2.0 * MARGIN;
    let across = view.cols as f64 * width(view) + 2.0 * MARGIN;
    let mut scene = Scene::new(across, side(view.rows));
    scene.font_family = Some("DejaVu Sans, Verdana, sans-serif".into());
    let dots = view.arrows == Arrows::Arcs;
    for (at, cell) in view.cells.iter().enumerate() {
        draw_cell(view, at, cell, dots, &mut scene);
    }
    for pair in view.path.windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|cell| middle(view, cell));
        scene.add(line(from, to, PATH, 6.0));
    }
    if let Some(&last) = view.path.last() {
        let (cx, cy) = middle(view, last);
        scene.add(dot(cx, cy, 8.0, PATH));
    }
    for arc in view.arcs.iter().filter(|arc| arc.kind != Kind::Empty) {
        let from = corner(arc.row, arc.col);
        let to = if arc.horizontal { (from.0 + CELL, from.1) } else { (from.0, from.1 + CELL) };
        let colour = if arc.kind == Kind::Given { INK } else { PATH };
        scene.add(line(from, to, colour, 5.0));
    }
    if dots {
        for (row, col) in (0..=view.rows).flat_map(|row| (0..=view.cols).map(move |col| (row, col))) {
            let (cx, cy) = corner(row, col);
            scene.add(dot(cx, cy, 4.5, INK));
        }
    }
    scene
}

fn draw_cell(view: &View, at: usize, cell: &Cell, dots: bool, scene: &mut Scene) {
    let (x, y) = corner(at / view.cols, at % view.cols);
    // A bar is as long as its number, in the middle of a row as wide as the longest.
    let row = width(view);
    let length = match cell.value {
        Some(value) if view.bars => row * f64::from(value) / view.cells.len() as f64,
        _ => row,
    };
    let bar = (x + (row - length) / 2.0, length);
    let gap = cell.kind == Kind::Empty && view.arrows == Arrows::Move && view.path.is_empty();
    let fill = match cell.kind {
        Kind::Wall => "#555555",
        Kind::Done => "#D5EFE3",
        Kind::Start | Kind::End => "#F6E3EE",
        Kind::Given | Kind::Placed if view.arrows == Arrows::Move => "#F4E7C8",
        Kind::Given => "#ECECEC",
        _ if gap => "#DDDDDD",
        _ => "#FFFFFF",
    };
    let framed = !dots;
    scene.add(Primitive::Rect {
        x: bar.0,
        y,
        width: bar.1,
        height: CELL,
        fill: Color::from(fill),
        stroke: framed.then(|| Color::from(GRID)),
        stroke_width: framed.then_some(1.0),
        opacity: None,
    });
    let text = match (cell.kind, cell.value) {
        (Kind::Start, None) => Some("S".to_owned()),
        (Kind::End, None) => Some("E".to_owned()),
        (_, value) => value.map(|value| value.to_string()),
    };
    if let Some(content) = text {
        scene.add(Primitive::Text {
            x: x + row / 2.0,
            y: y + CELL / 2.0 + 6.5,
            content,
            size: 18,
            anchor: TextAnchor::Middle,
            rotate: None,
            bold: cell.kind == Kind::Given,
            color: Some(Color::from(INK)),
        });
    }
}

/// How wide a cell is drawn: bars have the room for the longest, without its being wide at the cost of all others.
fn width(view: &View) -> f64 {
    if view.bars { CELL * (view.rows as f64).clamp(2.0, 10.0) } else { CELL }
}

/// The top left corner of a cell.
fn corner(row: usize, col: usize) -> (f64, f64) {
    (MARGIN + col as f64 * CELL, MARGIN + row as f64 * CELL)
}

fn middle(view: &View, cell: usize) -> (f64, f64) {
    let (x, y) = corner(cell / view.cols, cell % view.cols);
    (x + CELL / 2.0, y + CELL / 2.0)
}

fn line((x1, y1): (f64, f64), (x2, y2): (f64, f64), colour: &str, stroke_width: f64) -> Primitive {
    Primitive::Line { x1, y1, x2, y2, stroke: Color::from(colour), stroke_width, stroke_dasharray: None }
}

fn dot(cx: f64, cy: f64, r: f64, colour: &str) -> Primitive {
    let fill = Color::from(colour);
    Primitive::Circle { cx, cy, r, fill, fill_opacity: None, stroke: None, stroke_width: None }
}
