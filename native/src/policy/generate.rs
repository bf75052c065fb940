//! Batched generation with a cache: prompts are read once, then one token a row at a time.
//!
//! What all prompts begin with is read once for all of them, and equal prompts are read once. Rows
//! whose response has ended leave the batch when half of it has.

use burn::tensor::{Tensor, TensorData};

use super::attention::Placement;
use super::cache::Cache;
use super::focus::Focus;
use super::sampling::{Choice, Sampling, sample};
use super::weights::{WeightsError, read};
use super::{HIDDEN, Policy};
use crate::distinct::distinct;
use crate::random::Stream;

/// Tokens that prompts must share to be read apart: for fewer, a pass of its own does not pay.
const SHARED: usize = 48;
/// Tokens of prompts, padding included, that are read at once: what a layer makes of them has to fit
/// into memory beside the cache.
pub const READ_TOKENS: usize = 1 << 14;
/// Tokens of a response from which on rows that have ended leave: shorter ones end together anyway.
const LONG: usize = 32;

/// A batch in the middle of its responses.
struct Batch<'a> {
    prompts: &'a [&'a [u32]],
    /// Tokens of the longest prompt.
    width: usize,
    /// The prompt that each row of the cache belongs to.
    rows: Vec<usize>,
    responses: Vec<Vec<Choice>>,
    ended: Vec<bool>,
    cache: Cache,
}

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
        let mut batch = Batch::new(self, prompts, max_tokens);
        let mut logits = self.read_prompts(&mut batch)?;
        let vocabulary = logits.len() / prompts.len().max(1);
        for round in 0..max_tokens {
            for (&row, logits) in batch.rows.iter().zip(logits.chunks_exact(vocabulary)) {
                if !batch.ended[row] {
                    let choice = sample(logits, sampling, &mut streams[row]);
                    batch.ended[row] = ends(row, choice.token);
                    batch.responses[row].push(choice);
                }
            }
            if round + 1 == max_tokens || batch.ended.iter().all(|&ended| ended) {
                break;
            }
            if max_tokens >= LONG {
                batch.leave();
            }
            logits = self.read_next(&mut batch, round)?;
        }
        Ok(batch.responses)
    }

    /// Fills the cache with the prompts; logits after each prompt's last token.
    fn read_prompts(&self, batch: &mut Batch<'_>) -> Result<Vec<f32>, WeightsError> {
        // Episodes of a group ask the same until they part: an equal prompt is read once.
        let (prompts, rows) = distinct(batch.prompts.iter().copied());
        let shared = shared(&prompts);
        if shared > 0 {
            let focus = Focus::new(self, &[shared - 1], 1, shared);
            let (placement, tokens) =
                (self.causal(0, shared), self.padded(&[&prompts[0][..shared]]));
            let _ = self.decoder.hidden(tokens, &placement, Some(&focus), Some(&mut batch.cache));
        }
        let width = batch.width - shared;
        let at_once = (READ_TOKENS / width.max(1)).max(1);
        let mut logits = Vec::new();
        let mut caches = Vec::new();
        for part in prompts.chunks(at_once) {
            let mut cache = batch.cache.clone();
            cache.spread(&vec![0; part.len()]);
            let rest: Vec<&[u32]> = part.iter().map(|prompt| &prompt[shared..]).collect();
            logits.extend(self.read_rest(&rest, shared, width, &mut cache)?);
            caches.push(cache);
        }
        batch.cache = Cache::cat(caches);
        if prompts.len() == batch.prompts.len() {
            return Ok(logits);
        }
        batch.cache.spread(&rows);
        let vocabulary = logits.len() / prompts.len().max(1);
        let row = |&row: &usize| &logits[row * vocabulary..(row + 1) * vocabulary];
        Ok(rows.iter().flat_map(row).copied().collect())
    }

    /// Reads what follows on `read_before` tokens of the cache, padded to `width`; logits after the last
    /// token of each row.
    fn read_rest(
        &self,
        rest: &[&[u32]],
        read_before: usize,
        width: usize,
        cache: &mut Cache,
    ) -> Result<Vec<f32>, WeightsError> {
        let last: Vec<usize> = rest.iter().map(|rest| rest.len().saturating_sub(1)).collect();
        let focus = Focus::after(self, read_before, &last, 1, width);
        let (placement, tokens) = (self.causal(read_before, width), self.padded_to(rest, width));
        let hidden = self.decoder.hidden(tokens, &placement, Some(&focus), Some(cache));
        read(self.decoder.logits(hidden.squeeze_dim(1)))
    }

    /// Reads the newest token of every row (rows that are done read padding, which is ignored).
    fn read_next(&self, batch: &mut Batch<'_>, round: usize) -> Result<Vec<f32>, WeightsError> {
        let newest: Vec<[u32; 1]> = batch
            .rows
            .iter()
            .map(|&row| [batch.responses[row].get(round).map_or(0, |choice| choice.token)])
            .collect();
        let newest: Vec<&[u32]> = newest.iter().map(<[u32; 1]>::as_slice).collect();
        let length = |&row: &usize| batch.prompts[row].len();
        let positions: Vec<Vec<usize>> =
            batch.rows.iter().map(|row| vec![length(row) + round]).collect();
        // A row sees its prompt and all response tokens, not the padding between them.
        let total = batch.width + round + 1;
        let bias: Vec<f32> = batch
            .rows
            .iter()
            .flat_map(|row| {
                let padding = length(row)..batch.width;
                (0..total).map(move |at| if padding.contains(&at) { HIDDEN } else { 0.0 })
            })
            .collect();
        let shape = [batch.rows.len(), 1, 1, 1, total];
        let bias = Tensor::from_data(TensorData::new(bias, shape), &self.device);
        let angles = self.angles(&positions);
        let placement = Placement { queries: angles.clone(), keys: angles, bias };
        let tokens = self.padded(&newest);
        let hidden = self.decoder.hidden(tokens, &placement, None, Some(&mut batch.cache));
        read(self.decoder.logits(hidden.squeeze_dim(1)))
    }
}

