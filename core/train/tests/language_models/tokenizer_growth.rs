//! Tokenizers that are made to take all memory or to run for ever.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::time::{Duration, Instant};

use hgpo_train::models::tokenizer::{SpecialTokenHandling, Tokenizer, TokenizerError, from_gguf};
use serde_json::{Value, json};

use crate::byte_tokenizer::{BEGIN, metadata};

const SOON: Duration = Duration::from_secs(30);

/// The tokenizer with a part in place of its own.
fn with(part: &str, value: Value) -> Result<Tokenizer, TokenizerError> {
    let files = from_gguf(&metadata("gpt-2")).unwrap();
    let mut file: Value = serde_json::from_slice(&files.tokenizer).unwrap();
    file[part] = value;
    Tokenizer::from_files(file.to_string().as_bytes(), None, None)
}

fn replace(pattern: &Value, content: &str) -> Value {
    json!({"type": "Replace", "pattern": pattern, "content": content})
}

#[test]
fn parts_that_double_a_text_again_and_again_are_refused() {
    let twice = replace(&json!({"String": "a"}), "aa");
    let anywhere = replace(&json!({"Regex": ""}), "aa");
    let bytes = json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true,
        "use_regex": false});
    let named = |name: &str, parts: Vec<Value>| json!({"type": "Sequence", name: parts});
    let nested =
        (0..40).fold(twice.clone(), |inner, _| named("normalizers", vec![twice.clone(), inner]));
    let around = |count: usize| {
        let mut pieces: Vec<Value> =
            (0..count).map(|_| json!({"SpecialToken": {"id": "b", "type_id": 0}})).collect();
        pieces.push(json!({"Sequence": {"id": "A", "type_id": 0}}));
        json!({"type": "TemplateProcessing", "single": pieces, "pair": [],
            "special_tokens": {"b": {"id": "b", "ids": vec![BEGIN; 1000], "tokens": vec!["b"; 1000]}}})
    };
    let doubled = json!({"type": "TemplateProcessing", "pair": [], "special_tokens": {},
        "single": vec![json!({"Sequence": {"id": "A", "type_id": 0}}); 2]});
    for (part, value) in [
        ("normalizer", named("normalizers", vec![twice.clone(); 40])),
        ("normalizer", named("normalizers", vec![anywhere.clone(); 20])),
        ("normalizer", nested),
        ("normalizer", json!({"type": "Prepend", "prepend": "x".repeat(1 << 20)})),
        ("normalizer", replace(&json!({"String": "a"}), &"a".repeat(1 << 20))),
        ("normalizer", named("normalizers", vec![json!({"type": "Lowercase"}); 1000])),
        ("pre_tokenizer", named("pretokenizers", vec![bytes; 40])),
        ("post_processor", around(1000)),
        ("post_processor", named("processors", vec![doubled; 40])),
        ("decoder", named("decoders", vec![twice; 40])),
        ("decoder", named("decoders", vec![anywhere; 20])),
    ] {
        let start = Instant::now();
        let error = with(part, value).unwrap_err();
        assert!(start.elapsed() < SOON, "{part}: {:?}", start.elapsed());
        assert!(matches!(error, TokenizerError::Growth { .. }), "{part}: {error}");
    }
}

#[test]
fn texts_that_could_become_too_long_are_refused() {
    let mark = replace(&json!({"String": " "}), "\u{2581}");
    let tokenizer = with("normalizer", mark.clone()).unwrap();
    let encode = |text: &str| tokenizer.encode(text, SpecialTokenHandling::Text);
    assert!(!encode("word word").unwrap().is_empty());
    let start = Instant::now();
    let error = encode(&" ".repeat(16 << 20)).unwrap_err().to_string();
    assert!(error.contains("could not encode") && error.contains("shorten it"), "{error}");
    let tokenizer = with("decoder", replace(&json!({"String": "a"}), &"b".repeat(200))).unwrap();
    assert!(tokenizer.decode(&[BEGIN; 1000]).is_ok());
    let error = tokenizer.decode(&vec![BEGIN; 1 << 20]).unwrap_err().to_string();
    assert!(error.contains("could not decode"), "{error}");
    // An expression that tries all ways to split a text, of which there are 2 to the 40.
    let slow = json!({"type": "Split", "pattern": {"Regex": "(a|a)*(a|a)*\\1b"},
        "behavior": "Isolated", "invert": false});
    if let Ok(tokenizer) = with("pre_tokenizer", slow) {
        let _ = tokenizer.encode(&"a".repeat(40), SpecialTokenHandling::Text);
    }
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}
