//! Chat templates: each is refused, renders a conversation with tools, or fails with the line of its
//! place.
#![no_main]

use std::sync::LazyLock;

use hgpo_train::models::chat::{ChatError, ChatTemplate, Conversation, Message};
use jiff::civil::date;
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value, json};

static TALK: LazyLock<Vec<Message>> = LazyLock::new(|| {
    let talk = json!([
        {"role": "system", "content": " Be brief. "},
        {"role": "user", "content": [{"type": "text", "text": "né 🙂"}]},
        {"role": "assistant", "content": null, "tool_calls": [
            {"function": {"name": "f", "arguments": {"items": [1, 2.5, null, true]}}},
        ]},
        {"role": "tool", "name": "f", "content": "x\n"},
    ]);
    serde_json::from_value(talk).expect("these are messages")
});

fuzz_target!(
    init: {
        // Panics of the engine are caught and become errors; the fuzzer's own hook would end the
        // process before. What is not caught ends it still.
        std::panic::set_hook(Box::new(|_| {}));
    },
    |bytes: &[u8]| {
    let source = String::from_utf8_lossy(bytes);
    let Ok(template) = ChatTemplate::parse(&source) else { return };
    let tools: Vec<Value> = vec![json!({"name": "f", "parameters": {"items": {"type": "array"}}})];
    let conversation = Conversation::new(&TALK, date(2024, 7, 6).at(15, 4, 9, 0));
    let conversation = Conversation { tools: Some(&tools), ..conversation };
    let tokens: Map<String, Value> = [("bos_token", "<s>"), ("eos_token", "</s>")]
        .map(|(a, b)| (a.into(), b.into()))
        .into_iter()
        .collect();
    match template.render(&conversation, &tokens) {
        Ok(text) => assert!(text.len() <= 64 << 20),
        Err(
            ChatError::Render { line, .. }
            | ChatError::Refused { line, .. }
            | ChatError::Endless { line, .. },
        ) => {
            let lines = source.replace("\r\n", "\n").replace('\r', "\n").matches('\n').count() + 1;
            assert!((1..=lines).contains(&line), "line {line} of {lines}");
        }
        // The only faults that are known, of slices backwards: from an empty text, and from beyond the
        // place where they would end, which is arithmetic that only this build checks.
        Err(ChatError::Engine(fault)) => {
            let known = ["index out of bounds", "attempt to subtract with overflow"];
            assert!(known.iter().any(|known| fault.contains(known)), "{fault}");
        }
        Err(error) => panic!("{error}"),
    }
}
);
