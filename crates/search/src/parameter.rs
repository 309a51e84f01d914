//! Parameters: declared once by their owner, written `name:key=value,…`, checked before anything runs.
//!
//! An algorithm, a heuristic or a generator declares its [`Parameter`]s; whatever reads text (a command line, an
//! experiment file, a server) reads a [`Spec`] and has it checked against the declaration.
//!
//! ```
//! use novelo_search::parameter::{Kind, Parameter, Spec};
//!
//! const WIDTH: &[Parameter] = &[Parameter {
//!     name: "width",
//!     kind: Kind::Integer { least: 1, most: 1_000_000 },
//!     default: Some("100"),
//!     required: false,
//!     about: "States kept at each depth.",
//! }];
//! let values = "beam:width=5".parse::<Spec>()?.check(WIDTH)?;
//! assert_eq!(values.number("width"), Some(5));
//! let wrong = "beam:wdith=5".parse::<Spec>()?.check(WIDTH).unwrap_err();
//! assert_eq!(wrong.to_string(), "beam has no parameter 'wdith'; did you mean 'width'?");
//! # Ok::<(), novelo_search::parameter::ParameterError>(())
//! ```

use std::fmt;
use std::str::FromStr;

/// A parameter as its owner declares it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// The name it is given by.
    pub name: &'static str,
    /// What its values are.
    pub kind: Kind,
    /// Its value where none is given, if there is a usual one.
    pub default: Option<&'static str>,
    /// Whether the owner means nothing without it.
    pub required: bool,
    /// What it does, in a sentence.
    pub about: &'static str,
}

/// What the values of a parameter are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A whole number of a range, both ends included.
    Integer {
        /// The smallest.
        least: u64,
        /// The largest.
        most: u64,
    },
    /// A number of a range, both ends included.
    Number {
        /// The smallest.
        least: f64,
        /// The largest.
        most: f64,
    },
    /// Yes or no: given by its name alone.
    Flag,
    /// One of some words.
    Word(&'static [&'static str]),
    /// Anything that its owner understands, such as this.
    Text(&'static str),
}

impl Kind {
    /// The kind in one word, for those who build a form from it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Integer { .. } => "integer",
            Self::Number { .. } => "number",
            Self::Flag => "flag",
            Self::Word(_) => "word",
            Self::Text(_) => "text",
        }
    }

    fn accepts(self, text: &str) -> bool {
        match self {
            Self::Integer { least, most } => text.parse().is_ok_and(|n: u64| (least..=most).contains(&n)),
            Self::Number { least, most } => text.parse().is_ok_and(|n: f64| (least..=most).contains(&n)),
            Self::Flag => matches!(text, "true" | "false"),
            Self::Word(words) => words.contains(&text),
            Self::Text(_) => !text.is_empty(),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Integer { least, most: u64::MAX } => write!(f, "a whole number from {least} on"),
            Self::Integer { least, most } => write!(f, "a whole number from {least} to {most}"),
            Self::Number { least, most } => write!(f, "a number from {least} to {most}"),
            Self::Flag => f.write_str("true or false"),
            Self::Word(words) => match words {
                [] => f.write_str("nothing"),
                [only] => f.write_str(only),
                [first @ .., last] => write!(f, "{} or {last}", first.join(", ")),
            },
            Self::Text(example) => write!(f, "a text such as {example}"),
        }
    }
}

impl fmt::Display for Parameter {
    /// How it is written, with its default or an example: `weight=1.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let example = match (self.default, self.kind) {
            (Some(default), _) => return write!(f, "{}={default}", self.name),
            (None, Kind::Integer { least, .. }) => least.to_string(),
            (None, Kind::Number { least, .. }) => least.to_string(),
            (None, Kind::Flag) => "true".into(),
            (None, Kind::Word(words)) => words.first().copied().unwrap_or_default().into(),
            (None, Kind::Text(example)) => example.into(),
        };
        write!(f, "{}={example}", self.name)
    }
}

/// What is wrong with a name and its parameters, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParameterError(pub String);

/// A name with parameters, as it is written: `name`, `name:value` or `name:key=value,key=value`.
///
/// A bare value is that of the first parameter its owner declares. A value may contain commas if no part of it looks
/// like `key=value`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spec {
    /// The name.
    pub name: String,
    /// Keys and values in the order given; the key of a bare value is empty.
    pub given: Vec<(String, String)>,
}

impl Spec {
    /// A name without parameters.
    pub fn plain(name: &str) -> Self {
        Self { name: name.into(), given: Vec::new() }
    }

    /// Whether a parameter is given by its name.
    pub fn gives(&self, name: &str) -> bool {
        self.given.iter().any(|(key, _)| key == name)
    }

