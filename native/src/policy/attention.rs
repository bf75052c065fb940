//! Grouped-query attention with rotary positions.

use burn::module::Module;
use burn::nn::{Linear, LinearConfig};
use burn::tensor::activation::softmax;
use burn::tensor::{Device, Tensor};

use super::cache::Cache;
use super::rotary::Angles;
use crate::config::ModelConfig;

/// Queries of several heads share one key and value head.
#[derive(Module, Debug)]
pub struct Attention {
    q_proj: Linear,
    k_proj: Linear,
    v_proj: Linear,
    o_proj: Linear,
    key_value_heads: usize,
    queries_per_head: usize,
    head_dim: usize,
}

/// What every layer needs to know about the tokens it is given.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Rotary angles of the tokens.
    pub angles: Angles,
    /// Added to the scores, `[rows or 1, 1, 1, new tokens, all tokens]`: 0 where a token may look,
    /// a large negative number where not; `None` where every new token may look everywhere.
    pub bias: Option<Tensor<5>>,
}

impl Attention {
    /// An attention block of the given shape; weights are set by [`super::weights`].
    #[must_use]
    pub fn new(config: &ModelConfig, device: &Device) -> Self {
        let head_dim = config.head_dim();
        let query_size = config.num_attention_heads * head_dim;
        let key_value_size = config.num_key_value_heads * head_dim;
        let linear = |input, output, bias| {
            LinearConfig::new(input, output).with_bias(bias).init(device)
        };
        Self {
            q_proj: linear(config.hidden_size, query_size, config.attention_bias),
            k_proj: linear(config.hidden_size, key_value_size, config.attention_bias),
            v_proj: linear(config.hidden_size, key_value_size, config.attention_bias),
            o_proj: linear(query_size, config.hidden_size, false),
            key_value_heads: config.num_key_value_heads,
            queries_per_head: config.num_attention_heads / config.num_key_value_heads,
            head_dim,
        }
    }

    /// Attends from the new tokens `x` `[rows, tokens, hidden]` to them and all cached ones.
    ///
    /// # Formula
    /// softmax(q kᵀ / √`head_dim` + bias) v, per head. The queries that share a key head are
    /// stacked along the token axis, so that no key or value is repeated.
    #[must_use]
    pub fn forward(
        &self,
        x: Tensor<3>,
        placement: &Placement,
        cache: Option<(&mut Cache, usize)>,
    ) -> Tensor<3> {
        let [rows, tokens, _] = x.dims();
        let (shared, group, head_dim) = (self.key_value_heads, self.queries_per_head, self.head_dim);
        let heads = |y: Tensor<3>, count| y.reshape([rows, tokens, count, head_dim]).swap_dims(1, 2);

        let query = placement.angles.rotate(heads(self.q_proj.forward(x.clone()), shared * group));
        let key = placement.angles.rotate(heads(self.k_proj.forward(x.clone()), shared));
        let value = heads(self.v_proj.forward(x), shared);
        let (key, value) = match cache {
            Some((cache, layer)) => cache.extend(layer, key, value),
            None => (key, value),
        };
        let all_tokens = key.dims()[2];

        let query = query.mul_scalar(1.0 / (head_dim as f64).sqrt());
        let query = query.reshape([rows, shared, group * tokens, head_dim]);
        let mut scores = query
            .matmul(key.swap_dims(2, 3))
            .reshape([rows, shared, group, tokens, all_tokens]);
        if let Some(bias) = &placement.bias {
            scores = scores + bias.clone();
        }
        let weights = softmax(scores, 4).reshape([rows, shared, group * tokens, all_tokens]);
        let mixed = weights
            .matmul(value)
            .reshape([rows, shared * group, tokens, head_dim])
            .swap_dims(1, 2)
            .reshape([rows, tokens, shared * group * head_dim]);
        self.o_proj.forward(mixed)
    }
}
