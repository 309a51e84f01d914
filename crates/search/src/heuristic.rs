//! Estimates of the cost that is left, separate from the rules.

use crate::open::{BucketQueue, HeapQueue, OpenList};
use crate::problem::{Cost, Problem};

/// What a heuristic promises. Only promises turn into proofs: a result is
/// called optimal on the strength of `admissible`, never of a habit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Promise {
    /// Never above the true cost.
    pub admissible: bool,
    /// Never drops by more than an action costs.
    pub consistent: bool,
}

impl Promise {
    /// Neither admissible nor consistent.
    pub const NONE: Self = Self { admissible: false, consistent: false };
    /// Admissible, but the estimate may drop by more than an action costs.
    pub const ADMISSIBLE: Self = Self { admissible: true, consistent: false };
    /// Consistent, and so admissible.
    pub const CONSISTENT: Self = Self { admissible: true, consistent: true };
}

/// An estimate of the cost from a state to the nearest goal.
///
/// A heuristic may be incremental: it keeps a small memo with the node being
/// expanded and derives each successor's memo from it. One that is not can
/// leave [`child`](Heuristic::child) and [`resume`](Heuristic::resume) alone.
pub trait Heuristic<P: Problem>: Sync {
    /// What is carried along with a node; the value itself for the simple ones.
    type Memo: Clone + Send + Sync;
    /// `u32`, or [`Real`] for the few that need fractions.
    type Value: Estimate;

    /// What this heuristic promises.
    fn promise(&self) -> Promise;

    /// The memo of a state, computed from scratch; `None` when no goal can be
    /// reached from it.
    fn memo(&self, problem: &P, state: &P::State) -> Option<Self::Memo>;

    /// The estimate that a memo holds.
    fn value(&self, memo: &Self::Memo) -> Self::Value;

    /// The memo of the state that `action` has just led to, from its parent's.
    fn child(
        &self,
        problem: &P,
        _parent: &Self::Memo,
        state: &P::State,
        _action: P::Action,
        _undo: &P::Undo,
    ) -> Option<Self::Memo> {
        self.memo(problem, state)
    }

    /// The cost of an action and the memo it would lead to, for heuristics that
    /// can tell from the state before it; `None` where they cannot. Spares IDA*
    /// doing an action only to take it back.
    #[inline]
    fn peek(
        &self,
        _problem: &P,
        _parent: &Self::Memo,
        _before: &P::State,
        _action: P::Action,
    ) -> Option<(Cost, Self::Memo)> {
        None
    }

    /// The memo of a state whose value is already known (it was stored, so it
    /// is no dead end). Heuristics whose memo is their value need not compute.
    fn resume(&self, problem: &P, state: &P::State, _value: Self::Value) -> Self::Memo {
        self.memo(problem, state).expect("a stored state is not a dead end")
    }
}

impl<P: Problem, H: Heuristic<P>> Heuristic<P> for &H {
    type Memo = H::Memo;
    type Value = H::Value;

    fn promise(&self) -> Promise {
        (**self).promise()
    }

    fn memo(&self, problem: &P, state: &P::State) -> Option<H::Memo> {
        (**self).memo(problem, state)
    }

    fn value(&self, memo: &H::Memo) -> H::Value {
        (**self).value(memo)
    }

    fn child(
        &self,
        problem: &P,
        parent: &H::Memo,
        state: &P::State,
        action: P::Action,
        undo: &P::Undo,
    ) -> Option<H::Memo> {
        (**self).child(problem, parent, state, action, undo)
    }

    fn peek(
        &self,
        problem: &P,
        parent: &H::Memo,
        before: &P::State,
        action: P::Action,
    ) -> Option<(Cost, H::Memo)> {
        (**self).peek(problem, parent, before, action)
    }

    fn resume(&self, problem: &P, state: &P::State, value: H::Value) -> H::Memo {
        (**self).resume(problem, state, value)
    }
}

/// The heuristic that knows nothing: zero everywhere.
#[derive(Debug, Clone, Copy, Default)]
pub struct Zero;

impl<P: Problem> Heuristic<P> for Zero {
    type Memo = ();
    type Value = u32;

    fn promise(&self) -> Promise {
        Promise::CONSISTENT
    }

    fn memo(&self, _: &P, _: &P::State) -> Option<()> {
        Some(())
    }

    fn value(&self, (): &()) -> u32 {
        0
    }
}

