//! GGUF files of our own: weights, descriptions, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use half::f16;
use hgpo_train::config::{RopeScaling, RopeType};
use hgpo_train::models::gguf;
use hgpo_train::models::gguf::dequantize::dequantize;
use hgpo_train::models::gguf::{MetadataValue, TensorType};
use hgpo_train::models::{
    Architecture, ByteSource, Checkpoint, Description, ModelError, Precision, TensorSpec,
};
use proptest::prelude::*;

use crate::gguf_writer::{Tensor, Writer, float, list, text, value, whole};
use crate::model_files::{description, refused, tensors};

const TYPES: [TensorType; 11] = [
    TensorType::F32,
    TensorType::F16,
    TensorType::BF16,
    TensorType::Q4_0,
    TensorType::Q4_1,
    TensorType::Q5_0,
    TensorType::Q5_1,
    TensorType::Q8_0,
    TensorType::Q4_K,
    TensorType::Q5_K,
    TensorType::Q6_K,
];

fn open(bytes: Vec<u8>) -> Result<Checkpoint, ModelError> {
    Checkpoint::from_gguf(gguf::GgufFile::open(ByteSource::from_bytes("tiny.gguf", bytes))?)
}

fn read(checkpoint: &Checkpoint) -> Result<Vec<(TensorSpec, Vec<f32>)>, ModelError> {
    checkpoint.parameters()?.collect()
}

fn llama() -> Writer {
    let description = description(Architecture::Llama, true);
    Writer::model(&description, &tensors(&description, true))
}

/// The error of a small model that was changed.
fn changed(change: impl FnOnce(&mut Writer), parts: &[&str]) {
    let mut writer = llama();
    change(&mut writer);
    let result = open(writer.bytes()).and_then(|checkpoint| read(&checkpoint));
    refused(result, &[&["tiny.gguf"], parts].concat());
}

#[test]
fn models_are_read_with_names_and_rows_of_hugging_face() {
    let all = Architecture::ALL.iter().flat_map(|it| [(it, false, 2), (it, true, 3)]);
    for (&architecture, tied, version) in all {
        let expected = description(architecture, tied);
        let weights = tensors(&expected, true);
        let mut writer = Writer::model(&expected, &weights);
        writer.version = version;
        let checkpoint = open(writer.bytes()).unwrap();
        assert_eq!(*checkpoint.description(), expected);
        assert_eq!(read(&checkpoint).unwrap(), weights);
    }
}

#[test]
fn values_begin_where_the_alignment_says() {
    let expected = tensors(&description(Architecture::Llama, true), true);
    for alignment in [8, 32, 256] {
        let mut writer = llama();
        writer.alignment = alignment;
        writer.set("general.alignment", whole(alignment as u32));
        assert_eq!(read(&open(writer.bytes()).unwrap()).unwrap(), expected, "{alignment}");
    }
    let mut writer = llama();
    writer.set("general.alignment", whole(256));
    refused(open(writer.bytes()), &["blk.0.attn_norm.weight", "no multiple of 256"]);
}

#[test]
fn a_head_width_of_its_own_and_two_ends_are_read() {
    let mut expected = description(Architecture::Llama, true);
    expected.model.head_dim = Some(6);
    expected.eos_token_ids = vec![2, 9];
    let weights = tensors(&expected, true);
    let mut writer = Writer::model(&expected, &weights);
    writer.set("llama.attention.key_length", whole(6));
    writer.set("llama.attention.value_length", whole(6));
    writer.set("llama.rope.dimension_count", whole(6));
    writer.set("tokenizer.ggml.eot_token_id", whole(9));
    let checkpoint = open(writer.bytes()).unwrap();
    assert_eq!(*checkpoint.description(), expected);
    assert_eq!(read(&checkpoint).unwrap(), weights);
}

#[test]
fn linear_scaling_is_read_from_metadata() {
    let mut writer = llama();
    writer.set("llama.rope.scaling.type", value(8, &text("linear")));
    writer.set("llama.rope.scaling.factor", float(4.0));
    let linear = RopeScaling { factor: 4.0, ..RopeScaling::default() };
    let found = open(writer.bytes()).unwrap();
    assert_eq!(found.description().model.rope_scaling, Some(linear));
}

