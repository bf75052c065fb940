//! Grammars: a whole one, or after a zero byte the right-hand side of one symbol.
#![no_main]

use hgpo_env_fuzz::{DOMAIN, GRAMMAR, PROBLEM, file, play};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let grammar = match text.strip_prefix('\0') {
        Some(side) => {
            let side = serde_json::to_string(side).expect("a text can be written");
            GRAMMAR.replace("\"oil something for the shelf.\"", &side)
        }
        None => text.into_owned(),
    };
    play(&file(DOMAIN, PROBLEM, &grammar));
});
