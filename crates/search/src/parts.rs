//! The parts of the engine, for an algorithm of one's own.
//!
//! A [`NodeStore`] keeps every state once in a few bytes, with the way back; an [`OpenList`] tells which node is next; a
//! [`Meter`](crate::Meter) has the limits, and each thread counts on a [`Counter`](crate::Counter) of it. The engine's own algorithms are made of
//! nothing else, but for those that search in place ([`deepening`](crate::deepening)) or level by level
//! ([`beam`](crate::beam)). This is the whole of `examples/own_algorithm.rs`:
//!
//! ```
#![doc = include_str!("../examples/own_algorithm.rs")]
//! ```

pub use crate::open::{BucketQueue, HeapQueue, OpenList};
pub use crate::order::hash;
pub use crate::random::Random;
pub use crate::store::{Arrival, ArrivalOf, Found, Handle, NodeStore};
