//! Generation in batches with a cache of keys and values, one token a row at a time.
//!
//! A batch is continuous: a row whose response has ended makes room for a prompt that waits, while
//! the others go on (Yu et al. 2022, Orca). Rows whose response has ended leave the batch when
//! enough others can take their places, or when half of it has ended.

#[cfg(feature = "gpu")]
mod decoding;
pub mod kv_cache;
pub mod prefill;
pub mod token_sampling;

use std::ops::Range;

use burn::tensor::{Tensor, TensorData};

#[cfg(feature = "gpu")]
use self::decoding::Decoding;
use self::kv_cache::KvCache;
use self::token_sampling::Distribution;
use super::attention::{Mask, Placement};
#[cfg(feature = "gpu")]
use super::operations::has_kernels;
use super::{DecoderPolicy, indices};
use crate::policy::PolicyError;
use crate::policy::requests::{Generation, LONG, Request, Requests};
use crate::policy::sampling::SampledToken;

/// A waiting prompt enters when this share of the open rows can enter with it: each time, the cache
/// is copied.
const ENTER: usize = 8;

/// One row of the cache.
struct Row {
    /// Tokens of the row left of the batch's width; what follows up to the width is padding.
    held: usize,
    /// The newest token, which is not in the cache yet.
    newest: u32,
    /// What it answers, until it has ended.
    open: Option<(Request, Vec<SampledToken>)>,
}

/// A batch in the middle of its responses.
#[derive(Default)]
struct Batch {
    rows: Vec<Row>,
    cache: KvCache,
    /// Tokens that the cache held when the rows were put together.
    width: usize,
    /// Tokens a row since then.
    rounds: usize,
    #[cfg(feature = "gpu")]
    decoding: Option<Decoding>,
}

impl DecoderPolicy {
    /// Answers requests until nothing waits and nothing is open.
    pub(super) fn answer(
        &self,
        generation: Generation,
        requests: &mut dyn Requests,
    ) -> Result<(), PolicyError> {
        let mut batch = Batch::default();
        loop {
            if batch.is_due(requests.waiting(), generation)
                && !self.regroup(&mut batch, generation, requests)?
            {
                return Ok(());
            }
            if batch.open() == 0 {
                if requests.waiting() == 0 {
                    return Ok(());
                }
                continue;
            }
            if !requests.goes_on() {
                return Ok(());
            }
            let next = self.read_next(&mut batch, generation);
            if !self.draw(&mut batch.rows, next, generation, requests)? {
                return Ok(());
            }
        }
    }

    /// Puts the rows that are open and the prompts that wait together, and draws the first token of
    /// the new ones. Whether to go on.
    fn regroup(
        &self,
        batch: &mut Batch,
        generation: Generation,
        requests: &mut dyn Requests,
    ) -> Result<bool, PolicyError> {
        let room = generation.batch_size.max(1) - batch.open();
        let entering: Vec<Request> = std::iter::from_fn(|| requests.next()).take(room).collect();
        let prompts: Vec<&[u32]> = entering.iter().map(|it| it.prompt.as_slice()).collect();
        let mut parts: Vec<KvCache> = batch.leave().into_iter().collect();
        let mut go_on = true;
        let mut rows = std::mem::take(&mut batch.rows);
        if !entering.is_empty() {
            let (cache, logits) = self.read_prompts(&prompts, generation.max_tokens);
            parts.push(cache);
            let held = |request: Request| Row {
                held: request.prompt.len(),
                newest: 0,
                open: Some((request, Vec::new())),
            };
            let mut new: Vec<Row> = entering.into_iter().map(held).collect();
            let first = Distribution::of(logits, generation.sampling);
            go_on = self.draw(&mut new, first, generation, requests)?;
            rows.extend(new);
        }
        *batch = Batch {
            cache: KvCache::join(parts, generation.max_tokens),
            width: rows.iter().map(|row| row.held).max().unwrap_or(0),
            rows,
            ..Batch::default()
        };
        Ok(go_on)
    }

