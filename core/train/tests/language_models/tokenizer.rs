//! Tokenizers: recorded cases, vocabularies from GGUF metadata, streams, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use hgpo_train::models::tokenizer::{
    SpecialTokenHandling, StopString, Tokenizer, TokenizerError, from_gguf,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::byte_tokenizer::{BEGIN, END, THINK, metadata};
use crate::reference_data::held;

const PRE_TOKENIZERS: [&str; 4] = ["gpt-2", "smollm", "llama-bpe", "qwen2"];

fn tokenizer(pre: &str) -> Tokenizer {
    let files = from_gguf(&metadata(pre)).unwrap();
    Tokenizer::from_files(&files.tokenizer, Some(&files.config), None).unwrap()
}

fn pieces(tokenizer: &Tokenizer, text: &str) -> Vec<String> {
    let ids = tokenizer.encode(text, SpecialTokenHandling::Parsed).unwrap();
    ids.into_iter().map(|id| tokenizer.token(id).unwrap()).collect()
}

#[test]
fn recorded_texts_are_encoded_and_decoded_the_same() {
    let read = |name: &str| held().read(&format!("qwen2-tiny/{name}"));
    let (tokenizer, config) = (read("tokenizer.json"), read("tokenizer_config.json"));
    let tokenizer = Tokenizer::from_files(&tokenizer, Some(&config), None).unwrap();
    assert_eq!(tokenizer.specials().eos, [511]);
    assert_eq!(tokenizer.specials().padding, Some(509));
    assert_eq!(tokenizer.specials().bos, None);
    assert_eq!(tokenizer.vocabulary_size(), 512);
    let oracle: Value = serde_json::from_slice(&read("oracle.json")).unwrap();
    let ids = |value: &Value| serde_json::from_value::<Vec<u32>>(value.clone()).unwrap();
    let cases = oracle["tokenizer_cases"].as_array().unwrap();
    assert_eq!(cases.len(), 8);
    for case in cases {
        let text = case["text"].as_str().unwrap();
        let encoded = tokenizer.encode(text, SpecialTokenHandling::Added).unwrap();
        assert_eq!(encoded, ids(&case["ids"]), "{text}");
        let tokens: Vec<_> = encoded.iter().map(|&id| tokenizer.token(id).unwrap()).collect();
        assert_eq!(json!(tokens), case["tokens"], "{text}");
        assert_eq!(tokenizer.decode(&encoded).unwrap(), case["decoded"].as_str().unwrap());
    }
    for case in oracle["logprobs"].as_array().unwrap() {
        for (text, expected) in [("prompt", "prompt_ids"), ("completion", "completion_ids")] {
            let text = case[text].as_str().unwrap();
            let encoded = tokenizer.encode(text, SpecialTokenHandling::Parsed).unwrap();
            assert_eq!(encoded, ids(&case[expected]), "{text}");
        }
    }
    // What a random model says is no UTF-8: U+FFFD where transformers writes it.
    for case in oracle["greedy"].as_array().unwrap() {
        let text = tokenizer.decode(&ids(&case["new_ids"])).unwrap();
        assert_eq!(text, case["text"].as_str().unwrap());
    }
}

