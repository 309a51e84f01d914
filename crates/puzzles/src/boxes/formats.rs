//! Boards as text: files with H and V, lists, pictures.
//!
//! Lines of a word and a value (`goal 3`) may stand before and after a board in
//! any of the three.

use super::instance::{Board, LONGEST, goal_option, read_goal};
use crate::puzzle::Size;
use crate::text::{ParseError, Piece};

/// An instance read from a text, with its name if it has one.
pub type NamedBoard = (Option<String>, Board);

/// The words that start a line with a value.
const KEYS: [&str; 7] = ["name", "rows", "cols", "goal", "closed", "missing", "optimal"];

/// What a text says beside the arcs.
#[derive(Default)]
struct Header<'t> {
    values: [Option<Piece<'t>>; KEYS.len()],
}

impl<'t> Header<'t> {
    fn get(&self, key: &str) -> Option<Piece<'t>> {
        self.values[KEYS.iter().position(|&known| known == key).expect("a known key")]
    }

    fn set(&mut self, key: Piece<'t>, value: Piece<'t>) -> Result<(), ParseError> {
        let at = KEYS.iter().position(|&known| known == key.text).expect("a known key");
        if value.text.is_empty() {
            return Err(key.error(format!("'{}' is not followed by its value", key.text)));
        }
        match self.values[at].replace(value) {
            None => Ok(()),
            Some(_) => Err(key.error(format!("'{}' stands here a second time", key.text))),
        }
    }
}

/// Horizontal arcs by grid line and vertical arcs by grid line, as they are
/// written in files and lists.
struct Arcs<'t> {
    horizontal: Lines<'t>,
    vertical: Lines<'t>,
}

/// The lines of one kind of arc, and where they stand.
struct Lines<'t> {
    place: Piece<'t>,
    lines: Vec<(Piece<'t>, Vec<bool>)>,
}

/// Reads a text in any format but an id.
pub fn parse(text: &str, goal: Option<&str>) -> Result<Vec<NamedBoard>, ParseError> {
    let whole = Piece::new(text);
    let mut header = Header::default();
    let mut body = Vec::new();
    for line in whole.lines().filter(|line| !line.text.trim_start().starts_with('#')) {
        let mut words = line.words();
        match words.next() {
            Some(key) if KEYS.contains(&key.text) => {
                let after = Piece { text: &text[key.span().end..line.span().end], start: key.span().end };
                if let Some(extra) = words.nth(1).filter(|_| key.text != "name") {
                    return Err(extra.error(format!("'{}' has one value", key.text)));
                }
                header.set(key, after.trim())?;
            }
            _ => body.push(line),
        }
    }
    let Some(first) = body.iter().find(|line| !line.text.trim().is_empty()).map(|line| line.trim()) else {
        return Err(ParseError::whole("there are no arcs here")
            .help("write H and V with their lines, a list ((h…)(v…)), or a picture with + - |"));
    };
    let board = match first.text.chars().next() {
        Some('(') => from_arcs(&list(text, &body, &mut header)?)?,
        Some('+') => picture(&body)?,
        _ => from_arcs(&sections(&body)?)?,
    };
    finish(board, &header, goal).map(|named| vec![named])
}

/// Fills in the goal and checks a board against what the text says about it.
fn finish(mut board: Board, header: &Header<'_>, goal: Option<&str>) -> Result<NamedBoard, ParseError> {
    board.goal = match (goal, header.get("goal")) {
        (Some(goal), _) => goal_option(goal)?,
        (None, Some(goal)) => read_goal(goal)?,
        (None, None) => {
            return Err(ParseError::whole("it is not said how many boxes are to be closed")
                .help("write a line 'goal N', or give --goal N"));
        }
    };
    let missing = board.arcs().filter(|drawn| !drawn).count();
    let facts = [
        ("rows", board.size.rows, "rows of boxes"),
        ("cols", board.size.cols, "columns of boxes"),
        ("closed", board.closed(), "closed boxes"),
        ("missing", missing, "missing arcs"),
    ];
    for (key, actual, what) in facts {
        if let Some(value) = header.get(key)
            && value.number(&format!("number of {what}"), usize::MAX)? != actual
        {
            return Err(value.error(format!("the arcs make {actual} {what}, not {}", value.text)));
        }
    }
    if let Some(value) = header.get("optimal").filter(|value| value.text != "-") {
        value.number("number of arcs", usize::MAX)?;
    }
    Ok((header.get("name").map(|name| name.text.to_owned()), board))
}

