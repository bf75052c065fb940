//! Domains and problems: after a byte that says which, the text; or, with a zero byte, both, with a
//! second zero byte between them.
#![no_main]

use hgpo_env_fuzz::{DOMAIN, GRAMMAR, PROBLEM, file, play};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, text)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(text);
    let file = match which {
        0 => match text.split_once('\0') {
            Some((domain, problem)) => file(domain, problem, GRAMMAR),
            None => return,
        },
        which if which % 2 == 1 => file(&text, PROBLEM, GRAMMAR),
        _ => file(DOMAIN, &text, GRAMMAR),
    };
    play(&file);
});
