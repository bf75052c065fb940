//! Tensor names of llama.cpp, and which tensors it keeps in another order of rows.

use crate::models::tensor_layout::{IN_LAYER, InLayer, OUTSIDE};

/// The layer's number of a tensor in one, and what it is there.
fn in_layer(name: &str) -> Option<(&str, &'static InLayer)> {
    let (layer, rest) = name.strip_prefix("model.layers.")?.split_once('.')?;
    Some((layer, IN_LAYER.iter().find(|known| known.name == rest)?))
}

/// The name in a GGUF file of a tensor that [`crate::models::tensor_layout`] lists.
pub(super) fn name_in_gguf(name: &str) -> String {
    if let Some((layer, known)) = in_layer(name) {
        return format!("blk.{layer}.{}", known.gguf);
    }
    let outside = OUTSIDE.iter().find(|(known, _)| *known == name);
    outside.map_or(name, |(_, gguf)| gguf).to_owned()
}

/// Whether a tensor is a query or key projection, whose rows are turned by position: some families have
/// its rows in another order.
pub(super) fn is_rotated(name: &str) -> bool {
    in_layer(name).is_some_and(|(_, known)| known.rotated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_translated() {
        for (name, expected) in [
            ("model.embed_tokens.weight", "token_embd.weight"),
            ("model.layers.11.self_attn.q_proj.bias", "blk.11.attn_q.bias"),
            ("model.layers.3.self_attn.k_norm.weight", "blk.3.attn_k_norm.weight"),
            ("model.layers.0.post_attention_layernorm.weight", "blk.0.ffn_norm.weight"),
            ("model.norm.weight", "output_norm.weight"),
            ("lm_head.weight", "output.weight"),
            ("rope_freqs.weight", "rope_freqs.weight"),
        ] {
            assert_eq!(name_in_gguf(name), expected);
        }
    }

    #[test]
    fn queries_and_keys_are_turned_and_nothing_else() {
        let turned = |name: &str| is_rotated(&format!("model.layers.1.self_attn.{name}"));
        assert!(turned("q_proj.weight") && turned("k_proj.bias"));
        assert!(
            !turned("v_proj.weight") && !turned("q_norm.weight") && !is_rotated("lm_head.weight")
        );
    }
}
