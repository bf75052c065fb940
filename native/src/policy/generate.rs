//! Batched generation with a cache: prompts are read once, then one token a row at a time.

use burn::tensor::{Tensor, TensorData};

use super::attention::Placement;
use super::cache::Cache;
use super::focus::Focus;
use super::sampling::{Choice, Sampling, sample};
use super::weights::{WeightsError, read};
use super::{HIDDEN, Policy};
use crate::distinct::distinct;
use crate::random::Stream;

impl Policy {
    /// Draws one response of at most `max_tokens` a prompt; row i uses `streams[i]` alone. Every
    /// token is told to `ends(row, token)`, which says whether it is the response's last.
    ///
    /// # Errors
    /// When the device does not give logits back.
    pub fn generate(
        &self,
        prompts: &[&[u32]],
        sampling: Sampling,
        max_tokens: usize,
        streams: &mut [Stream],
        ends: &mut dyn FnMut(usize, u32) -> bool,
    ) -> Result<Vec<Vec<Choice>>, WeightsError> {
        let mut responses = vec![Vec::new(); prompts.len()];
        let mut ended = vec![false; prompts.len()];
        let width = prompts.iter().map(|prompt| prompt.len()).max().unwrap_or(0);
        let mut cache = Cache::new(self.config.num_hidden_layers, width + max_tokens);
        // Episodes of a group ask the same until they part: an equal prompt is read once.
        let (distinct, rows) = distinct(prompts.iter().copied());
        let mut logits = self.read_prompts(&distinct, width, &mut cache)?;
        let vocabulary = logits.len() / distinct.len().max(1);
        if distinct.len() < prompts.len() {
            let row = |&row: &usize| &logits[row * vocabulary..(row + 1) * vocabulary];
            logits = rows.iter().flat_map(row).copied().collect();
            cache.spread(&rows);
        }
        for round in 0..max_tokens {
            for (row, logits) in logits.chunks_exact(vocabulary).enumerate() {
                if !ended[row] {
                    let choice = sample(logits, sampling, &mut streams[row]);
                    ended[row] = ends(row, choice.token);
                    responses[row].push(choice);
                }
            }
            if round + 1 == max_tokens || ended.iter().all(|&ended| ended) {
                break;
            }
            logits = self.read_next(prompts, &responses, width, round, &mut cache)?;
        }
        Ok(responses)
    }

    /// Fills the cache with the prompts; logits after each prompt's last token.
    fn read_prompts(
        &self,
        prompts: &[&[u32]],
        width: usize,
        cache: &mut Cache,
    ) -> Result<Vec<f32>, WeightsError> {
        let last: Vec<usize> =
            prompts.iter().map(|prompt| prompt.len().saturating_sub(1)).collect();
        let focus = Focus::new(self, &last, 1, width);
        let tokens = self.padded(prompts);
        let hidden = self.decoder.hidden(tokens, &self.causal(width), Some(&focus), Some(cache));
        read(self.decoder.logits(hidden.squeeze_dim(1)))
    }

    /// Reads the newest token of every row (rows that are done read padding, which is ignored).
    fn read_next(
        &self,
        prompts: &[&[u32]],
        responses: &[Vec<Choice>],
        width: usize,
        round: usize,
        cache: &mut Cache,
    ) -> Result<Vec<f32>, WeightsError> {
        let newest: Vec<[u32; 1]> =
            responses.iter().map(|r| [r.get(round).map_or(0, |choice| choice.token)]).collect();
        let newest: Vec<&[u32]> = newest.iter().map(<[u32; 1]>::as_slice).collect();
        let positions: Vec<Vec<usize>> = prompts.iter().map(|p| vec![p.len() + round]).collect();
        // A row sees its prompt and all response tokens, not the padding between them.
        let total = width + round + 1;
        let bias: Vec<f32> = prompts
            .iter()
            .flat_map(|prompt| {
                let padding = prompt.len()..width;
                (0..total).map(move |at| if padding.contains(&at) { HIDDEN } else { 0.0 })
            })
            .collect();
        let rows = prompts.len();
        let bias = Tensor::from_data(TensorData::new(bias, [rows, 1, 1, 1, total]), &self.device);
        let angles = self.angles(&positions);
        let placement = Placement { queries: angles.clone(), keys: angles, bias };
        let hidden = self.decoder.hidden(self.padded(&newest), &placement, None, Some(cache));
        read(self.decoder.logits(hidden.squeeze_dim(1)))
    }
}