/// Puts a board together from its arcs by grid line.
fn from_arcs(arcs: &Arcs<'_>) -> Result<Board, ParseError> {
    let Arcs { horizontal, vertical } = arcs;
    let size = Size {
        rows: horizontal.lines.len().saturating_sub(1),
        cols: horizontal.lines.first().map_or(0, |(_, line)| line.len()),
    };
    if size.rows == 0 || size.cols == 0 || size.rows > LONGEST || size.cols > LONGEST {
        return Err(horizontal
            .place
            .error(format!("these horizontal arcs make a board of {size} boxes"))
            .help(format!("boards go from 1x1 to {LONGEST}x{LONGEST}; rows + 1 lines of cols arcs")));
    }
    let mut board = Board::empty(size, 0);
    for (r, (place, line)) in horizontal.lines.iter().enumerate() {
        if line.len() != size.cols {
            return Err(place
                .error(format!("this line has {} arcs, the first one {}", line.len(), size.cols))
                .help("every line of horizontal arcs has as many as there are columns of boxes"));
        }
        board.horizontal[r].copy_from_slice(line);
    }
    let layout = format!(
        "one line per vertical grid line, left to right, its arcs top to bottom: {} lines of {} on this board",
        size.cols + 1,
        size.rows
    );
    if vertical.lines.len() != size.cols + 1 {
        return Err(vertical
            .place
            .error(format!(
                "{} lines of vertical arcs, but {} columns of boxes need {}",
                vertical.lines.len(),
                size.cols,
                size.cols + 1
            ))
            .help(layout));
    }
    for (c, (place, line)) in vertical.lines.iter().enumerate() {
        if line.len() != size.rows {
            let message = format!(
                "this vertical line has {} arcs, but there are {} rows of boxes",
                line.len(),
                size.rows
            );
            return Err(place.error(message).help(layout));
        }
        for (r, &drawn) in line.iter().enumerate() {
            board.vertical[r][c] = drawn;
        }
    }
    Ok(board)
}

fn read_arc(piece: Piece<'_>) -> Result<bool, ParseError> {
    match piece.text {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(piece
            .error(format!("'{}' is not an arc", piece.text))
            .help("an arc is 1, drawn, or 0, missing")),
    }
}

/// The lines after H and V.
fn sections<'t>(body: &[Piece<'t>]) -> Result<Arcs<'t>, ParseError> {
    let mut found: [Option<Lines<'t>>; 2] = [None, None];
    let mut current = None;
    for line in body.iter().map(|line| line.trim()).filter(|line| !line.text.is_empty()) {
        let section = match line.text {
            "H" => Some(0),
            "V" => Some(1),
            _ => None,
        };
        if let Some(section) = section {
            if found[section].is_some() {
                return Err(line.error(format!("a second {}", line.text)));
            }
            found[section] = Some(Lines { place: line, lines: Vec::new() });
            current = Some(section);
            continue;
        }
        let Some(lines) = current.and_then(|section| found[section].as_mut()) else {
            return Err(line.error(format!("'{}' means nothing here", line.text)).help(format!(
                "before H and V stand lines such as 'goal 3', with one of {}",
                KEYS.join(", ")
            )));
        };
        let arcs = line.words().map(read_arc).collect::<Result<_, _>>()?;
        lines.lines.push((line, arcs));
    }
    let [horizontal, vertical] = found;
    let absent = |name| {
        ParseError::whole(format!("there are no {name} arcs")).help("write H and V, each with its lines")
    };
    Ok(Arcs {
        horizontal: horizontal.ok_or_else(|| absent("horizontal"))?,
        vertical: vertical.ok_or_else(|| absent("vertical"))?,
    })
}