#[test]
fn the_scaling_of_llama_3_is_read_from_its_divisors() {
    // At theta 5e5 and heads of 16 there are frequencies of all three kinds.
    let mut expected = description(Architecture::Llama, true);
    expected.model.head_dim = Some(16);
    expected.model.rope_theta = 5e5;
    let plain = expected.model.rotary_frequencies();
    expected.model.rope_scaling =
        Some(RopeScaling { rope_type: RopeType::Llama3, factor: 8.0, ..RopeScaling::default() });
    let stretched = expected.model.rotary_frequencies();
    let divisors: Vec<f32> =
        plain.iter().zip(stretched).map(|(plain, stretched)| (plain / stretched) as f32).collect();
    assert!(divisors.iter().any(|divisor| *divisor > 1.0 && *divisor < 8.0), "{divisors:?}");
    let with = |divisors: &[f32]| {
        let mut writer = Writer::model(&expected, &tensors(&expected, true));
        writer.set("llama.attention.key_length", whole(16));
        writer.tensors.push(Tensor {
            name: "rope_freqs.weight".to_owned(),
            shape: vec![divisors.len() as u64],
            kind: 0,
            bytes: divisors.iter().flat_map(|value| value.to_le_bytes()).collect(),
        });
        open(writer.bytes())
    };
    let found = with(&divisors).unwrap();
    assert_eq!(*found.description(), expected);
    assert_eq!(read(&found).unwrap(), tensors(&expected, true));
    let mut others = divisors.clone();
    others[2] *= 1.5;
    refused(with(&others), &["tiny.gguf", "rope_freqs.weight", "not scaled as in Llama 3"]);
    refused(with(&[0.0; 8]), &["tiny.gguf", "rope_freqs.weight"]);
    refused(with(&divisors[1..]), &["rope_freqs.weight", "[7]", "[8]"]);
}

#[test]
fn entries_that_are_missing_or_not_supported_are_named() {
    let text_entry = |name: &'static str, new: &'static str| {
        move |writer: &mut Writer| writer.set(name, value(8, &text(new)))
    };
    let without = |name: &'static str| move |writer: &mut Writer| writer.without(name);
    let with =
        |name: &'static str, new: u32| move |writer: &mut Writer| writer.set(name, whole(new));
    let known = Architecture::names();
    changed(text_entry("general.architecture", "gemma"), &["'gemma'", &known]);
    changed(without("general.architecture"), &["'general.architecture'", "missing"]);
    changed(without("llama.block_count"), &["'llama.block_count'", "missing"]);
    changed(text_entry("llama.block_count", "2"), &["'llama.block_count'", "whole number"]);
    changed(with("llama.expert_count", 8), &["'llama.expert_count'", "8 is not supported"]);
    changed(with("llama.rope.dimension_count", 2), &["'llama.rope.dimension_count'", "use 4"]);
    changed(with("general.alignment", 24), &["'general.alignment'", "24"]);
    changed(text_entry("llama.rope.scaling.type", "yarn"), &["'yarn'"]);
    changed(text_entry("llama.rope.scaling.type", "linear"), &["factor", "missing"]);
    changed(with("llama.block_count", 4_000_000), &["'num_hidden_layers'", "4096"]);
    changed(with("llama.attention.head_count", 0), &["'num_attention_heads'", "must lie", "not 0"]);
    changed(with("llama.block_count", 3), &["'blk.2.attn_norm.weight'", "missing"]);
    changed(with("llama.block_count", 1), &["'blk.1.attn_norm.weight'", "unexpected tensor"]);
    changed(with("llama.embedding_length", 16), &["'token_embd.weight'", "[10, 8]", "[10, 16]"]);
    changed(|writer| writer.tensors[2].kind = 23, &["'blk.0.attn_q.weight'", "IQ4_XS", "or Q6_K"]);
    changed(|writer| writer.tensors[2].kind = 99, &["number 99"]);
}

#[test]
fn files_that_are_no_whole_model_say_what_to_do() {
    let part = |number: u16, count: u16| {
        let mut writer = llama();
        writer.set("split.no", value(2, &number.to_le_bytes()));
        writer.set("split.count", value(2, &count.to_le_bytes()));
        open(writer.bytes())
    };
    assert!(part(0, 1).is_ok());
    let merge = "llama-gguf-split --merge FIRST-00001-of-00003.gguf NEW.gguf";
    refused(part(1, 3), &["tiny.gguf: part 2 of 3 of a split model", merge]);
    let adapter = |writer: &mut Writer| writer.set("general.type", value(8, &text("adapter")));
    changed(adapter, &["a LoRA adapter, not a model", "llama-export-lora"]);
}

