//! Qwen3 against recordings of transformers and PyTorch: norms of queries and keys, heads that are wider
//! than the hidden size has room for.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use burn::tensor::Device;
use hgpo_train::config::LoraConfig;
use hgpo_train::models::Checkpoint;
use hgpo_train::policy::transformer::parameters::ParameterSubset;
use hgpo_train::policy::transformer::weights;
use safetensors::SafeTensors;

use crate::qwen2::{cache_off, greedy_as_recorded, logits_off, policy, three_steps};
use crate::tiny_models::qwen3;

#[test]
fn logits_equal_the_recorded_ones() {
    let folder = qwen3();
    let folder = folder.path();
    for (model, recorded) in [
        (".", "oracle.safetensors"),
        ("tiny.gguf", "oracle.safetensors"),
        ("untied", "untied/oracle.safetensors"),
    ] {
        let recorded = std::fs::read(folder.join(recorded)).unwrap();
        let policy = policy(&folder.join(model), &Device::flex());
        let off = logits_off(&policy, &recorded, ["input_ids", "logits"]);
        assert!(off < 2e-5, "{model} is off by {off}");
    }
}

#[test]
fn a_gguf_file_holds_the_same_model() {
    let folder = qwen3();
    let [file, whole] =
        ["tiny.gguf", "."].map(|it| Checkpoint::open(&folder.path().join(it)).unwrap());
    assert_eq!(file.description().model, whole.description().model);
    assert_eq!(file.description().architecture, whole.description().architecture);
    let tensors = |checkpoint: &Checkpoint| -> Vec<_> {
        let all = checkpoint.parameters().unwrap();
        all.map(Result::unwrap).collect()
    };
    assert!(tensors(&file) == tensors(&whole));
}

#[test]
fn greedy_generation_equals_the_recorded_runs() {
    greedy_as_recorded(qwen3().path(), 24);
}

#[test]
fn the_kv_cache_gives_the_logits_of_the_whole_text() {
    let folder = qwen3();
    for model in [".", "untied"] {
        let off = cache_off(&policy(&folder.path().join(model), &Device::flex()));
        assert!(off < 2e-5, "{model} is off by {off}");
    }
}

#[test]
fn three_optimiser_steps_equal_the_recorded_ones() {
    let folder = qwen3();
    three_steps(folder.path(), false);
    three_steps(folder.path(), true);
}

#[test]
fn adapters_stand_beside_linear_layers_and_nothing_else() {
    let folder = qwen3();
    let policy = policy(folder.path(), &Device::flex());
    let adapted = policy.adapted(&LoraConfig { rank: 2, ..LoraConfig::default() }, 1);
    let bytes = weights::save(&adapted.decoder, ParameterSubset::Adapters).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    // Seven linear layers in each of two, two halves each.
    assert_eq!(file.len(), 28);
    let shape = |name: &str| {
        let name = format!("base_model.model.model.layers.1.self_attn.{name}.weight");
        file.tensor(&name).unwrap().shape().to_vec()
    };
    assert_eq!((shape("q_proj.lora_A"), shape("q_proj.lora_B")), (vec![2, 32], vec![96, 2]));
    assert_eq!((shape("o_proj.lora_A"), shape("o_proj.lora_B")), (vec![2, 96], vec![32, 2]));
}