/// Brackets and words of a list.
fn tokens<'t>(text: &'t str, body: &[Piece<'t>]) -> Vec<Piece<'t>> {
    let mut tokens = Vec::new();
    for line in body {
        let mut word = None;
        let mut end_word = |word: &mut Option<usize>, end: usize| {
            if let Some(start) = word.take() {
                tokens.push(Piece { text: &text[start..end], start });
            }
        };
        let mut brackets = Vec::new();
        for (at, c) in line.text.char_indices() {
            let at = line.start + at;
            if c == '(' || c == ')' || c.is_whitespace() || c == ',' {
                end_word(&mut word, at);
                if c == '(' || c == ')' {
                    brackets.push(at);
                }
            } else {
                word.get_or_insert(at);
            }
        }
        end_word(&mut word, line.span().end);
        tokens.extend(brackets.into_iter().map(|at| Piece { text: &text[at..=at], start: at }));
    }
    tokens.sort_by_key(|token| token.start);
    tokens
}

/// The list form: `((h…)(v…))`, perhaps with `goal N` before or after.
fn list<'t>(text: &'t str, body: &[Piece<'t>], header: &mut Header<'t>) -> Result<Arcs<'t>, ParseError> {
    let tokens = tokens(text, body);
    let mut reader = ListReader { tokens: &tokens, next: 0 };
    reader.open("the board")?;
    let horizontal = reader.lines("horizontal arcs")?;
    let vertical = reader.lines("vertical arcs")?;
    reader.close("the board")?;
    while let Some(word) = reader.take() {
        if word.text != "goal" {
            return Err(word.error("the list has ended before this").help("after it may stand: goal N"));
        }
        let value = reader.take().unwrap_or(Piece { text: "", start: word.span().end });
        header.set(word, value)?;
    }
    Ok(Arcs { horizontal, vertical })
}

struct ListReader<'r, 't> {
    tokens: &'r [Piece<'t>],
    next: usize,
}

impl<'t> ListReader<'_, 't> {
    fn take(&mut self) -> Option<Piece<'t>> {
        let token = self.tokens.get(self.next).copied();
        self.next += 1;
        token
    }

    fn expect(&mut self, bracket: &str, message: String) -> Result<Piece<'t>, ParseError> {
        let last = self.tokens.last().expect("a list is never without tokens");
        match self.take() {
            Some(token) if token.text == bracket => Ok(token),
            token => Err(token.unwrap_or(*last).error(message).help(
                "the list form is (((0 1) (0 0)) ((1) (0) (1))): horizontal, then vertical grid lines",
            )),
        }
    }

    fn open(&mut self, what: &str) -> Result<Piece<'t>, ParseError> {
        self.expect("(", format!("here {what} should begin, with ("))
    }

    fn close(&mut self, what: &str) -> Result<Piece<'t>, ParseError> {
        self.expect(")", format!("here {what} should end, with )"))
    }

    /// A list of lists of arcs.
    fn lines(&mut self, what: &str) -> Result<Lines<'t>, ParseError> {
        let place = self.open(&format!("the list of {what}"))?;
        let mut lines = Vec::new();
        while self.tokens.get(self.next).is_some_and(|token| token.text == "(") {
            let start = self.take().expect("just seen");
            let mut line = Vec::new();
            while let Some(token) = self.tokens.get(self.next).filter(|token| !"()".contains(token.text)) {
                line.push(read_arc(*token)?);
                self.next += 1;
            }
            self.close("this line of arcs")?;
            lines.push((start, line));
        }
        self.close(&format!("the list of {what}"))?;
        Ok(Lines { place, lines })
    }
}

