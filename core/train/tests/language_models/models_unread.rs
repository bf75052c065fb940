//! Tensors and files that nobody would read: refused, or compared with those that are read.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use hgpo_env::files::MemoryFiles;
use hgpo_train::models::hugging_face::safetensors::SafetensorsIndex;
use hgpo_train::models::{Architecture, Checkpoint, ModelError, Precision, TensorSpec};

use crate::model_files::{Files, description, files, pack, refused, sharded, tensors};

const WEIGHTS: &str = "model.safetensors";

fn read(files: &Files) -> Result<Vec<(TensorSpec, Vec<f32>)>, ModelError> {
    let inside = |(name, bytes): (&String, &Vec<u8>)| (format!("model/{name}"), bytes.clone());
    let checkpoint = Checkpoint::find(&MemoryFiles(files.iter().map(inside).collect()), "model")?;
    checkpoint.parameters()?.collect()
}

fn tensor(name: &str, shape: &[usize], values: Vec<f32>) -> (TensorSpec, Vec<f32>) {
    (TensorSpec { name: name.to_owned(), shape: shape.to_vec() }, values)
}

/// A tied model whose file has more tensors.
fn tied_with(more: &[(TensorSpec, Vec<f32>)], precision: Precision) -> Files {
    let tied = description(Architecture::Llama, true);
    let mut files = files(&tied, precision);
    let all = [tensors(&tied, false), more.to_vec()].concat();
    files.insert(WEIGHTS.to_owned(), pack(&all, precision));
    files
}

#[test]
fn a_head_that_is_the_embedding_and_computed_tensors_are_passed_over() {
    let expected = tensors(&description(Architecture::Llama, true), false);
    let head = tensor("lm_head.weight", &[10, 8], expected[0].1.clone());
    let computed = tensor("model.layers.0.self_attn.rotary_emb.inv_freq", &[2], vec![0.5; 2]);
    for precision in [Precision::F32, Precision::BF16] {
        let files = tied_with(&[head.clone(), computed.clone()], precision);
        assert_eq!(read(&files).unwrap(), expected);
    }
}

#[test]
fn a_head_that_differs_from_a_tied_embedding_is_refused() {
    let mut values = tensors(&description(Architecture::Llama, true), false)[0].1.clone();
    values[79] += 1.0;
    let mut files = tied_with(&[tensor("lm_head.weight", &[10, 8], values)], Precision::F16);
    let parts = [WEIGHTS, "'lm_head.weight' differs from 'model.embed_tokens.weight'"];
    refused(read(&files), &[&parts[..], &["\"tie_word_embeddings\": false"]].concat());
    // With a description that has a head of its own, it is read.
    let untied = description(Architecture::Llama, false).to_json(Precision::F32);
    files.insert("config.json".to_owned(), untied.into());
    assert_eq!(read(&files).unwrap().last().unwrap().0.name, "lm_head.weight");
    let other = tensor("lm_head.weight", &[9, 8], vec![0.0; 72]);
    refused(read(&tied_with(&[other], Precision::F32)), &["'lm_head.weight'", "9 tokens"]);
}

#[test]
fn a_head_that_is_missing_may_be_the_embedding() {
    let mut files = tied_with(&[], Precision::F32);
    let untied = description(Architecture::Llama, false).to_json(Precision::F32);
    files.insert("config.json".to_owned(), untied.into());
    refused(
        read(&files),
        &[WEIGHTS, "'lm_head.weight' is missing", "\"tie_word_embeddings\": true"],
    );
}

#[test]
fn tensors_beyond_the_configuration_are_refused() {
    for name in [
        "model.layers.2.mlp.up_proj.weight",
        "model.layers.0.self_attn.q_norm.weight",
        "model.layers.0.self_attn.o_proj.bias",
        "score.weight",
    ] {
        let files = tied_with(&[tensor(name, &[2], vec![0.0; 2])], Precision::F32);
        refused(read(&files), &[WEIGHTS, name, "unexpected tensor"]);
    }
}

#[test]
fn files_of_two_models_in_one_folder_are_refused() {
    let untied = description(Architecture::Llama, false);
    let mut both = sharded(&untied);
    both.extend(files(&untied, Precision::F32));
    refused(read(&both), &["model.safetensors.index.json", "model.safetensors is beside it"]);
    // An index of that one file is none of another model.
    let names =
        tensors(&untied, false).into_iter().map(|(spec, _)| (spec.name, WEIGHTS.to_owned()));
    both.insert(
        SafetensorsIndex::FILE.to_owned(),
        SafetensorsIndex::new(names, 0).to_json().into(),
    );
    assert_eq!(read(&both).unwrap(), tensors(&untied, false));

    let mut copied = sharded(&untied);
    let all = tensors(&untied, false);
    copied.insert("b.safetensors".to_owned(), pack(&all[4..], Precision::F32));
    refused(read(&copied), &["b.safetensors", all[4].0.name.as_str(), "a.safetensors"]);
    // A head that no index has, beside an embedding that is the head.
    let tied = description(Architecture::Llama, true);
    let mut unlisted = sharded(&tied);
    let head = tensor("lm_head.weight", &[10, 8], vec![0.0; 80]);
    let last = [&tensors(&tied, false)[5..], &[head]].concat();
    unlisted.insert("b.safetensors".to_owned(), pack(&last, Precision::F32));
    refused(read(&unlisted), &["b.safetensors", "'lm_head.weight'", "index does not have it"]);
}

#[test]
fn adapters_are_no_models() {
    let config = br#"{"base_model_name_or_path": "Qwen/Qwen2.5-0.5B", "r": 8}"#;
    let named = |bytes: &[u8]| Files::from([("adapter_config.json".to_owned(), bytes.to_vec())]);
    let parts = ["model: adapter_config.json", "PEFT adapter", "merge_and_unload"];
    let base = ["the model 'Qwen/Qwen2.5-0.5B'"];
    refused(read(&named(config)), &[&parts[..], &base].concat());
    refused(read(&named(b"{")), &[&parts[..], &["another model"]].concat());
    let mut beside = files(&description(Architecture::Llama, true), Precision::F32);
    beside.extend(named(config));
    refused(read(&beside), &[&parts[..], &base, &["delete adapter_config.json"]].concat());
}

#[test]
fn weights_that_are_no_numbers_are_named_with_their_file() {
    let tied = description(Architecture::Llama, true);
    let mut all = tensors(&tied, false);
    all[3].1[5] = f32::NAN;
    let mut files = files(&tied, Precision::F32);
    files.insert(WEIGHTS.to_owned(), pack(&all, Precision::F32));
    refused(read(&files), &[WEIGHTS, &all[3].0.name, "NaN at index 5"]);
}