    /// Reads the newest token of every row (rows that have ended read it again, to no effect); what the next ones are
    /// drawn from.
    fn read_next(&self, batch: &mut Batch, generation: Generation) -> Distribution {
        // A row sees what it holds and all tokens since, not the padding between them.
        let (width, rounds) = (batch.width, batch.rounds);
        batch.rounds += 1;
        let newest = batch.rows.iter().map(|row| row.newest as i32);
        #[cfg(feature = "gpu")]
        if has_kernels(&self.device) && self.decoder.decodes() {
            // Angles are made of no position before all new tokens: prompts are long, and batches often put together.
            let first = batch.rows.iter().map(|row| row.held).min().unwrap_or(0);
            let places = batch.rows.iter().map(|row| [row.held, width, row.held + rounds - first]);
            let (newest, places) = (newest.collect(), places.collect::<Vec<_>>());
            let decoding = batch.decoding.get_or_insert_with(|| {
                Decoding::new(self, places.len(), first..width + generation.max_tokens + 1)
            });
            return decoding.step(self, &mut batch.cache, newest, &places, generation);
        }
        let positions: Vec<Vec<usize>> =
            batch.rows.iter().map(|row| vec![row.held + rounds]).collect();
        let padding = batch.rows.iter().map(|row| row.held..width);
        let mask = self.padding_mask(padding, width + rounds + 1);
        let angles = self.angles(&positions);
        let placement = Placement { queries: angles.clone(), keys: angles, mask };
        let tokens = indices(newest, &self.device).unsqueeze_dim(1);
        let hidden = self.decoder.hidden(tokens, &placement, None, Some(&mut batch.cache));
        Distribution::of(self.decoder.logits(hidden.squeeze_dim(1)), generation.sampling)
    }

    /// The mask of one token a row that sees `total` tokens but for padding.
    fn padding_mask(&self, padding: impl Iterator<Item = Range<usize>>, total: usize) -> Mask {
        let hidden = self.hidden_bias();
        let hide = |padding: Range<usize>| {
            (0..total).map(move |at| if padding.contains(&at) { hidden } else { 0.0 })
        };
        let bias: Vec<f32> = padding.flat_map(hide).collect();
        let shape = [bias.len() / total, 1, 1, 1, total];
        Mask::Bias(Tensor::from_data(TensorData::new(bias, shape), &self.device))
    }

    /// Draws the next token of every open row, and hands in the responses that end. Whether to go on.
    fn draw(
        &self,
        rows: &mut [Row],
        next: Distribution,
        generation: Generation,
        requests: &mut dyn Requests,
    ) -> Result<bool, PolicyError> {
        let streams = rows.iter_mut().map(|row| Some(&mut row.open.as_mut()?.0.stream)).collect();
        let choices = next.draw(generation.sampling, streams)?;
        for (row, choice) in rows.iter_mut().zip(choices) {
            let (Some(choice), Some((request, mut response))) = (choice, row.open.take()) else {
                continue;
            };
            if !choice.log_probability.is_finite() {
                return Err(self.overflow());
            }
            response.push(choice);
            row.newest = choice.token;
            if requests.ends(request.id, choice.token) || response.len() >= generation.max_tokens {
                if !requests.take(request, response) {
                    return Ok(false);
                }
            } else {
                row.open = Some((request, response));
            }
        }
        Ok(true)
    }
}

impl Batch {
    fn open(&self) -> usize {
        self.rows.iter().filter(|row| row.open.is_some()).count()
    }

    /// Whether rows should be put together anew.
    fn is_due(&self, waiting: usize, generation: Generation) -> bool {
        let open = self.open();
        let enter = waiting.min(generation.batch_size.max(1).saturating_sub(open));
        if enter > 0 {
            return enter * ENTER >= open;
        }
        generation.max_tokens >= LONG && open > 0 && 2 * open <= self.rows.len()
    }

    /// Drops the rows that have ended: the cache of the others, if any, without padding between their
    /// tokens.
    fn leave(&mut self) -> Option<KvCache> {
        let rounds = self.width..self.width + self.rounds;
        let (mut sources, mut slots) = (Vec::new(), Vec::new());
        for (at, row) in self.rows.iter_mut().enumerate().filter(|(_, row)| row.open.is_some()) {
            sources.push(at);
            slots.push((0..row.held).chain(rounds.clone()).collect());
            row.held += self.rounds;
        }
        self.rows.retain(|row| row.open.is_some());
        let cache = std::mem::take(&mut self.cache);
        (!sources.is_empty()).then(|| cache.pick(&sources, &slots))
    }
}
