//! Tensor layout of a model: names and shapes, in the order of the decoder's parameters.

use super::Description;
use crate::config::ModelConfig;

/// Name of the embedding.
pub(crate) const EMBEDDING: &str = "model.embed_tokens.weight";

/// Name of the last norm.
const NORM: &str = "model.norm.weight";

/// Name of the output head, if it is not the embedding.
pub(super) const HEAD: &str = "lm_head.weight";

/// Tensors outside of layers: Hugging Face's names and llama.cpp's.
const OUTSIDE: [(&str, &str); 3] =
    [(EMBEDDING, "token_embd.weight"), (NORM, "output_norm.weight"), (HEAD, "output.weight")];

/// A size that the shape of a model gives.
type Size = fn(&ModelConfig) -> usize;

const HIDDEN: Size = |model| model.hidden_size;
const INNER: Size = |model| model.intermediate_size;
/// All query heads.
const QUERIES: Size = |model| model.num_attention_heads * model.head_dim();
/// All key heads, which are as many and as wide as the value heads.
const KEYS: Size = |model| model.num_key_value_heads * model.head_dim();
/// One head.
const ONE_HEAD: Size = ModelConfig::head_dim;

/// Whether models of a shape have a tensor.
type Presence = fn(&ModelConfig) -> bool;

const ALWAYS: Presence = |_| true;
const WITH_BIAS: Presence = |model| model.attention_bias;
const WITH_NORM: Presence = |model| model.query_key_norm;

/// A tensor of a layer: Hugging Face's name and llama.cpp's, both after that of the layer, shape, and which models
/// have it.
struct InLayer(&'static str, &'static str, &'static [Size], Presence);

/// The tensors of a layer, in the order in which the decoder has its parameters.
const IN_LAYER: [InLayer; 14] = [
    InLayer("input_layernorm.weight", "attn_norm.weight", &[HIDDEN], ALWAYS),
    InLayer("self_attn.q_proj.weight", "attn_q.weight", &[QUERIES, HIDDEN], ALWAYS),
    InLayer("self_attn.q_proj.bias", "attn_q.bias", &[QUERIES], WITH_BIAS),
    InLayer("self_attn.k_proj.weight", "attn_k.weight", &[KEYS, HIDDEN], ALWAYS),
    InLayer("self_attn.k_proj.bias", "attn_k.bias", &[KEYS], WITH_BIAS),
    InLayer("self_attn.v_proj.weight", "attn_v.weight", &[KEYS, HIDDEN], ALWAYS),
    InLayer("self_attn.v_proj.bias", "attn_v.bias", &[KEYS], WITH_BIAS),
    InLayer("self_attn.o_proj.weight", "attn_output.weight", &[HIDDEN, QUERIES], ALWAYS),
    InLayer("self_attn.q_norm.weight", "attn_q_norm.weight", &[ONE_HEAD], WITH_NORM),
    InLayer("self_attn.k_norm.weight", "attn_k_norm.weight", &[ONE_HEAD], WITH_NORM),
    InLayer("post_attention_layernorm.weight", "ffn_norm.weight", &[HIDDEN], ALWAYS),
    InLayer("mlp.gate_proj.weight", "ffn_gate.weight", &[INNER, HIDDEN], ALWAYS),
    InLayer("mlp.up_proj.weight", "ffn_up.weight", &[INNER, HIDDEN], ALWAYS),
    InLayer("mlp.down_proj.weight", "ffn_down.weight", &[HIDDEN, INNER], ALWAYS),
];

/// A tensor that a model has: name and shape are Hugging Face's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorSpec {
    /// Such as `model.layers.0.mlp.up_proj.weight`.
    pub name: String,
    /// `[output, input]` of linear weights, `[tokens, hidden]` of the embedding.
    pub shape: Vec<usize>,
}

impl TensorSpec {
    /// Number of values.
    #[must_use]
    pub fn count(&self) -> usize {
        self.shape.iter().fold(1, |count, size| count.saturating_mul(*size))
    }
}

/// All tensors of a model, in the order in which the decoder has its parameters: embedding, then
/// for each layer norm, attention (query, key and value, each with its bias, output, norms of queries and
/// keys), norm and feed-forward (gate, up, down), then the last norm and the head, unless it is the
/// embedding.
#[must_use]
pub fn tensors(description: &Description) -> Vec<TensorSpec> {
    tensors_of(&description.model, description.vocab_size)
}

/// The same of a shape and a number of tokens.
#[must_use]
pub fn tensors_of(model: &ModelConfig, vocabulary: usize) -> Vec<TensorSpec> {
    let hidden = model.hidden_size;
    let spec = |name: &str, shape: Vec<usize>| TensorSpec { name: name.to_owned(), shape };
    let mut specs = vec![spec(EMBEDDING, vec![vocabulary, hidden])];
    for layer in 0..model.num_hidden_layers {
        for InLayer(name, _, shape, is_there) in IN_LAYER {
            if is_there(model) {
                let shape = shape.iter().map(|size| size(model)).collect();
                specs.push(spec(&format!("model.layers.{layer}.{name}"), shape));
            }
        }
    }
    specs.push(spec(NORM, vec![hidden]));
    if !model.tie_word_embeddings {
        specs.push(spec(HEAD, vec![vocabulary, hidden]));
    }
    specs
}

/// The name in a GGUF file of a tensor that [`tensors`] lists.
pub(super) fn name_in_gguf(name: &str) -> String {
    let in_layer = || {
        let (layer, rest) = name.strip_prefix("model.layers.")?.split_once('.')?;
        let InLayer(_, gguf, ..) = IN_LAYER.iter().find(|InLayer(known, ..)| *known == rest)?;
        Some(format!("blk.{layer}.{gguf}"))
    };
    let outside = OUTSIDE.iter().find(|(known, _)| *known == name);
    in_layer().unwrap_or_else(|| outside.map_or(name, |(_, gguf)| gguf).to_owned())
}

/// Whether a tensor is a query or key projection, whose rows are turned by position: some families have
/// its rows in another order.
pub(super) fn is_rotated(name: &str) -> bool {
    matches!(name.rsplit('.').nth(1), Some("q_proj" | "k_proj"))
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
