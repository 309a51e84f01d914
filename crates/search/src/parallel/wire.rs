//! Messages as bytes, for workers that are processes.
//!
//! A [`Wire`] value always takes the same number of bytes, so a batch of nodes is an array of records. What arrives is
//! checked: a message begins with the [`Mark`] of the search, and must be as long as its count says. So processes that were
//! built differently, or that search something else, say so instead of searching nonsense.

use std::time::Duration;

use super::message::{At, Counts, Message, Parcel, WorkerStats};
use super::transport::TransportError;
use crate::cost::Real;
use crate::limits::Stop;
use crate::problem::Problem;

/// Counted up with every change of the format.
const VERSION: u32 = 1;

/// A value that is written as a fixed number of bytes.
pub trait Wire: Sized {
    /// How many.
    const BYTES: usize;

    /// Appends them.
    fn put(&self, out: &mut Vec<u8>);

    /// Takes them from the front, if they are there and mean something.
    fn take(bytes: &mut &[u8]) -> Option<Self>;
}

/// Implements [`Wire`] for a structure whose fields are `Wire`, in the order given.
#[macro_export]
macro_rules! wire_fields {
    ([$($generics:tt)*] $type:ty { $($field:tt: $field_type:ty),* $(,)? }) => {
        impl<$($generics)*> $crate::parallel::Wire for $type {
            const BYTES: usize = 0 $(+ <$field_type as $crate::parallel::Wire>::BYTES)*;

            #[inline]
            fn put(&self, out: &mut Vec<u8>) {
                $($crate::parallel::Wire::put(&self.$field, out);)*
                let _ = out;
            }

            #[inline]
            fn take(bytes: &mut &[u8]) -> Option<Self> {
                let _ = &bytes;
                Some(Self { $($field: $crate::parallel::Wire::take(bytes)?,)* })
            }
        }
    };
}

/// Implements [`Wire`] for a type of at most 256 values that are all in a list, by their place in it.
#[macro_export]
macro_rules! wire_listed {
    ($type:ty, $all:expr) => {
        impl $crate::parallel::Wire for $type {
            const BYTES: usize = 1;

            #[inline]
            fn put(&self, out: &mut Vec<u8>) {
                let place = $all.iter().position(|value| value == self);
                out.push(place.expect("every value is listed") as u8);
            }

            #[inline]
            fn take(bytes: &mut &[u8]) -> Option<Self> {
                $all.get(<u8 as $crate::parallel::Wire>::take(bytes)? as usize).copied()
            }
        }
    };
}

macro_rules! numbers {
    ($($type:ty),*) => {
        $(impl Wire for $type {
            const BYTES: usize = size_of::<$type>();

            #[inline]
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn take(bytes: &mut &[u8]) -> Option<Self> {
                let (first, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(Self::from_le_bytes(*first))
            }
        })*
    };
}

numbers!(u8, u16, u32, u64, u128, i8, i16, i32, i64);

impl Wire for bool {
    const BYTES: usize = 1;

    #[inline]
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    #[inline]
    fn take(bytes: &mut &[u8]) -> Option<Self> {
        match u8::take(bytes)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Wire for Real {
    const BYTES: usize = 8;

    #[inline]
    fn put(&self, out: &mut Vec<u8>) {
        self.get().to_bits().put(out);
    }

    #[inline]
    fn take(bytes: &mut &[u8]) -> Option<Self> {
        u64::take(bytes).map(|bits| Self::new(f64::from_bits(bits)))
    }
}

impl<T: Wire, const N: usize> Wire for [T; N] {
    const BYTES: usize = N * T::BYTES;

    #[inline]
    fn put(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|item| item.put(out));
    }

    #[inline]
    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let mut whole = true;
        let items = std::array::from_fn(|_| {
            let item = T::take(bytes);
            whole &= item.is_some();
            item
        });
        whole.then(|| items.map(|item| item.expect("all are there")))
    }
}

impl<T: Wire> Wire for Option<T> {
    const BYTES: usize = 1 + T::BYTES;

    fn put(&self, out: &mut Vec<u8>) {
        let end = out.len() + Self::BYTES;
        self.is_some().put(out);
        if let Some(item) = self {
            item.put(out);
        }
        out.resize(end, 0);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let (mut first, rest) = bytes.split_at_checked(Self::BYTES)?;
        *bytes = rest;
        if bool::take(&mut first)? { T::take(&mut first).map(Some) } else { Some(None) }
    }
}

impl Wire for Duration {
    const BYTES: usize = 8;

    fn put(&self, out: &mut Vec<u8>) {
        (self.as_nanos() as u64).put(out);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        u64::take(bytes).map(Self::from_nanos)
    }
}

crate::wire_fields!([] Counts { sent: u64, received: u64 });
crate::wire_fields!([] WorkerStats {
    expanded: u64,
    generated: u64,
    stored: u64,
    bytes: u64,
    kept: u64,
    sent: u64,
    messages: u64,
    idle: Duration,
});

const STOPS: [Stop; 7] =
    [Stop::Time, Stop::Memory, Stop::Nodes, Stop::Depth, Stop::Interrupted, Stop::Overflow, Stop::GaveUp];

crate::wire_listed!(Stop, STOPS);

/// A problem whose nodes can be written as bytes, and read again.
pub trait WireProblem: Problem<State: Wire, Action: Wire> {}

impl<P: Problem<State: Wire, Action: Wire>> WireProblem for P {}

/// What all messages of a search begin with: a number that stands for the version, the sizes of the parts of a node, the start
/// and its estimate. Processes that were built differently, or were given other boards or heuristics, hardly have the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark(u32);

impl Mark {
    /// That of a search from a start with an estimate.
    pub fn new<P: WireProblem, V: Wire + Copy>(start: &P::State, estimate: Option<V>) -> Self {
        let sizes = [P::State::BYTES, P::Action::BYTES, P::Cost::BYTES, V::BYTES];
        let mut bytes = Vec::new();
        VERSION.put(&mut bytes);
        sizes.iter().for_each(|&size| (size as u32).put(&mut bytes));
        start.put(&mut bytes);
        estimate.put(&mut bytes);
        Self(
            bytes
                .iter()
                .fold(0, |sum, &byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193).rotate_left(5)),
        )
    }
}

