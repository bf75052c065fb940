//! A device with too little memory: halves of what it was given come to the same.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex};

use hgpo_env::random::Stream;

use super::*;
use crate::executor::{Executor, Sequential};
use crate::policy::requests::{Generation, Request, Requests};
use crate::policy::sampling::{SampledToken, Sampling};
use crate::policy::table::TablePolicy;
use crate::policy::{LossGradients, OptimizerStep, Passage, PolicyError, TokenScore};
use crate::test_environment::CoinSuite;
use crate::trainer::initial_policy;

/// A table on a device with room for so many passages or prompts at once, which loses gradients once without saying so.
#[derive(Clone)]
struct Cramped {
    table: TablePolicy,
    room: usize,
    loses: Arc<AtomicBool>,
}

impl Cramped {
    fn check(&self, count: usize) -> Result<(), PolicyError> {
        if count > self.room {
            return Err(PolicyError::OutOfMemory(format!("room for {}", self.room)));
        }
        Ok(())
    }
}

/// Requests that are open at once; the device fails in the middle of answering too many.
struct Counted<'a> {
    inner: &'a mut dyn Requests,
    taken: usize,
}

impl Requests for Counted<'_> {
    fn waiting(&self) -> usize {
        self.inner.waiting()
    }

    fn next(&mut self) -> Option<Request> {
        if self.taken >= 3 { None } else { self.inner.next() }
    }

    fn ends(&mut self, id: usize, token: u32) -> bool {
        self.inner.ends(id, token)
    }

    fn take(&mut self, request: Request, response: Vec<SampledToken>) -> bool {
        self.taken += 1;
        self.inner.take(request, response)
    }
}

impl Policy for Cramped {
    type Gradient = <TablePolicy as Policy>::Gradient;
    type Optimizer = <TablePolicy as Policy>::Optimizer;

    fn respond(
        &self,
        generation: Generation,
        requests: &mut dyn Requests,
    ) -> Result<(), PolicyError> {
        if self.check(generation.batch_size.min(requests.waiting())).is_ok() {
            return self.table.respond(generation, requests);
        }
        // Some are answered before it fails, and one is lost.
        self.table.respond(generation, &mut Counted { inner: &mut *requests, taken: 0 })?;
        let _ = requests.next();
        self.check(usize::MAX)
    }

    fn generate(
        &self,
        prompts: &[&[u32]],
        sampling: Sampling,
        max_tokens: usize,
        streams: &mut [Stream],
        ends: &mut dyn FnMut(usize, u32) -> bool,
    ) -> Result<Vec<Vec<SampledToken>>, PolicyError> {
        let found = self.table.generate(prompts, sampling, max_tokens, streams, ends);
        self.check(prompts.len()).and(found)
    }

    fn score(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
    ) -> Result<Vec<TokenScore>, PolicyError> {
        self.check(passages.len())?;
        self.table.score(passages, temperature)
    }

    fn gradient(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
        loss_gradients: &mut LossGradients<'_>,
    ) -> Result<Self::Gradient, PolicyError> {
        self.check(passages.len())?;
        self.table.gradient(passages, temperature, loss_gradients)
    }

    fn add(sum: Self::Gradient, more: Self::Gradient) -> Self::Gradient {
        TablePolicy::add(sum, more)
    }

    fn optimizer(&self, settings: AdamWSettings) -> Self::Optimizer {
        self.table.optimizer(settings)
    }

    fn apply(
        &mut self,
        gradient: Self::Gradient,
        optimizer: &mut Self::Optimizer,
        update: OptimizerStep,
    ) -> Result<f64, PolicyError> {
        if self.loses.swap(false, SeqCst) {
            self.check(usize::MAX)?;
        }
        self.table.apply(gradient, optimizer, update)
    }

    fn trained_count(&self) -> usize {
        self.table.trained_count()
    }

    fn step_count(optimizer: &Self::Optimizer) -> i32 {
        TablePolicy::step_count(optimizer)
    }

