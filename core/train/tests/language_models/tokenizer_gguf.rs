//! Vocabularies in GGUF metadata: what is assumed, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use hgpo_train::models::gguf::TokenizerMetadata;
use hgpo_train::models::tokenizer::{
    GgufTokenizerError, SpecialTokenHandling, Tokenizer, from_gguf,
};

use crate::byte_tokenizer::{BEGIN, END, metadata};

#[test]
fn pre_tokenizer_defaults_to_the_architectures() {
    for pre in [None, Some("default"), Some("")] {
        let unnamed = |architecture: &str| TokenizerMetadata {
            architecture: Some(architecture.to_owned()),
            pre: pre.map(str::to_owned),
            ..metadata("qwen2")
        };
        for architecture in ["qwen2", "qwen3"] {
            let files = from_gguf(&unnamed(architecture)).unwrap();
            assert_eq!(files.tokenizer, from_gguf(&metadata("qwen2")).unwrap().tokenizer);
            let assumed = files.assumed.unwrap();
            assert!(
                assumed.contains("pre is missing") && assumed.contains(architecture),
                "{assumed}"
            );
        }
        // There are models of GPT-2's, Llama 3's and SmolLM's.
        let error = from_gguf(&unnamed("llama")).unwrap_err();
        assert_eq!(error, GgufTokenizerError::NoPre("llama".to_owned()));
        let said = error.to_string();
        assert!(said.contains("tokenizer.ggml.pre") && said.contains("--pre-tokenizer"), "{said}");
    }
    assert_eq!(from_gguf(&metadata("qwen2")).unwrap().assumed, None);
}

#[test]
fn texts_are_put_between_the_tokens_that_llama_cpp_puts_around_them() {
    let letter = u32::from(b'x');
    for (pre, add_bos, add_eos, expected) in [
        ("gpt-2", Some(true), None, [BEGIN, letter].as_slice()),
        ("gpt-2", None, None, &[letter]),
        // Without a word about it, texts of Llama 3 begin with BOS.
        ("llama-bpe", None, None, &[BEGIN, letter]),
        ("llama-bpe", Some(false), None, &[letter]),
        ("gpt-2", Some(true), Some(true), &[BEGIN, letter, END]),
        ("qwen2", None, Some(true), &[letter, END]),
    ] {
        let files = from_gguf(&TokenizerMetadata { add_bos, add_eos, ..metadata(pre) }).unwrap();
        let tokenizer = Tokenizer::from_files(&files.tokenizer, Some(&files.config), None).unwrap();
        let ids = tokenizer.encode("x", SpecialTokenHandling::Added).unwrap();
        assert_eq!(ids, expected, "{pre} {add_bos:?} {add_eos:?}");
        assert_eq!(tokenizer.encode("x", SpecialTokenHandling::Parsed).unwrap(), [letter]);
    }
}

#[test]
fn gguf_metadata_that_cannot_be_converted_are_refused() {
    let refused = |change: fn(&mut TokenizerMetadata)| {
        let mut metadata = metadata("gpt-2");
        change(&mut metadata);
        from_gguf(&metadata).unwrap_err()
    };
    let model = refused(|it| it.model = "llama".to_owned());
    assert_eq!(model, GgufTokenizerError::Model("llama".to_owned()));
    let pre = refused(|it| it.pre = Some("tekken".to_owned()));
    assert_eq!(pre, GgufTokenizerError::Pre("tekken".to_owned()));
    let twice = refused(|it| it.tokens[9] = "a".to_owned());
    assert_eq!(twice, GgufTokenizerError::Twice { id: 97, token: "a".to_owned() });
    for merge in ["ab", "a gone", "a b", ""] {
        let mut metadata = metadata("gpt-2");
        metadata.merges.push(merge.to_owned());
        let expected = GgufTokenizerError::Merge { index: 10, merge: merge.to_owned() };
        assert_eq!(from_gguf(&metadata).unwrap_err(), expected);
    }
    let special = refused(|it| it.eos = Some(270));
    let field = "tokenizer.ggml.eos_token_id";
    assert_eq!(special, GgufTokenizerError::Special { field, id: 270 });
}
