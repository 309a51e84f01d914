//! Errors as a person reads them: what is wrong, where, what would be right.

use miette::{Diagnostic, NamedSource, SourceSpan};
use novelo_puzzles::{ParseError, RequestError};

/// A sentence on what is wrong, with the place in the text and a help. Boxed:
/// it is made once and passed up through many.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error(transparent)]
#[diagnostic(transparent)]
pub struct UserError(Box<Details>);

#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{message}")]
struct Details {
    message: String,
    #[source_code]
    text: Option<NamedSource<String>>,
    #[label("here")]
    span: Option<SourceSpan>,
    #[help]
    help: Option<String>,
}

impl UserError {
    /// About nothing in particular.
    pub fn new(message: impl Into<String>) -> Self {
        Self(Box::new(Details { message: message.into(), text: None, span: None, help: None }))
    }

    /// With what would be right.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// About a place in a text that came from somewhere.
    pub fn in_text(error: ParseError, origin: &str, text: &str) -> Self {
        let span = error.span.map(|span| {
            // An error at the very end points at the last character.
            let start = span.start.min(text.len().saturating_sub(1));
            SourceSpan::from(start..span.end.max(start + 1).min(text.len().max(1)))
        });
        let text = span.map(|_| NamedSource::new(origin, text.to_owned()));
        let message = if text.is_some() { error.message } else { format!("{origin}: {}", error.message) };
        Self(Box::new(Details { message, text, span, help: error.help }))
    }
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
