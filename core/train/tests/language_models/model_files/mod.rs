//! Small models that tests write themselves.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::collections::BTreeMap;
use std::path::Path;

use hgpo_train::config::ModelConfig;
use hgpo_train::models::hugging_face::safetensors::SafetensorsIndex;
use hgpo_train::models::tensor_layout;
use hgpo_train::models::{Architecture, Description, ModelError, Precision, TensorSpec};
use safetensors::tensor::{Dtype, TensorView};

/// A decoder of two layers, 8 wide, with two query heads and one key head of width 4.
pub fn description(architecture: Architecture, tie_word_embeddings: bool) -> Description {
    Description {
        architecture,
        model: ModelConfig {
            hidden_size: 8,
            intermediate_size: 12,
            num_hidden_layers: 2,
            num_attention_heads: 2,
            num_key_value_heads: 1,
            rms_norm_eps: 1e-6,
            rope_theta: 10_000.0,
            attention_bias: architecture == Architecture::Qwen2,
            query_key_norm: architecture == Architecture::Qwen3,
            tie_word_embeddings,
            // As wide as all together are not: only Qwen3 has such models.
            head_dim: (architecture == Architecture::Qwen3).then_some(6),
            rope_scaling: None,
        },
        vocab_size: 10,
        bos_token_id: Some(1),
        eos_token_ids: vec![2],
        max_position_embeddings: 64,
        torch_dtype: None,
    }
}

/// Tensors of a description whose values differ everywhere: multiples of 1/8, which every format
/// keeps exactly, and a bit that only single precision keeps if `fine`.
pub fn tensors(description: &Description, fine: bool) -> Vec<(TensorSpec, Vec<f32>)> {
    let mut number = 0;
    let mut next = || {
        number += 1;
        (number % 255) as f32 / 8.0 - 16.0 + if fine { 1.0 / 65_536.0 } else { 0.0 }
    };
    let with_values = |spec: TensorSpec| {
        let values = (0..spec.count()).map(|_| next()).collect();
        (spec, values)
    };
    tensor_layout::tensors(description).into_iter().map(with_values).collect()
}

/// The bytes of a safetensors file.
pub fn pack(tensors: &[(TensorSpec, Vec<f32>)], precision: Precision) -> Vec<u8> {
    let dtype = match precision {
        Precision::F32 => Dtype::F32,
        Precision::F16 => Dtype::F16,
        Precision::BF16 => Dtype::BF16,
    };
    let bytes: Vec<_> = tensors.iter().map(|(_, values)| precision.encode(values)).collect();
    let views = tensors.iter().zip(&bytes).map(|((spec, _), bytes)| {
        (spec.name.clone(), TensorView::new(dtype, spec.shape.clone(), bytes).unwrap())
    });
    safetensors::serialize(views, None).unwrap()
}

/// Files by name, as those of a folder.
pub type Files = BTreeMap<String, Vec<u8>>;

/// A model in one file.
pub fn files(description: &Description, precision: Precision) -> Files {
    let tensors = tensors(description, false);
    Files::from([
        ("config.json".to_owned(), description.to_json(precision).into_bytes()),
        ("model.safetensors".to_owned(), pack(&tensors, precision)),
    ])
}

/// A model in two files with an index; the first has the first five tensors.
pub fn sharded(description: &Description) -> Files {
    let tensors = tensors(description, false);
    let (first, second) = tensors.split_at(5);
    let mut files =
        Files::from([("config.json".to_owned(), description.to_json(Precision::F32).into())]);
    let mut places = Vec::new();
    for (name, part) in [("a.safetensors", first), ("b.safetensors", second)] {
        files.insert(name.to_owned(), pack(part, Precision::F32));
        places.extend(part.iter().map(|(spec, _)| (spec.name.clone(), name.to_owned())));
    }
    files.insert(
        SafetensorsIndex::FILE.to_owned(),
        SafetensorsIndex::new(places, 0).to_json().into(),
    );
    files
}

pub fn write(folder: &Path, files: &Files) {
    for (name, bytes) in files {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
}

/// Asserts an error that names all parts.
#[track_caller]
pub fn refused<T>(result: Result<T, ModelError>, parts: &[&str]) {
    let Err(error) = result else { panic!("it was accepted; expected {parts:?}") };
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
}
