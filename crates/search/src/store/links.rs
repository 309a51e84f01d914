//! How each node was reached: its path cost and its link to the parent, side by side, because they are read together.

use std::mem::MaybeUninit;

use super::column::Column;
use crate::problem::Cost;

/// A row: packed, so that a cost of one byte takes one byte whatever the link is.
#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Row<C, L> {
    cost: C,
    /// Not there for the root, which has no parent.
    link: MaybeUninit<L>,
}

/// Costs and links. A cost starts with a byte and all are widened when one does not fit: costs grow slowly along a
/// search, so this happens at most twice.
pub(crate) struct Links<L> {
    rows: Rows<L>,
}

enum Rows<L> {
    /// For searches that do not ask for costs.
    Bare(Column<Row<(), L>>),
    Byte(Column<Row<u8, L>>),
    Half(Column<Row<u16, L>>),
    Word(Column<Row<u32, L>>),
}

/// Does the same with the column, whatever its width.
macro_rules! each {
    ($rows:expr, $column:ident => $body:expr) => {
        match $rows {
            Rows::Bare($column) => $body,
            Rows::Byte($column) => $body,
            Rows::Half($column) => $body,
            Rows::Word($column) => $body,
        }
    };
}

impl<L: Copy> Links<L> {
    /// No rows yet; with or without costs.
    pub fn new(costs: bool) -> Self {
        let rows = if costs { Rows::Byte(Column::new()) } else { Rows::Bare(Column::new()) };
        Self { rows }
    }

    /// The row of the root.
    pub fn push_root(&mut self) {
        self.push_row(0, MaybeUninit::uninit());
    }

    /// The row of any other node.
    #[inline(always)]
    pub fn push(&mut self, cost: Cost, link: L) {
        self.push_row(cost, MaybeUninit::new(link));
    }

    #[inline(always)]
    fn push_row(&mut self, cost: Cost, link: MaybeUninit<L>) {
        match &mut self.rows {
            Rows::Bare(column) => column.push(Row { cost: (), link }),
            Rows::Byte(column) if cost <= Cost::from(u8::MAX) => column.push(Row { cost: cost as u8, link }),
            _ => self.push_wide(cost, link),
        }
    }

    #[cold]
    #[inline(never)]
    fn push_wide(&mut self, cost: Cost, link: MaybeUninit<L>) {
        match &mut self.rows {
            Rows::Half(column) if cost <= Cost::from(u16::MAX) => {
                column.push(Row { cost: cost as u16, link });
            }
            Rows::Word(column) => column.push(Row { cost, link }),
            _ => {
                self.widen();
                self.push_row(cost, link);
            }
        }
    }

    /// A node's path cost; 0 where costs are not kept.
    #[inline]
    pub fn cost(&self, i: usize) -> Cost {
        match &self.rows {
            Rows::Bare(_) => 0,
            Rows::Byte(column) => Cost::from(column.get(i).cost),
            Rows::Half(column) => Cost::from(column.get(i).cost),
            Rows::Word(column) => column.get(i).cost,
        }
    }

    /// A node's link; the root has none.
    #[inline(always)]
    pub fn link(&self, i: usize) -> L {
        assert!(i > 0, "the root has no parent");
        let link = each!(&self.rows, column => column.get(i).link);
        // SAFETY: every row but the root's was pushed with a link.
        unsafe { link.assume_init() }
    }

    /// A node has been reached in a cheaper way: a lower cost always fits.
    pub fn improve(&mut self, i: usize, cost: Cost, link: L) {
        debug_assert!(cost <= self.cost(i));
        let link = MaybeUninit::new(link);
        match &mut self.rows {
            Rows::Bare(column) => *column.get_mut(i) = Row { cost: (), link },
            Rows::Byte(column) => *column.get_mut(i) = Row { cost: cost as u8, link },
            Rows::Half(column) => *column.get_mut(i) = Row { cost: cost as u16, link },
            Rows::Word(column) => *column.get_mut(i) = Row { cost, link },
        }
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
        fn copy<A: Copy, B: From<A>, L: Copy>(from: &Column<Row<A, L>>) -> Column<Row<B, L>> {
            let mut to = Column::new();
            for i in 0..from.len() {
                let &Row { cost, link } = from.get(i);
                to.push(Row { cost: B::from(cost), link });
            }
            to
        }
        self.rows = match &self.rows {
            Rows::Byte(column) => Rows::Half(copy(column)),
            Rows::Half(column) => Rows::Word(copy(column)),
            Rows::Bare(_) | Rows::Word(_) => unreachable!("every cost fits"),
        };
    }
}