#[test]
fn damaged_files_are_named_with_the_byte() {
    let whole_file = llama().bytes();
    let cut = |length: usize| open(whole_file[..length].to_vec());
    for length in 0..whole_file.len() {
        refused(cut(length), &["tiny.gguf is damaged", "byte"]);
    }
    let with = |at: usize, bytes: &[u8]| {
        let mut file = whole_file.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        open(file)
    };
    refused(with(0, b"GGML"), &["byte 0", "not a GGUF file"]);
    refused(with(4, &[1]), &["version 1 is not supported"]);
    refused(with(4, &[0, 0, 0, 3]), &["big-endian"]);
    let many = u64::MAX.to_le_bytes();
    refused(with(8, &many), &["18446744073709551615 tensors"]);
    refused(with(16, &many), &["entries of metadata"]);
    refused(with(24, &many), &["byte 24", "bytes of a string"]);
    // After length and 20 letters of the first name comes the type of its value.
    refused(with(52, &[77]), &["byte 56", "unknown type 77"]);
    refused(with(32, &[0xff]), &["byte 24", "UTF-8"]);
    changed(|writer| writer.set("x", value(7, &[2])), &["2 instead of 0 or 1"]);
    changed(|writer| writer.set("x", list(77, &[])), &["list of the unknown type 77"]);
    changed(|writer| writer.entries.push(writer.entries[0].clone()), &["second entry"]);
    changed(|writer| writer.tensors.push(writer.tensors[0].clone()), &["second tensor"]);
    changed(
        |writer| writer.tensors[0].shape = vec![8; 5],
        &["'token_embd.weight'", "5 dimensions"],
    );
    changed(|writer| writer.tensors[0].shape = vec![1 << 63, 4], &["cannot have the dimensions"]);
    changed(|writer| writer.tensors[0].kind = 8, &["cannot have the dimensions [8, 10]"]);
    let nest = |inner: Vec<u8>| list(9, &[inner[4..].to_vec()]);
    let deep = (0..6).fold(list(0, &[]), |inner, _| nest(inner));
    changed(|writer| writer.set("x", deep), &["nested too deeply"]);
    // Two lists of bytes, each with half of what a file may list and one more.
    let half = (1_usize << 23) + 1;
    let head = [&0_u32.to_le_bytes()[..], &(half as u64).to_le_bytes()].concat();
    let bytes = value(9, &[head, vec![0; half]].concat());
    let listed = |writer: &mut Writer| ["x", "y"].map(|name| writer.set(name, bytes.clone()));
    changed(|writer| _ = listed(writer), &["more than 16777216 values in lists"]);
}

#[test]
fn tensors_that_share_bytes_are_refused_by_name() {
    let writer = llama();
    let (first, second) = (&writer.tensors[0], &writer.tensors[1]);
    let file = writer.bytes();
    let found = file.windows(second.name.len()).position(|at| at == second.name.as_bytes());
    // After the name: number of dimensions, dimensions, type, then the first byte of the values.
    let at = found.unwrap() + second.name.len() + 4 + 8 * second.shape.len() + 4;
    let with = |offset: u64| {
        let mut file = file.clone();
        file[at..at + 8].copy_from_slice(&offset.to_le_bytes());
        open(file)
    };
    let own = u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    assert!(with(own).is_ok());
    // The first one is longer than 32 bytes.
    for offset in [0, 32] {
        let both = [format!("'{}'", first.name), format!("'{}'", second.name)];
        refused(with(offset), &["tiny.gguf is damaged", &both[0], &both[1]]);
    }
}

#[test]
fn metadata_of_every_type_is_read() {
    let mut writer = llama();
    let (integer, several) = (MetadataValue::Integer, MetadataValue::List);
    let string = |text: &str| MetadataValue::String(text.to_owned());
    let cases = [
        (value(0, &[200]), integer(200)),
        (value(1, &[200]), integer(-56)),
        (value(2, &[1, 2]), integer(513)),
        (value(3, &[0, 128]), integer(-32768)),
        (value(5, &[255; 4]), integer(-1)),
        (float(0.1), MetadataValue::Float(0.1)),
        (value(7, &[1]), MetadataValue::Bool(true)),
        (value(8, &text("é")), string("é")),
        (value(10, &[255; 8]), integer(u64::MAX.into())),
        (value(11, &[254, 255, 255, 255, 255, 255, 255, 255]), integer(-2)),
        (value(12, &0.1_f64.to_le_bytes()), MetadataValue::Float(0.1)),
        (list(0, &[vec![1], vec![2]]), several(vec![integer(1), integer(2)])),
        (list(5, &[vec![255; 4]]), several(vec![integer(-1)])),
        (list(6, &[0.5_f32.to_le_bytes().to_vec()]), several(vec![MetadataValue::Float(0.5)])),
        (list(7, &[vec![0]]), several(vec![MetadataValue::Bool(false)])),
        (list(8, &[text("a"), text("")]), several(vec![string("a"), string("")])),
        (list(9, &[list(0, &[vec![7]])[4..].to_vec()]), several(vec![several(vec![integer(7)])])),
    ];
    for (at, (bytes, _)) in cases.iter().enumerate() {
        writer.set(&format!("x{at}"), bytes.clone());
    }
    let checkpoint = open(writer.bytes()).unwrap();
    let metadata = checkpoint.gguf().unwrap().metadata();
    for (at, (_, expected)) in cases.iter().enumerate() {
        assert_eq!(metadata.get(&format!("x{at}")), Some(expected));
    }
    assert_eq!(metadata.iter().count(), writer.entries.len());
}