/// A picture: dots as `+` at equal distances, arcs as `-` and `|` between them.
fn picture(body: &[Piece<'_>]) -> Result<Board, ParseError> {
    let first = body.iter().position(|line| !line.text.trim().is_empty()).expect("there is a picture");
    let last = body.iter().rposition(|line| !line.text.trim().is_empty()).expect("there is a picture");
    let lines: Vec<Vec<(usize, char)>> =
        body[first..=last].iter().map(|line| line.text.trim_end().char_indices().collect()).collect();
    let places = &body[first..=last];
    let dots: Vec<usize> =
        lines[0].iter().enumerate().filter(|(_, (_, c))| *c == '+').map(|(column, _)| column).collect();
    let help = "dots are + at equal distances, arcs - and |, missing arcs spaces";
    let [left, second, ..] = dots[..] else {
        return Err(places[0].trim().error("a picture's first line needs two dots or more").help(help));
    };
    let (step, cols) = (second - left, dots.len() - 1);
    let rows = lines.len() / 2;
    if lines.len().is_multiple_of(2) {
        return Err(places[lines.len() - 1]
            .trim()
            .error("a picture ends with a line of dots, but this is a line of vertical arcs")
            .help(help));
    }
    if rows == 0 || rows > LONGEST || cols > LONGEST || step < 2 {
        return Err(places[0]
            .trim()
            .error(format!("a picture of {} boxes cannot be played", Size { rows, cols }))
            .help(format!("boards go from 1x1 to {LONGEST}x{LONGEST}; {help}")));
    }
    let mut board = Board::empty(Size { rows, cols }, 0);
    for (y, (line, place)) in lines.iter().zip(places).enumerate() {
        let at = |x: usize| line.get(x).map_or(' ', |&(_, c)| c);
        let wrong = |x: usize, what: &str| {
            let c = at(x);
            let start = line.get(x).map_or(place.trim().span().end, |&(offset, _)| place.start + offset);
            let end = if line.get(x).is_some() { start + c.len_utf8() } else { start };
            ParseError::at(start..end, format!("'{c}' stands where {what} should be")).help(help)
        };
        let right = left + cols * step;
        if let Some(x) = (0..left).chain(right + 1..line.len()).find(|&x| at(x) != ' ') {
            return Err(wrong(x, "nothing"));
        }
        for c in 0..=cols {
            let x = left + c * step;
            if y % 2 == 1 {
                board.vertical[y / 2][c] = match at(x) {
                    '|' => true,
                    ' ' => false,
                    _ => return Err(wrong(x, "a vertical arc")),
                };
                let inside = (x + 1..x + step).find(|&x| c < cols && !matches!(at(x), ' ' | MARK));
                if let Some(x) = inside {
                    return Err(wrong(x, "the inside of a box"));
                }
                continue;
            }
            if at(x) != '+' {
                return Err(wrong(x, "a dot"));
            }
            if c < cols {
                let arc = at(x + 1);
                if !matches!(arc, '-' | ' ') {
                    return Err(wrong(x + 1, "a horizontal arc"));
                }
                if let Some(x) = (x + 1..x + step).find(|&x| at(x) != arc) {
                    return Err(wrong(x, "the rest of an arc"));
                }
                board.horizontal[y / 2][c] = arc == '-';
            }
        }
    }
    Ok(board)
}

/// What pictures show inside a closed box.
pub const MARK: char = 'x';

/// How much a text looks like boxes.
pub fn likeness(text: &str) -> u8 {
    let mut lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).peekable();
    let is_key = |line: &str| line.split_whitespace().next().is_some_and(|word| KEYS.contains(&word));
    let keys = lines.clone().filter(|line| is_key(line)).count();
    let body: Vec<_> = lines.by_ref().filter(|line| !is_key(line)).collect();
    let Some(first) = body.first() else { return if keys > 0 { 50 } else { 0 } };
    let list = first.replace(char::is_whitespace, "").starts_with("((");
    let picture = first.starts_with('+') && first.chars().all(|c| "+- ".contains(c));
    let sections = *first == "H" || *first == "V" || (keys > 1 && body.contains(&"H"));
    if list || picture || sections { 95 } else { 0 }
}
