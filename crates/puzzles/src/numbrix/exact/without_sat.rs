//! In the place of the SAT solver where the feature `sat` is off: no board fits it, so that nobody asks it.

use std::convert::Infallible;
use std::marker::PhantomData;

use novelo_search::{Held, Meter};

use super::Answer;
use super::domains::Domains;

/// Limits that nobody needs.
#[derive(Debug, Clone, Copy)]
pub struct SatLimits<'m>(PhantomData<&'m ()>);

impl<'m> SatLimits<'m> {
    /// Those of a meter.
    pub fn new(_: &'m Meter<'_>) -> Self {
        Self(PhantomData)
    }
}

/// A solver that does not exist.
#[derive(Debug)]
pub struct Sat<'w>(Infallible, PhantomData<&'w ()>);

impl Held for Sat<'_> {
    fn nodes(&self) -> u64 {
        match self.0 {}
    }

    fn bytes(&self) -> usize {
        match self.0 {}
    }
}

impl<'w> Sat<'w> {
    /// Never.
    pub fn fits(_: &Domains, _: &SatLimits<'_>) -> bool {
        false
    }

    /// Not to be called, as nothing fits.
    pub fn new(_: &Domains, _: SatLimits<'w>) -> Self {
        unreachable!("no board fits a solver that is not there")
    }

    /// Cannot be called.
    pub fn solve(&mut self, _: i32) -> Answer {
        match self.0 {}
    }

    /// Cannot be called.
    pub fn exclude(&mut self, _: &[u16]) {
        match self.0 {}
    }
}
