//! Models saved as folders, and imported from GGUF files.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::path::Path;

use hgpo_native::model::{SHARD_BYTES, Saving, import};
use hgpo_train::models::{
    Architecture, Checkpoint, Description, ModelError, Precision, TensorSpec,
};
use serde_json::{Value, json};

use crate::model_files::{description, refused, tensors};
use crate::tiny_models::models;

/// All weights, by the checkpoint's own description.
fn read(checkpoint: &Checkpoint) -> Result<Vec<(TensorSpec, Vec<f32>)>, ModelError> {
    checkpoint.parameters()?.collect()
}

#[test]
fn saved_models_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let description = description(Architecture::Qwen2, false);
    let written = tensors(&description, true);
    let beside = [("tokenizer.json".to_owned(), b"{}".to_vec())];
    for (name, precision, shard_bytes) in [
        ("whole", Precision::F32, SHARD_BYTES),
        ("split", Precision::F32, 700),
        ("half", Precision::F16, 300),
        ("brain", Precision::BF16, SHARD_BYTES),
    ] {
        let path = folder.path().join(name);
        let saving = Saving { description: &description, precision, shard_bytes, files: &beside };
        saving.write::<ModelError>(&path, written.iter().cloned().map(Ok)).unwrap();
        let checkpoint = Checkpoint::open(&path).unwrap();
        let expected = Description { torch_dtype: Some(precision), ..description.clone() };
        assert_eq!(*checkpoint.description(), expected);
        for ((spec, found), (_, values)) in read(&checkpoint).unwrap().iter().zip(&written) {
            let rounded = precision.decode(&precision.encode(values));
            assert_eq!(*found, rounded, "{name} {}", spec.name);
        }
        assert_eq!(std::fs::read(path.join("tokenizer.json")).unwrap(), b"{}");
        let text = std::fs::read(path.join("generation_config.json")).unwrap();
        let generation: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(generation, json!({"bos_token_id": 1, "eos_token_id": 2}));
    }
}

#[test]
fn large_models_are_split_with_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let (description, precision) = (description(Architecture::Qwen2, false), Precision::F32);
    let written = tensors(&description, true);
    let saving = Saving { description: &description, precision, shard_bytes: 700, files: &[] };
    let tensors = written.iter().cloned().map(Ok);
    saving.write::<ModelError>(&folder.path().join("split"), tensors).unwrap();
    let index = std::fs::read(folder.path().join("split/model.safetensors.index.json")).unwrap();
    let index: Value = serde_json::from_slice(&index).unwrap();
    let total: usize = written.iter().map(|(_, values)| 4 * values.len()).sum();
    assert_eq!(index["metadata"]["total_size"], total);
    assert_eq!(index["weight_map"].as_object().unwrap().len(), written.len());
    let last = index["weight_map"]["lm_head.weight"].as_str().unwrap();
    let count: usize = last[15..20].parse().unwrap();
    assert_eq!(last, format!("model-{count:05}-of-{count:05}.safetensors"));
    for number in 1..=count {
        let name = format!("split/model-{number:05}-of-{count:05}.safetensors");
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        let header = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
        assert!(bytes.len() - 8 - header <= 700);
    }
}

#[test]
fn failed_saves_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let description = description(Architecture::Llama, true);
    let good = tensors(&description, false);
    let precision = Precision::F16;
    let saving =
        Saving { description: &description, precision, shard_bytes: SHARD_BYTES, files: &[] };
    let path = folder.path().join("model");
    let save = |tensors: Vec<(TensorSpec, Vec<f32>)>| {
        saving.write::<ModelError>(&path, tensors.into_iter().map(Ok))
    };
    refused(save(good[1..].to_vec()), &["'model.layers.0.input_layernorm.weight'", "[10, 8]"]);
    refused(save(good[..3].to_vec()), &["found nothing", "k_proj.weight'"]);
    refused(save([&good[..], &good[..1]].concat()), &["no further tensor"]);
    let mut large = good.clone();
    large[3].1[0] = 7e4;
    refused(save(large), &["k_proj.weight", "70000", "f16", "bf16 or f32"]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    std::fs::create_dir(&path).unwrap();
    save(good.clone()).unwrap();
    refused(save(good), &["model already exists"]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Opens what was written, and asserts that it is the same model.
fn assert_saved(path: &Path, original: &Checkpoint, precision: Precision) {
    let saved = Checkpoint::open(path).unwrap();
    let expected = Description { torch_dtype: Some(precision), ..original.description().clone() };
    assert_eq!(*saved.description(), expected);
    for ((spec, found), (_, values)) in read(&saved).unwrap().iter().zip(read(original).unwrap()) {
        assert_eq!(*found, precision.decode(&precision.encode(&values)), "{}", spec.name);
    }
}

#[test]
fn saved_and_imported_models_are_the_same() {
    let folder = models();
    let root = folder.path();
    let target = tempfile::tempdir().unwrap();
    for name in ["", "llama_tiny", "untied"] {
        let original = Checkpoint::open(&root.join(name)).unwrap();
        let path = target.path().join(format!("saved-{name}"));
        let (description, precision) = (original.description(), Precision::F32);
        let saving = Saving { description, precision, shard_bytes: SHARD_BYTES, files: &[] };
        saving.write(&path, original.parameters().unwrap()).unwrap();
        assert_saved(&path, &original, precision);
    }
    let original = Checkpoint::open(&root.join("tiny.gguf")).unwrap();
    for precision in [Precision::F32, Precision::BF16] {
        let path = target.path().join(format!("imported-{precision}"));
        let beside = [("tokenizer.json".to_owned(), b"{}".to_vec())];
        let mut told = Vec::new();
        import(&original, &path, precision, &beside, &mut |done, all| told.push((done, all)))
            .unwrap();
        assert_eq!(told, (1..=38).map(|done| (done, 38)).collect::<Vec<_>>());
        assert_saved(&path, &original, precision);
        assert!(path.join("tokenizer.json").exists());
    }
}

#[cfg(unix)]
#[test]
fn one_process_at_a_time_writes_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let description = description(Architecture::Qwen2, false);
    let written = tensors(&description, true);
    let (path, partial) = (folder.path().join("model"), folder.path().join(".model.partial"));
    let saving = Saving {
        description: &description,
        precision: Precision::F32,
        shard_bytes: SHARD_BYTES,
        files: &[],
    };
    let save = || saving.write::<ModelError>(&path, written.iter().cloned().map(Ok));
    std::fs::create_dir(&partial).unwrap();
    std::fs::write(partial.join("half"), "").unwrap();
    let held = std::fs::File::open(&partial).unwrap();
    held.try_lock().unwrap();
    refused(save(), &["model", "another process is writing it: wait for it to end"]);
    assert!(partial.join("half").exists() && !path.exists());
    // What a process left that was killed is in nobody's way.
    drop(held);
    save().unwrap();
    assert!(!partial.exists() && !path.join("half").exists());
}
