//! A game on the page, played the ways a person can.

use std::process::Command;

use serde_json::{Value, json};

use crate::chrome::Tab;

/// How a person plays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum By {
    Mouse,
    Keyboard,
}

/// The moves of a best solution, by the program itself.
pub fn solution(instance: &str) -> Vec<String> {
    let output =
        Command::new(env!("CARGO_BIN_EXE_novelo")).args(["solve", instance, "--json"]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    report["moves"].as_array().unwrap().iter().map(|made| made.as_str().unwrap().to_owned()).collect()
}

impl Tab {
    /// Opens a game and makes the moves of a solution.
    pub fn begin(&mut self, instance: &str) {
        self.show(&format!("#/play/{instance}"));
        self.wait("document.querySelector('.playing')");
        self.eval("document.querySelector('.playing').focus()");
    }

    /// Makes moves on the board that is shown, which has made `before` of them already.
    pub fn make(&mut self, puzzle: &str, moves: &[String], by: By, before: usize) {
        let steps: Vec<_> = moves.iter().filter(|made| !made.starts_with("turn")).collect();
        if puzzle == "mazes" && by == By::Mouse {
            return self.drag_thread(&steps, before);
        }
        for (i, made) in steps.iter().enumerate() {
            match (puzzle, by) {
                ("sliding", By::Mouse) => self.click_tile(made),
                ("sliding" | "mazes", _) => self.key(arrow(made)),
                ("numbrix", _) => self.write(made, by),
                ("boxes", By::Mouse) => self.click_arc(made),
                ("template", By::Mouse) => {
                    let button = self.cell(0, 0, 14.0);
                    self.press(button);
                }
                ("template", By::Keyboard) => self.key("Enter"),
                _ => self.draw_side(made),
            }
            self.wait_moves(before + i + 1);
        }
    }

    pub fn wait_moves(&mut self, moves: usize) {
        self.wait(&format!("document.querySelector('.stats div:nth-child(2) dd').innerText === '{moves}'"));
    }

    /// Where a point of the board's picture is on the screen.
    pub fn spot(&mut self, x: f64, y: f64) -> [f64; 2] {
        let place = self.eval(&format!(
            "(() => {{ const svg = document.querySelector('.playing svg'); svg.scrollIntoView({{block: 'center'}});
             const p = new DOMPoint({x}, {y}).matrixTransform(svg.getScreenCTM()); return [p.x, p.y]; }})()"
        ));
        [place[0].as_f64().unwrap(), place[1].as_f64().unwrap()]
    }

    /// The middle of a cell, rows and columns from 0, in a board with this margin.
    fn cell(&mut self, row: usize, col: usize, margin: f64) -> [f64; 2] {
        self.spot(margin + (col as f64 + 0.5) * 100.0, margin + (row as f64 + 0.5) * 100.0)
    }

    /// Clicks the tile that lies where the gap is to go.
    fn click_tile(&mut self, way: &str) {
        let tile = self.eval(&format!(
            "(() => {{ const tiles = [...document.querySelectorAll('.playing .tile')].map((tile) => {{
               const [x, y] = tile.style.transform.match(/[-\\d.]+/g).map(Number); return [(x - 14) / 100, (y - 14) / 100]; }});
             const side = Math.round(Math.sqrt(tiles.length + 1));
             for (let row = 0; row < side; row++) for (let col = 0; col < side; col++)
               if (!tiles.some(([x, y]) => x === col && y === row)) {{
                 const [down, right] = {{U: [-1, 0], D: [1, 0], L: [0, -1], R: [0, 1]}}[{}]; return [row + down, col + right]; }} }})()",
            json!(way)
        ));
        let at = self.cell(tile[0].as_u64().unwrap() as usize, tile[1].as_u64().unwrap() as usize, 14.0);
        self.press(at);
    }

    /// Writes a number: the cell by click and its digits by the keys on the screen, or all by the keyboard.
    fn write(&mut self, made: &str, by: By) {
        let numbers: Vec<usize> = made.split([',', '=']).map(|n| n.parse().unwrap()).collect();
        let (row, col, value) = (numbers[0] - 1, numbers[1] - 1, numbers[2].to_string());
        if by == By::Mouse {
            let at = self.cell(row, col, 10.0);
            self.press(at);
            for digit in value.chars() {
                self.click(&format!(".pad [aria-label='{digit}']"));
            }
            // A number to which no digit can be added is complete without Enter.
            self.click(".pad [aria-label='Enter']");
        } else {
            self.eval("document.querySelector('.playing').focus()");
            self.walk_cursor(row, col, 10, 46);
            for digit in value.chars() {
                self.key(&digit.to_string());
            }
            self.key("Enter");
        }
    }

    /// Moves the cursor of a board to a cell by the arrow keys.
    fn walk_cursor(&mut self, row: usize, col: usize, margin: usize, reach: usize) {
        let now = self.eval(&format!(
            "(() => {{ const c = document.querySelector('.playing .cursor'); const at = (name) =>
             Math.round((Number(c.getAttribute(name)) + {reach} - {margin} - 50) / 100); return [at('y'), at('x')]; }})()"
        ));
        let (from_row, from_col) = (now[0].as_u64().unwrap() as usize, now[1].as_u64().unwrap() as usize);
        for (from, to, less, more) in
            [(from_row, row, "ArrowUp", "ArrowDown"), (from_col, col, "ArrowLeft", "ArrowRight")]
        {
            for _ in 0..from.abs_diff(to) {
                self.key(if from > to { less } else { more });
            }
        }
    }

    /// Leads the thread in one stroke from its end through the cells.
    fn drag_thread(&mut self, steps: &[&String], before: usize) {
        let head = self.eval(
            "document.querySelector('.playing .thread').getAttribute('points').split(' ').at(-1).split(',').map(Number)",
        );
        let (mut x, mut y) = (head[0].as_f64().unwrap(), head[1].as_f64().unwrap());
        let start = self.spot(x, y);
        self.mouse("mouseMoved", start, 0);
        self.mouse("mousePressed", start, 1);
        for (i, step) in steps.iter().enumerate() {
            match step.as_str() {
                "U" => y -= 100.0,
                "D" => y += 100.0,
                "L" => x -= 100.0,
                _ => x += 100.0,
            }
            let at = self.spot(x, y);
            self.mouse("mouseMoved", at, 1);
            self.wait_moves(before + i + 1);
        }
        let end = self.spot(x, y);
        self.mouse("mouseReleased", end, 0);
    }

    fn click_arc(&mut self, made: &str) {
        let (horizontal, row, col) = arc(made);
        let (row, col) = (row as f64 * 100.0 + 36.0, col as f64 * 100.0 + 36.0);
        let at = if horizontal { self.spot(col + 50.0, row) } else { self.spot(col, row + 50.0) };
        self.press(at);
    }

    /// Chooses a box by the arrows and draws its side by a letter.
    fn draw_side(&mut self, made: &str) {
        let (horizontal, row, col) = arc(made);
        let sizes = self
            .eval("document.querySelector('.playing svg').getAttribute('viewBox').split(' ').map(Number)");
        let last = |side: usize| (sizes[side].as_f64().unwrap() as usize - 72) / 100 - 1;
        let (rows, cols) = (last(3), last(2));
        self.walk_cursor(row.min(rows), col.min(cols), 36, 34);
        self.key(match (horizontal, row > rows, col > cols) {
            (true, false, _) => "w",
            (true, true, _) => "s",
            (false, _, false) => "a",
            (false, _, true) => "d",
        });
    }
}

fn arrow(made: &str) -> &'static str {
    match made {
        "U" => "ArrowUp",
        "D" => "ArrowDown",
        "L" => "ArrowLeft",
        _ => "ArrowRight",
    }
}

/// Whether an arc is horizontal, and its row and column from 0.
fn arc(made: &str) -> (bool, usize, usize) {
    let (kind, place) = made.split_once(' ').unwrap();
    let (row, col) = place.split_once(',').unwrap();
    (kind == "h", row.parse::<usize>().unwrap() - 1, col.parse::<usize>().unwrap() - 1)
}
