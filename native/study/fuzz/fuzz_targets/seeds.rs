//! Seeds: those that are read are read again from what is shown of them, in the same order.
#![no_main]

use hgpo_study::Seeds;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(seeds) = text.parse::<Seeds>() else { return };
    assert!((1..=100_000).contains(&seeds.as_slice().len()));
    let shown = seeds.to_string();
    assert_eq!(shown.parse(), Ok(seeds), "{shown}");
});
