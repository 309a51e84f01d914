#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| novelo_fuzz::check_never_panics(data));
