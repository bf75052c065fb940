//! Decoder of the Qwen and Llama families: pre-norm attention and gated feed-forward layers.
//!
//! Field names follow Hugging Face's, so that a parameter's path is its name in a checkpoint.

use burn::module::Module;
use burn::nn::{
    Embedding, EmbeddingConfig, Initializer, Linear, LinearConfig, RmsNorm, RmsNormConfig,
};
use burn::tensor::{Device, FloatDType, Int, Tensor};
use hgpo_env::random::{Purpose, Stream};

use super::attention::{Attention, Placement};
use super::generation::kv_cache::KvCache;
use super::lora::AdaptableLinear;
use super::operations::{between, embedded, normalized, product, residual, residual_norm};
use super::selected_positions::SelectedPositions;
use crate::config::{LoraConfig, ModelConfig, Precision};

/// SwiGLU: `down(silu(gate x) · up x)` (Shazeer 2020).
#[derive(Module, Debug)]
#[expect(clippy::struct_field_names, reason = "the names in checkpoints")]
pub struct FeedForward {
    gate_proj: AdaptableLinear,
    up_proj: AdaptableLinear,
    down_proj: AdaptableLinear,
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
    pub(super) embed_tokens: Embedding,
    pub(super) layers: Vec<Layer>,
    pub(super) norm: RmsNorm,
    pub(super) lm_head: Option<Linear>,
    adapted: bool,
    /// What its products with weights are computed in.
    #[module(skip)]
    pub(super) precision: Precision,
}

impl FeedForward {
    fn new(config: &ModelConfig, device: &Device) -> Self {
        let linear = |input, output| AdaptableLinear::new(input, output, false, device);
        Self {
            gate_proj: linear(config.hidden_size, config.intermediate_size),
            up_proj: linear(config.hidden_size, config.intermediate_size),
            down_proj: linear(config.intermediate_size, config.hidden_size),
        }
    }

