//! What actions and paths cost, and sums that cannot go wrong unnoticed.

use std::fmt::Display;

use crate::heuristic::{Estimate, Weight};

/// What an action, or a whole path, costs: `u32`, `u64` or [`Real`].
///
/// Costs are added by [`checked_add`](Cost::checked_add) alone. A run that meets a sum its type cannot hold ends with
/// [`Stop::Overflow`](crate::Stop::Overflow) and claims nothing.
pub trait Cost: Estimate<Self> + Display + 'static {
    /// Nothing.
    const ZERO: Self;

    /// The sum; `None` if the type cannot hold it.
    fn checked_add(self, other: Self) -> Option<Self>;

    /// So many times this cost; `None` if the type cannot hold it.
    fn checked_mul(self, times: u32) -> Option<Self>;

    /// The least cost that is not below a real number, which rounding may have made a little too large; `None` if there is
    /// none.
    fn at_least(number: f64) -> Option<Self>;

    /// The least cost that, weighted, is not below this one.
    #[must_use]
    fn unweighted(self, weight: Weight) -> Self;

    /// Whether this is not above a bound, as far as the type can tell.
    fn reaches(self, bound: Self) -> bool {
        self <= bound
    }

    /// What this is more than another; nothing where it is not.
    #[must_use]
    fn saturating_sub(self, other: Self) -> Self;

    /// The least cost that is not below the mean of two.
    #[must_use]
    fn mean(self, other: Self) -> Self;

    /// In 64 bits; small costs as small numbers.
    fn to_bits(self) -> u64;

    /// From what [`to_bits`](Cost::to_bits) gave.
    fn from_bits(bits: u64) -> Self;
}

/// How much of a real number rounding may have added: some thousand times what one operation does, for the sums of long
/// paths.
pub(crate) const ROUNDING: f64 = 1e-12;

/// A number that is certainly not too large, if rounding may have made this one so.
fn rounded_down(number: f64) -> f64 {
    number - ROUNDING * number.abs()
}

macro_rules! whole {
    ($type:ty, $wide:ty) => {
        impl Cost for $type {
            const ZERO: Self = 0;

            #[inline]
            fn checked_add(self, other: Self) -> Option<Self> {
                <$type>::checked_add(self, other)
            }

            fn checked_mul(self, times: u32) -> Option<Self> {
                <$type>::checked_mul(self, <$type>::from(times))
            }

            fn at_least(number: f64) -> Option<Self> {
                let least = rounded_down(number).ceil();
                // Below the power of two that is one more than the largest value.
                (least < <$type>::MAX as f64 + 1.0).then_some(least as Self)
            }

            fn unweighted(self, weight: Weight) -> Self {
                let (numerator, denominator) = weight.fraction();
                (<$wide>::from(self) * <$wide>::from(denominator)).div_ceil(<$wide>::from(numerator)) as Self
            }

            #[inline]
            fn saturating_sub(self, other: Self) -> Self {
                <$type>::saturating_sub(self, other)
            }

            #[inline]
            fn mean(self, other: Self) -> Self {
                self.min(other) + self.abs_diff(other).div_ceil(2)
            }

            #[inline]
            fn to_bits(self) -> u64 {
                self.into()
            }

            #[inline]
            fn from_bits(bits: u64) -> Self {
                bits as Self
            }
        }
    };
}

whole!(u32, u64);
whole!(u64, u128);

/// A real number that is never NaN, ordered by size. As a cost it is finite and not negative.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "f64"))]
pub struct Real(f64);

impl Real {
    /// Wraps a number; NaN becomes infinity.
    pub const fn new(value: f64) -> Self {
        // Adding zero makes the negative zero positive: equal numbers have equal bits.
        Self(if value.is_nan() { f64::INFINITY } else { value + 0.0 })
    }

    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl From<f64> for Real {
    fn from(value: f64) -> Self {
        Self::new(value)
    }
}

impl Display for Real {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq for Real {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Real {}

impl std::hash::Hash for Real {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

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

/// Sums of real costs are rounded, so proofs that rest on them hold up to a part in 10^12. A negative or an infinite cost
/// is none: it ends a run like a sum that does not fit.
impl Cost for Real {
    const ZERO: Self = Self(0.0);

    #[inline]
    fn checked_add(self, other: Self) -> Option<Self> {
        let sum = self.0 + other.0;
        (other.0 >= 0.0 && sum < f64::INFINITY).then_some(Self(sum))
    }

    fn checked_mul(self, times: u32) -> Option<Self> {
        let product = self.0 * f64::from(times);
        (product < f64::INFINITY).then_some(Self(product))
    }

    fn at_least(number: f64) -> Option<Self> {
        (number < f64::INFINITY).then(|| Self::new(rounded_down(number).max(0.0)))
    }

    fn unweighted(self, weight: Weight) -> Self {
        Self(self.0 / weight.to_f64())
    }

    fn reaches(self, bound: Self) -> bool {
        // Both sides may have been rounded, and rounded down.
        self.0 - 4.0 * ROUNDING * self.0 <= bound.0
    }

    fn saturating_sub(self, other: Self) -> Self {
        Self((self.0 - other.0).max(0.0))
    }

    fn mean(self, other: Self) -> Self {
        Self(rounded_down(self.0 / 2.0 + other.0 / 2.0))
    }

    fn to_bits(self) -> u64 {
        self.0.to_bits()
    }

    fn from_bits(bits: u64) -> Self {
        Self(f64::from_bits(bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_that_do_not_fit_are_refused() {
        assert_eq!(Cost::checked_add(3_000_000_000u32, 3_000_000_000), None);
        assert_eq!(Cost::checked_add(u64::MAX, 1), None);
        assert_eq!(Real::new(f64::MAX).checked_add(Real::new(f64::MAX)), None);
        assert_eq!(Real::new(1.0).checked_add(Real::new(-1.0)), None);
        assert_eq!(Real::new(1.0).checked_add(Real::new(f64::NAN)), None);
        assert_eq!(Real::new(1.5).checked_add(Real::new(2.0)), Some(Real::new(3.5)));
    }

    #[test]
    fn rounding_never_lifts_a_bound() {
        assert_eq!(u32::at_least(3.000_000_000_000_001_3), Some(3));
        assert_eq!(u32::at_least(3.1), Some(4));
        assert_eq!(u32::at_least(-2.0), Some(0));
        assert_eq!(u32::at_least(4_294_967_295.0), Some(u32::MAX));
        assert_eq!(u32::at_least(1e10), None);
        assert_eq!(u64::at_least(f64::INFINITY), None);
        assert_eq!(100_000_000u32.unweighted(Weight::new(1.37).unwrap()), 72_992_701);
        assert_eq!(u64::MAX.unweighted(Weight::ONE), u64::MAX);
    }
}