#[test]
fn texts_are_split_as_the_named_pre_tokenizers_split_them() {
    // Numbers: GPT-2 keeps them whole, Llama 3 in groups of three, the others digit by digit.
    // Short forms: only GPT-2's expression, which SmolLM has too, keeps to small letters.
    // Words of the vocabulary: Llama 3 takes them whole.
    let cases = [
        ("gpt-2", ["12", "34"].as_slice(), ["A", "'", "S"].as_slice(), ["a", "b", "c"].as_slice()),
        ("smollm", &["1", "2", "3", "4"], &["A", "'", "S"], &["a", "b", "c"]),
        ("llama-bpe", &["12", "3", "4"], &["A", "'", "S"], &["abc"]),
        ("qwen2", &["1", "2", "3", "4"], &["A", "'", "S"], &["a", "b", "c"]),
    ];
    for (pre, number, short, word) in cases {
        let tokenizer = tokenizer(pre);
        assert_eq!(pieces(&tokenizer, "1234"), number, "{pre}");
        assert_eq!(pieces(&tokenizer, "A'S"), short, "{pre}");
        assert_eq!(pieces(&tokenizer, "abc"), word, "{pre}");
        assert_eq!(pieces(&tokenizer, " the room's"), ["Ġthe", "Ġ", "room", "'s"], "{pre}");
    }
    // NFC: e and an accent become one letter, for which there is a merge of its two bytes.
    assert_eq!(pieces(&tokenizer("qwen2"), "e\u{301}"), ["Ã©"]);
    assert_eq!(pieces(&tokenizer("gpt-2"), "e\u{301}"), ["e", "Ì", "ģ"]);
}

#[test]
fn special_tokens_are_read_added_or_taken_as_text() {
    let tokenizer = tokenizer("llama-bpe");
    let encode = |text, specials| tokenizer.encode(text, specials).unwrap();
    let [letter_a, letter_b] = [b'a', b'b'].map(u32::from);
    let text = "a<|end|><think>b";
    assert_eq!(encode(text, SpecialTokenHandling::Parsed), [letter_a, END, THINK, letter_b]);
    assert_eq!(encode(text, SpecialTokenHandling::Added), [BEGIN, letter_a, END, THINK, letter_b]);
    // Tokens that users defined are no special ones: they are what a text is made of.
    let as_text = encode(text, SpecialTokenHandling::Text);
    assert!(!as_text.contains(&END) && as_text.contains(&THINK));
    assert_eq!(tokenizer.decode(&as_text).unwrap(), text);
    let ids = encode(text, SpecialTokenHandling::Parsed);
    assert_eq!(tokenizer.decode(&ids).unwrap(), text);
    assert_eq!(tokenizer.decode_text(&ids).unwrap(), "a<think>b");
    assert_eq!(tokenizer.specials().bos, Some(BEGIN));
    assert!(tokenizer.is_eos(END) && !tokenizer.is_eos(BEGIN));
    // Bytes, three specials, ten merges, one word; the unused token is left out.
    assert_eq!(tokenizer.vocabulary_size(), 256 + 3 + 10 + 1);
    assert_eq!(tokenizer.check_against(270), Ok(()));
    let rows = TokenizerError::Rows { highest: 269, rows: 269 };
    assert_eq!(tokenizer.check_against(269), Err(rows));
    assert_eq!(tokenizer.decode(&[letter_a, 270, 9999, letter_b]).unwrap(), "ab");
}

#[test]
fn special_tokens_are_named_in_several_ways() {
    let files = from_gguf(&metadata("gpt-2")).unwrap();
    let read = |config: Value, generation: Value| {
        let (config, generation) = (config.to_string(), generation.to_string());
        let (config, generation) = (config.as_bytes(), generation.as_bytes());
        Tokenizer::from_files(&files.tokenizer, Some(config), Some(generation))
    };
    let eos = |config, generation| read(config, generation).unwrap().specials().eos.clone();
    let object = json!({"eos_token": {"content": "<|end|>", "lstrip": false}});
    assert_eq!(eos(object.clone(), json!({})), [END]);
    assert_eq!(eos(object, json!({"eos_token_id": BEGIN})), [END, BEGIN]);
    assert_eq!(
        eos(json!({"eos_token": null}), json!({"eos_token_id": [BEGIN, END]})),
        [BEGIN, END]
    );
    assert_eq!(eos(json!({}), json!({})), Vec::<u32>::new());
    let tokenizer = read(json!({}), json!({"pad_token_id": 3, "bos_token_id": null})).unwrap();
    assert_eq!(tokenizer.specials().padding, Some(3));

    let error = read(json!({"eos_token": "<gone>"}), json!({})).unwrap_err().to_string();
    assert!(error.starts_with("tokenizer_config.json: eos_token is \"<gone>\", which is not in"));
    let error = read(json!({}), json!({"eos_token_id": [END, 999]})).unwrap_err().to_string();
    assert!(error.starts_with("generation_config.json: eos_token_id is \"999\", which is not in"));
    let added = |id: u32, content: &str| {
        let tokens = json!({ id.to_string(): {"content": content, "special": true} });
        read(json!({ "added_tokens_decoder": tokens }), json!({}))
    };
    assert!(added(END, "<|end|>").is_ok());
    for (id, content) in [(400, "<new>"), (BEGIN, "<|end|>")] {
        let error = added(id, content).unwrap_err().to_string();
        let said = format!("a token of added_tokens_decoder is \"{content} (id {id})\"");
        assert!(error.starts_with("tokenizer_config.json: ") && error.contains(&said), "{error}");
    }
    let error = read(json!({"eos_token": 3}), json!({})).unwrap_err().to_string();
    assert!(error.starts_with("tokenizer_config.json:1:"), "{error}");
}

