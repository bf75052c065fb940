//! What llama.cpp calls the tensors of a decoder, and the order of rows that it keeps them in.

use crate::config::ModelConfig;

/// Names within a layer: Hugging Face's and GGUF's.
const LAYER: [(&str, &str); 9] = [
    ("input_layernorm", "attn_norm"),
    ("self_attn.q_proj", "attn_q"),
    ("self_attn.k_proj", "attn_k"),
    ("self_attn.v_proj", "attn_v"),
    ("self_attn.o_proj", "attn_output"),
    ("post_attention_layernorm", "ffn_norm"),
    ("mlp.gate_proj", "ffn_gate"),
    ("mlp.up_proj", "ffn_up"),
    ("mlp.down_proj", "ffn_down"),
];

/// The name in a GGUF file of a tensor that [`crate::model::layout`] lists.
pub(super) fn name_in_gguf(name: &str) -> String {
    let short = name.strip_prefix("model.").unwrap_or(name);
    let in_layer = || {
        let (layer, rest) = short.strip_prefix("layers.")?.split_once('.')?;
        let (module, kind) = rest.rsplit_once('.')?;
        let (_, module) = LAYER.iter().find(|(known, _)| *known == module)?;
        Some(format!("blk.{layer}.{module}.{kind}"))
    };
    match short {
        "embed_tokens.weight" => "token_embd.weight".to_owned(),
        "norm.weight" => "output_norm.weight".to_owned(),
        "lm_head.weight" => "output.weight".to_owned(),
        other => in_layer().unwrap_or_else(|| other.to_owned()),
    }
}

/// The number of heads of a query or key projection: its rows are turned by position.
pub(super) fn rotated_heads(name: &str, model: &ModelConfig) -> Option<usize> {
    if name.contains(".q_proj.") {
        return Some(model.num_attention_heads);
    }
    name.contains(".k_proj.").then_some(model.num_key_value_heads)
}

/// Rows of `[heads · head_dim, input]` in Hugging Face's order.
///
/// Files of the architecture `llama` have the two halves of each head interleaved, since llama.cpp
/// turns neighbouring rows together: row 2 j + s of a head is row s · `head_dim`/2 + j here.
pub(super) fn unpermute(values: &[f32], heads: usize, head_dim: usize, input: usize) -> Vec<f32> {
    let half = head_dim / 2;
    let mut ordered = Vec::with_capacity(values.len());
    for row in 0..heads * head_dim {
        let (head, within) = (row / head_dim, row % head_dim);
        let there = head * head_dim + within % half * 2 + within / half;
        ordered.extend(values.iter().skip(there * input).take(input));
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_translated() {
        for (name, expected) in [
            ("model.embed_tokens.weight", "token_embd.weight"),
            ("model.layers.11.self_attn.q_proj.bias", "blk.11.attn_q.bias"),
            ("model.layers.0.post_attention_layernorm.weight", "blk.0.ffn_norm.weight"),
            ("model.norm.weight", "output_norm.weight"),
            ("lm_head.weight", "output.weight"),
        ] {
            assert_eq!(name_in_gguf(name), expected);
        }
    }

    #[test]
    fn interleaved_halves_are_put_back() {
        // Two heads of four rows of one number: halves (0, 1 | 2, 3) lie as 0 2 1 3.
        let found = unpermute(&[0.0, 2.0, 1.0, 3.0, 4.0, 6.0, 5.0, 7.0], 2, 4, 1);
        assert_eq!(found, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        // One head of two rows of three numbers stays.
        let rows = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(unpermute(&rows, 1, 2, 3), rows);
    }
}
