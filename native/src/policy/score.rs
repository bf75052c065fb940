//! Log-probabilities and entropies of given responses.

use burn::tensor::activation::log_softmax;
use burn::tensor::{Int, Tensor, TensorData};

use super::Policy;
use super::focus::Focus;

/// A prompt and the response to score after it.
#[derive(Clone, Copy, Debug)]
pub struct Passage<'a> {
    /// Tokens read before the response.
    pub prompt: &'a [u32],
    /// Tokens to score.
    pub response: &'a [u32],
}

/// Scores of all response tokens of a batch, passage after passage.
#[derive(Clone, Debug)]
pub struct Scores {
    /// Log-probability of each response token, `[response tokens of all passages]`.
    pub log_probabilities: Tensor<1>,
    /// Entropy of the distribution that each was drawn from, in nats.
    pub entropies: Tensor<1>,
}

impl Policy {
    /// What follows every token of rows: logits `[rows, longest row, vocabulary]`. Those beyond a
    /// row's end mean nothing.
    #[must_use]
    pub fn logits(&self, rows: &[&[u32]]) -> Tensor<3> {
        let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let hidden = self.decoder.hidden(self.padded(rows), &self.causal(width), None, None);
        let size = hidden.dims()[2];
        let logits = self.decoder.logits(hidden.reshape([rows.len() * width, size]));
        let vocabulary = logits.dims()[1];
        logits.reshape([rows.len(), width, vocabulary])
    }

    /// Scores responses under softmax(logits / temperature).
    ///
    /// # Formula
    /// log p(y_t | prompt, y_<t); entropy −Σ_v p_v log p_v at each t. The head runs only at the
    /// positions that predict a response token.
    #[must_use]
    pub fn score(&self, passages: &[Passage<'_>], temperature: f64) -> Scores {
        let rows: Vec<Vec<u32>> =
            passages.iter().map(|p| [p.prompt, p.response].concat()).collect();
        let rows: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
        let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        // The vector of a token predicts the next one: the response's first is predicted by the
        // prompt's last.
        let starts: Vec<usize> =
            passages.iter().map(|p| p.prompt.len().saturating_sub(1)).collect();
        let longest = passages.iter().map(|p| p.response.len()).max().unwrap_or(0);
        let focus = Focus::new(self, &starts, longest, width);
        let tokens = self.padded(&rows);
        let hidden = self.decoder.hidden(tokens, &self.causal(width), Some(&focus), None);
        let size = hidden.dims()[2];

        let mut positions = Vec::new();
        let mut targets = Vec::new();
        for (row, passage) in passages.iter().enumerate() {
            let start = row * longest;
            positions.extend((start..start + passage.response.len()).map(|at| at as i32));
            targets.extend(passage.response.iter().map(|&token| token as i32));
        }
        let count = targets.len();
        let indices =
            |values| Tensor::<1, Int>::from_data(TensorData::new(values, [count]), &self.device);
        let chosen = hidden.reshape([rows.len() * longest, size]).select(0, indices(positions));
        let log_all = log_softmax(self.decoder.logits(chosen).div_scalar(temperature), 1);
        let log_probabilities = log_all.clone().gather(1, indices(targets).unsqueeze_dim(1));
        let entropies = (log_all.clone().exp() * log_all).sum_dim(1).neg();
        Scores {
            log_probabilities: log_probabilities.reshape([count]),
            entropies: entropies.reshape([count]),
        }
    }
}
