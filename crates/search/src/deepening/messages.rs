//! What processes that search the same tree tell each other, as bytes.

use std::time::Duration;

use super::Beyond;
use super::drive::Ended;
use crate::limits::Stop;
use crate::parallel::{TransportError, Wire};
use crate::wire_fields;

/// Counted up with every change of the format.
const VERSION: u32 = 1;

/// A message. Process 0 leads.
#[derive(Debug, PartialEq)]
pub(super) enum Message<B> {
    /// From the leader: search within this bound. With what stands for the subtrees and their order, and with what each
    /// subtree of the iteration before came within.
    Begin { bound: B, fingerprint: u64, nearest: Vec<u32> },
    /// To the leader: I can take so many subtrees more.
    Ask(u32),
    /// From the leader, in answer: search these; if there are none, there are none left.
    Take { first: u32, count: u32 },
    /// From the leader: what others have done ends the iteration.
    Cease,
    /// To the leader: I have searched what I took, or was stopped.
    Report(Report<B>),
    /// From the leader: there is no other iteration.
    Over,
}

/// What a process has done in an iteration.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Report<B> {
    pub ended: Ended<B>,
    /// Subtrees that it has taken.
    pub taken: u64,
    /// The most bytes it has held so far.
    pub bytes: u64,
    /// Messages that it has sent so far, and the time that it has waited.
    pub messages: u64,
    pub idle: Duration,
    /// What the subtrees came within; the largest number for those of others.
    pub nearest: Vec<u32>,
    /// The actions of a solution, as bytes.
    pub path: Vec<u8>,
}

wire_fields!([B: Wire] Beyond<B> { least: Option<B>, simple: bool, at_depth_limit: bool });
wire_fields!([B: Wire] Ended<B> {
    found: bool,
    stop: Option<Stop>,
    expanded: u64,
    generated: u64,
    stored: u64,
    beyond: Beyond<B>,
});

/// What all messages begin with: the version, and the sizes of a bound and of an action.
pub(super) fn preamble<A: Wire, B: Wire>() -> u32 {
    [A::BYTES, B::BYTES].iter().fold(VERSION, |sum, &size| sum.wrapping_mul(1013).wrapping_add(size as u32))
}

fn put_list<T: Wire>(list: &[T], out: &mut Vec<u8>) {
    (list.len() as u32).put(out);
    list.iter().for_each(|item| item.put(out));
}

fn take_list<T: Wire>(bytes: &mut &[u8]) -> Option<Vec<T>> {
    let count = u32::take(bytes)? as usize;
    let plausible = count.checked_mul(T::BYTES)? <= bytes.len();
    if plausible { (0..count).map(|_| T::take(bytes)).collect() } else { None }
}

/// The actions of a solution as bytes.
pub(super) fn put_path<A: Wire>(path: &[A]) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_list(path, &mut bytes);
    bytes
}

/// The actions that some bytes are.
pub(super) fn take_path<A: Wire>(mut bytes: &[u8]) -> Option<Vec<A>> {
    take_list(&mut bytes).filter(|_| bytes.is_empty())
}

impl<B: Wire> Message<B> {
    /// Appends the message.
    pub fn put(&self, preamble: u32, out: &mut Vec<u8>) {
        preamble.put(out);
        match self {
            Self::Begin { bound, fingerprint, nearest } => {
                out.push(0);
                bound.put(out);
                fingerprint.put(out);
                put_list(nearest, out);
            }
            Self::Ask(count) => {
                out.push(1);
                count.put(out);
            }
            Self::Take { first, count } => {
                out.push(2);
                first.put(out);
                count.put(out);
            }
            Self::Cease => out.push(3),
            Self::Report(Report { ended, taken, bytes, messages, idle, nearest, path }) => {
                out.push(4);
                ended.put(out);
                [*taken, *bytes, *messages].put(out);
                idle.put(out);
                put_list(nearest, out);
                put_list(path, out);
            }
            Self::Over => out.push(5),
        }
    }

    /// The message that some bytes are.
    pub fn take(preamble: u32, mut bytes: &[u8]) -> Result<Self, TransportError> {
        let length = bytes.len();
        if u32::take(&mut bytes) != Some(preamble) {
            return Err(TransportError(
                "a message of another format has come: all processes must run the same program on the same board"
                    .into(),
            ));
        }
        let message = Self::take_body(&mut bytes).filter(|_| bytes.is_empty());
        message
            .ok_or_else(|| TransportError(format!("a message of {length} bytes is not what it says it is")))
    }

    fn take_body(bytes: &mut &[u8]) -> Option<Self> {
        Some(match u8::take(bytes)? {
            0 => {
                let (bound, fingerprint) = (B::take(bytes)?, u64::take(bytes)?);
                Self::Begin { bound, fingerprint, nearest: take_list(bytes)? }
            }
            1 => Self::Ask(u32::take(bytes)?),
            2 => Self::Take { first: u32::take(bytes)?, count: u32::take(bytes)? },
            3 => Self::Cease,
            4 => {
                let ended = Ended::take(bytes)?;
                let [taken, held, messages] = Wire::take(bytes)?;
                let idle = Duration::take(bytes)?;
                let (nearest, path) = (take_list(bytes)?, take_list(bytes)?);
                Self::Report(Report { ended, taken, bytes: held, messages, idle, nearest, path })
            }
            5 => Self::Over,
            _ => return None,
        })
    }
}
