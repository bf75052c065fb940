//! Micro-batches: the gradient of a mini-batch is that of its micro-batches, added up in a fixed order.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Host;
use crate::chunks::even_chunks;
use crate::config::LearnConfig;
use crate::executor::{fold, map};
use crate::host::{check_interrupted, note_halves};
use crate::objective::Loss;
use crate::policy::{Passage, Policy, PolicyError, TokenScore};

/// How a mini-batch is taken apart.
#[derive(Clone, Copy, Debug)]
pub struct MicroBatches {
    /// Passages a forward and backward pass, at most.
    pub size: usize,
    /// Tokens a forward and backward pass, padding included, at most (but a passage at least).
    pub tokens: usize,
}

/// A sum of gradients, none of no passages, and what was reported of each micro-batch.
pub type SummedGradient<G, R> = (Option<G>, Vec<R>);

impl MicroBatches {
    /// Those of the settings, for a policy.
    #[must_use]
    pub fn new<P: Policy>(config: &LearnConfig, policy: &P) -> Self {
        let size = config.micro_batch_size(policy.is_on_adapter());
        Self { size, tokens: config.micro_batch_tokens }
    }

    /// Passages of similar length share a micro-batch, so that little is spent on padding.
    fn split(self, mini_batch: &[usize], passages: &[Passage<'_>]) -> Vec<Vec<usize>> {
        let mut order = mini_batch.to_vec();
        order.sort_by_key(|&member| passages[member].len());
        let mut batches = Vec::new();
        for chunk in even_chunks(&order, self.size) {
            let rows = (self.tokens / longest(chunk, passages)).max(1);
            batches.extend(chunk.chunks(rows).map(<[usize]>::to_vec));
        }
        batches
    }

    /// Tokens of the largest micro-batch of a mini-batch, padding included, among those of several passages.
    fn most_tokens(self, mini_batch: &[usize], passages: &[Passage<'_>]) -> Option<usize> {
        let batches = self.split(mini_batch, passages);
        let several = batches.iter().filter(|members| members.len() > 1);
        several.map(|members| members.len() * longest(members, passages)).max()
    }

    /// Tries with half as many tokens at once for as long as the device has too little memory for a mini-batch: by the time
    /// it says so, what was added up may be lost, so that all of it is done again.
    pub(crate) fn fit<T>(
        &mut self,
        mini_batch: &[usize],
        passages: &[Passage<'_>],
        host: &dyn Host,
        mut attempt: impl FnMut(Self) -> Result<T, PolicyError>,
    ) -> Result<T, PolicyError> {
        loop {
            match (attempt(*self), self.most_tokens(mini_batch, passages)) {
                (Err(PolicyError::OutOfMemory(reason)), Some(tokens)) => {
                    self.tokens = tokens / 2;
                    note_halves(host, &reason, "learn.micro_batch_tokens", self.tokens);
                }
                (found, _) => return found,
            }
        }
    }

    /// Scores of the response tokens of every passage.
    ///
    /// # Errors
    /// When the device fails, or the user asks to stop.
    pub fn score<P: Policy>(
        self,
        policy: &P,
        passages: &[Passage<'_>],
        temperature: f64,
        host: &dyn Host,
    ) -> Result<Vec<Vec<TokenScore>>, PolicyError> {
        let all: Vec<usize> = (0..passages.len()).collect();
        let batches = self.split(&all, passages);
        let done = AtomicUsize::new(0);
        let results = map(host.executor(), batches.len(), |batch| {
            check_interrupted(host)?;
            let members: Vec<Passage<'_>> = batches[batch].iter().map(|&it| passages[it]).collect();
            let scores = score_what_fits(policy, &members, temperature, host)?;
            let done = done.fetch_add(members.len(), Ordering::Relaxed) + members.len();
            host.progress("reference", done, passages.len());
            Ok::<_, PolicyError>(scores)
        });
        let mut scores = vec![Vec::new(); passages.len()];
        for (members, result) in batches.iter().zip(results) {
            let mut found = result?.into_iter();
            for &member in members {
                scores[member] = found.by_ref().take(passages[member].response.len()).collect();
            }
        }
        Ok(scores)
    }

    /// The gradient of the loss, summed over the response tokens of a mini-batch, and what the loss
    /// reports of each micro-batch.
    ///
    /// # Errors
    /// When the device fails, or the user asks to stop.
    pub fn gradient<P: Policy, L: Loss>(
        self,
        policy: &P,
        passages: &[Passage<'_>],
        mini_batch: &[usize],
        temperature: f64,
        loss: &L,
        host: &dyn Host,
    ) -> Result<SummedGradient<P::Gradient, L::Report>, PolicyError> {
        let batches = self.split(mini_batch, passages);
        let job = |batch: usize| {
            check_interrupted(host)?;
            let members = &batches[batch];
            let passages: Vec<Passage<'_>> = members.iter().map(|&it| passages[it]).collect();
            let mut report = L::Report::default();
            let mut loss_gradients = |scores: &[TokenScore]| {
                let mut scores = scores;
                let mut loss_gradients = Vec::with_capacity(scores.len());
                for (&member, passage) in members.iter().zip(&passages) {
                    let (own, rest) = scores.split_at(passage.response.len());
                    loss_gradients.extend(loss.loss_gradients(member, own, &mut report));
                    scores = rest;
                }
                loss_gradients
            };
            let gradient = policy.gradient(&passages, temperature, &mut loss_gradients);
            if matches!(gradient, Err(PolicyError::OutOfMemory(_))) {
                policy.release_memory();
            }
            Ok((gradient?, report))
        };
        let add = |all: &mut Result<SummedGradient<P::Gradient, L::Report>, PolicyError>,
                   result| {
            let Ok((sum, reports)) = all else { return };
            match result {
                Ok((gradient, report)) => {
                    *sum = Some(match sum.take() {
                        Some(sum) => P::add(sum, gradient),
                        None => gradient,
                    });
                    reports.push(report);
                }
                Err(error) => *all = Err(error),
            }
        };
        let start = Ok((None, Vec::with_capacity(batches.len())));
        fold(host.executor(), batches.len(), start, job, add)
    }
}

/// Tokens of the longest of some passages, at least one.
fn longest(members: &[usize], passages: &[Passage<'_>]) -> usize {
    members.iter().map(|&member| passages[member].len()).max().unwrap_or(0).max(1)
}

/// Scores of passages, in halves if the device has too little memory for all at once.
fn score_what_fits<P: Policy>(
    policy: &P,
    passages: &[Passage<'_>],
    temperature: f64,
    host: &dyn Host,
) -> Result<Vec<TokenScore>, PolicyError> {
    match policy.score(passages, temperature) {
        Err(PolicyError::OutOfMemory(reason)) if passages.len() > 1 => {
            policy.release_memory();
            let half = passages.len() / 2;
            let (first, second) = passages.split_at(half);
            let longest = passages.iter().map(Passage::len).max().unwrap_or(0);
            note_halves(host, &reason, "learn.micro_batch_tokens", half * longest);
            let mut scores = score_what_fits(policy, first, temperature, host)?;
            scores.extend(score_what_fits(policy, second, temperature, host)?);
            Ok(scores)
        }
        found => found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn micro_batches_hold_as_many_passages_as_tokens_allow() {
        let texts = [10, 50, 20, 200, 30, 40].map(|length| vec![0; length]);
        let passages = texts.each_ref().map(|prompt| Passage { prompt, response: &[] });
        let batches =
            |size, tokens| MicroBatches { size, tokens }.split(&[0, 1, 2, 3, 4, 5], &passages);
        assert_eq!(batches(3, 1000), [vec![0, 2, 4], vec![5, 1, 3]]);
        // 3 x 30 is too much for 80, and so is the longest alone.
        assert_eq!(batches(3, 80), [vec![0, 2], vec![4], vec![5], vec![1], vec![3]]);
    }
}
