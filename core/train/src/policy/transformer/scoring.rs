//! Log-probabilities and entropies of given responses.

use burn::tensor::{Device, Int, Tensor, TensorData};

use super::DecoderPolicy;
use super::attention::Placement;
use super::decoder::Decoder;
use super::indices;
use super::operations::{has_kernels, select_rows, token_scores};
use super::selected_positions::SelectedPositions;
use super::weights::read_tensor;
use crate::policy::{LossGradient, Passage, PolicyError, TokenScore};

/// Logits that are made at once when no gradient needs all of them: 64 MiB in single precision.
pub const LOGITS: usize = 1 << 24;
/// The same on a graphics adapter: 256 MiB in half precision.
const LOGITS_OF_KERNELS: usize = 1 << 27;

/// Scores of all response tokens of a batch, passage after passage.
#[derive(Clone, Debug)]
pub struct Scores {
    /// Log-probability of each response token, `[response tokens of all passages]`.
    pub log_probabilities: Tensor<1>,
    /// Entropy of the distribution that each was drawn from, in nats.
    pub entropies: Tensor<1>,
}

impl Scores {
    /// Of the tokens that chosen vectors predict, after the final norm.
    pub(super) fn of(
        decoder: &Decoder,
        hidden: Tensor<2>,
        targets: Tensor<1, Int>,
        temperature: f64,
    ) -> Self {
        let logits = if has_kernels(&hidden.device()) {
            decoder.raw_logits(hidden)
        } else {
            decoder.logits(hidden)
        };
        let [log_probabilities, entropies] = token_scores(logits, targets, temperature);
        Self { log_probabilities, entropies }
    }

    /// The scores on the host.
    ///
    /// # Errors
    /// When the device does not give them back.
    pub fn read(&self) -> Result<Vec<TokenScore>, PolicyError> {
        let log_probabilities = read_tensor(self.log_probabilities.clone().inner())?;
        let entropies = read_tensor(self.entropies.clone().inner())?;
        let score = |(log_probability, entropy): (f32, f32)| TokenScore {
            log_probability: f64::from(log_probability),
            entropy: f64::from(entropy),
        };
        Ok(log_probabilities.into_iter().zip(entropies).map(score).collect())
    }

    /// Loss gradients by the scores, in the places of these.
    pub(super) fn loss_gradients(loss_gradients: &[LossGradient], device: &Device) -> Self {
        let tensor = |of: fn(&LossGradient) -> f64| {
            let values: Vec<f32> =
                loss_gradients.iter().map(|gradient| of(gradient) as f32).collect();
            Tensor::from_data(TensorData::new(values, [loss_gradients.len()]), device)
        };
        Self {
            log_probabilities: tensor(|gradient| gradient.log_probability),
            entropies: tensor(|gradient| gradient.entropy),
        }
    }

    /// Σ (∂L/∂log π · log π + ∂L/∂H · H), whose gradient is that of the loss.
    pub(super) fn weighed(self, loss_gradients: &Self) -> Tensor<1> {
        (self.log_probabilities * loss_gradients.log_probabilities.clone()).sum()
            + (self.entropies * loss_gradients.entropies.clone()).sum()
    }

    /// A range of the tokens.
    pub(super) fn narrow(&self, start: usize, count: usize) -> Self {
        let narrow = |values: &Tensor<1>| values.clone().narrow(0, start, count);
        Self {
            log_probabilities: narrow(&self.log_probabilities),
            entropies: narrow(&self.entropies),
        }
    }

    fn cat(parts: Vec<Self>) -> Self {
        let (log_probabilities, entropies) =
            parts.into_iter().map(|part| (part.log_probabilities, part.entropies)).unzip();
        Self {
            log_probabilities: Tensor::cat(log_probabilities, 0),
            entropies: Tensor::cat(entropies, 0),
        }
    }
}

