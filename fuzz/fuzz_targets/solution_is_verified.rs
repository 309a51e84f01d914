#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| novelo_fuzz::solution_is_verified(data));
