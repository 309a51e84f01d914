//! Estimates of the cost that is left, separate from the rules.
//!
//! A function will do ([`Search::estimate`](crate::Search::estimate)); a [`Heuristic`] can be incremental as well. This
//! is the whole of `examples/pancake.rs`, a problem with a heuristic and limits:
//!
//! ```
#![doc = include_str!("../examples/pancake.rs")]
//! ```

use crate::cost::{Cost, ROUNDING, Real};
use crate::estimator::Estimator;
use crate::open::{BucketQueue, HeapQueue, OpenList};
use crate::parallel::Wire;
use crate::problem::Problem;

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
    /// The problem's kind of cost, or [`Real`] for the few that need fractions.
    type Value: Estimate<P::Cost>;

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
        _action: &P::Action,
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
        _action: &P::Action,
    ) -> Option<(P::Cost, Self::Memo)> {
        None
    }

    /// What was added to every estimate so that none is below zero: the same for all states of a problem, so that it
    /// changes no order. Whoever shows or judges estimates takes it off. Only a heuristic without a promise may have one.
    fn shift(&self, _problem: &P) -> f64 {
        0.0
    }

    /// The memo of a state whose value is already known (it was stored, so it
    /// is no dead end). Heuristics whose memo is their value need not compute.
    fn resume(&self, problem: &P, state: &P::State, _value: Self::Value) -> Self::Memo {
        self.memo(problem, state).expect("a stored state is not a dead end")
    }

    /// The same kind of estimate the other way round: of the cost from the start to a state, `None` for states that cannot
    /// be reached from it. `nbs`, `baestar` and `mm` need one; most heuristics have none.
    fn toward_start<'h>(&'h self, _problem: &'h P) -> Option<Box<dyn Estimator<P, Self::Value> + 'h>> {
        None
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
        action: &P::Action,
        undo: &P::Undo,
    ) -> Option<H::Memo> {
        (**self).child(problem, parent, state, action, undo)
    }

    fn peek(
        &self,
        problem: &P,
        parent: &H::Memo,
        before: &P::State,
        action: &P::Action,
    ) -> Option<(P::Cost, H::Memo)> {
        (**self).peek(problem, parent, before, action)
    }

    fn shift(&self, problem: &P) -> f64 {
        (**self).shift(problem)
    }

    fn resume(&self, problem: &P, state: &P::State, value: H::Value) -> H::Memo {
        (**self).resume(problem, state, value)
    }

    fn toward_start<'h>(&'h self, problem: &'h P) -> Option<Box<dyn Estimator<P, H::Value> + 'h>> {
        Heuristic::toward_start(*self, problem)
    }
}

/// The heuristic that knows nothing: zero everywhere.
#[derive(Debug, Clone, Copy, Default)]
pub struct Zero;

impl<P: Problem> Heuristic<P> for Zero {
    type Memo = ();
    type Value = P::Cost;

    fn promise(&self) -> Promise {
        Promise::CONSISTENT
    }

    fn memo(&self, _: &P, _: &P::State) -> Option<()> {
        Some(())
    }

    fn value(&self, (): &()) -> P::Cost {
        P::Cost::ZERO
    }

    fn toward_start<'h>(&'h self, _: &'h P) -> Option<Box<dyn Estimator<P, P::Cost> + 'h>> {
        Some(Box::new(Self))
    }
}

/// What a function may return as an estimate: a number, or `None` where no goal can be reached.
pub trait Guess {
    /// The kind of number.
    type Value;

    /// The number, if there is one.
    fn guessed(self) -> Option<Self::Value>;
}

macro_rules! guess {
    ($($type:ty => $value:ty),*) => {
        $(impl Guess for $type {
            type Value = $value;

            #[inline]
            fn guessed(self) -> Option<$value> {
                Some(self.into())
            }
        })*
    };
}

guess!(u32 => u32, u64 => u64, f64 => Real, Real => Real);

impl<G: Guess> Guess for Option<G> {
    type Value = G::Value;

    #[inline]
    fn guessed(self) -> Option<G::Value> {
        self.and_then(G::guessed)
    }
}

/// A heuristic made of a function from a state to an estimate.
#[derive(Debug, Clone, Copy)]
pub struct FromFn<F> {
    promise: Promise,
    function: F,
}

/// Turns a function into a [`Heuristic`]; [`Search::estimate`](crate::Search::estimate) infers its types.
pub fn from_fn<F>(promise: Promise, function: F) -> FromFn<F> {
    FromFn { promise, function }
}

