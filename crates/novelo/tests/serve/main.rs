//! `novelo serve`, the real program, over HTTP.

mod door;
mod games;
mod harness;
mod jobs;
mod reading;
