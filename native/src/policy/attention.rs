//! Grouped-query attention with rotary positions.

use burn::module::Module;
use burn::tensor::activation::softmax;
use burn::tensor::{Device, Tensor};

use super::cache::Cache;
use super::projection::Projection;
use super::rotary::Angles;
use crate::config::ModelConfig;

/// Queries of several heads share one key and value head.
#[derive(Module, Debug)]
pub struct Attention {
    q_proj: Projection,
    k_proj: Projection,
    v_proj: Projection,
    o_proj: Projection,
    key_value_heads: usize,
    queries_per_head: usize,
    head_dim: usize,
}

/// Which tokens look, from where, and what they may see.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Rotary angles of the tokens that look.
    pub queries: Angles,
    /// Rotary angles of the new tokens that are looked at.
    pub keys: Angles,
    /// Added to the scores, `[rows or 1, 1, 1, looking tokens, all tokens]`: 0 where a token may
    /// look, a large negative number where not.
    pub bias: Tensor<5>,
}

impl Attention {
    /// An attention block of the given shape; weights are set by [`super::weights`].
    #[must_use]
    pub fn new(config: &ModelConfig, device: &Device) -> Self {
        let head_dim = config.head_dim();
        let query_size = config.num_attention_heads * head_dim;
        let key_value_size = config.num_key_value_heads * head_dim;
        let linear = |input, output, bias| Projection::new(input, output, bias, device);
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

    /// Its linear layers by their names.
    pub(super) fn projections(&mut self) -> [(&'static str, &mut Projection); 4] {
        [
            ("q_proj", &mut self.q_proj),
            ("k_proj", &mut self.k_proj),
            ("v_proj", &mut self.v_proj),
            ("o_proj", &mut self.o_proj),
        ]
    }

    /// Attends from some tokens `[rows, looking, hidden]` to the new tokens
    /// `[rows, tokens, hidden]` and all cached ones.
    ///
    /// # Formula
    /// softmax(q kᵀ / √`head_dim` + bias) v, per head. The queries that share a key head are
    /// stacked along the token axis, so that no key or value is repeated.
    #[must_use]
    pub fn forward(
        &self,
        looking: Tensor<3>,
        new: Tensor<3>,
        placement: &Placement,
        cache: Option<(&mut Cache, usize)>,
    ) -> Tensor<3> {
        let [rows, tokens, _] = looking.dims();
        let (shared, group, head_dim) =
            (self.key_value_heads, self.queries_per_head, self.head_dim);
        let heads = |y: Tensor<3>, count| {
            let tokens = y.dims()[1];
            y.reshape([rows, tokens, count, head_dim]).swap_dims(1, 2)
        };

        let query = placement.queries.rotate(heads(self.q_proj.forward(looking), shared * group));
        let key = placement.keys.rotate(heads(self.k_proj.forward(new.clone()), shared));
        let value = heads(self.v_proj.forward(new), shared);
        let (key, value) = match cache {
            Some((cache, layer)) => cache.extend(layer, key, value),
            None => (key, value),
        };
        let all_tokens = key.dims()[2];

        let query = query.mul_scalar(1.0 / (head_dim as f64).sqrt());
        let query = query.reshape([rows, shared, group * tokens, head_dim]);
        let scores =
            query.matmul(key.swap_dims(2, 3)).reshape([rows, shared, group, tokens, all_tokens]);
        let weights = softmax(scores + placement.bias.clone(), 4);
        let mixed = weights
            .reshape([rows, shared, group * tokens, all_tokens])
            .matmul(value)
            .reshape([rows, shared * group, tokens, head_dim])
            .swap_dims(1, 2)
            .reshape([rows, tokens, shared * group * head_dim]);
        self.o_proj.forward(mixed)
    }
}
