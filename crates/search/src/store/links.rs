//! How each node was reached: its path cost and its link to the parent, side by side, because they are read together.

#![allow(unsafe_code, reason = "packed rows; every row but a root has its link")]

use std::mem::{ManuallyDrop, MaybeUninit};
use std::ptr::addr_of;

use super::column::Column;

/// A row: packed, so that a cost of one byte takes one byte whatever the link is.
#[repr(C, packed)]
struct Row<C, L> {
    cost: C,
    /// Not there for a root, which has no parent.
    link: MaybeUninit<L>,
}

impl<C: Copy, L> Row<C, L> {
    /// The same cost and the same bits of the link, which is not to be dropped twice.
    fn duplicate<D: From<C>>(&self) -> Row<D, L> {
        // SAFETY: reads a field of a row at hand; a `MaybeUninit` may be any bits.
        Row { cost: self.cost.into(), link: unsafe { addr_of!(self.link).read_unaligned() } }
    }
}

/// Costs, as [bits](crate::Cost::to_bits), and links. A cost starts with a byte and all are widened when one does not
/// fit: costs grow slowly along a search, so this happens seldom. Links are never dropped.
pub(crate) struct Links<L> {
    rows: Rows<L>,
}

enum Rows<L> {
    /// For searches that do not ask for costs.
    Bare(Column<Row<(), L>>),
    Byte(Column<Row<u8, L>>),
    Half(Column<Row<u16, L>>),
    Word(Column<Row<u32, L>>),
    Long(Column<Row<u64, L>>),
}

/// Does the same with the column, whatever its width.
macro_rules! each {
    ($rows:expr, $column:ident => $body:expr) => {
        match $rows {
            Rows::Bare($column) => $body,
            Rows::Byte($column) => $body,
            Rows::Half($column) => $body,
            Rows::Word($column) => $body,
            Rows::Long($column) => $body,
        }
    };
}

impl<L: Clone> Links<L> {
    /// No rows yet; with or without costs.
    pub fn new(costs: bool) -> Self {
        let rows = if costs { Rows::Byte(Column::new()) } else { Rows::Bare(Column::new()) };
        Self { rows }
    }

    /// The row of a root.
    pub fn push_root(&mut self) {
        self.push_row(0, MaybeUninit::uninit());
    }

    /// The row of any other node.
    #[inline(always)]
    pub fn push(&mut self, cost: u64, link: L) {
        self.push_row(cost, MaybeUninit::new(link));
    }

    #[inline(always)]
    fn push_row(&mut self, cost: u64, link: MaybeUninit<L>) {
        match &mut self.rows {
            Rows::Bare(column) => column.push(Row { cost: (), link }),
            Rows::Byte(column) if cost <= u8::MAX.into() => column.push(Row { cost: cost as u8, link }),
            Rows::Half(column) if cost <= u16::MAX.into() => column.push(Row { cost: cost as u16, link }),
            _ => self.push_wide(cost, link),
        }
    }

    #[cold]
    #[inline(never)]
    fn push_wide(&mut self, cost: u64, link: MaybeUninit<L>) {
        match &mut self.rows {
            Rows::Word(column) if cost <= u32::MAX.into() => column.push(Row { cost: cost as u32, link }),
            Rows::Long(column) => column.push(Row { cost, link }),
            _ => {
                self.widen();
                self.push_row(cost, link);
            }
        }
    }

    /// A node's path cost; 0 where costs are not kept.
    #[inline]
    pub fn cost(&self, i: usize) -> u64 {
        match &self.rows {
            Rows::Bare(_) => 0,
            Rows::Byte(column) => column.get(i).cost.into(),
            Rows::Half(column) => u64::from(column.get(i).cost),
            Rows::Word(column) => u64::from(column.get(i).cost),
            Rows::Long(column) => column.get(i).cost,
        }
    }

    /// A node's link.
    ///
    /// # Safety
    ///
    /// The node is no root: its row was pushed with a link.
    #[inline(always)]
    pub unsafe fn link(&self, i: usize) -> L {
        // SAFETY: reads a field of a row at hand, as in `duplicate`.
        let link = each!(&self.rows, column => unsafe { addr_of!(column.get(i).link).read_unaligned() });
        // SAFETY: the caller says that it is there. What is cloned is the row's own, which stays.
        let link = ManuallyDrop::new(unsafe { link.assume_init() });
        L::clone(&link)
    }

    /// A node has been reached in another way; in rows with costs not at a higher one, so that it fits.
    pub fn improve(&mut self, i: usize, cost: u64, link: L) {
        let link = MaybeUninit::new(link);
        match &mut self.rows {
            Rows::Bare(column) => *column.get_mut(i) = Row { cost: (), link },
            Rows::Byte(column) => *column.get_mut(i) = Row { cost: cost as u8, link },
            Rows::Half(column) => *column.get_mut(i) = Row { cost: cost as u16, link },
            Rows::Word(column) => *column.get_mut(i) = Row { cost: cost as u32, link },
            Rows::Long(column) => *column.get_mut(i) = Row { cost, link },
        }
        debug_assert!(matches!(self.rows, Rows::Bare(_)) || self.cost(i) == cost);
    }

    /// Asks the processor to fetch a row, if there is one.
    #[inline]
    pub fn prefetch(&self, i: usize) {
        each!(&self.rows, column => column.prefetch(i));
    }

    pub fn bytes(&self) -> usize {
        each!(&self.rows, column => column.bytes())
    }

    #[cold]
    #[inline(never)]
    fn widen(&mut self) {
        fn copy<A: Copy, B: From<A>, L>(from: &Column<Row<A, L>>) -> Column<Row<B, L>> {
            let mut to = Column::new();
            for i in 0..from.len() {
                to.push(from.get(i).duplicate());
            }
            to
        }
        self.rows = match &self.rows {
            Rows::Byte(column) => Rows::Half(copy(column)),
            Rows::Half(column) => Rows::Word(copy(column)),
            Rows::Word(column) => Rows::Long(copy(column)),
            Rows::Bare(_) | Rows::Long(_) => unreachable!("every cost fits"),
        };
    }
}
