//! Rotary settings in files: what is read as scaling, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use hgpo_train::config::RopeScaling;
use hgpo_train::models::{
    Architecture, ByteSource, Checkpoint, Description, ModelError, Precision, gguf,
};
use serde_json::{Map, Value, json};

use crate::gguf_writer::{Writer, float, text, value};
use crate::model_files::{description, refused, tensors};

/// A configuration with these fields, and without `rope_theta` unless they have it.
fn parse(change: Value) -> Result<Description, ModelError> {
    let text = description(Architecture::Llama, true).to_json(Precision::F32);
    let mut config: Map<String, Value> = serde_json::from_str(&text).unwrap();
    config.remove("rope_theta");
    config.extend(serde_json::from_value::<Map<String, Value>>(change).unwrap());
    Description::parse("config.json", &serde_json::to_vec(&config).unwrap())
}

fn linear(factor: f64) -> RopeScaling {
    RopeScaling { factor, ..RopeScaling::default() }
}

#[test]
fn scaling_without_a_type_is_refused() {
    let yarn = json!({"beta_fast": 32, "attention_factor": 1});
    for (name, object, field) in [
        ("rope_scaling", json!({"factor": 4.0}), "rope_scaling.factor"),
        ("rope_scaling", yarn, "rope_scaling.beta_fast"),
        ("rope_parameters", json!({"rope_theta": 1e4, "factor": 4}), "rope_parameters.factor"),
        (
            "rope_parameters",
            json!({"full_attention": {"rope_type": "default"}}),
            "rope_parameters.full_attention",
        ),
    ] {
        let parts = ["config.json", field, "no 'rope_type'", "\"linear\""];
        refused(parse(json!({ name: object })), &parts);
    }
    for object in [json!({}), json!({"rope_theta": 1e4}), json!({"factor": null})] {
        assert_eq!(parse(json!({"rope_scaling": object})).unwrap().model.rope_scaling, None);
    }
}

#[test]
fn rotary_settings_that_contradict_each_other_are_refused() {
    let stretched = json!({"rope_type": "linear", "factor": 2.0});
    let plain = json!({"rope_type": "default", "rope_theta": 1e4});
    for (change, field, other) in [
        (
            json!({"rope_parameters": plain, "rope_scaling": stretched}),
            "'rope_scaling'",
            "'rope_parameters'",
        ),
        (
            json!({"rope_parameters": plain, "rope_theta": 5e5}),
            "'rope_parameters.rope_theta'",
            "'rope_theta'",
        ),
        (
            json!({"rope_scaling": {"type": "linear", "rope_type": "llama3", "factor": 2}}),
            "'rope_scaling.type'",
            "'rope_scaling.rope_type'",
        ),
    ] {
        refused(parse(change), &["config.json", field, "contradicts", other, "delete"]);
    }
    let both = json!({"rope_parameters": stretched, "rope_scaling": stretched, "rope_theta": 1e4});
    assert_eq!(parse(both).unwrap().model.rope_scaling, Some(linear(2.0)));
    let twice = json!({"rope_scaling": {"type": "linear", "rope_type": "linear", "factor": 2}});
    assert_eq!(parse(twice).unwrap().model.rope_scaling, Some(linear(2.0)));
}

#[test]
fn models_that_look_ahead_are_refused() {
    refused(parse(json!({"is_causal": false})), &["'is_causal'", "use true"]);
    refused(of_gguf(&[("attention.causal", value(7, &[0]))]), &["'llama.attention.causal'"]);
}

/// A GGUF file with these entries of its architecture.
fn of_gguf(entries: &[(&str, Vec<u8>)]) -> Result<Option<RopeScaling>, ModelError> {
    let description = description(Architecture::Llama, true);
    let mut writer = Writer::model(&description, &tensors(&description, true));
    for (name, bytes) in entries {
        writer.set(&format!("llama.{name}"), bytes.clone());
    }
    let file = gguf::GgufFile::open(ByteSource::from_bytes("tiny.gguf", writer.bytes()))?;
    Ok(Checkpoint::from_gguf(file)?.description().model.rope_scaling.clone())
}

#[test]
fn scaling_in_gguf_is_what_llama_cpp_makes_of_it() {
    const FACTOR: &str = "rope.scaling.factor";
    let kind = |name: &str| ("rope.scaling.type", value(8, &text(name)));
    let factor = |number: f32| (FACTOR, float(number));
    let old = |number: f32| ("rope.scale_linear", float(number));
    for (entries, expected) in [
        // Without a type, the scaling is linear.
        (vec![factor(4.0)], Some(linear(4.0))),
        (vec![old(2.0)], Some(linear(2.0))),
        (vec![factor(4.0), old(2.0)], Some(linear(4.0))),
        (vec![kind("linear"), old(2.0)], Some(linear(2.0))),
        (vec![kind("none"), factor(4.0)], None),
        (vec![factor(1.0)], None),
        (vec![factor(0.0)], None),
        (vec![("rope.scaling.attn_factor", float(1.0))], None),
    ] {
        assert_eq!(of_gguf(&entries).unwrap(), expected, "{entries:?}");
    }
    refused(of_gguf(&[kind("yarn"), factor(4.0)]), &["'llama.rope.scaling.type'", "'yarn'"]);
    let attention = [("rope.scaling.attn_factor", float(1.5))];
    refused(of_gguf(&attention), &["'llama.rope.scaling.attn_factor'", "1.5", "use 1"]);
}
