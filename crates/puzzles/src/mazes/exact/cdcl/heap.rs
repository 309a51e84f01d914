//! Variables by how often they were in conflicts of late.

/// Where a variable is that is not in the heap.
const OUT: u32 = u32::MAX;
const DECAY: f64 = 0.95;

/// A binary heap with the most active variable on top.
#[derive(Debug)]
pub struct Heap {
    activity: Vec<f64>,
    bump: f64,
    order: Vec<u32>,
    place: Vec<u32>,
}

impl Heap {
    /// A heap of the variables from 0 up to a count.
    pub fn new(count: usize) -> Self {
        let mut heap = Self { activity: Vec::new(), bump: 1.0, order: Vec::new(), place: Vec::new() };
        (0..count).for_each(|_| heap.variable());
        heap
    }

    /// One variable more.
    pub fn variable(&mut self) {
        self.activity.push(0.0);
        self.place.push(OUT);
        self.insert(self.place.len() - 1);
    }

    /// Puts a variable back.
    pub fn insert(&mut self, variable: usize) {
        if self.place[variable] == OUT {
            self.place[variable] = self.order.len() as u32;
            self.order.push(variable as u32);
            self.up(self.order.len() - 1);
        }
    }

    /// Takes the most active variable out.
    pub fn pop(&mut self) -> Option<usize> {
        let &top = self.order.first()?;
        let last = self.order.pop().expect("not empty");
        self.place[top as usize] = OUT;
        if last != top {
            self.order[0] = last;
            self.place[last as usize] = 0;
            self.down(0);
        }
        Some(top as usize)
    }

    /// A variable was in a conflict.
    pub fn bump(&mut self, variable: usize) {
        self.activity[variable] += self.bump;
        if self.activity[variable] > 1e100 {
            self.activity.iter_mut().for_each(|activity| *activity *= 1e-100);
            self.bump *= 1e-100;
        }
        if self.place[variable] != OUT {
            self.up(self.place[variable] as usize);
        }
    }

    /// Older conflicts count less.
    pub fn decay(&mut self) {
        self.bump /= DECAY;
    }

    fn above(&self, a: u32, b: u32) -> bool {
        self.activity[a as usize] > self.activity[b as usize]
    }

    fn up(&mut self, mut at: usize) {
        let moving = self.order[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.above(moving, self.order[parent]) {
                break;
            }
            self.order[at] = self.order[parent];
            self.place[self.order[at] as usize] = at as u32;
            at = parent;
        }
        self.order[at] = moving;
        self.place[moving as usize] = at as u32;
    }

    fn down(&mut self, mut at: usize) {
        let moving = self.order[at];
        loop {
            let mut child = 2 * at + 1;
            if child >= self.order.len() {
                break;
            }
            if child + 1 < self.order.len() && self.above(self.order[child + 1], self.order[child]) {
                child += 1;
            }
            if !self.above(self.order[child], moving) {
                break;
            }
            self.order[at] = self.order[child];
            self.place[self.order[at] as usize] = at as u32;
            at = child;
        }
        self.order[at] = moving;
        self.place[moving as usize] = at as u32;
    }
}
