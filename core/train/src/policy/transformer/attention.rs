//! Grouped-query attention with rotary positions.

use burn::module::Module;
use burn::nn::{RmsNorm, RmsNormConfig};
use burn::tensor::activation::softmax;
use burn::tensor::{Device, Tensor, TensorData};

use super::generation::kv_cache::KvCache;
use super::lora::AdaptableLinear;
use super::rms_norm::normalized;
use crate::config::ModelConfig;

/// Tokens that look at once: fewer leave more out, more are fewer and larger products. On two cores
/// with AVX-512, prompts of 512 tokens are read at 872 tokens per second with 64, 915 with 128, 884 with
/// 256 and 791 in one block.
pub(crate) const BLOCK: usize = 128;

/// Rotary angles, in the rotate-half form that Qwen2 and Llama weights expect: cosines and sines of a batch of positions,
/// `[rows or 1, 1, tokens, head_dim]`.
#[derive(Clone, Debug)]
pub struct Angles {
    cosine: Tensor<4>,
    sine: Tensor<4>,
}

impl Angles {
    /// Angles for `positions[row][token]`.
    ///
    /// # Formula
    /// Dimension j and j + `head_dim`/2 turn together by position · `frequencies[j]`
    /// (Su et al. 2021, in the layout of Hugging Face's Qwen2 and Llama);
    /// [`crate::config::ModelConfig::rotary_frequencies`] makes the frequencies.
    #[must_use]
    pub fn new(positions: &[Vec<usize>], frequencies: &[f64], device: &Device) -> Self {
        let half = frequencies.len();
        let head_dim = 2 * half;
        let tokens = positions.first().map_or(0, Vec::len);
        let table = |function: fn(f64) -> f64| {
            let mut values = Vec::with_capacity(positions.len() * tokens * head_dim);
            for &position in positions.iter().flatten() {
                let row = values.len();
                values.extend(frequencies.iter().map(|f| function(position as f64 * f) as f32));
                values.extend_from_within(row..row + half);
            }
            let shape = [positions.len(), 1, tokens, head_dim];
            Tensor::from_data(TensorData::new(values, shape), device)
        };
        Self { cosine: table(f64::cos), sine: table(f64::sin) }
    }

    /// Turns queries or keys `[rows, heads, tokens, head_dim]` by their positions.
    #[must_use]
    pub fn rotate(&self, x: Tensor<4>) -> Tensor<4> {
        let half = x.dims()[3] / 2;
        let first = x.clone().narrow(3, 0, half);
        let second = x.clone().narrow(3, half, half);
        x * self.cosine.clone() + Tensor::cat(vec![second.neg(), first], 3) * self.sine.clone()
    }
}

/// Queries of several heads share one key and value head.
#[derive(Module, Debug)]
pub struct Attention {
    q_proj: AdaptableLinear,
    k_proj: AdaptableLinear,
    v_proj: AdaptableLinear,
    o_proj: AdaptableLinear,
    q_norm: Option<RmsNorm>,
    k_norm: Option<RmsNorm>,
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
    /// Added to the scores, `[rows or 1, 1, 1, looking tokens, all tokens]`: 0 if a token may
    /// look, a large negative number if not.
    pub bias: Tensor<5>,
}

impl Attention {
    /// An attention block of the given shape; weights are set by [`super::weights`].
    #[must_use]
    pub fn new(config: &ModelConfig, device: &Device) -> Self {
        let head_dim = config.head_dim();
        let query_size = config.num_attention_heads * head_dim;
        let key_value_size = config.num_key_value_heads * head_dim;
        let linear = |input, output, bias| AdaptableLinear::new(input, output, bias, device);
        let norm = || RmsNormConfig::new(head_dim).with_epsilon(config.rms_norm_eps).init(device);
        Self {
            q_proj: linear(config.hidden_size, query_size, config.attention_bias),
            k_proj: linear(config.hidden_size, key_value_size, config.attention_bias),
            v_proj: linear(config.hidden_size, key_value_size, config.attention_bias),
            o_proj: linear(query_size, config.hidden_size, false),
            q_norm: config.query_key_norm.then(norm),
            k_norm: config.query_key_norm.then(norm),
            key_value_heads: config.num_key_value_heads,
            queries_per_head: config.num_attention_heads / config.num_key_value_heads,
            head_dim,
        }
    }