#[test]
fn a_tokenizer_that_cannot_be_used_is_refused() {
    let files = from_gguf(&metadata("qwen2")).unwrap();
    let whole: Value = serde_json::from_slice(&files.tokenizer).unwrap();
    let refused = |path: &str, value: Value| {
        let mut changed = whole.clone();
        *changed.pointer_mut(path).unwrap() = value;
        Tokenizer::from_files(changed.to_string().as_bytes(), None, None).unwrap_err().to_string()
    };
    let cut = Tokenizer::from_files(&files.tokenizer[..99], None, None).unwrap_err().to_string();
    assert_eq!(
        cut,
        "tokenizer.json:1:99: EOF while parsing a string; the file is damaged or cut short"
    );
    for (path, value, problem) in [
        ("/model/type", json!("Unigram"), "model is of type Unigram"),
        ("/decoder", json!({"type": "CTC"}), "decoder is of type \"CTC\""),
        ("/decoder", json!([]), "decoder is of type none"),
        ("/normalizer", json!({"type": "Precompiled"}), "normalizer is of type \"Precompiled\""),
        ("/pre_tokenizer/pretokenizers/0", json!({"type": "X"}), "pre_tokenizer is of type \"X\""),
        ("/pre_tokenizer/pretokenizers/0/pattern/Regex", json!("("), ""),
        ("/decoder/add_prefix_space", json!(3), ""),
        ("/model/merges/0", json!(["Ġ", "gone"]), ""),
        ("/model/vocab", json!({}), ""),
        (
            "/added_tokens/0/id",
            json!(7),
            "added token \"<|end|>\" has id 7 in the file, but gets 256",
        ),
        ("/version", json!("9"), ""),
        (
            "/post_processor/special_tokens/<|begin|>/ids/0",
            json!(999),
            "post_processor adds token 999, which does not exist",
        ),
    ] {
        let error = refused(path, value);
        assert!(error.starts_with("tokenizer.json"), "{path}: {error}");
        assert!(error.contains(problem), "{path}: {error}");
    }
}

#[test]
fn the_same_text_gives_the_same_tokens_whatever_a_file_was_trained_with() {
    let files = from_gguf(&metadata("gpt-2")).unwrap();
    let mut changed: Value = serde_json::from_slice(&files.tokenizer).unwrap();
    changed["model"]["dropout"] = json!(0.9);
    changed["truncation"] = json!({
        "direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0
    });
    changed["padding"] = json!({
        "strategy": {"Fixed": 64}, "direction": "Left", "pad_to_multiple_of": null, "pad_id": 0,
        "pad_type_id": 0, "pad_token": "!"
    });
    let changed = Tokenizer::from_files(changed.to_string().as_bytes(), None, None).unwrap();
    let text = "the room, the room, 12 the room";
    for specials in
        [SpecialTokenHandling::Added, SpecialTokenHandling::Parsed, SpecialTokenHandling::Text]
    {
        let expected = tokenizer("gpt-2").encode(text, specials).unwrap();
        for _ in 0..8 {
            assert_eq!(changed.encode(text, specials).unwrap(), expected);
        }
    }
}

