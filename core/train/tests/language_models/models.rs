//! Models in folders: descriptions, weights in one file or several.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use hgpo_env::files::MemoryFiles;
use hgpo_train::config::{RopeScaling, RopeType};
use hgpo_train::models::hugging_face::safetensors;
use hgpo_train::models::{
    Architecture, ByteSource, Checkpoint, Description, ModelError, Precision, TensorSpec,
    tensor_layout,
};
use serde_json::{Map, Value, json};

use crate::model_files::{Files, description, files, pack, refused, sharded, tensors};

fn open(files: &Files) -> Result<Checkpoint, ModelError> {
    let inside = |(name, bytes): (&String, &Vec<u8>)| (format!("model/{name}"), bytes.clone());
    Checkpoint::find(&MemoryFiles(files.iter().map(inside).collect()), "model")
}

/// All weights, by the checkpoint's own description.
fn read(checkpoint: &Checkpoint) -> Result<Vec<(TensorSpec, Vec<f32>)>, ModelError> {
    checkpoint.parameters()?.collect()
}

fn config(change: &[(&str, Value)]) -> Vec<u8> {
    let text = description(Architecture::Llama, true).to_json(Precision::F32);
    let mut config: Value = serde_json::from_str(&text).unwrap();
    for (name, value) in change {
        config[name] = value.clone();
    }
    serde_json::to_vec(&config).unwrap()
}

fn parse(change: &[(&str, Value)]) -> Result<Description, ModelError> {
    Description::parse("config.json", &config(change))
}

#[test]
fn a_description_survives_writing_and_parsing() {
    for architecture in Architecture::ALL {
        let mut written = description(architecture, false);
        written.model.head_dim = Some(6);
        written.eos_token_ids = vec![2, 7];
        written.model.rope_scaling = Some(RopeScaling {
            rope_type: RopeType::Llama3,
            factor: 8.0,
            original_max_position_embeddings: 32,
            ..RopeScaling::default()
        });
        let text = written.to_json(Precision::BF16);
        written.torch_dtype = Some(Precision::BF16);
        assert_eq!(Description::parse("config.json", text.as_bytes()).unwrap(), written);
    }
}

#[test]
fn both_ways_of_writing_rotary_settings_are_read() {
    let scaling = RopeScaling { factor: 2.0, ..RopeScaling::default() };
    for change in [
        // Before transformers 4.43, after it, and in 5.
        ("rope_scaling", json!({"type": "linear", "factor": 2.0})),
        ("rope_scaling", json!({"rope_type": "linear", "factor": 2})),
        ("rope_parameters", json!({"rope_type": "linear", "factor": 2.0, "rope_theta": 10000})),
    ] {
        let found = parse(&[change]).unwrap().model;
        assert_eq!(found.rope_scaling, Some(scaling.clone()));
        assert!((found.rope_theta - 10_000.0).abs() < 1e-9);
    }
    let inner = json!({"rope_type": "default", "rope_theta": 5e5});
    let found = parse(&[("rope_parameters", inner), ("rope_theta", Value::Null)]).unwrap().model;
    assert_eq!(found.rope_scaling, None);
    assert!((found.rope_theta - 5e5).abs() < 1e-9);
    let dtype = parse(&[("torch_dtype", Value::Null), ("dtype", "float16".into())]).unwrap();
    assert_eq!(dtype.torch_dtype, Some(Precision::F16));
}

