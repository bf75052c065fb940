//! Weights of a small model: after a zero byte a safetensors file, else an index of one.
#![no_main]

use hgpo_train::model::safetensors::Index;
use hgpo_train::model::{Checkpoint, Source};
use libfuzzer_sys::fuzz_target;

const CONFIG: &[u8] = include_bytes!("../seeds/model_config/llama");
const WEIGHTS: &[u8] = include_bytes!("../seeds/safetensors/f32");

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, bytes)) = bytes.split_first() else { return };
    let mut find = |name: &str| {
        let found = match (name, which) {
            ("config.json", _) => CONFIG,
            ("model.safetensors", 0) | (Index::FILE, 1..) => bytes,
            ("a.safetensors", 1..) => &WEIGHTS[1..],
            _ => return Ok(None),
        };
        Ok(Some(Source::from_bytes(name, found.to_vec())))
    };
    let Ok(checkpoint) = Checkpoint::from_files("model", &mut find) else { return };
    let Ok(parameters) = checkpoint.parameters(checkpoint.description()) else { return };
    for parameter in parameters {
        let (spec, values) = parameter.expect("what was checked is there");
        assert_eq!(values.len(), spec.count());
    }
});
