//! A decoder of the Qwen2 family: pre-norm attention and gated feed-forward layers.
//!
//! Field names follow Hugging Face's, so that a parameter's path is its name in a checkpoint.

use burn::module::Module;
use burn::nn::{
    Embedding, EmbeddingConfig, Initializer, Linear, LinearConfig, RmsNorm, RmsNormConfig,
};
use burn::tensor::activation::silu;
use burn::tensor::{Device, Int, Tensor};

use super::attention::{Attention, Placement};
use super::cache::Cache;
use super::focus::Focus;
use crate::config::ModelConfig;

/// SwiGLU: `down(silu(gate x) · up x)` (Shazeer 2020).
#[derive(Module, Debug)]
#[expect(clippy::struct_field_names, reason = "the names in checkpoints")]
pub struct FeedForward {
    gate_proj: Linear,
    up_proj: Linear,
    down_proj: Linear,
}

/// Attention, then feed-forward, each added to the residual stream after a norm.
#[derive(Module, Debug)]
pub struct Layer {
    input_layernorm: RmsNorm,
    self_attn: Attention,
    post_attention_layernorm: RmsNorm,
    mlp: FeedForward,
}

/// The transformer; tokens in, one hidden vector a token out.
#[derive(Module, Debug)]
pub struct Decoder {
    embed_tokens: Embedding,
    layers: Vec<Layer>,
    norm: RmsNorm,
    lm_head: Option<Linear>,
}

/// A linear layer of zeros, until [`super::weights`] sets it: random numbers would be thrown away.
pub(super) fn linear(input: usize, output: usize, bias: bool, device: &Device) -> Linear {
    let config = LinearConfig::new(input, output).with_bias(bias);
    config.with_initializer(Initializer::Zeros).init(device)
}

impl FeedForward {
    fn new(config: &ModelConfig, device: &Device) -> Self {
        let linear = |input, output| linear(input, output, false, device);
        Self {
            gate_proj: linear(config.hidden_size, config.intermediate_size),
            up_proj: linear(config.hidden_size, config.intermediate_size),
            down_proj: linear(config.intermediate_size, config.hidden_size),
        }
    }

    fn forward(&self, x: Tensor<3>) -> Tensor<3> {
        let gate = silu(self.gate_proj.forward(x.clone()));
        self.down_proj.forward(gate * self.up_proj.forward(x))
    }
}

impl Layer {
    fn new(config: &ModelConfig, device: &Device) -> Self {
        let norm = || {
            RmsNormConfig::new(config.hidden_size).with_epsilon(config.rms_norm_eps).init(device)
        };
        Self {
            input_layernorm: norm(),
            self_attn: Attention::new(config, device),
            post_attention_layernorm: norm(),
            mlp: FeedForward::new(config, device),
        }
    }

    /// With a focus, only the tokens in it go on: all others are looked at and then dropped.
    fn forward(
        &self,
        x: Tensor<3>,
        placement: &Placement,
        focus: Option<&Focus>,
        cache: Option<(&mut Cache, usize)>,
    ) -> Tensor<3> {
        let pick = |x| match focus {
            Some(focus) => focus.pick(x),
            None => x,
        };
        let placement = focus.map_or(placement, Focus::placement);
        let normed = self.input_layernorm.forward(x.clone());
        let x = pick(x) + self.self_attn.forward(pick(normed.clone()), normed, placement, cache);
        x.clone() + self.mlp.forward(self.post_attention_layernorm.forward(x))
    }
}

impl Decoder {
    /// A decoder of the given shape; weights are set by [`super::weights`].
    #[must_use]
    pub fn new(config: &ModelConfig, vocabulary_size: usize, device: &Device) -> Self {
        Self {
            embed_tokens: EmbeddingConfig::new(vocabulary_size, config.hidden_size)
                .with_initializer(Initializer::Zeros)
                .init(device),
            layers: (0..config.num_hidden_layers).map(|_| Layer::new(config, device)).collect(),
            norm: RmsNormConfig::new(config.hidden_size)
                .with_epsilon(config.rms_norm_eps)
                .init(device),
            lm_head: (!config.tie_word_embeddings)
                .then(|| linear(config.hidden_size, vocabulary_size, false, device)),
        }
    }

    /// Hidden vectors `[rows, tokens, hidden]` of tokens `[rows, tokens]`, after the final norm.
    ///
    /// With a focus, only of the tokens in it: the last layer then computes nothing for the others
    /// but keys and values, which saves nearly half the work of a decoder of two layers.
    #[must_use]
    pub fn hidden(
        &self,
        tokens: Tensor<2, Int>,
        placement: &Placement,
        focus: Option<&Focus>,
        mut cache: Option<&mut Cache>,
    ) -> Tensor<3> {
        let mut x = self.embed_tokens.forward(tokens);
        for (index, layer) in self.layers.iter().enumerate() {
            let cache = cache.as_deref_mut().map(|cache| (cache, index));
            let focus = focus.filter(|_| index + 1 == self.layers.len());
            x = layer.forward(x, placement, focus, cache);
        }
        self.norm.forward(x)
    }

    /// Logits `[positions, vocabulary]` of chosen hidden vectors `[positions, hidden]`.
    #[must_use]
    pub fn logits(&self, hidden: Tensor<2>) -> Tensor<2> {
        match &self.lm_head {
            Some(head) => head.forward(hidden),
            None => hidden.matmul(self.embed_tokens.weight.val().transpose()),
        }
    }
}
