//! Errors as a person reads them: what is wrong, where, what would be right.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use novelo_puzzles::text::{boundary, either, shortened};
use novelo_puzzles::{ParseError, RequestError};

/// A sentence on what is wrong, with the place in the text and a help. Boxed:
/// it is made once and passed up through many.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.message)]
pub struct UserError(Box<Details>);

#[derive(Debug)]
struct Details {
    message: String,
    place: Option<Place>,
    help: Option<String>,
}

/// A place in a text.
#[derive(Debug)]
struct Place {
    /// Where the text came from.
    origin: String,
    text: String,
    span: Range<usize>,
}

impl UserError {
    /// About nothing in particular.
    pub fn new(message: impl Into<String>) -> Self {
        Self(Box::new(Details { message: shortened(message.into()), place: None, help: None }))
    }

    /// With what would be right.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// About a place in a text that came from somewhere.
    pub fn in_text(error: ParseError, origin: &str, text: &str) -> Self {
        let ParseError { message, span, help, taken_for } = error;
        let choice = match &taken_for[..] {
            [] => None,
            [guess] => Some(format!("it was read as {guess}, which it looks like; --puzzle says otherwise")),
            several => {
                let options: Vec<_> = several.iter().map(|name| format!("--puzzle {name}")).collect();
                Some(format!("say which: {}", either(&options)))
            }
        };
        let help: Vec<_> = help.into_iter().chain(choice).collect();
        let help = (!help.is_empty()).then(|| help.join("; "));
        let place = span.map(|span| Place { origin: origin.into(), text: text.into(), span });
        let message = if place.is_some() { message } else { format!("{origin}: {message}") };
        Self(Box::new(Details { message, place, help }))
    }

    /// All of it, with the lines around the place.
    pub fn render(&self) -> String {
        let Details { message, place, help } = &*self.0;
        let title = Level::ERROR.primary_title(message);
        let window = place.as_ref().map(Place::window);
        let mut group = match (&window, place) {
            (Some(Window { text, span, line: Some((line, column)) }), Some(place)) => title
                .element(Origin::path(&place.origin).line(*line).char_column(*column))
                .element(snippet(text, span).line_start(*line)),
            (Some(Window { text, span, line: None }), Some(place)) => {
                title.element(snippet(text, span).path(&place.origin))
            }
            _ => Group::with_title(title),
        };
        if let Some(help) = help {
            group = group.element(Level::HELP.message(help));
        }
        Renderer::styled().term_width(textwrap::termwidth()).render(&[group])
    }
}

/// Bytes of a text that is shown as it is; of longer ones a window.
const SHOWN: usize = 1 << 14;
/// Bytes of a line that are shown on either side of the place.
const BESIDE: usize = 60;

/// The part of a text that is shown.
struct Window<'t> {
    text: &'t str,
    span: Range<usize>,
    /// Line and column of the place, from 1, where only a part of its line is shown.
    line: Option<(usize, usize)>,
}

impl Place {
    /// The place and its neighbourhood.
    fn window(&self) -> Window<'_> {
        let Self { text, span, .. } = self;
        // An error at the very end points at the last character, and one between two at the second.
        let last = text.char_indices().next_back().map_or(0, |(at, _)| at);
        let start = boundary(text, span.start.min(last));
        let after = text[start..].chars().next().map_or(0, char::len_utf8);
        let end = boundary(text, span.end).max(start + after).min(text.len());
        if text.len() <= SHOWN {
            return Window { text, span: start..end, line: None };
        }
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let from = boundary(text, start.saturating_sub(BESIDE)).max(line_start);
        let to = boundary(text, start + after + BESIDE).max(start + after).min(line_end.max(start + after));
        let line = text[..line_start].matches('\n').count() + 1;
        let column = text[line_start..start].chars().count() + 1;
        Window { text: &text[from..to], span: start - from..end.min(to) - from, line: Some((line, column)) }
    }
}

/// A text with a place in it.
fn snippet<'t>(text: &'t str, span: &Range<usize>) -> Snippet<'t, Annotation<'t>> {
    Snippet::source(text).annotation(AnnotationKind::Primary.span(span.clone()).label("here"))
}

impl From<RequestError> for UserError {
    fn from(error: RequestError) -> Self {
        let help = match &error {
            RequestError::Parameter(_) => Some("novelo list heuristics PUZZLE explains them"),
            _ => None,
        };
        let user_error = Self::new(error.to_string());
        match help {
            Some(help) => user_error.help(help),
            None => user_error,
        }
    }
}