    /// Its linear layers by their names.
    pub(super) fn projections(&mut self) -> [(&'static str, &mut AdaptableLinear); 4] {
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
    /// If all new tokens look, they do so in blocks, none of which looks at the tokens after it: of
    /// a long prompt's scores, nearly half are never computed.
    #[must_use]
    pub fn forward(
        &self,
        looking: Tensor<3>,
        new: Tensor<3>,
        placement: &Placement,
        cache: Option<(&mut KvCache, usize)>,
    ) -> Tensor<3> {
        let ([rows, tokens, _], new_tokens) = (looking.dims(), new.dims()[1]);
        let (shared, group, head_dim) =
            (self.key_value_heads, self.queries_per_head, self.head_dim);
        let heads = |y: Tensor<3>, count| {
            let tokens = y.dims()[1];
            y.reshape([rows, tokens, count, head_dim]).swap_dims(1, 2)
        };

        let scaled = |y: Tensor<4>, norm: &Option<RmsNorm>| match norm {
            Some(norm) => normalized(norm, y),
            None => y,
        };
        let query = scaled(heads(self.q_proj.forward(looking), shared * group), &self.q_norm);
        let key = scaled(heads(self.k_proj.forward(new.clone()), shared), &self.k_norm);
        let (query, key) = (placement.queries.rotate(query), placement.keys.rotate(key));
        let value = heads(self.v_proj.forward(new), shared);
        let (key, value) = match cache {
            Some((cache, layer)) => cache.extend(layer, key, value),
            None => (key, value),
        };

        let query = query.mul_scalar(1.0 / (head_dim as f64).sqrt());
        let bias = placement.bias.clone();
        let mixed = if tokens == new_tokens && tokens > BLOCK {
            mix_in_blocks(BLOCK, &query, &key, &value, &bias)
        } else {
            mix(query, key, value, bias)
        };
        let mixed = mixed.swap_dims(1, 2).reshape([rows, tokens, shared * group * head_dim]);
        self.o_proj.forward(mixed)
    }
}

/// [`mix`] of the last tokens, a block at a time with the tokens up to its end.
fn mix_in_blocks(
    size: usize,
    query: &Tensor<4>,
    key: &Tensor<4>,
    value: &Tensor<4>,
    bias: &Tensor<5>,
) -> Tensor<4> {
    let tokens = query.dims()[2];
    let before = key.dims()[2] - tokens;
    let blocks = (0..tokens).step_by(size).map(|from| {
        let count = size.min(tokens - from);
        let seen = before + from + count;
        mix(
            query.clone().narrow(2, from, count),
            key.clone().narrow(2, 0, seen),
            value.clone().narrow(2, 0, seen),
            bias.clone().narrow(3, from, count).narrow(4, 0, seen),
        )
    });
    Tensor::cat(blocks.collect(), 2)
}

/// Values mixed by how well their keys fit the queries, `[rows, heads, tokens, head_dim]`.
///
/// # Formula
/// softmax(q kᵀ + bias) v, per head, of queries that are divided by √`head_dim`. The queries that
/// share a key head are stacked along the token axis, so that no key or value is repeated.
fn mix(query: Tensor<4>, key: Tensor<4>, value: Tensor<4>, bias: Tensor<5>) -> Tensor<4> {
    let [rows, heads, tokens, head_dim] = query.dims();
    let [_, shared, seen, _] = key.dims();
    let group = heads / shared;
    let query = query.reshape([rows, shared, group * tokens, head_dim]);
    let scores = query.matmul(key.swap_dims(2, 3)).reshape([rows, shared, group, tokens, seen]);
    softmax(scores + bias, 4)
        .reshape([rows, shared, group * tokens, seen])
        .matmul(value)
        .reshape([rows, heads, tokens, head_dim])
}

#[cfg(test)]
mod tests {
    use super::*;
    use hgpo_env::random::{Purpose, Stream};

    fn drawn<const D: usize>(shape: [usize; D], seed: u64, device: &Device) -> Tensor<D> {
        let mut stream = Stream::new(seed, Purpose::Tasks, [0, 0]);
        let values = (0..shape.iter().product()).map(|_| stream.uniform() as f32 - 0.5);
        Tensor::from_data(TensorData::new(values.collect(), shape), device)
    }

    /// Outputs and gradients of 11 tokens after 5 others, two heads for one key head.
    fn outcome(size: Option<usize>) -> Vec<Vec<f32>> {
        let device = Device::flex().autodiff();
        let query = drawn([2, 4, 11, 6], 1, &device).require_grad();
        let key = drawn([2, 2, 16, 6], 2, &device).require_grad();
        let value = drawn([2, 2, 16, 6], 3, &device).require_grad();
        let look = |from, to| if to <= from + 5 { 0.0 } else { -1e9 };
        let bias = (0..11).flat_map(|from| (0..16).map(move |to| look(from, to)));
        let bias = Tensor::from_data(TensorData::new(bias.collect(), [1, 1, 1, 11, 16]), &device);
        let mixed = match size {
            Some(size) => mix_in_blocks(size, &query, &key, &value, &bias),
            None => mix(query.clone(), key.clone(), value.clone(), bias),
        };
        let gradients = (mixed.clone() * drawn([2, 4, 11, 6], 4, &device)).sum().backward();
        let gradient = |x: &Tensor<4>| x.grad(&gradients).expect("it takes part");
        [mixed, gradient(&query), gradient(&key), gradient(&value)]
            .map(|x| x.try_into_vec_as().expect("readable"))
            .to_vec()
    }

    #[test]
    fn a_quarter_turn_swaps_halves_with_a_sign() {
        // head_dim 2: one frequency; with 1, position p turns (x, y) by p radians.
        let device = Device::flex();
        let angles = Angles::new(&[vec![0, 2]], &[1.0], &device);
        let x = Tensor::<4>::from_data([[[[1.0, 0.0], [1.0, 0.0]]]], &device);
        let turned: Vec<f32> = angles.rotate(x).try_into_vec_as().expect("readable");
        let expected = [1.0, 0.0, 2f32.cos(), 2f32.sin()];
        for (value, expected) in turned.iter().zip(expected) {
            assert!((value - expected).abs() < 1e-6, "{turned:?}");
        }
    }

    #[test]
    fn blocks_give_what_one_product_gives() {
        let expected = outcome(None);
        for size in [1, 4, 11, 128] {
            for (found, expected) in outcome(Some(size)).iter().zip(&expected) {
                assert_eq!(found.len(), expected.len());
                let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-6;
                assert!(found.iter().zip(expected).all(near), "{size}: {found:?} {expected:?}");
            }
        }
    }
}
