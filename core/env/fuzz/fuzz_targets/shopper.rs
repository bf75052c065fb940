//! The scripted player of generated shops on any instruction and any page: it always knows something to do.
#![no_main]

use hgpo_env::webshop::generate::ScriptedShopper;
use hgpo_env::{Actions, Observation, Player as _};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    // The instruction, then pages, with empty lines between them.
    let mut parts = text.split("\n\n");
    let mut player = ScriptedShopper::new(parts.next().unwrap_or_default());
    for page in parts.take(16) {
        let actions = Actions::Free { search: true, clickables: Vec::new() };
        let action = player.act(&Observation::new(page, actions)).expect("something can be done");
        assert!(action.starts_with("search[") || action.starts_with("click["), "{action}");
    }
});