#[test]
fn streams_end_where_a_stop_string_is_complete() {
    let tokenizer = tokenizer("qwen2");
    let text = "go né</action> more";
    let (mut decoding, mut stop) = (tokenizer.decoding(), StopString::new("</action>"));
    let mut shown = String::new();
    let ended =
        tokenizer.encode(text, SpecialTokenHandling::Parsed).unwrap().into_iter().any(|id| {
            let piece = decoding.push(id).unwrap();
            shown.push_str(&piece);
            stop.push(&piece)
        });
    assert!(ended);
    assert_eq!(shown, "go né</action>");
}

/// Texts of all kinds: any characters, and those in which words, marks and breaks meet.
fn texts() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        " the", "room", "'s", "'RE", "12345", " ", "\n", "\r\n", "\t", "é", "日本", "🙂",
        "e\u{301}", "\u{a0}", "_", "!?", "<think>", "<|end|>", "\u{0}", "\u{fffd}", "ſ", "½", "٣",
    ]);
    prop_oneof![
        any::<String>(),
        prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
    ]
}

proptest! {
    #[test]
    fn any_text_comes_back(text in texts()) {
        for pre in PRE_TOKENIZERS {
            let tokenizer = tokenizer(pre);
            for specials in [SpecialTokenHandling::Parsed, SpecialTokenHandling::Text] {
                let ids = tokenizer.encode(&text, specials).unwrap();
                let back = tokenizer.decode(&ids).unwrap();
                if pre == "qwen2" {
                    // The text in its composed form (NFC), which is composed already.
                    let again = tokenizer.encode(&back, specials).unwrap();
                    prop_assert_eq!(&again, &ids);
                    if text.is_ascii() {
                        prop_assert_eq!(&back, &text);
                    }
                } else {
                    prop_assert_eq!(&back, &text, "{}", pre);
                }
            }
        }
    }

    #[test]
    fn a_stream_gives_the_text_of_all_tokens(ids in prop::collection::vec(0_u32..280, 0..200)) {
        let tokenizer = tokenizer("gpt-2");
        for (mut decoding, whole) in [
            (tokenizer.decoding(), tokenizer.decode(&ids).unwrap()),
            (tokenizer.decoding_text(), tokenizer.decode_text(&ids).unwrap()),
        ] {
            let mut text = String::new();
            for &id in &ids {
                let piece = decoding.push(id).unwrap();
                text.push_str(&piece);
            }
            text.push_str(&decoding.finish().unwrap());
            prop_assert_eq!(text, whole);
        }
    }

    #[test]
    fn characters_are_given_as_soon_as_they_are_complete(text in texts()) {
        let tokenizer = tokenizer("gpt-2");
        let mut decoding = tokenizer.decoding();
        let mut given = String::new();
        let ids = tokenizer.encode(&text, SpecialTokenHandling::Text).unwrap();
        for (index, &id) in ids.iter().enumerate() {
            let piece = decoding.push(id).unwrap();
            given.push_str(&piece);
            let sofar = tokenizer.decode(&ids[..=index]).unwrap();
            // Replacements that are part of the text look like those of an incomplete character.
            let complete = |text: &str| text.trim_end_matches('\u{fffd}').to_owned();
            prop_assert!(sofar.starts_with(&given));
            prop_assert_eq!(complete(&given), complete(&sofar));
        }
    }

    #[test]
    fn bytes_that_are_no_text_do_not_pile_up(byte in 0x80_u32..=0xff, count in 0_usize..500) {
        let tokenizer = tokenizer("gpt-2");
        let mut decoding = tokenizer.decoding();
        let mut text = String::new();
        for _ in 0..count {
            text.push_str(&decoding.push(byte).unwrap());
        }
        prop_assert!(text.chars().count() + 48 >= count);
    }
}
