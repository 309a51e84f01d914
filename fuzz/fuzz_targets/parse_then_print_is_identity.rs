#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| novelo_fuzz::parse_then_print_is_identity(data));
