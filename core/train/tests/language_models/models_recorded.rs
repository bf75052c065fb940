//! Models and quantised blocks that other programs wrote, against what transformers and the Python
//! package gguf read from them.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::path::Path;

use hgpo_train::models::gguf::TensorType;
use hgpo_train::models::gguf::dequantize::dequantize;
use hgpo_train::models::{
    Architecture, Checkpoint, Description, ModelError, Precision, TensorSpec,
};
use safetensors::SafeTensors;

use crate::reference_data::held;
use crate::tiny_models::{models, recorded_models};

/// A tensor of a safetensors file, read by the library of that name.
fn recorded(file: &SafeTensors<'_>, name: &str) -> (Vec<usize>, Vec<f32>) {
    let view = file.tensor(name).unwrap();
    let (words, rest) = view.data().as_chunks();
    assert!(rest.is_empty());
    (view.shape().to_vec(), words.iter().copied().map(f32::from_le_bytes).collect())
}

fn read(checkpoint: &Checkpoint) -> Vec<(TensorSpec, Vec<f32>)> {
    checkpoint.parameters().unwrap().collect::<Result<_, ModelError>>().unwrap()
}

/// Asserts that the tensors of a checkpoint whose names `is_recorded` accepts have exactly the recorded
/// bits, and that nothing else is recorded.
fn assert_same(
    checkpoint: &Checkpoint,
    bytes: &[u8],
    prefix: &str,
    is_recorded: impl Fn(&str) -> bool,
) {
    let file = SafeTensors::deserialize(bytes).unwrap();
    let mut found = read(checkpoint);
    found.retain(|(spec, _)| is_recorded(&spec.name));
    for (spec, values) in &found {
        let (shape, expected) = recorded(&file, &format!("{prefix}{}", spec.name));
        assert_eq!(spec.shape, shape, "{}", spec.name);
        let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(values), bits(&expected), "{}", spec.name);
    }
    let names = file.names().into_iter().filter(|name| name.starts_with(prefix));
    let others = ["input_ids", "logits"];
    assert_eq!(names.filter(|name| !others.contains(name)).count(), found.len());
}

#[test]
fn folders_are_read_as_recorded() {
    for folder in recorded_models() {
        folders_are_read(folder.path());
    }
}

fn folders_are_read(root: &Path) {
    for (name, architecture, layers, tied, theta, epsilon) in [
        ("", Architecture::Qwen2, 3, true, 1e6, 1e-6),
        ("llama_tiny", Architecture::Llama, 2, true, 1e5, 1e-5),
        ("untied", Architecture::Qwen2, 2, false, 1e6, 1e-6),
    ] {
        let checkpoint = Checkpoint::open(&root.join(name)).unwrap();
        let Description { architecture: found, model, .. } = checkpoint.description();
        assert_eq!((*found, model.num_hidden_layers), (architecture, layers));
        assert_eq!(model.tie_word_embeddings, tied);
        assert_eq!(model.attention_bias, architecture == Architecture::Qwen2);
        assert!((model.rope_theta / theta - 1.0_f64).abs() < 1e-12);
        assert!((model.rms_norm_eps / epsilon - 1.0_f64).abs() < 1e-12);
        let description = checkpoint.description();
        assert_eq!((description.vocab_size, description.max_position_embeddings), (512, 256));
        assert_eq!(
            (description.bos_token_id, &description.eos_token_ids[..]),
            (Some(509), &[511][..])
        );
        assert_eq!(description.torch_dtype, Some(Precision::F32));
        assert_same(
            &checkpoint,
            &std::fs::read(root.join(name).join("model.safetensors")).unwrap(),
            "",
            |_| true,
        );
    }
}

#[test]
fn a_gguf_file_is_read_as_recorded() {
    for folder in recorded_models() {
        let root = folder.path();
        let checkpoint = Checkpoint::open(&root.join("tiny.gguf")).unwrap();
        // It was made from the model of the folder, whose weights it rounds.
        let original = Checkpoint::open(root).unwrap();
        let expected = Description { torch_dtype: None, ..original.description().clone() };
        assert_eq!(*checkpoint.description(), expected);
        let bytes = std::fs::read(root.join("tiny_gguf_oracle.safetensors")).unwrap();
        // The longer recording has all tensors, the other one those of the first layer.
        let file = SafeTensors::deserialize(&bytes).unwrap();
        let is_whole = file.names().iter().any(|name| name.contains(".layers.1."));
        assert_same(&checkpoint, &bytes, "w.", |name| is_whole || name.contains(".layers.0."));
    }
}

#[test]
fn the_tokenizer_of_a_gguf_file_is_that_of_the_model() {
    let folder = models();
    let root = folder.path();
    let checkpoint = Checkpoint::open(&root.join("tiny.gguf")).unwrap();
    let found = checkpoint.gguf().unwrap().tokenizer().unwrap();
    assert_eq!((found.model.as_str(), found.pre.as_deref()), ("gpt2", Some("qwen2")));
    assert_eq!((found.bos, found.eos, found.padding), (Some(509), Some(511), Some(509)));
    assert_eq!((found.add_bos, found.add_prefix_space), (Some(false), None));
    assert!(found.chat_template.unwrap().starts_with("{%- for message in messages %}"));
    let file = std::fs::read(root.join("tokenizer.json")).unwrap();
    let file: serde_json::Value = serde_json::from_slice(&file).unwrap();
    for (token, number) in file["model"]["vocab"].as_object().unwrap() {
        let number = number.as_u64().unwrap() as usize;
        assert_eq!((&found.tokens[number], found.token_types[number]), (token, 1));
    }
    for token in file["added_tokens"].as_array().unwrap() {
        let number = token["id"].as_u64().unwrap() as usize;
        assert_eq!(found.tokens[number], token["content"].as_str().unwrap());
        assert_eq!(found.token_types[number], 3);
    }
    let merges = file["model"]["merges"].as_array().unwrap();
    assert_eq!(found.merges.len(), merges.len());
    for (merge, expected) in found.merges.iter().zip(merges) {
        let pair = expected
            .as_array()
            .map(|pair| format!("{} {}", pair[0].as_str().unwrap(), pair[1].as_str().unwrap()));
        assert_eq!(*merge, pair.unwrap_or_else(|| expected.as_str().unwrap().to_owned()));
    }
}

#[test]
fn quantised_blocks_are_read_as_recorded() {
    let bytes = held().read("qwen2-tiny/quant_blocks.safetensors");
    let file = SafeTensors::deserialize(&bytes).unwrap();
    for kind in
        [TensorType::Q8_0, TensorType::Q4_1, TensorType::Q5_0, TensorType::Q4_K, TensorType::Q6_K]
    {
        let raw = file.tensor(&format!("{kind:?}.raw")).unwrap();
        let (_, expected) = recorded(&file, &format!("{kind:?}.f32"));
        let found = dequantize(kind, raw.data());
        assert_eq!(found.len(), expected.len());
        assert_eq!(found, expected, "{kind:?}");
    }
}
