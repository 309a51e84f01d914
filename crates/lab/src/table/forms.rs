//! The forms a table is written in.

use comfy_table::{Attribute, Cell as Drawn, CellAlignment, Color, ContentArrangement, presets};
use maud::{Markup, html};
use serde_json::{Map, Value};

use super::{Cell, Table};

/// Names are not squeezed below this.
const NARROWEST: usize = 10;

impl Table {
    /// As text for a terminal of some width: short where the long form does not fit, then without what can be spared,
    /// and with names broken only where even that is too wide. The best of a column is bold where `styled`, and has a
    /// star elsewhere.
    pub fn text(&self, width: usize, styled: bool) -> String {
        let fits = |text: &String| text.lines().all(|line| visible(line) <= width);
        let whole = |table: &Self, short| Some(table.draw(usize::MAX, styled, short)).filter(fits);
        whole(self, false)
            .or_else(|| whole(self, true))
            .or_else(|| whole(&self.without_spare(), true))
            .unwrap_or_else(|| self.draw(width, styled, true))
    }

    fn without_spare(&self) -> Self {
        let kept = |i: usize| !self.columns[i].spare;
        let row = |row: &Vec<Cell>| {
            row.iter().enumerate().filter(|(i, _)| kept(*i)).map(|(_, cell)| cell.clone()).collect()
        };
        let columns = self.columns.iter().filter(|column| !column.spare).cloned().collect();
        Self { columns, rows: self.rows.iter().map(row).collect() }
    }

    /// What is left for each text column in the short form, after the numbers have theirs.
    fn room(&self, width: usize, styled: bool) -> usize {
        let cells = |i: usize| self.rows.iter().map(move |row| &row[i]);
        let widest = |i: usize| {
            cells(i).map(|cell| cell.short.chars().count() + usize::from(cell.best && !styled)).max()
        };
        let (mut taken, mut texts) = (0, 0);
        for (i, column) in self.columns.iter().enumerate() {
            if column.numeric {
                taken += 1 + widest(i).unwrap_or(0).max(column.short.chars().count());
            } else {
                texts += 1;
            }
        }
        (width.saturating_sub(taken) / texts.max(1)).saturating_sub(1).max(NARROWEST)
    }

    fn draw(&self, width: usize, styled: bool, short: bool) -> String {
        let room = if short { self.room(width, styled) } else { usize::MAX };
        let mut drawn = comfy_table::Table::new();
        drawn.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        drawn.enforce_styling();
        let heading = |column: &super::Column| {
            let text = if short { &column.short } else { &column.heading };
            let cell = Drawn::new(text).set_alignment(side(column.numeric));
            if styled { cell.add_attribute(Attribute::Dim) } else { cell }
        };
        drawn.set_header(self.columns.iter().map(heading));
        for row in &self.rows {
            drawn.add_row(row.iter().zip(&self.columns).map(|(cell, column)| {
                let text = if short { &cell.short } else { &cell.text };
                let text = if column.numeric { text.clone() } else { wrapped(text, room) };
                let text = if cell.best && !styled { format!("{text}*") } else { text };
                let drawn = Drawn::new(text).set_alignment(side(column.numeric));
                if cell.best && styled {
                    drawn.add_attribute(Attribute::Bold).fg(Color::Green)
                } else {
                    drawn
                }
            }));
        }
        for (i, column) in drawn.column_iter_mut().enumerate() {
            column.set_padding((u16::from(i > 0 && !short), u16::from(i + 1 < self.columns.len())));
        }
        let lines: Vec<_> = drawn.lines().map(|line| line.trim_end().to_owned()).collect();
        lines.join("\n") + "\n"
    }