/// Passages as tensors: what is read, and which of it predicts the responses.
pub(super) struct Reading {
    /// Prompts with their responses, `[passages, longest]`.
    pub(super) tokens: Tensor<2, Int>,
    pub(super) causal: Placement,
    /// From the last token of each prompt on, as many as the longest response has.
    pub(super) selected: SelectedPositions,
    /// The vectors at selected positions that predict a response token.
    pub(super) positions: Vec<i32>,
    /// The tokens that they predict.
    pub(super) targets: Vec<i32>,
}

impl Reading {
    pub(super) fn new(policy: &DecoderPolicy, passages: &[Passage<'_>]) -> Self {
        let rows: Vec<Vec<u32>> =
            passages.iter().map(|p| [p.prompt, p.response].concat()).collect();
        let rows: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
        let tokens = policy.padded(&rows);
        let width = tokens.dims()[1];
        // The vector of a token predicts the next one: the response's first is predicted by the
        // prompt's last.
        let starts: Vec<usize> =
            passages.iter().map(|p| p.prompt.len().saturating_sub(1)).collect();
        let longest = passages.iter().map(|p| p.response.len()).max().unwrap_or(0);
        let mut positions = Vec::new();
        let mut targets = Vec::new();
        for (row, passage) in passages.iter().enumerate() {
            let start = row * longest;
            positions.extend((start..start + passage.response.len()).map(|at| at as i32));
            targets.extend(passage.response.iter().map(|&token| token as i32));
        }
        Self {
            tokens,
            causal: policy.causal(0, width),
            selected: SelectedPositions::new(policy, 0, &starts, longest, width),
            positions,
            targets,
        }
    }

    /// Positions and targets, as many at once as are scored together.
    pub(super) fn chunks(&self, policy: &DecoderPolicy) -> Vec<(Tensor<1, Int>, Tensor<1, Int>)> {
        let vocabulary = policy.decoder.embed_tokens.weight.dims()[0];
        let at_once = if has_kernels(&policy.device) { LOGITS_OF_KERNELS } else { LOGITS };
        let count = (at_once / vocabulary.max(1)).max(1);
        let tensor = |values: &[i32]| indices(values.iter().copied(), &policy.device);
        let positions = self.positions.chunks(count).zip(self.targets.chunks(count));
        positions.map(|(positions, targets)| (tensor(positions), tensor(targets))).collect()
    }
}

impl DecoderPolicy {
    /// What follows every token of rows: logits `[rows, longest row, vocabulary]`. Those beyond a
    /// row's end mean nothing.
    #[must_use]
    pub fn logits(&self, rows: &[&[u32]]) -> Tensor<3> {
        let hidden = self.hidden(rows);
        let width = hidden.dims()[1];
        let logits = self.decoder.logits(flat(hidden));
        let vocabulary = logits.dims()[1];
        logits.reshape([rows.len(), width, vocabulary])
    }

    /// Scores responses under softmax(logits / temperature).
    ///
    /// # Formula
    /// log p(y_t | prompt, y_<t); entropy −Σ_v p_v log p_v at each t. The head runs only at the
    /// positions that predict a response token, and on so many of them at once that their logits
    /// fit into 64 MiB.
    #[must_use]
    pub fn scores(&self, passages: &[Passage<'_>], temperature: f64) -> Scores {
        let reading = Reading::new(self, passages);
        let selected = Some(&reading.selected);
        let hidden = self.decoder.hidden(reading.tokens.clone(), &reading.causal, selected, None);
        self.score_hidden(&flat(hidden), &reading, temperature)
    }

    /// Scores from the vectors at selected positions, after the final norm.
    pub(super) fn score_hidden(
        &self,
        hidden: &Tensor<2>,
        reading: &Reading,
        temperature: f64,
    ) -> Scores {
        let chunks = reading.chunks(self).into_iter();
        let scores = chunks.map(|(positions, targets)| {
            let chosen = select_rows(hidden.clone(), positions);
            Scores::of(&self.decoder, chosen, targets, temperature)
        });
        Scores::cat(scores.collect())
    }
}

/// Vectors of rows and tokens, one after the other.
pub(super) fn flat(hidden: Tensor<3>) -> Tensor<2> {
    let [rows, tokens, size] = hidden.dims();
    hidden.reshape([rows * tokens, size])
}