    /// Holds what is given against the declared parameters: their values, defaults filled in.
    pub fn check(&self, declared: &'static [Parameter]) -> Result<Values, ParameterError> {
        let owner = &self.name;
        let mut values: Vec<(&'static str, String)> = Vec::new();
        for (key, value) in &self.given {
            let parameter = if key.is_empty() {
                declared.first()
            } else {
                declared.iter().find(|parameter| parameter.name == key)
            };
            let Some(parameter) = parameter else {
                let given = if key.is_empty() { value } else { key };
                return Err(ParameterError(unknown(owner, given, declared)));
            };
            if !parameter.kind.accepts(value) {
                let Parameter { name, kind, .. } = parameter;
                return Err(ParameterError(format!("{owner}: {name} is {kind}, not '{value}'")));
            }
            if values.iter().any(|(name, _)| *name == parameter.name) {
                return Err(ParameterError(format!("{owner}: {} is given twice", parameter.name)));
            }
            values.push((parameter.name, value.clone()));
        }
        for parameter in declared {
            if values.iter().any(|(name, _)| *name == parameter.name) {
                continue;
            }
            if let Some(default) = parameter.default {
                values.push((parameter.name, default.into()));
            } else if parameter.required {
                let Parameter { name, kind, .. } = parameter;
                return Err(ParameterError(format!("{owner} needs its {name}, {kind}: {owner}:{parameter}")));
            }
        }
        Ok(Values(values))
    }
}

fn unknown(owner: &str, given: &str, declared: &[Parameter]) -> String {
    let names: Vec<_> = declared.iter().map(|parameter| parameter.name).collect();
    match (nearest(given, names.iter().copied()), names.as_slice()) {
        (_, []) => format!("{owner} has no parameters, but '{given}' was given"),
        (Some(near), _) => format!("{owner} has no parameter '{given}'; did you mean '{near}'?"),
        (None, names) => format!("{owner} has no parameter '{given}'; it has {}", names.join(", ")),
    }
}

/// The name that was probably meant by a misspelt one, if any is near.
pub fn nearest<'n>(wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let plain = |text: &str| text.to_lowercase().replace(['-', '_', ' '], "").replace('*', "star");
    let wrong = plain(wrong);
    let scored = names.into_iter().map(|name| (strsim::jaro_winkler(&wrong, &plain(name)), name));
    let near = scored.filter(|&(likeness, _)| likeness > 0.84);
    near.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

impl FromStr for Spec {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let mut given: Vec<(String, String)> = Vec::new();
        for part in rest.iter().flat_map(|rest| rest.split(',')) {
            match (part.split_once('='), given.last_mut()) {
                (Some((key, value)), _) => given.push((key.trim().into(), value.trim().into())),
                (None, Some((_, value))) => {
                    value.push(',');
                    value.push_str(part.trim());
                }
                (None, None) => given.push((String::new(), part.trim().into())),
            }
        }
        if name.is_empty() || rest == Some("") {
            return Err(ParameterError(format!("'{text}' is not a name; write NAME or NAME:key=value,…")));
        }
        Ok(Self { name: name.into(), given })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.given.iter().enumerate() {
            f.write_str(if i == 0 { ":" } else { "," })?;
            if !key.is_empty() {
                write!(f, "{key}=")?;
            }
            f.write_str(value)?;
        }
        Ok(())
    }
}

/// The checked values of declared parameters, defaults among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values(Vec<(&'static str, String)>);

impl Values {
    /// The value of a parameter as text; absent if it was not given and has no default.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
    }

    /// The value of a number; absent like [`text`](Values::text).
    pub fn number<T: FromStr>(&self, name: &str) -> Option<T> {
        self.text(name).and_then(|text| text.parse().ok())
    }

    /// Whether a flag is given.
    pub fn flag(&self, name: &str) -> bool {
        self.text(name) == Some("true")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECLARED: &[Parameter] = &[
        Parameter {
            name: "weight",
            kind: Kind::Number { least: 1.0, most: 1000.0 },
            default: Some("1.5"),
            required: false,
            about: "",
        },
        Parameter { name: "prune", kind: Kind::Text("1,2"), default: None, required: true, about: "" },
    ];

    fn check(text: &str) -> Result<Values, String> {
        let spec: Spec = text.parse().map_err(|error: ParameterError| error.to_string())?;
        assert_eq!(spec.to_string(), text);
        spec.check(DECLARED).map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_read_and_defaults_filled_in() {
        let values = check("x:prune=1,2").unwrap();
        assert_eq!(values.number("weight"), Some(1.5));
        assert_eq!(values.text("prune"), Some("1,2"));
        assert_eq!(check("x:2,prune=all").unwrap().number("weight"), Some(2.0));
    }

    #[test]
    fn what_is_wrong_is_said_with_what_would_be_right() {
        let wrong = |text| check(text).unwrap_err();
        assert_eq!(wrong("x:weight=0,prune=1"), "x: weight is a number from 1 to 1000, not '0'");
        assert_eq!(wrong("x:wieght=2"), "x has no parameter 'wieght'; did you mean 'weight'?");
        assert_eq!(wrong("x:q=2"), "x has no parameter 'q'; it has weight, prune");
        assert_eq!(wrong("x:weight=2"), "x needs its prune, a text such as 1,2: x:prune=1,2");
        assert_eq!(wrong("x:weight=2,weight=3"), "x: weight is given twice");
        assert_eq!(
            Spec::plain("astar")
                .check(&[])
                .map(|_| ())
                .and("astar:w=2".parse::<Spec>().unwrap().check(&[]).map(|_| ())),
            Err(ParameterError("astar has no parameters, but 'w' was given".into()))
        );
        for text in ["", ":x", "x:"] {
            assert!(text.parse::<Spec>().is_err());
        }
    }

    #[test]
    fn near_misses_are_found() {
        let names = ["astar", "wastar", "idastar", "manhattan", "linear-conflict"];
        assert_eq!(nearest("manhatan", names), Some("manhattan"));
        assert_eq!(nearest("a*", names), Some("astar"));
        assert_eq!(nearest("ida*", names), Some("idastar"));
        assert_eq!(nearest("linearconflict", names), Some("linear-conflict"));
        assert_eq!(nearest("quux", names), None);
    }
}