#[test]
fn keys_that_are_there_twice_are_refused() {
    let text = String::from_utf8(config(&[])).unwrap();
    let twice = text.replacen('{', r#"{"vocab_size":9,"#, 1);
    let parts = ["config.json", "duplicate field `vocab_size`"];
    refused(Description::parse("config.json", twice.as_bytes()), &parts);
    let inner = r#"{"rope_parameters":{"factor":1,"factor":2},"#;
    let twice = text.replacen('{', inner, 1);
    refused(Description::parse("config.json", twice.as_bytes()), &["duplicate field `factor`"]);
    let index = r#"{"weight_map":{"a":"x.safetensors","a":"y.safetensors"}}"#;
    let parts = ["index.json", "duplicate field `a`"];
    refused(safetensors::SafetensorsIndex::parse("index.json", index.as_bytes()), &parts);
}

#[test]
fn configs_with_unsupported_computations_are_refused() {
    let names = Architecture::names();
    let cases: [(&str, Value, &[&str]); 22] = [
        ("model_type", "mistral".into(), &["config.json", "'mistral'", &names]),
        ("model_type", Value::Null, &["'model_type'", "missing"]),
        ("architectures", json!(["LlamaForSequenceClassification"]), &["SequenceClassification"]),
        ("hidden_act", "gelu".into(), &["'hidden_act'", "\"gelu\"", "use \"silu\""]),
        ("mlp_bias", true.into(), &["'mlp_bias'"]),
        ("attention_bias", true.into(), &["'attention_bias'"]),
        ("pretraining_tp", 2.into(), &["'pretraining_tp'", "2 is not", "use 1"]),
        ("use_sliding_window", true.into(), &["'use_sliding_window'"]),
        ("layer_types", json!(["full_attention", "sliding_attention"]), &["'sliding_attention'"]),
        ("quantization_config", json!({"bits": 4}), &["'quantization_config'", "GGUF"]),
        ("rope_interleaved", true.into(), &["'rope_interleaved'"]),
        ("rope_scaling", json!({"rope_type": "yarn"}), &["rope_scaling.rope_type", "'yarn'"]),
        ("rope_scaling", json!({"type": "linear"}), &["rope_scaling.factor", "missing"]),
        ("rope_scaling", json!({"type": "linear", "factor": 0}), &["rope_scaling.factor", "0"]),
        ("rope_parameters", json!({"partial_rotary_factor": 0.5}), &["partial_rotary_factor"]),
        ("hidden_size", 0.into(), &["'hidden_size'", "not 0"]),
        ("hidden_size", (-1).into(), &["'hidden_size'", "-1"]),
        ("num_hidden_layers", 1_000_000.into(), &["'num_hidden_layers'", "4096"]),
        ("num_key_value_heads", 3.into(), &["'num_attention_heads'", "multiple of 3"]),
        ("head_dim", 5.into(), &["'head_dim'", "multiple of 2"]),
        ("rope_theta", 0.into(), &["'rope_theta'"]),
        ("torch_dtype", "int8".into(), &["'torch_dtype'", "'int8'", "bfloat16"]),
    ];
    for (field, value, parts) in cases {
        refused(parse(&[(field, value)]), parts);
    }
    refused(Description::parse("config.json", b"[1]"), &["config.json is damaged", "JSON"]);
}

#[test]
fn head_width_defaults_to_the_familys() {
    let parse = |architecture, change: &dyn Fn(&mut Map<String, Value>)| {
        let text = description(architecture, true).to_json(Precision::F32);
        let mut map: Map<String, Value> = serde_json::from_str(&text).unwrap();
        change(&mut map);
        Description::parse("config.json", Value::from(map).to_string().as_bytes())
    };
    let unsaid = |map: &mut Map<String, Value>| drop(map.insert("head_dim".into(), Value::Null));
    assert_eq!(parse(Architecture::Qwen3, &unsaid).unwrap().model.head_dim(), 128);
    assert_eq!(parse(Architecture::Qwen2, &unsaid).unwrap().model.head_dim(), 4);
    // What Qwen3 cannot have here: a bias, which the output projection would have as well.
    let biased =
        |map: &mut Map<String, Value>| drop(map.insert("attention_bias".into(), true.into()));
    refused(parse(Architecture::Qwen3, &biased), &["'attention_bias'", "use false"]);
    let other =
        |map: &mut Map<String, Value>| drop(map.insert("model_type".into(), "qwen3_moe".into()));
    refused(parse(Architecture::Qwen3, &other), &["'qwen3_moe'", &Architecture::names()]);
}

#[test]
fn tensors_are_listed_in_the_order_of_the_decoder() {
    let specs = tensor_layout::tensors(&description(Architecture::Qwen2, false));
    let found: Vec<(&str, &[usize])> =
        specs.iter().map(|spec| (spec.name.as_str(), spec.shape.as_slice())).collect();
    let layer: [(&str, &[usize]); 12] = [
        ("input_layernorm.weight", &[8]),
        ("self_attn.q_proj.weight", &[8, 8]),
        ("self_attn.q_proj.bias", &[8]),
        ("self_attn.k_proj.weight", &[4, 8]),
        ("self_attn.k_proj.bias", &[4]),
        ("self_attn.v_proj.weight", &[4, 8]),
        ("self_attn.v_proj.bias", &[4]),
        ("self_attn.o_proj.weight", &[8, 8]),
        ("post_attention_layernorm.weight", &[8]),
        ("mlp.gate_proj.weight", &[12, 8]),
        ("mlp.up_proj.weight", &[12, 8]),
        ("mlp.down_proj.weight", &[8, 12]),
    ];
    assert_eq!(found[0], ("model.embed_tokens.weight", [10, 8].as_slice()));
    for (at, (name, shape)) in layer.into_iter().enumerate() {
        assert_eq!(found[13 + at], (format!("model.layers.1.{name}").as_str(), shape));
    }
    assert_eq!(
        found[25..],
        [("model.norm.weight", [8].as_slice()), ("lm_head.weight", [10, 8].as_slice())]
    );
    // A width of its own: 2 heads of 6, 1 key head of 6.
    let mut wide = description(Architecture::Llama, true);
    wide.model.head_dim = Some(6);
    let shapes: Vec<_> =
        tensor_layout::tensors(&wide)[2..6].iter().map(|it| it.shape.clone()).collect();
    assert_eq!(shapes, [[12, 8], [6, 8], [6, 8], [8, 12]]);
}

#[test]
fn weights_are_read_in_every_precision_and_from_several_files() {
    for architecture in Architecture::ALL {
        let description = description(architecture, false);
        let expected = tensors(&description, false);
        for precision in [Precision::F32, Precision::F16, Precision::BF16] {
            let checkpoint = open(&files(&description, precision)).unwrap();
            assert_eq!(read(&checkpoint).unwrap(), expected, "{precision}");
        }
        assert_eq!(read(&open(&sharded(&description)).unwrap()).unwrap(), expected);
    }
}

/// The error of a model in one file whose tensors were changed.
fn with_tensors(change: impl FnOnce(&mut Vec<(TensorSpec, Vec<f32>)>), parts: &[&str]) {
    let description = description(Architecture::Qwen2, true);
    let mut changed = tensors(&description, false);
    change(&mut changed);
    let mut files = files(&description, Precision::F32);
    files.insert("model.safetensors".to_owned(), pack(&changed, Precision::F32));
    refused(read(&open(&files).unwrap()), &[&["model.safetensors"], parts].concat());
}

#[test]
fn tensors_that_do_not_fit_are_named() {
    with_tensors(
        |tensors| drop(tensors.remove(4)),
        &["'model.layers.0.self_attn.k_proj.weight'", "is missing"],
    );
    with_tensors(
        |tensors| tensors[1].0.name = "model.layers.0.self_attn.q_norm.weight".to_owned(),
        &["'model.layers.0.input_layernorm.weight'", "is missing"],
    );
    with_tensors(
        |tensors| {
            let mut more = tensors[1].clone();
            more.0.name = "model.layers.0.self_attn.q_norm.weight".to_owned();
            tensors.push(more);
        },
        &["'model.layers.0.self_attn.q_norm.weight'", "unexpected tensor"],
    );
    with_tensors(
        |tensors| tensors[2].0.shape = vec![4, 16],
        &["q_proj.weight'", "[4, 16]", "[8, 8]"],
    );
    with_tensors(
        |tensors| {
            tensors[0].0.shape[0] = 11;
            tensors[0].1.extend([0.0; 8]);
        },
        &["'model.embed_tokens.weight'", "11 tokens", "says 10"],
    );
}

#[test]
fn types_that_are_not_read_are_named() {
    let description = description(Architecture::Llama, true);
    let mut files = files(&description, Precision::F32);
    let bytes = files.get_mut("model.safetensors").unwrap();
    // Both names are as long and both types as wide.
    let at = bytes.windows(5).position(|it| it == b"\"F32\"").unwrap();
    bytes[at + 1] = b'I';
    let error = read(&open(&files).unwrap()).unwrap_err().to_string();
    assert!(
        error.contains("has unsupported type I32") && error.contains("F32, F16 or BF16"),
        "{error}"
    );
}

#[test]
fn damaged_and_missing_files_are_named() {
    let description = description(Architecture::Llama, true);
    let whole = files(&description, Precision::F32);
    let with = |name: &str, bytes: &[u8]| {
        let mut files = whole.clone();
        files.insert(name.to_owned(), bytes.to_vec());
        open(&files)
    };
    let weights = &whole["model.safetensors"];
    let cut = |length: usize| with("model.safetensors", &weights[..length]);
    refused(
        cut(weights.len() - 4),
        &["model.safetensors is damaged", "values", "download it again"],
    );
    refused(cut(100), &["byte 0: a header of"]);
    refused(cut(3), &["byte 0: 8 bytes should follow, 3 do"]);
    refused(with("model.safetensors", &[255; 64]), &["byte 0: a header of", "56 bytes follow"]);
    let mut longer = weights.clone();
    longer.push(0);
    refused(with("model.safetensors", &longer), &["describes", "values"]);
    let mut broken = weights.clone();
    broken[9] = b'!';
    refused(with("model.safetensors", &broken), &["header at byte 8", "line 1 column"]);
    refused(open(&Files::new()), &["cannot open the model model", "no such file or folder"]);
    let weights_alone = Files::from([("model.safetensors".to_owned(), weights.clone())]);
    refused(open(&weights_alone), &["cannot open the model model", "no config.json"]);
    let mut without = whole.clone();
    without.remove("model.safetensors");
    refused(open(&without), &["neither model.safetensors nor"]);
    let mut index = sharded(&description);
    index.remove("b.safetensors");
    refused(open(&index), &["model.safetensors.index.json", "b.safetensors, which is missing"]);
    let outside = br#"{"weight_map": {"x": "../y"}}"#;
    refused(with("model.safetensors.index.json", outside), &["'x'", "'../y'"]);
}

#[test]
fn paths_that_are_no_models_say_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| Checkpoint::open(&folder.path().join(name));
    refused(at("none"), &["none: no such file or folder"]);
    refused(at(""), &["no config.json", "not a Hugging Face model folder"]);
    std::fs::write(folder.path().join("notes.txt"), "hello").unwrap();
    refused(at("notes.txt"), &["not a GGUF file", "name its folder"]);
    std::fs::write(folder.path().join("x.gguf"), "hello").unwrap();
    refused(at(""), &["a GGUF file: use", "x.gguf"]);
}

#[test]
fn a_byte_source_never_reads_beyond_its_end() {
    let source = ByteSource::from_bytes("bytes", vec![1, 2, 3]);
    assert_eq!(*source.read(1, 2).unwrap(), [2, 3]);
    refused(source.read(1, 3), &["bytes is damaged", "byte 1: 3 bytes should follow, 2 do"]);
    refused(source.read(u64::MAX, u64::MAX), &["0 do"]);
}
