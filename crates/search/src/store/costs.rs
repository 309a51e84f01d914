//! Path costs in as few bytes as they need.

use super::column::Column;
use crate::problem::Cost;

/// A column of costs that starts with a byte each and widens when a cost does
/// not fit. Costs grow slowly along a search, so this happens at most twice.
pub(crate) enum Costs {
    Byte(Column<u8>),
    Half(Column<u16>),
    Word(Column<u32>),
}

impl Costs {
    pub fn new() -> Self {
        Self::Byte(Column::new())
    }

    #[inline]
    pub fn get(&self, i: usize) -> Cost {
        match self {
            Self::Byte(column) => Cost::from(*column.get(i)),
            Self::Half(column) => Cost::from(*column.get(i)),
            Self::Word(column) => *column.get(i),
        }
    }

    #[inline]
    pub fn push(&mut self, cost: Cost) {
        match self {
            Self::Byte(column) if cost <= Cost::from(u8::MAX) => column.push(cost as u8),
            Self::Half(column) if cost <= Cost::from(u16::MAX) => column.push(cost as u16),
            Self::Word(column) => column.push(cost),
            _ => {
                self.widen();
                self.push(cost);
            }
        }
    }

    /// Lowers the cost of an element; a lower cost always fits.
    #[inline]
    pub fn set(&mut self, i: usize, cost: Cost) {
        debug_assert!(cost <= self.get(i));
        match self {
            Self::Byte(column) => *column.get_mut(i) = cost as u8,
            Self::Half(column) => *column.get_mut(i) = cost as u16,
            Self::Word(column) => *column.get_mut(i) = cost,
        }
    }

    /// Asks the processor to fetch an element, if there is one.
    #[inline]
    pub fn prefetch(&self, i: usize) {
        match self {
            Self::Byte(column) => column.prefetch(i),
            Self::Half(column) => column.prefetch(i),
            Self::Word(column) => column.prefetch(i),
        }
    }

    pub fn bytes(&self) -> usize {
        match self {
            Self::Byte(column) => column.bytes(),
            Self::Half(column) => column.bytes(),
            Self::Word(column) => column.bytes(),
        }
    }

    #[cold]
    #[inline(never)]
    fn widen(&mut self) {
        fn copy<A: Copy, B: From<A>>(from: &Column<A>) -> Column<B> {
            let mut to = Column::new();
            (0..from.len()).for_each(|i| to.push(B::from(*from.get(i))));
            to
        }
        *self = match self {
            Self::Byte(column) => Self::Half(copy(column)),
            Self::Half(column) => Self::Word(copy(column)),
            Self::Word(_) => unreachable!("every cost fits a word"),
        };
    }
}
