//! Writes GGUF files.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use hgpo_train::models::{Architecture, Description, TensorSpec};

/// A file under construction.
#[derive(Clone)]
pub struct Writer {
    pub version: u32,
    /// Values begin at multiples of this many bytes.
    pub alignment: usize,
    pub entries: Vec<(String, Vec<u8>)>,
    pub tensors: Vec<Tensor>,
}

/// A tensor with its shape as in files: innermost dimension first.
#[derive(Clone)]
pub struct Tensor {
    pub name: String,
    pub shape: Vec<u64>,
    pub kind: u32,
    pub bytes: Vec<u8>,
}

pub fn text(value: &str) -> Vec<u8> {
    [&(value.len() as u64).to_le_bytes(), value.as_bytes()].concat()
}

/// The value of an entry: its type and its bytes.
pub fn value(kind: u32, bytes: &[u8]) -> Vec<u8> {
    [&kind.to_le_bytes(), bytes].concat()
}

pub fn list(kind: u32, items: &[Vec<u8>]) -> Vec<u8> {
    let head = [&kind.to_le_bytes()[..], &(items.len() as u64).to_le_bytes()].concat();
    value(9, &[head, items.concat()].concat())
}

pub fn whole(number: u32) -> Vec<u8> {
    value(4, &number.to_le_bytes())
}

pub fn float(number: f32) -> Vec<u8> {
    value(6, &number.to_le_bytes())
}

impl Writer {
    /// A model in single precision, with the names and the order of rows of llama.cpp.
    pub fn model(description: &Description, tensors: &[(TensorSpec, Vec<f32>)]) -> Self {
        let (model, name) = (&description.model, description.architecture.family().name);
        let of = |number: usize| whole(number as u32);
        let mut entries = vec![("general.architecture".to_owned(), value(8, &text(name)))];
        for (entry, bytes) in [
            ("block_count", of(model.num_hidden_layers)),
            ("context_length", of(description.max_position_embeddings)),
            ("embedding_length", of(model.hidden_size)),
            ("feed_forward_length", of(model.intermediate_size)),
            ("attention.head_count", of(model.num_attention_heads)),
            ("attention.head_count_kv", of(model.num_key_value_heads)),
            ("rope.freq_base", float(model.rope_theta as f32)),
            ("attention.layer_norm_rms_epsilon", float(model.rms_norm_eps as f32)),
        ] {
            entries.push((format!("{name}.{entry}"), bytes));
        }
        for entry in ["attention.key_length", "attention.value_length"] {
            let width = model.head_dim.map(|width| (format!("{name}.{entry}"), of(width)));
            entries.extend(width);
        }
        entries.push(("tokenizer.ggml.bos_token_id".to_owned(), whole(1)));
        entries.push(("tokenizer.ggml.eos_token_id".to_owned(), whole(2)));
        let tensors = tensors.iter().map(|(spec, values)| tensor(description, spec, values));
        Self { version: 3, alignment: 32, entries, tensors: tensors.collect() }
    }

    pub fn set(&mut self, name: &str, bytes: Vec<u8>) {
        self.entries.retain(|(known, _)| known != name);
        self.entries.push((name.to_owned(), bytes));
    }

    pub fn without(&mut self, name: &str) {
        self.entries.retain(|(known, _)| known != name);
    }

    /// The whole file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut head = b"GGUF".to_vec();
        head.extend(self.version.to_le_bytes());
        head.extend((self.tensors.len() as u64).to_le_bytes());
        head.extend((self.entries.len() as u64).to_le_bytes());
        for (name, bytes) in &self.entries {
            head.extend([text(name), bytes.clone()].concat());
        }
        let mut data = Vec::new();
        for tensor in &self.tensors {
            head.extend(text(&tensor.name));
            head.extend((tensor.shape.len() as u32).to_le_bytes());
            head.extend(tensor.shape.iter().flat_map(|size| size.to_le_bytes()));
            head.extend(tensor.kind.to_le_bytes());
            head.extend((data.len() as u64).to_le_bytes());
            data.extend(&tensor.bytes);
            data.resize(data.len().next_multiple_of(self.alignment), 0);
        }
        head.resize(head.len().next_multiple_of(self.alignment), 0);
        [head, data].concat()
    }
}

fn tensor(description: &Description, spec: &TensorSpec, values: &[f32]) -> Tensor {
    let rename = [
        ("model.layers.", "blk."),
        ("model.embed_tokens", "token_embd"),
        ("model.norm", "output_norm"),
        ("lm_head", "output"),
        ("self_attn.o_proj", "attn_output"),
        ("self_attn.", "attn_"),
        ("input_layernorm", "attn_norm"),
        ("post_attention_layernorm", "ffn_norm"),
        ("mlp.", "ffn_"),
        ("_proj", ""),
    ];
    let name = rename.iter().fold(spec.name.clone(), |name, (from, to)| name.replace(from, to));
    let width = description.model.head_dim();
    let turned = name.contains("attn_q.") || name.contains("attn_k.");
    let values = if description.architecture == Architecture::Llama && turned {
        interleave(values, width, spec.shape[1])
    } else {
        values.to_vec()
    };
    Tensor {
        name,
        shape: spec.shape.iter().rev().map(|size| *size as u64).collect(),
        kind: 0,
        bytes: values.iter().flat_map(|value| value.to_le_bytes()).collect(),
    }
}

/// The rows of each head as llama.cpp's converter has them: of `[2, width / 2]` the transpose.
fn interleave(values: &[f32], width: usize, input: usize) -> Vec<f32> {
    let rows: Vec<&[f32]> = values.chunks(input).collect();
    let order = |head: &[&[f32]]| -> Vec<f32> {
        let (first, second) = head.split_at(width / 2);
        first.iter().zip(second).flat_map(|(a, b)| [*a, *b].concat()).collect()
    };
    rows.chunks(width).flat_map(order).collect()
}
