//! Weights of a small model: after a zero byte a safetensors file, else an index of one.
#![no_main]

use hgpo_env::files::MemoryFiles;
use hgpo_train::models::hugging_face::safetensors::SafetensorsIndex;
use hgpo_train::models::{Checkpoint, ModelError};
use libfuzzer_sys::fuzz_target;

const CONFIG: &[u8] = include_bytes!("../seeds/model_config/llama");
const WEIGHTS: &[u8] = include_bytes!("../seeds/safetensors/f32");

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, bytes)) = bytes.split_first() else { return };
    let name = if which == 0 { "model.safetensors" } else { SafetensorsIndex::FILE };
    let files = [("config.json", CONFIG), ("a.safetensors", &WEIGHTS[1..]), (name, bytes)];
    let files = MemoryFiles(files.map(|(name, bytes)| (name.to_owned(), bytes.to_vec())).into());
    let Ok(checkpoint) = Checkpoint::find(&files, "") else { return };
    let Ok(parameters) = checkpoint.parameters() else { return };
    for parameter in parameters {
        match parameter {
            Ok((spec, values)) => assert_eq!(values.len(), spec.count()),
            // Numbers are looked at last.
            Err(error) => assert!(matches!(error, ModelError::NotFinite { .. }), "{error}"),
        }
    }
});