impl<P: Problem, G: Guess, F: Fn(&P, &P::State) -> G + Sync> Heuristic<P> for FromFn<F>
where
    G::Value: Estimate<P::Cost>,
{
    type Memo = G::Value;
    type Value = G::Value;

    fn promise(&self) -> Promise {
        self.promise
    }

    #[inline]
    fn memo(&self, problem: &P, state: &P::State) -> Option<G::Value> {
        (self.function)(problem, state).guessed()
    }

    #[inline]
    fn value(&self, memo: &G::Value) -> G::Value {
        *memo
    }

    #[inline]
    fn resume(&self, _: &P, _: &P::State, value: G::Value) -> G::Value {
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

    /// Numerator and denominator, in lowest terms.
    pub fn fraction(self) -> (u32, u32) {
        (self.numerator, self.denominator)
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

/// What open lists order nodes by.
pub trait Key: Copy + Ord + std::fmt::Debug + Send + Sync {
    /// The smallest there is.
    const LEAST: Self;

    /// As an ordinary number.
    fn to_f64(self) -> f64;
}

/// Sums of costs and estimates: wide enough for every weighted sum of two `u32`.
impl Key for u64 {
    const LEAST: Self = 0;

    fn to_f64(self) -> f64 {
        self as f64
    }
}

impl Key for Real {
    const LEAST: Self = Self::new(f64::NEG_INFINITY);

    fn to_f64(self) -> f64 {
        self.get()
    }
}

/// The values a heuristic may have for a problem with costs `C`, and the queue that suits them.
pub trait Estimate<C>: Wire + Copy + Ord + std::fmt::Debug + Send + Sync {
    /// What nodes are ordered by.
    type Key: Key;
    /// The open list for such keys.
    type Open: OpenList<Self::Key, Self>;
    /// Whether all values of this kind are whole numbers.
    const WHOLE: bool;

    /// f = g + h; `None` if the type cannot hold it.
    #[must_use]
    fn plus(self, g: C) -> Option<Self>;
    /// As an ordinary number.
    fn to_f64(self) -> f64;
    /// The least cost that is not below this value; `None` if there is none.
    fn ceil(self) -> Option<C>;
    /// The same for the key of a value.
    fn ceil_key(key: Self::Key) -> Option<C>;
    /// Whether a node with this f lies beyond a bound.
    #[inline]
    fn exceeds(self, bound: Self) -> bool {
        self > bound
    }

    /// The same for the keys of values.
    #[inline]
    fn key_exceeds(key: Self::Key, bound: Self::Key) -> bool {
        key > bound
    }

    /// The key of a node that is ordered by cost alone.
    fn cost_key(g: C) -> Self::Key;
    /// The key of a node that is ordered by its estimate, or f, alone.
    fn key(self) -> Self::Key;
    /// The key of a node that is ordered by the sum of cost and weighted estimate; `None` if the type cannot hold it.
    fn weighted_key(self, g: C, weight: Weight) -> Option<Self::Key>;
    /// The least cost of a solution through a node with this weighted key, if the estimate is admissible; `None` if there is
    /// none.
    fn unweighted_key(key: Self::Key, weight: Weight) -> Option<C>;
}

macro_rules! whole {
    ($type:ty, $open:ty) => {
        impl Estimate<$type> for $type {
            type Key = u64;
            type Open = $open;
            const WHOLE: bool = true;

            #[inline]
            fn plus(self, g: $type) -> Option<Self> {
                self.checked_add(g)
            }

            fn to_f64(self) -> f64 {
                self as f64
            }

            fn ceil(self) -> Option<$type> {
                Some(self)
            }

            fn ceil_key(key: u64) -> Option<$type> {
                key.try_into().ok()
            }

            #[inline]
            fn cost_key(g: $type) -> u64 {
                g.into()
            }

            #[inline]
            fn key(self) -> u64 {
                self.into()
            }

            #[inline]
            fn weighted_key(self, g: $type, weight: Weight) -> Option<u64> {
                let (numerator, denominator) = (weight.numerator.into(), weight.denominator.into());
                let g = u64::from(g).checked_mul(denominator)?;
                u64::from(self).checked_mul(numerator)?.checked_add(g)
            }

            fn unweighted_key(key: u64, weight: Weight) -> Option<$type> {
                key.div_ceil(weight.numerator.into()).try_into().ok()
            }
        }
    };
}

whole!(u32, BucketQueue);
whole!(u64, HeapQueue<u64, u64>);

impl Real {
    /// As part of a sum, an estimate below nothing counts as nothing: at a goal it would make the sum less than the path
    /// costs, and proofs rest on sums that are not.
    #[inline]
    fn not_negative(self) -> f64 {
        self.get().max(0.0)
    }
}

impl<C: Cost> Estimate<C> for Real {
    type Key = Self;
    type Open = HeapQueue<Self, Self>;
    const WHOLE: bool = false;

    #[inline]
    fn plus(self, g: C) -> Option<Self> {
        Some(Self::new(self.not_negative() + g.to_f64()))
    }

    fn to_f64(self) -> f64 {
        self.get()
    }

    fn ceil(self) -> Option<C> {
        C::at_least(self.get())
    }

    fn ceil_key(key: Self) -> Option<C> {
        C::at_least(key.get())
    }

    /// Rounding aside: sums of the same numbers in another order are no further.
    #[inline]
    fn exceeds(self, bound: Self) -> bool {
        self.get() > bound.get() + ROUNDING * bound.get().abs()
    }

    #[inline]
    fn key_exceeds(key: Self, bound: Self) -> bool {
        Estimate::<C>::exceeds(key, bound)
    }

    #[inline]
    fn cost_key(g: C) -> Self {
        Self::new(g.to_f64())
    }

    #[inline]
    fn key(self) -> Self {
        self
    }

    #[inline]
    fn weighted_key(self, g: C, weight: Weight) -> Option<Self> {
        Some(Self::new(g.to_f64() + self.not_negative() * weight.to_f64()))
    }

    fn unweighted_key(key: Self, weight: Weight) -> Option<C> {
        C::at_least(key.get() / weight.to_f64())
    }
}