#[test]
fn a_tokenizer_has_a_kind_for_every_token() {
    let mut writer = llama();
    let tokens = [text("a"), text("b")];
    writer.set("tokenizer.ggml.tokens", list(8, &tokens));
    let tokenizer = |writer: &Writer| open(writer.bytes()).unwrap().gguf().unwrap().tokenizer();
    refused(tokenizer(&writer), &["'tokenizer.ggml.model'", "missing"]);
    writer.set("tokenizer.ggml.model", value(8, &text("gpt2")));
    assert_eq!(tokenizer(&writer).unwrap().tokens, ["a", "b"]);
    assert!(tokenizer(&writer).unwrap().token_types.is_empty());
    writer.set("tokenizer.ggml.token_type", list(5, &[vec![1, 0, 0, 0]]));
    refused(tokenizer(&writer), &["'tokenizer.ggml.token_type'", "1 values for 2 tokens"]);
}

#[test]
fn five_bits_of_256_values_are_put_together() {
    // Q5_K is not in the recordings. Scale 1, least-value scale 0.5; part 0 has scale 3 and least
    // value 2; its value 0 is 7 with the fifth bit: 3 (7 + 16) - 0.5 2 = 68. Part 5 (odd: upper
    // halves of the third 32 bytes) has scale 16 + 2 and least value 32 + 1; its value 1 is 9
    // without the fifth bit: 18 9 - 0.5 33 = 145.5. All else has scale 0 and least value 0.
    let mut block = [0_u8; 176];
    block[..2].copy_from_slice(&f16::from_f32(1.0).to_le_bytes());
    block[2..4].copy_from_slice(&f16::from_f32(0.5).to_le_bytes());
    // Scales are bytes 4 to 15: part 0 in bytes 0 and 4; part 5 in byte 9, and its upper bits in
    // bytes 1 (scale) and 5 (least value).
    block[4] = 3;
    block[4 + 4] = 2;
    block[4 + 9] = 2 | 1 << 4;
    block[4 + 1] |= 1 << 6;
    block[4 + 5] |= 2 << 6;
    block[16] = 1;
    block[48] = 7;
    block[48 + 64 + 1] = 9 << 4;
    let values = dequantize(TensorType::Q5_K, &block);
    assert_eq!(values.len(), 256);
    assert_eq!((values[0], values[1]), (68.0, -1.0));
    assert_eq!((values[161], values[160]), (145.5, -16.5));
    assert!(values[32..160].iter().all(|value| *value == 0.0));
}

#[test]
fn the_shape_of_a_description_does_not_depend_on_the_file() {
    // The same model as GGUF and as config.json.
    let expected = description(Architecture::Qwen2, true);
    let writer = Writer::model(&expected, &tensors(&expected, true));
    let found = open(writer.bytes()).unwrap().description().clone();
    let text = found.to_json(Precision::F32);
    let again = Description::parse("config.json", text.as_bytes()).unwrap();
    assert_eq!(Description { torch_dtype: None, ..again }, found);
}

/// Whether the half-precision numbers at these places of each block are finite.
fn scales_are_finite(kind: TensorType, bytes: &[u8]) -> bool {
    let places: &[usize] = match kind {
        TensorType::F32 | TensorType::F16 | TensorType::BF16 => return false,
        TensorType::Q4_0 | TensorType::Q5_0 | TensorType::Q8_0 => &[0],
        TensorType::Q6_K => &[208],
        _ => &[0, 2],
    };
    let finite = |block: &[u8]| {
        places.iter().all(|&at| f16::from_le_bytes([block[at], block[at + 1]]).is_finite())
    };
    bytes.chunks_exact(kind.block_bytes()).all(finite)
}

proptest! {
    #[test]
    fn any_bytes_give_finite_values_where_the_scales_are(
        at in 0..TYPES.len(),
        bytes in prop::collection::vec(any::<u8>(), 0..600),
    ) {
        let kind = TYPES[at];
        let values = dequantize(kind, &bytes);
        prop_assert_eq!(values.len(), bytes.len() / kind.block_bytes() * kind.block_values());
        prop_assert!(
            !scales_are_finite(kind, &bytes) || values.iter().all(|value| value.is_finite())
        );
    }

    #[test]
    fn a_changed_byte_is_read_or_refused(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = llama().bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(checkpoint) = open(bytes) {
            let _ = read(&checkpoint);
        }
    }
}
