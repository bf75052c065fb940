//! Induction initialisation: a head that starts by looking at the token before.
//!
//! To copy an action from a list, a policy has to find the token that follows the one just written.
//! That takes two layers: one tells every token which token stands before it, the next looks for the
//! token that was given the newest one (an induction head, Olsson et al. 2022). Small policies find the
//! first of these late or never; here it is there from the start, and training may change it.

use burn::tensor::Tensor;

use super::DecoderPolicy;
use super::parameters::{Parameter, ParameterSubset, parameters, replace};
use super::weights::read_tensor;
use crate::config::ModelConfig;
use crate::policy::PolicyError;

/// Length of the biases in each turning pair: large enough that the token before gets most of the
/// attention.
const LENGTH: f64 = 4.0;
/// Pairs that turn fastest, which tell neighbours apart.
const PAIRS: usize = 6;
/// What is left of the weights that look at contents, in the head itself and in those that share its
/// keys.
const CONTENT_SCALE: f32 = 0.1;
/// Scale at which the token before is copied.
const COPY_SCALE: f32 = 0.3;

impl DecoderPolicy {
    /// The policy with the first head of its first layer looking back by one. Nothing changes if
    /// projections have no biases, if what they give is normalised, or there is no second layer.
    ///
    /// # Errors
    /// When the device does not give weights back.
    pub fn with_induction_init(self) -> Result<Self, PolicyError> {
        let config = self.config.clone();
        if !config.attention_bias || config.query_key_norm || config.num_hidden_layers < 2 {
            return Ok(self);
        }
        let mut values = Vec::new();
        let mut value_weights = Vec::new();
        for Parameter { path, values: tensor, .. } in
            parameters(&self.decoder, ParameterSubset::All)
        {
            let Some(name) = path.strip_prefix("layers.0.self_attn.") else {
                values.push(tensor);
                continue;
            };
            let mut weights = read_tensor(tensor)?;
            if name == "v_proj.weight" {
                value_weights.clone_from(&weights);
            }
            adapt_projection(name, &mut weights, &value_weights, &config);
            values.push(Tensor::from_data(weights.as_slice(), self.device()));
        }
        let decoder = replace(self.decoder.clone(), ParameterSubset::All, values);
        Ok(self.with_decoder(decoder))
    }
}

/// Changes the weights of a projection; `value_weights` are those of the values, which come before the
/// output's.
fn adapt_projection(name: &str, weights: &mut [f32], value_weights: &[f32], config: &ModelConfig) {
    let (heads, key_value_heads) = (config.num_attention_heads, config.num_key_value_heads);
    let head_dim = config.head_dim();
    let (query, key) = biases(config);
    match name {
        // With those that share its keys.
        "q_proj.weight" => {
            scale_down(weights, heads * head_dim, head_dim * heads / key_value_heads);
        }
        "k_proj.weight" => scale_down(weights, key_value_heads * head_dim, head_dim),
        "q_proj.bias" => weights[..head_dim].copy_from_slice(&query),
        "k_proj.bias" => weights[..head_dim].copy_from_slice(&key),
        "o_proj.weight" => {
            let rows = weights.chunks_exact_mut(config.hidden_size).take(head_dim);
            for (row, weights) in rows.enumerate() {
                let column = value_weights
                    .chunks_exact(key_value_heads * head_dim)
                    .map(|column| column[row]);
                weights.iter_mut().zip(column).for_each(|(to, from)| *to = COPY_SCALE * from);
            }
        }
        _ => {}
    }
}

/// Makes the first `count` of every `width` values small.
fn scale_down(values: &mut [f32], width: usize, count: usize) {
    for row in values.chunks_exact_mut(width) {
        row[..count].iter_mut().for_each(|value| *value *= CONTENT_SCALE);
    }
}

/// Biases of a query and a key whose product, after both were turned by their positions, is largest
/// when the key stands one before the query: the query's is the key's, turned back by one.
fn biases(config: &ModelConfig) -> (Vec<f32>, Vec<f32>) {
    let half = config.head_dim() / 2;
    let (mut query, mut key) = (vec![0.0; 2 * half], vec![0.0; 2 * half]);
    for (pair, frequency) in config.rotary_frequencies().into_iter().take(PAIRS).enumerate() {
        key[pair] = LENGTH as f32;
        query[pair] = (LENGTH * frequency.cos()) as f32;
        query[half + pair] = (-LENGTH * frequency.sin()) as f32;
    }
    (query, key)
}

#[cfg(test)]
mod tests {
    use burn::tensor::Device;

    use super::*;

    #[test]
    fn induction_init_changes_only_the_attention_of_the_first_layer() {
        let policy = |config: &ModelConfig| DecoderPolicy::new(config, 20, 1, &Device::flex());
        let changed = |config: &ModelConfig| {
            let before = parameters(&policy(config).decoder, ParameterSubset::All);
            let after = policy(config).with_induction_init().expect("readable");
            let after = parameters(&after.decoder, ParameterSubset::All);
            assert_eq!(before.len(), after.len());
            let pairs = before.into_iter().zip(after);
            let differ = pairs.filter(|(before, after)| {
                assert_eq!(before.shape, after.shape);
                let values = |it: &Parameter| read_tensor(it.values.clone()).expect("readable");
                values(before) != values(after)
            });
            differ.map(|(before, _)| before.path).collect::<Vec<_>>()
        };
        let names =
            ["q_proj.weight", "q_proj.bias", "k_proj.weight", "k_proj.bias", "o_proj.weight"];
        let config = ModelConfig::default();
        assert_eq!(changed(&config), names.map(|name| format!("layers.0.self_attn.{name}")));
        let none: [String; 0] = [];
        assert_eq!(changed(&ModelConfig { attention_bias: false, ..config.clone() }), none);
        assert_eq!(changed(&ModelConfig { num_hidden_layers: 1, ..config }), none);
    }

    #[test]
    fn induction_init_gives_the_token_before_the_largest_score() {
        let config = ModelConfig { head_dim: Some(24), ..ModelConfig::default() };
        let frequencies = config.rotary_frequencies();
        let turned = |values: &[f32], position: f64| -> Vec<f64> {
            let half = values.len() / 2;
            let pair = |at: usize| (f64::from(values[at]), f64::from(values[half + at]));
            let first = (0..half).map(|at| {
                let ((x, y), angle) = (pair(at), position * frequencies[at]);
                x * angle.cos() - y * angle.sin()
            });
            let second = (0..half).map(|at| {
                let ((x, y), angle) = (pair(at), position * frequencies[at]);
                y * angle.cos() + x * angle.sin()
            });
            first.chain(second).collect()
        };
        let (query, key) = biases(&config);
        let score = |from: f64, to: f64| {
            let (query, key) = (turned(&query, from), turned(&key, to));
            query.iter().zip(key).map(|(q, k)| q * k).sum::<f64>() / 24_f64.sqrt()
        };
        for from in [1, 40, 150] {
            let score = |to: usize| score(f64::from(from), to as f64);
            let before = from as usize - 1;
            let best = score(before);
            // Six pairs of length 4: 6 x 16 / sqrt(24).
            assert!((best - 96.0 / 24_f64.sqrt()).abs() < 1e-6, "{best}");
            for to in (0..=from as usize).filter(|&to| to != before) {
                let other = score(to);
                assert!(best - other > 2.5, "{from} {to} {best} {other}");
            }
        }
    }
}
