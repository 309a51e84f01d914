//! The program `novelo`.

mod allocator;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: allocator::OrEnd = allocator::OrEnd;

fn main() -> ExitCode {
    novelo::main()
}
