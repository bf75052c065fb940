//! The tensors of a model, in the order of the decoder's parameters.

use super::Description;
use crate::config::ModelConfig;

/// Name of the embedding.
pub(super) const EMBEDDING: &str = "model.embed_tokens.weight";

/// Name of the output head, where it is not the embedding.
pub(super) const HEAD: &str = "lm_head.weight";

/// A tensor that a model has: name and shape are Hugging Face's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Such as `model.layers.0.mlp.up_proj.weight`.
    pub name: String,
    /// `[output, input]` of linear weights, `[tokens, hidden]` of the embedding.
    pub shape: Vec<usize>,
}

impl Spec {
    /// Number of values.
    #[must_use]
    pub fn count(&self) -> usize {
        self.shape.iter().fold(1, |count, size| count.saturating_mul(*size))
    }
}

/// All tensors of a model, in the order in which the decoder has its parameters: embedding, then
/// for each layer norm, attention (query, key and value, each with its bias, and output), norm and
/// feed-forward (gate, up, down), then the last norm and the head, unless it is the embedding.
#[must_use]
pub fn tensors(description: &Description) -> Vec<Spec> {
    tensors_of(&description.model, description.vocab_size)
}

/// The same of a shape and a number of tokens.
#[must_use]
pub fn tensors_of(model: &ModelConfig, vocabulary: usize) -> Vec<Spec> {
    let hidden = model.hidden_size;
    let mut specs = vec![spec(EMBEDDING, &[vocabulary, hidden])];
    for layer in 0..model.num_hidden_layers {
        add_layer(&mut specs, model, layer);
    }
    specs.push(spec("model.norm.weight", &[hidden]));
    if !model.tie_word_embeddings {
        specs.push(spec(HEAD, &[vocabulary, hidden]));
    }
    specs
}

fn add_layer(specs: &mut Vec<Spec>, model: &ModelConfig, layer: usize) {
    let (hidden, inner) = (model.hidden_size, model.intermediate_size);
    let queries = model.num_attention_heads * model.head_dim();
    let keys = model.num_key_value_heads * model.head_dim();
    let mut add = |name: &str, shape: &[usize]| {
        specs.push(spec(&format!("model.layers.{layer}.{name}"), shape));
    };
    add("input_layernorm.weight", &[hidden]);
    for (name, width) in [("q", queries), ("k", keys), ("v", keys)] {
        add(&format!("self_attn.{name}_proj.weight"), &[width, hidden]);
        if model.attention_bias {
            add(&format!("self_attn.{name}_proj.bias"), &[width]);
        }
    }
    add("self_attn.o_proj.weight", &[hidden, queries]);
    add("post_attention_layernorm.weight", &[hidden]);
    add("mlp.gate_proj.weight", &[inner, hidden]);
    add("mlp.up_proj.weight", &[inner, hidden]);
    add("mlp.down_proj.weight", &[hidden, inner]);
}

fn spec(name: &str, shape: &[usize]) -> Spec {
    Spec { name: name.to_owned(), shape: shape.to_vec() }
}