/// A heuristic made of a function from a state to `Some(estimate)` or `None`.
#[derive(Debug, Clone, Copy)]
pub struct FromFn<F> {
    promise: Promise,
    function: F,
}

/// Turns a function into a [`Heuristic`].
pub fn from_fn<F>(promise: Promise, function: F) -> FromFn<F> {
    FromFn { promise, function }
}

impl<P: Problem, F: Fn(&P, &P::State) -> Option<u32> + Sync> Heuristic<P> for FromFn<F> {
    type Memo = u32;
    type Value = u32;

    fn promise(&self) -> Promise {
        self.promise
    }

    fn memo(&self, problem: &P, state: &P::State) -> Option<u32> {
        (self.function)(problem, state)
    }

    fn value(&self, memo: &u32) -> u32 {
        *memo
    }

    fn resume(&self, _: &P, _: &P::State, value: u32) -> u32 {
        value
    }
}

/// How much the estimate counts in weighted A*: an exact fraction, so that
/// integer keys stay integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Weight {
    numerator: u32,
    denominator: u32,
}

impl Weight {
    /// Plain A*.
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };

    /// The fraction for a decimal weight of at least 1, exact to two decimals.
    /// `None` outside 1 to 1000.
    pub fn new(weight: f64) -> Option<Self> {
        if !(1.0..=1000.0).contains(&weight) {
            return None;
        }
        let (mut a, mut b) = ((weight * 100.0).round() as u32, 100);
        let (hundredths, hundred) = (a, b);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Some(Self { numerator: hundredths / a, denominator: hundred / a })
    }

    /// The weight as a number.
    pub fn to_f64(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }

    /// The least cost a solution can have when weighted search with an
    /// admissible heuristic found one of this cost.
    pub fn bound(self, cost: Cost) -> Cost {
        (u64::from(cost) * u64::from(self.denominator)).div_ceil(u64::from(self.numerator)) as Cost
    }
}

impl std::fmt::Display for Weight {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_f64().fmt(f)
    }
}

impl std::str::FromStr for Weight {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        text.parse().ok().and_then(Self::new).ok_or(())
    }
}

/// The values a heuristic may have, and the queue that suits them.
pub trait Estimate: Copy + Ord + std::fmt::Debug + Send + Sync {
    /// The open list for keys of this kind.
    type Open: OpenList<Self, Self>;
    /// Whether all values of this kind are whole numbers.
    const WHOLE: bool;
    /// Zero.
    const ZERO: Self;
    /// No estimate is above this.
    const MAX: Self;

    /// The key of a node: g and h, the latter weighted.
    #[must_use]
    fn key(self, g: Cost, weight: Weight) -> Self;
    /// f = g + h.
    #[must_use]
    fn plus(self, g: Cost) -> Self;
    /// As an ordinary number.
    fn to_f64(self) -> f64;
    /// The least whole cost that is not below this value.
    fn ceil(self) -> Cost;
}

impl Estimate for u32 {
    type Open = BucketQueue;
    const WHOLE: bool = true;
    const ZERO: Self = 0;
    const MAX: Self = u32::MAX;

    #[inline]
    fn key(self, g: Cost, weight: Weight) -> Self {
        g.saturating_mul(weight.denominator).saturating_add(self.saturating_mul(weight.numerator))
    }

    #[inline]
    fn plus(self, g: Cost) -> Self {
        self.saturating_add(g)
    }

    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    fn ceil(self) -> Cost {
        self
    }
}

/// A real number that is never NaN, ordered by size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Real(f64);

impl Real {
    /// Wraps a number; NaN becomes infinity.
    pub fn new(value: f64) -> Self {
        Self(if value.is_nan() { f64::INFINITY } else { value })
    }
}

impl Eq for Real {}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Real {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Estimate for Real {
    type Open = HeapQueue<Self, Self>;
    const WHOLE: bool = false;
    const ZERO: Self = Self(0.0);
    const MAX: Self = Self(f64::INFINITY);

    #[inline]
    fn key(self, g: Cost, weight: Weight) -> Self {
        Self(f64::from(g) + self.0 * weight.to_f64())
    }

    #[inline]
    fn plus(self, g: Cost) -> Self {
        Self(self.0 + f64::from(g))
    }

    fn to_f64(self) -> f64 {
        self.0
    }

    fn ceil(self) -> Cost {
        self.0.ceil() as Cost
    }
}
