//! When a distributed search is over: Mattern's four counters.
//!
//! A worker is *passive* when it has nothing left to expand below the incumbent that it knows and has sent all that it
//! had to send; only a message makes it active again. The search is over when all workers are passive and no message is
//! under way, which no worker can see. So the coordinator asks all of them in waves. Each answers when it is passive, with
//! how many messages it has sent and received by then. After two waves, one begun when the other had ended, the search was
//! over if as many were received by the first as were sent by the second:
//!
//! Let t be the end of the first wave. What was received by the answers of the first wave was received by t; what was
//! received by t was sent by t; what was sent by t was sent by the answers of the second wave. If first and last are equal,
//! all are: nothing was under way at t, and no worker received anything between its first answer and t. It was passive when
//! it answered, and so it still was at t.
//!
//! Neither clocks nor the order of messages matter. A worker that a limit has ended never answers.

use super::message::Counts;

/// The coordinator's waves.
#[derive(Debug)]
pub(super) struct Waves {
    workers: usize,
    number: u64,
    /// Answers that are missing; none between two waves.
    missing: usize,
    sum: Counts,
    /// What was received by the answers of the wave before.
    received_before: Option<u64>,
    /// Believes the first wave: what a careless detection would do, which tests must notice.
    #[cfg(test)]
    pub careless: bool,
}

impl Waves {
    pub fn new(workers: usize) -> Self {
        Self {
            workers,
            number: 0,
            missing: 0,
            sum: Counts::default(),
            received_before: None,
            #[cfg(test)]
            careless: false,
        }
    }

    /// Whether answers are missing.
    pub fn is_under_way(&self) -> bool {
        self.missing > 0
    }

    /// Begins a wave, whose number is returned.
    pub fn start(&mut self) -> u64 {
        debug_assert!(!self.is_under_way());
        self.number += 1;
        self.missing = self.workers;
        self.sum = Counts::default();
        self.number
    }

    /// Notes an answer; whether the search was over when the wave before this one ended.
    pub fn note(&mut self, number: u64, counts: Counts) -> bool {
        if number != self.number || self.missing == 0 {
            return false;
        }
        self.missing -= 1;
        self.sum.sent += counts.sent;
        self.sum.received += counts.received;
        if self.missing > 0 {
            return false;
        }
        #[cfg(test)]
        if self.careless {
            return true;
        }
        let over = self.received_before == Some(self.sum.sent);
        self.received_before = Some(self.sum.received);
        over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(waves: &mut Waves, answers: &[(u64, u64)]) -> bool {
        let number = waves.start();
        let mut over = false;
        for &(sent, received) in answers {
            over = waves.note(number, Counts { sent, received });
        }
        over
    }

    #[test]
    fn one_wave_proves_nothing() {
        let mut waves = Waves::new(2);
        assert!(!wave(&mut waves, &[(3, 0), (0, 3)]));
        assert!(wave(&mut waves, &[(3, 0), (0, 3)]));
    }

    #[test]
    fn a_message_under_way_keeps_it_going() {
        let mut waves = Waves::new(2);
        // The second has not received the third message yet.
        assert!(!wave(&mut waves, &[(3, 0), (0, 2)]));
        assert!(!wave(&mut waves, &[(3, 0), (0, 2)]));
        // It has now, and has sent one for it, which makes the counts of the first equal: too early.
        assert!(!wave(&mut waves, &[(3, 1), (1, 3)]));
        assert!(wave(&mut waves, &[(3, 1), (1, 3)]));
    }

    #[test]
    fn answers_of_an_earlier_wave_are_none() {
        let mut waves = Waves::new(1);
        let first = waves.start();
        assert!(!waves.note(first, Counts::default()));
        let second = waves.start();
        assert!(!waves.note(first, Counts::default()));
        assert!(waves.is_under_way());
        assert!(waves.note(second, Counts::default()));
    }
}
