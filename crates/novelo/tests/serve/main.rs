//! `novelo serve`, the real program, over HTTP.

mod bounds;
mod door;
mod games;
mod harness;
mod jobs;
mod reading;