impl<'a> Batch<'a> {
    fn new(policy: &Policy, prompts: &'a [&'a [u32]], max_tokens: usize) -> Self {
        let width = prompts.iter().map(|prompt| prompt.len()).max().unwrap_or(0);
        Self {
            prompts,
            width,
            rows: (0..prompts.len()).collect(),
            responses: vec![Vec::new(); prompts.len()],
            ended: vec![false; prompts.len()],
            cache: Cache::new(policy.config.num_hidden_layers, width + max_tokens),
        }
    }

    /// Takes the rows that have ended out of the cache, once they are half of it.
    fn leave(&mut self) {
        let stay: Vec<usize> =
            (0..self.rows.len()).filter(|&at| !self.ended[self.rows[at]]).collect();
        if 2 * stay.len() <= self.rows.len() {
            self.cache.spread(&stay);
            self.rows = stay.into_iter().map(|at| self.rows[at]).collect();
        }
    }
}

/// Tokens that all prompts begin with, where it pays to read them once; never a whole prompt.
fn shared(prompts: &[&[u32]]) -> usize {
    let Some((first, others)) = prompts.split_first() else { return 0 };
    let common = |other: &&[u32]| first.iter().zip(*other).take_while(|(a, b)| a == b).count();
    let shortest = prompts.iter().map(|prompt| prompt.len()).min().unwrap_or(0);
    let shared = others.iter().map(common).min().unwrap_or(0).min(shortest.saturating_sub(1));
    if shared >= SHARED { shared } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_long_beginning_is_shared_and_never_all_of_a_prompt() {
        let long: Vec<u32> = (0..100).collect();
        let with = |last: u32| [&long[..], &[last]].concat();
        let (a, b) = (with(7), with(8));
        assert_eq!(shared(&[&a, &b]), 100);
        assert_eq!(shared(&[&a, &b, &long]), 99);
        assert_eq!(shared(&[&a, &b, &long[..60]]), 59);
        assert_eq!(shared(&[&a, &long[..40]]), 0);
        assert_eq!(shared(&[&a]), 0);
        assert_eq!(shared(&[]), 0);
    }
}
