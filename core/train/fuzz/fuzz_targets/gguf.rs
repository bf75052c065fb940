//! GGUF files: one that is read gives a model whose tensors can all be read or are refused.
#![no_main]

use hgpo_train::model::{Checkpoint, Source, gguf};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let source = Source::from_bytes("fuzz.gguf", bytes.to_vec());
    let Ok(file) = gguf::File::open(source) else { return };
    if let Ok(tokenizer) = file.tokenizer() {
        assert!([0, tokenizer.tokens.len()].contains(&tokenizer.token_types.len()));
    }
    let Ok(checkpoint) = Checkpoint::from_gguf(file) else { return };
    let Ok(parameters) = checkpoint.parameters(checkpoint.description()) else { return };
    for parameter in parameters {
        let (spec, values) = parameter.expect("what was checked is there");
        assert_eq!(values.len(), spec.count());
    }
});