/// Appends a message.
pub fn encode<P: WireProblem, V: Wire>(Mark(mark): Mark, message: &Message<P, V>, out: &mut Vec<u8>) {
    mark.put(out);
    let kind = |kind: u8, count: usize, out: &mut Vec<u8>| {
        out.push(kind);
        (count as u32).put(out);
    };
    match message {
        Message::Nodes(parcels) => {
            kind(0, parcels.len(), out);
            for Parcel { state, action, parent, g, h } in parcels {
                state.put(out);
                action.put(out);
                parent.put(out);
                g.put(out);
                h.put(out);
            }
        }
        Message::Incumbent(cost) => {
            kind(1, 0, out);
            cost.put(out);
        }
        Message::Poll(wave) => {
            kind(2, 0, out);
            wave.put(out);
        }
        Message::Passive(wave, counts) => {
            kind(3, 0, out);
            wave.put(out);
            counts.put(out);
        }
        Message::Stopped(stop) => {
            kind(4, 0, out);
            stop.put(out);
        }
        Message::End => kind(5, 0, out),
        Message::Trace(at, states) => {
            kind(6, states.len(), out);
            match at {
                At::Goal => 0u8.put(out),
                At::State(state) => {
                    1u8.put(out);
                    state.put(out);
                }
                At::Node(node) => {
                    2u8.put(out);
                    node.put(out);
                }
            }
            states.iter().for_each(|state| state.put(out));
        }
        Message::Path(states) => {
            kind(7, states.len(), out);
            states.iter().for_each(|state| state.put(out));
        }
        Message::Farewell(stats) => {
            kind(8, 0, out);
            stats.put(out);
        }
        Message::Close => kind(9, 0, out),
    }
}

/// The message that some bytes are; nodes go into the buffer given.
pub fn decode<P: WireProblem, V: Wire>(
    Mark(mark): Mark,
    bytes: &[u8],
    buffer: Vec<Parcel<P, V>>,
) -> Result<Message<P, V>, TransportError> {
    let mut rest = bytes;
    if u32::take(&mut rest) != Some(mark) {
        return Err(TransportError(
            "a message of another search has come: all processes must run the same program on the same board, with the \
             same options"
                .into(),
        ));
    }
    let message = decode_body(&mut rest, buffer).filter(|_| rest.is_empty());
    message.ok_or_else(|| {
        TransportError(format!("a message of {} bytes is not what it says it is", bytes.len()))
    })
}