    /// As Markdown, the best of each column bold.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let escape = |text: &str| text.replace('|', "\\|").replace('*', "\\*");
        let mut text = line(self.columns.iter().map(|column| escape(&column.heading)).collect());
        text += &line(self.columns.iter().map(|it| if it.numeric { "---:" } else { "---" }.into()).collect());
        for row in &self.rows {
            let mark = |cell: &Cell| {
                if cell.best { format!("**{}**", escape(&cell.text)) } else { escape(&cell.text) }
            };
            text += &line(row.iter().map(mark).collect());
        }
        text
    }

    /// As LaTeX, the best of each column bold; it needs no package.
    pub fn latex(&self) -> String {
        let row = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
        let sides: String =
            self.columns.iter().map(|column| if column.numeric { 'r' } else { 'l' }).collect();
        let mut text = format!("\\begin{{tabular}}{{{sides}}}\n\\hline\n");
        text += &row(self.columns.iter().map(|column| in_latex(&column.heading)).collect());
        text += "\\hline\n";
        for cells in &self.rows {
            let mark = |cell: &Cell| {
                if cell.best { format!("\\textbf{{{}}}", in_latex(&cell.text)) } else { in_latex(&cell.text) }
            };
            text += &row(cells.iter().map(mark).collect());
        }
        text + "\\hline\n\\end{tabular}\n"
    }

    /// As CSV, every number in full.
    pub fn csv(&self) -> String {
        let mut out = csv::Writer::from_writer(Vec::new());
        let plain = |cell: &Cell| match &cell.value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        let written = out.write_record(self.columns.iter().map(|column| &column.name));
        let rows = self.rows.iter().map(|row| row.iter().map(plain));
        let written = written.and_then(|()| rows.into_iter().try_for_each(|row| out.write_record(row)));
        written.expect("rows are as long as the header, and memory does not fail");
        String::from_utf8(out.into_inner().expect("memory does not fail")).expect("made of text")
    }

    /// As JSON objects, one a row.
    pub fn json(&self) -> Vec<Value> {
        let object = |row: &Vec<Cell>| {
            let fields = self.columns.iter().zip(row).map(|(it, cell)| (it.name.clone(), cell.value.clone()));
            Value::Object(fields.collect::<Map<_, _>>())
        };
        self.rows.iter().map(object).collect()
    }

    /// As HTML, the best of each column strong.
    pub fn html(&self) -> Markup {
        let class = |numeric: bool| if numeric { "number" } else { "text" };
        html! {
            table {
                thead { tr { @for column in &self.columns { th class=(class(column.numeric)) { (column.heading) } } } }
                tbody {
                    @for row in &self.rows {
                        tr {
                            @for (cell, column) in row.iter().zip(&self.columns) {
                                td class=(class(column.numeric)) {
                                    @if cell.best { strong { (cell.text) } }
                                    @else if let Some(link) = &cell.link { a href=(link) { (cell.text) } }
                                    @else { (cell.text) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A text with the letters that mean something to LaTeX as commands.
fn in_latex(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '*' => out.push_str("$^*$"),
            'µ' => out.push_str("$\\mu$"),
            '±' => out.push_str("$\\pm$"),
            '–' => out.push_str("--"),
            '…' => out.push_str("\\dots{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(letter);
            }
            letter => out.push(letter),
        }
    }
    out
}

fn side(numeric: bool) -> CellAlignment {
    if numeric { CellAlignment::Right } else { CellAlignment::Left }
}

/// A text in lines of some width, broken after spaces and hyphens; the lines after the first are set in.
fn wrapped(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut lines = vec![String::new()];
    for piece in text.split_inclusive([' ', '-', ',']) {
        let line = lines.last_mut().expect("there is one");
        if !line.trim().is_empty() && line.chars().count() + piece.trim_end().chars().count() > width {
            lines.push(format!(" {piece}"));
        } else {
            line.push_str(piece);
        }
    }
    lines.join("\n")
}

/// The width of a line without its escape codes.
fn visible(line: &str) -> usize {
    let mut width = 0;
    let mut escaped = false;
    for letter in line.chars() {
        match letter {
            '\u{1b}' => escaped = true,
            'm' if escaped => escaped = false,
            _ => width += usize::from(!escaped),
        }
    }
    width
}
