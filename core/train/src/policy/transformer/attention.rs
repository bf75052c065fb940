//! Grouped-query attention with rotary positions.

use burn::module::Module;
use burn::nn::{RmsNorm, RmsNormConfig};
#[cfg(feature = "gpu")]
use burn::tensor::Int;
use burn::tensor::{Device, Tensor, TensorData};

use super::generation::kv_cache::KvCache;
use super::lora::AdaptableLinear;
use super::operations::{Heads, has_kernels, shares};
use crate::config::ModelConfig;

/// Tokens that look at once: fewer leave more out, more are fewer and larger products. On two cores
/// with AVX-512, prompts of 512 tokens are read at 872 tokens per second with 64, 915 with 128, 884 with
/// 256 and 791 in one block.
pub(crate) const BLOCK: usize = 128;
/// The same on a graphics adapter, where scores in half precision are no load and launches are.
const BLOCK_OF_KERNELS: usize = 1024;

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

    /// Cosines and sines.
    #[cfg(feature = "gpu")]
    pub(super) fn tables(&self) -> (Tensor<4>, Tensor<4>) {
        (self.cosine.clone(), self.sine.clone())
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
    /// What they may see.
    pub mask: Mask,
}

/// What each token that looks may see.
#[derive(Clone, Debug)]
pub enum Mask {
    /// Added to the scores, `[rows or 1, 1, 1, looking tokens, all tokens]`: 0 if a token may look, a large negative
    /// number if not.
    Bias(Tensor<5>),
    /// The last token that may be seen, with all before it, `[rows or 1, looking tokens]`; on graphics adapters.
    #[cfg(feature = "gpu")]
    Last(Tensor<2, Int>),
    /// One token a row, which sees the cache but for padding. `[rows, 4]`: where that begins and ends, which of the
    /// placement's angles are the token's, and how many tokens the cache holds; on graphics adapters.
    #[cfg(feature = "gpu")]
    Places(Tensor<2, Int>),
}

impl Mask {
    /// Of `count` looking tokens from one on, and the first `seen` tokens.
    fn narrow(&self, from: usize, count: usize, seen: usize) -> Self {
        match self {
            Self::Bias(bias) => Self::Bias(bias.clone().narrow(3, from, count).narrow(4, 0, seen)),
            #[cfg(feature = "gpu")]
            Self::Last(last) => Self::Last(last.clone().narrow(1, from, count)),
            #[cfg(feature = "gpu")]
            Self::Places(places) => Self::Places(places.clone()),
        }
    }
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
        #[cfg(feature = "gpu")]
        let cache = match (&placement.mask, cache) {
            (Mask::Places(places), Some((cache, layer))) => {
                return self.decode(looking, placement, places, cache, layer);
            }
            (_, cache) => cache,
        };
        let scale = 1.0 / (self.head_dim as f64).sqrt();
        let (queries, keys) = (Some(&placement.queries), Some(&placement.keys));
        let query = self.heads(&self.q_proj, looking, self.q_norm.as_ref(), queries, Some(scale));
        let key = self.heads(&self.k_proj, new.clone(), self.k_norm.as_ref(), keys, None);
        let value = self.heads(&self.v_proj, new, None, None, None);
        let (key, value) = match cache {
            Some((cache, layer)) => cache.extend(layer, key, value),
            None => (key, value),
        };
        let block = if has_kernels(&query.device()) { BLOCK_OF_KERNELS } else { BLOCK };
        let mixed = if tokens == new_tokens && tokens > block {
            mix_in_blocks(block, &query, &key, &value, &placement.mask)
        } else {
            mix(query, key, value, &placement.mask)
        };
        let mixed = mixed.swap_dims(1, 2);
        let [.., heads, size] = mixed.dims();
        self.o_proj.forward(mixed.reshape([rows, tokens, heads * size]))
    }

    /// Attends from one new token a row to the cache, in which its key and value are put.
    #[cfg(feature = "gpu")]
    fn decode(
        &self,
        new: Tensor<3>,
        placement: &Placement,
        places: &Tensor<2, Int>,
        cache: &mut KvCache,
        layer: usize,
    ) -> Tensor<3> {
        let (projections, biases) =
            AdaptableLinear::three([&self.q_proj, &self.k_proj, &self.v_proj], new);
        let angles = &placement.queries;
        let mixed = cache.decode(layer, projections, biases, angles, places, self.head_dim);
        self.o_proj.forward(mixed)
    }

    /// Whether one new token a row can be read by kernels.
    #[cfg(feature = "gpu")]
    pub(super) fn decodes(&self) -> bool {
        self.q_norm.is_none() && super::kernels::fits(self.head_dim)
    }

    /// Heads of a projection.
    fn heads(
        &self,
        projection: &AdaptableLinear,
        x: Tensor<3>,
        norm: Option<&RmsNorm>,
        angles: Option<&Angles>,
        scale: Option<f64>,
    ) -> Tensor<4> {
        let (y, bias) = projection.forward_without_bias(x);
        Heads { size: self.head_dim, bias, norm, angles, scale }.of(y)
    }
}

/// [`mix`] of the last tokens, a block at a time with the tokens up to its end.
fn mix_in_blocks(
    size: usize,
    query: &Tensor<4>,
    key: &Tensor<4>,
    value: &Tensor<4>,
    mask: &Mask,
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
            &mask.narrow(from, count, seen),
        )
    });
    Tensor::cat(blocks.collect(), 2)
}

/// Values mixed by how well their keys fit the queries, `[rows, heads, tokens, head_dim]`.
///
/// # Formula
/// softmax(q kᵀ) v over what may be seen, per head, of queries that are divided by √`head_dim`. The queries that
/// share a key head are stacked along the token axis, so that no key or value is repeated.
pub(super) fn mix(query: Tensor<4>, key: Tensor<4>, value: Tensor<4>, mask: &Mask) -> Tensor<4> {
    let [rows, heads, tokens, head_dim] = query.dims();
    let shared = key.dims()[1];
    let query = query.reshape([rows, shared, heads / shared * tokens, head_dim]);
    let scores = query.matmul(key.swap_dims(2, 3));
    shares(scores, mask).matmul(value).reshape([rows, heads, tokens, head_dim])
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
        let mask = Mask::Bias(bias);
        let mixed = match size {
            Some(size) => mix_in_blocks(size, &query, &key, &value, &mask),
            None => mix(query.clone(), key.clone(), value.clone(), &mask),
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
