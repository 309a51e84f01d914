//! Clauses in one block of memory, and the watches that find them.

/// A variable or its negation: twice the variable, plus one if negated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Literal(pub u32);

impl Literal {
    /// A variable that is to be true or false.
    #[inline]
    pub fn new(variable: usize, truth: bool) -> Self {
        Self((variable as u32) << 1 | u32::from(!truth))
    }

    /// The variable.
    #[inline]
    pub fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it says that the variable is true.
    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// Its place in tables by literal.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Literal {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// Where a clause stands in memory.
pub type Place = u32;

/// Words before a clause's literals: its length, its worth.
const HEADER: usize = 2;
/// The worth of clauses that are never forgotten.
pub const KEPT: u32 = 0;

/// A clause and one of its other literals: if that is true the clause need not
/// be looked at.
#[derive(Debug, Clone, Copy)]
pub struct Watch {
    pub clause: Place,
    pub blocker: Literal,
}

/// All clauses.
#[derive(Debug, Default)]
pub struct Clauses {
    words: Vec<u32>,
    /// By literal: the clauses in which its negation is one of the first two.
    pub watches: Vec<Vec<Watch>>,
    learned: Vec<Place>,
}

impl Clauses {
    pub fn new(variables: usize) -> Self {
        Self { words: Vec::new(), watches: vec![Vec::new(); 2 * variables], learned: Vec::new() }
    }

    /// One variable more.
    pub fn variable(&mut self) {
        self.watches.extend([Vec::new(), Vec::new()]);
    }

    pub fn bytes(&self) -> usize {
        let watches: usize = self.watches.iter().map(|list| list.capacity() * size_of::<Watch>()).sum();
        self.words.capacity() * 4 + watches + self.learned.capacity() * 4
    }

    /// How many clauses can be forgotten.
    pub fn learned(&self) -> usize {
        self.learned.len()
    }

    /// Adds a clause of at least two literals, watched by its first two. The
    /// worth of a learned clause is the number of decision levels in it: the
    /// fewer, the better (Audemard and Simon, 2009).
    pub fn add(&mut self, literals: &[Literal], worth: u32) -> Place {
        let place = self.words.len() as Place;
        self.words.extend([literals.len() as u32, worth]);
        self.words.extend(literals.iter().map(|literal| literal.0));
        self.watch(place);
        if worth != KEPT {
            self.learned.push(place);
        }
        place
    }

    fn watch(&mut self, place: Place) {
        let (a, b) = (self.get(place, 0), self.get(place, 1));
        self.watches[(!a).index()].push(Watch { clause: place, blocker: b });
        self.watches[(!b).index()].push(Watch { clause: place, blocker: a });
    }

    #[inline]
    pub fn len(&self, place: Place) -> usize {
        self.words[place as usize] as usize
    }

    #[inline]
    pub fn get(&self, place: Place, i: usize) -> Literal {
        Literal(self.words[place as usize + HEADER + i])
    }

    #[inline]
    pub fn literals(&self, place: Place) -> impl Iterator<Item = Literal> + '_ {
        let first = place as usize + HEADER;
        self.words[first..first + self.len(place)].iter().map(|&word| Literal(word))
    }

    #[inline]
    pub fn swap(&mut self, place: Place, i: usize, j: usize) {
        let first = place as usize + HEADER;
        self.words.swap(first + i, first + j);
    }

    /// Forgets the worse half of the learned clauses. No clause may be in use
    /// as a reason.
    pub fn forget(&mut self) {
        let mut learned = std::mem::take(&mut self.learned);
        learned.sort_by_key(|&place| (self.words[place as usize + 1], self.words[place as usize]));
        let half = learned.len() / 2;
        for &place in &learned[half..] {
            // The few of the highest worth stay.
            if self.words[place as usize + 1] > 2 {
                self.words[place as usize + 1] = u32::MAX;
            }
        }
        self.watches.iter_mut().for_each(Vec::clear);
        let words = std::mem::take(&mut self.words);
        self.words.reserve(words.len());
        let mut at = 0;
        while at < words.len() {
            let next = at + HEADER + words[at] as usize;
            if words[at + 1] != u32::MAX {
                let place = self.words.len() as Place;
                self.words.extend_from_slice(&words[at..next]);
                self.watch(place);
                if words[at + 1] != KEPT {
                    self.learned.push(place);
                }
            }
            at = next;
        }
    }
}