    fn projections(&mut self) -> [(&'static str, &mut AdaptableLinear); 3] {
        [
            ("gate_proj", &mut self.gate_proj),
            ("up_proj", &mut self.up_proj),
            ("down_proj", &mut self.down_proj),
        ]
    }

    fn forward(&self, x: Tensor<3>) -> Tensor<3> {
        self.down_proj.forward(AdaptableLinear::gated(&self.gate_proj, &self.up_proj, x))
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

    /// With selected positions, only their tokens go on: all others are looked at and then dropped.
    pub(super) fn forward(
        &self,
        x: Tensor<3>,
        placement: &Placement,
        selected: Option<&SelectedPositions>,
        cache: Option<(&mut KvCache, usize)>,
    ) -> Tensor<3> {
        let (x, change) = self.change((x, None), placement, selected, cache);
        residual(x, change)
    }

    /// The residual stream after attention, and what feed-forward adds to it, of the stream and what is still to be
    /// added to that.
    fn change(
        &self,
        (x, change): (Tensor<3>, Option<Tensor<3>>),
        placement: &Placement,
        selected: Option<&SelectedPositions>,
        cache: Option<(&mut KvCache, usize)>,
    ) -> (Tensor<3>, Tensor<3>) {
        let pick = |x| match selected {
            Some(selected) => selected.pick(x),
            None => x,
        };
        let placement = selected.map_or(placement, |selected| &selected.placement);
        let dtype = between(self.mlp.down_proj.precision, &x.device());
        let (x, normed) = match change {
            Some(change) => residual_norm(x, change, &self.input_layernorm, dtype),
            None => (x.clone(), normalized(&self.input_layernorm, x, dtype)),
        };
        let mixed = self.self_attn.forward(pick(normed.clone()), normed, placement, cache);
        let (x, normed) = residual_norm(pick(x), mixed, &self.post_attention_layernorm, dtype);
        (x, self.mlp.forward(normed))
    }
}

impl Decoder {
    /// A decoder of the given shape; weights are set by [`super::weights`].
    #[must_use]
    pub fn new(config: &ModelConfig, vocabulary_size: usize, device: &Device) -> Self {
        let head = || {
            let linear = LinearConfig::new(config.hidden_size, vocabulary_size).with_bias(false);
            linear.with_initializer(Initializer::Zeros).init(device)
        };
        Self {
            embed_tokens: EmbeddingConfig::new(vocabulary_size, config.hidden_size)
                .with_initializer(Initializer::Zeros)
                .init(device),
            layers: (0..config.num_hidden_layers).map(|_| Layer::new(config, device)).collect(),
            norm: RmsNormConfig::new(config.hidden_size)
                .with_epsilon(config.rms_norm_eps)
                .init(device),
            lm_head: (!config.tie_word_embeddings).then(head),
            adapted: false,
            precision: Precision::F32,
        }
    }

    /// A decoder of nothing, to stand in another's place for a while.
    #[cfg(feature = "gpu")]
    pub(super) fn without_layers(device: &Device) -> Self {
        let config = ModelConfig {
            hidden_size: 1,
            num_hidden_layers: 0,
            tie_word_embeddings: true,
            ..ModelConfig::default()
        };
        Self::new(&config, 1, device)
    }

    /// Hidden vectors `[rows, tokens, hidden]` of tokens `[rows, tokens]`, after the final norm.
    ///
    /// With selected positions, only of their tokens: the last layer then computes nothing for the others
    /// but keys and values, which saves nearly half the work of a decoder of two layers.
    #[must_use]
    pub fn hidden(
        &self,
        tokens: Tensor<2, Int>,
        placement: &Placement,
        selected: Option<&SelectedPositions>,
        mut cache: Option<&mut KvCache>,
    ) -> Tensor<3> {
        let mut stream = (self.embed(tokens), None);
        for (index, layer) in self.layers.iter().enumerate() {
            let cache = cache.as_deref_mut().map(|cache| (cache, index));
            let selected = selected.filter(|_| index + 1 == self.layers.len());
            let (x, change) = layer.change(stream, placement, selected, cache);
            stream = (x, Some(change));
        }
        match stream {
            (x, Some(change)) => {
                let dtype = between(self.precision, &x.device());
                residual_norm(x, change, &self.norm, dtype).1
            }
            (x, None) => self.final_norm(x),
        }
    }

    /// The vectors that the head reads.
    pub(super) fn final_norm<const D: usize>(&self, x: Tensor<D>) -> Tensor<D> {
        let dtype = between(self.precision, &x.device());
        normalized(&self.norm, x, dtype)
    }

    /// The vectors `[rows, tokens, hidden]` that the first layer is given.
    pub(super) fn embed(&self, tokens: Tensor<2, Int>) -> Tensor<3> {
        // Rounded, as it is when the embedding is held in that precision.
        embedded(&self.embed_tokens, tokens).cast(self.precision.dtype()).cast(FloatDType::F32)
    }

    /// Logits `[positions, vocabulary]` of chosen hidden vectors `[positions, hidden]`.
    #[must_use]
    pub fn logits(&self, hidden: Tensor<2>) -> Tensor<2> {
        self.raw_logits(hidden).cast(FloatDType::F32)
    }

    /// Logits in the precision that they are computed in.
    pub(super) fn raw_logits(&self, hidden: Tensor<2>) -> Tensor<2> {
        let dtype = self.precision.dtype();
        let weight = match &self.lm_head {
            Some(head) => head.weight.val(),
            None => self.embed_tokens.weight.val().cast(dtype).transpose(),
        };
        product(hidden, weight, dtype)
    }

    /// The decoder whose products with weights are computed in another precision; what is between
    /// them stays single.
    #[must_use]
    pub fn computing_in(mut self, precision: Precision) -> Self {
        self.each_projection(|_, projection| projection.precision = precision);
        self.precision = precision;
        self
    }

    /// The decoder whose matrices are held in the precision that they are used in: all that it takes
    /// if they are not trained.
    #[must_use]
    pub fn stored_as_computed(mut self) -> Self {
        if self.precision == Precision::F32 {
            return self;
        }
        let dtype = self.precision.dtype();
        self.each_projection(|_, projection| projection.hold());
        self.embed_tokens.weight = self.embed_tokens.weight.map(|weight| weight.cast(dtype));
        if let Some(head) = &mut self.lm_head {
            head.weight = head.weight.clone().map(|weight| weight.cast(dtype));
        }
        self
    }

    /// Whether one new token a row can be read by kernels.
    #[cfg(feature = "gpu")]
    pub(super) fn decodes(&self) -> bool {
        self.layers.iter().all(|layer| layer.self_attn.decodes())
    }

    /// Whether adapters stand beside its linear layers.
    #[must_use]
    pub fn is_adapted(&self) -> bool {
        self.adapted
    }

    /// The decoder with new adapters, which change nothing until they are trained; `seed` draws
    /// their first halves.
    #[must_use]
    pub fn with_adapters(mut self, config: &LoraConfig, seed: u64) -> Self {
        let mut index = 0;
        self.each_projection(|name, projection| {
            if config.targets.iter().any(|target| target == name) {
                projection.adapt(config, &mut Stream::new(seed, Purpose::Adapters, [index, 0]));
            }
            index += 1;
        });
        self.adapted = true;
        self
    }

    /// The decoder without its adapters: what it was before them. No weight is copied.
    #[must_use]
    pub fn without_adapters(mut self) -> Self {
        self.each_projection(|_, projection| projection.adapter = None);
        self.adapted = false;
        self
    }

    /// The decoder with its adapters added to its weights.
    #[must_use]
    pub fn merged(mut self) -> Self {
        self.each_projection(|_, projection| projection.merge());
        self.adapted = false;
        self
    }

    fn each_projection(&mut self, mut act: impl FnMut(&'static str, &mut AdaptableLinear)) {
        for layer in &mut self.layers {
            let own = layer.self_attn.projections().into_iter().chain(layer.mlp.projections());
            own.for_each(|(name, projection)| act(name, projection));
        }
    }
}
