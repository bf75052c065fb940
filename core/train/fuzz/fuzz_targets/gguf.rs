//! GGUF files: one that is read gives a model whose tensors can all be read or are refused.
#![no_main]

use hgpo_train::models::{ByteSource, Checkpoint, ModelError, gguf};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let source = ByteSource::from_bytes("fuzz.gguf", bytes.to_vec());
    let Ok(file) = gguf::GgufFile::open(source) else { return };
    if let Ok(tokenizer) = file.tokenizer() {
        assert!([0, tokenizer.tokens.len()].contains(&tokenizer.token_types.len()));
    }
    let Ok(checkpoint) = Checkpoint::from_gguf(file) else { return };
    let Ok(parameters) = checkpoint.parameters() else { return };
    for parameter in parameters {
        match parameter {
            Ok((spec, values)) => assert_eq!(values.len(), spec.count()),
            // Numbers are looked at last.
            Err(error) => assert!(matches!(error, ModelError::NotFinite { .. }), "{error}"),
        }
    }
});
