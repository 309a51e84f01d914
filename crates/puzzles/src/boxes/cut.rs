//! Minimum cuts of grids: push-relabel (Goldberg and Tarjan, 1988), without the
//! phase that would turn the preflow into a flow, since only the cut is asked
//! for.

use std::collections::VecDeque;

/// Cells of a grid with a frame around it, so that each has four neighbours.
#[derive(Debug, Clone)]
pub struct GridCut {
    /// From a cell to its neighbours: up, left, right, down.
    steps: [isize; 4],
    /// What may still flow from a cell to each neighbour.
    residual: Vec<[i32; 4]>,
    /// What waits at a cell to flow on.
    excess: Vec<i32>,
    /// What a cell may still pass to the sink.
    drain: Vec<i32>,
    /// A lower bound on the number of steps to the sink.
    height: Vec<u32>,
    queue: Vec<u32>,
    /// Cells with something to pass on, first in first out.
    active: VecDeque<u32>,
}

/// The height of a cell that cannot reach the sink.
const CUT_OFF: u32 = u32::MAX;

impl GridCut {
    /// For a number of cells, frame included, in lines of `stride`.
    pub fn new(cells: usize, stride: usize) -> Self {
        let stride = stride as isize;
        Self {
            steps: [-stride, -1, 1, stride],
            residual: vec![[0; 4]; cells],
            excess: vec![0; cells],
            drain: vec![0; cells],
            height: vec![CUT_OFF; cells],
            queue: Vec::with_capacity(cells),
            active: VecDeque::with_capacity(cells),
        }
    }

    /// Gives a cell a reward for being on the source side, or if negative a
    /// price, and the prices for being there without each neighbour.
    pub fn set(&mut self, cell: usize, reward: i32, prices: [i32; 4]) {
        self.excess[cell] = reward.max(0);
        self.drain[cell] = (-reward).max(0);
        self.residual[cell] = prices;
    }

    /// Solves; afterwards [`kept`](Self::kept) tells the sides apart.
    pub fn solve(&mut self) {
        self.restart();
        // Each renewal of the heights is worth as much work as it costs.
        let mut relabels = 0;
        while let Some(cell) = self.active.pop_front() {
            relabels += self.discharge(cell as usize);
            if relabels > self.excess.len() {
                relabels = 0;
                self.restart();
            }
        }
        self.measure();
    }

    /// Measures all heights and lines up the cells with something to pass on.
    fn restart(&mut self) {
        self.measure();
        self.active.clear();
        let cells = 0..self.excess.len() as u32;
        self.active.extend(
            cells.filter(|&cell| self.excess[cell as usize] > 0 && self.height[cell as usize] != CUT_OFF),
        );
    }

    /// Passes on what waits at a cell, raising it as often as needed; returns
    /// how often.
    fn discharge(&mut self, cell: usize) -> usize {
        let mut relabels = 0;
        while self.excess[cell] > 0 && self.height[cell] != CUT_OFF {
            let drained = self.drain[cell].min(self.excess[cell]);
            self.drain[cell] -= drained;
            self.excess[cell] -= drained;
            let mut lowest = CUT_OFF;
            for side in 0..4 {
                if self.excess[cell] == 0 {
                    return relabels;
                }
                if self.residual[cell][side] == 0 {
                    continue;
                }
                let to = cell.wrapping_add_signed(self.steps[side]);
                if self.height[to] < self.height[cell] {
                    let amount = self.residual[cell][side].min(self.excess[cell]);
                    self.residual[cell][side] -= amount;
                    self.residual[to][3 - side] += amount;
                    self.excess[cell] -= amount;
                    if self.excess[to] == 0 {
                        self.active.push_back(to as u32);
                    }
                    self.excess[to] += amount;
                }
                if self.residual[cell][side] > 0 {
                    lowest = lowest.min(self.height[to]);
                }
            }
            if self.excess[cell] > 0 {
                self.height[cell] = if lowest == CUT_OFF { CUT_OFF } else { lowest + 1 };
                relabels += 1;
            }
        }
        relabels
    }

    /// Sets every height to the true number of steps to the sink.
    fn measure(&mut self) {
        let mut queue = std::mem::take(&mut self.queue);
        queue.clear();
        for (cell, height) in self.height.iter_mut().enumerate() {
            *height = CUT_OFF;
            if self.drain[cell] > 0 {
                *height = 1;
                queue.push(cell as u32);
            }
        }
        let mut next = 0;
        while let Some(&cell) = queue.get(next) {
            next += 1;
            for side in 0..4 {
                let Some(from) = (cell as usize).checked_add_signed(self.steps[side]) else { continue };
                if from < self.height.len()
                    && self.height[from] == CUT_OFF
                    && self.residual[from][3 - side] > 0
                {
                    self.height[from] = self.height[cell as usize] + 1;
                    queue.push(from as u32);
                }
            }
        }
        self.queue = queue;
    }

    /// Whether a cell is on the source side of the minimum cut with the largest
    /// source side.
    pub fn kept(&self, cell: usize) -> bool {
        self.height[cell] == CUT_OFF
    }
}
