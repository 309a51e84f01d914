//! The nodes of one key, in order of h.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::store::Handle;

/// Nodes of one key.
#[derive(Debug, Default)]
pub(super) struct Level {
    pub key: u64,
    /// Of falling h, the next one last.
    pub stack: Vec<(u32, Handle)>,
    /// Those that came too late to be put on the stack. A node goes here if its h is that of the lowest here, so that of
    /// two equal ones, on the stack and here, this is the newer.
    pub late: BinaryHeap<Reverse<(u32, Reverse<u64>, Handle)>>,
    /// How many came too late.
    count: u64,
}

/// How far down a stack nodes are put in order by moving those above.
const SHALLOW: usize = 16;

impl Level {
    /// No nodes of a key.
    pub fn new(key: u64) -> Self {
        Self { key, ..Self::default() }
    }

    #[inline]
    pub fn push(&mut self, h: u32, node: Handle) {
        if self.late.is_empty() && self.stack.last().is_none_or(|&(top, _)| h <= top) {
            self.stack.push((h, node));
        } else {
            self.push_late(h, node);
        }
    }

    #[cold]
    fn push_late(&mut self, h: u32, node: Handle) {
        match self.late.peek() {
            None => {
                let above =
                    self.stack.iter().rev().take(SHALLOW).take_while(|&&(other, _)| other < h).count();
                if above < SHALLOW {
                    self.stack.insert(self.stack.len() - above, (h, node));
                    return;
                }
            }
            Some(Reverse((lowest, ..))) => {
                if h < *lowest && self.stack.last().is_none_or(|&(top, _)| h <= top) {
                    self.stack.push((h, node));
                    return;
                }
            }
        }
        self.late.push(Reverse((h, Reverse(self.count), node)));
        self.count += 1;
    }

    #[inline]
    pub fn pop(&mut self) -> Option<(u32, Handle)> {
        if self.late.is_empty() { self.stack.pop() } else { self.pop_late() }
    }

    #[cold]
    fn pop_late(&mut self) -> Option<(u32, Handle)> {
        let &Reverse((lowest, _, node)) = self.late.peek()?;
        if self.stack.last().is_some_and(|&(h, _)| h < lowest) {
            return self.stack.pop();
        }
        self.late.pop();
        Some((lowest, node))
    }

    pub fn is_empty(&self) -> bool {
        self.stack.is_empty() && self.late.is_empty()
    }
}