fn decode_body<P: WireProblem, V: Wire>(
    bytes: &mut &[u8],
    mut buffer: Vec<Parcel<P, V>>,
) -> Option<Message<P, V>> {
    let kind = u8::take(bytes)?;
    let count = u32::take(bytes)? as usize;
    let states = |bytes: &mut &[u8]| {
        let plausible = count.checked_mul(P::State::BYTES)? == bytes.len();
        if plausible { (0..count).map(|_| P::State::take(bytes)).collect() } else { None }
    };
    Some(match kind {
        0 => {
            let record = P::State::BYTES + P::Action::BYTES + 4 + P::Cost::BYTES + V::BYTES;
            if count.checked_mul(record)? != bytes.len() {
                return None;
            }
            buffer.clear();
            for _ in 0..count {
                let (state, action) = (Wire::take(bytes)?, Wire::take(bytes)?);
                let (parent, g, h) = (u32::take(bytes)?, Wire::take(bytes)?, V::take(bytes)?);
                buffer.push(Parcel { state, action, parent, g, h });
            }
            Message::Nodes(buffer)
        }
        1 => Message::Incumbent(Wire::take(bytes)?),
        2 => Message::Poll(u64::take(bytes)?),
        3 => Message::Passive(u64::take(bytes)?, Counts::take(bytes)?),
        4 => Message::Stopped(Stop::take(bytes)?),
        5 => Message::End,
        6 => {
            let at = match u8::take(bytes)? {
                0 => At::Goal,
                1 => At::State(Wire::take(bytes)?),
                2 => At::Node(u32::take(bytes)?),
                _ => return None,
            };
            Message::Trace(at, states(bytes)?)
        }
        7 => Message::Path(states(bytes)?),
        8 => Message::Farewell(WorkerStats::take(bytes)?),
        9 => Message::Close,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::tests::Counting;

    fn there_and_back<P: WireProblem>(problem: &P, message: &Message<P, u32>) -> Vec<u8>
    where
        Message<P, u32>: std::fmt::Debug,
    {
        let mut bytes = Vec::new();
        let mark = Mark::new::<P, u32>(&problem.start(), Some(7));
        encode(mark, message, &mut bytes);
        let read = decode::<P, u32>(mark, &bytes, Vec::new()).unwrap();
        assert_eq!(format!("{message:?}"), format!("{read:?}"));
        for end in 0..bytes.len() {
            let part = decode::<P, u32>(mark, &bytes[..end], Vec::new());
            assert!(part.is_err(), "{end} bytes of {}", bytes.len());
        }
        bytes
    }

    #[test]
    fn messages_are_read_as_they_are_written_and_never_in_part() {
        let counter = Counting;
        let parcel = |n: u32| Parcel { state: u64::from(n), action: 7u8, parent: n + 1, g: n + 2, h: n + 3 };
        let farewell = WorkerStats { expanded: 1, idle: Duration::from_millis(3), ..WorkerStats::default() };
        for message in [
            Message::Nodes(vec![parcel(1), parcel(2), parcel(3)]),
            Message::Nodes(Vec::new()),
            Message::Incumbent(12),
            Message::Poll(3),
            Message::Passive(3, Counts { sent: 4, received: 5 }),
            Message::Stopped(Stop::Overflow),
            Message::End,
            Message::Trace(At::Goal, Vec::new()),
            Message::Trace(At::State(5), vec![1, 2]),
            Message::Trace(At::Node(6), vec![1]),
            Message::Path(vec![9, 8, 7]),
            Message::Farewell(farewell),
            Message::Close,
        ] {
            there_and_back(&counter, &message);
        }
    }

    #[test]
    fn a_message_of_another_program_board_or_heuristic_is_refused() {
        let bytes = there_and_back(&Counting, &Message::Poll(1));
        let start = Counting.start();
        let mark = Mark::new::<Counting, u32>(&start, Some(7));
        for other in [
            Mark::new::<Counting, u32>(&(start + 1), Some(7)),
            Mark::new::<Counting, u32>(&start, Some(8)),
            Mark::new::<Counting, u32>(&start, None),
            Mark::new::<Counting, u64>(&start, Some(7)),
        ] {
            let refused = decode::<Counting, u32>(other, &bytes, Vec::new()).unwrap_err();
            assert!(refused.0.contains("same program"), "{refused}");
        }
        let mut longer = bytes;
        longer.push(0);
        assert!(decode::<Counting, u32>(mark, &longer, Vec::new()).is_err());
    }
}