    fn save(
        &self,
        reference: &Self,
        optimizer: &Self::Optimizer,
        write: &mut WriteFile<'_>,
    ) -> Result<(), PolicyError> {
        self.table.save(&reference.table, optimizer, write)
    }

    fn load(
        &mut self,
        reference: &mut Self,
        optimizer: &mut Self::Optimizer,
        step_count: i32,
        read: &mut ReadFile<'_>,
    ) -> Result<(), PolicyError> {
        self.table.load(&mut reference.table, optimizer, step_count, read)
    }
}

/// Remembers what was noted.
#[derive(Default)]
struct Notes(Mutex<BTreeSet<String>>);

impl Host for Notes {
    fn executor(&self) -> &dyn Executor {
        &Sequential
    }

    fn seconds(&self) -> f64 {
        0.0
    }

    fn interrupted(&self) -> bool {
        false
    }

    fn progress(&self, phase: &str, done: usize, total: usize) {
        assert!(done <= total, "{phase} {done}/{total}");
    }

    fn note(&self, text: &str) {
        self.0.lock().unwrap().insert(text.to_owned());
    }
}

/// Iterations of a trainer whose batches are as large as an iteration.
fn iterated(
    max_response_tokens: usize,
    room: usize,
    loses: bool,
) -> (Vec<Iteration>, BTreeSet<String>, usize) {
    let mut config = Config::default();
    config.warm_start.episodes = 0;
    config.rollout.tasks = 4;
    config.rollout.max_response_tokens = max_response_tokens;
    config.rollout.batch_size = 1000;
    config.learn.mini_batch_size = 1000;
    config.learn.micro_batch_size = 1000;
    let (table, format) = initial_policy::table(&config);
    let suite = Arc::new(CoinSuite { shown: true });
    let policy = Cramped { table, room, loses: Arc::new(AtomicBool::new(loses)) };
    let mut trainer = Trainer::new(&config, suite, format, policy).unwrap();
    let notes = Notes::default();
    let iterations = (0..3).map(|_| trainer.iterate(&notes).unwrap().unwrap()).collect();
    (iterations, notes.0.into_inner().unwrap(), trainer.config.learn.micro_batch_tokens)
}

#[test]
fn what_does_not_fit_is_done_in_halves_with_the_same_numbers() {
    // Short responses, and long ones, which are answered continuously.
    for tokens in [1, 64] {
        let (expected, none, at_once) = iterated(tokens, usize::MAX, false);
        assert!(none.is_empty() && at_once == Config::default().learn.micro_batch_tokens);
        // What does not fit, and a gradient that turns out to be lost when the policy is to follow it.
        for (room, loses) in [(1, false), (1000, true)] {
            let (found, notes, fewer) = iterated(tokens, room, loses);
            assert!(fewer < at_once, "{fewer}");
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found.trajectories, expected.trajectories);
                for name in ["grad_norm", "loss/total", "kl"] {
                    let number = |it: &Iteration| it.metrics[name].as_f64().unwrap();
                    let off = (number(found) - number(expected)).abs();
                    assert!(off < 1e-9, "{name} {off}");
                }
            }
            let is_noted = |setting| notes.iter().any(|note| note.contains(setting));
            assert!(is_noted("learn.micro_batch_tokens="), "{notes:?}");
            assert_eq!(is_noted("rollout.batch_size="), !loses, "{notes:?}");
        }
    }
}

#[test]
fn a_single_passage_that_does_not_fit_is_an_error() {
    let mut config = Config::default();
    config.warm_start.episodes = 0;
    let (table, format) = initial_policy::table(&config);
    let policy = Cramped { table, room: 0, loses: Arc::default() };
    let suite = Arc::new(CoinSuite { shown: true });
    let mut trainer = Trainer::new(&config, suite, format, policy).unwrap();
    let said = trainer.iterate(&Notes::default()).unwrap_err().to_string();
    assert!(said.contains("too little memory (room for 0)"), "{said}");
}
