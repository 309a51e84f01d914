#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| novelo_fuzz::api_body(data));
