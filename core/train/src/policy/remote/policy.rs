//! Remote policy as a [`Policy`]: what workers do, and what it does itself.

use std::any::Any;
use std::collections::BTreeMap;

use hgpo_env::random::Stream;

use super::messages;
use super::messages::{Job, JobResult, Question, Reply};
use super::{PortablePolicy, RemotePolicy};
use crate::policy::requests::{Generation, Request, Requests};
use crate::policy::sampling::{SampledToken, Sampling};
use crate::policy::{
    AdamWSettings, LossGradients, OptimizerStep, Passage, Policy, PolicyError, ReadFile,
    TokenScore, WriteFile,
};

/// What a worker says that was asked for something else.
fn unexpected() -> PolicyError {
    PolicyError::Workers("a worker answered something else than it was asked".into())
}

fn no_question(_: Question) -> Result<Reply, PolicyError> {
    Err(unexpected())
}

impl<P: PortablePolicy> Policy for RemotePolicy<P> {
    type Gradient = P::Gradient;
    type Optimizer = P::Optimizer;

    fn respond(
        &self,
        generation: Generation,
        requests: &mut dyn Requests,
    ) -> Result<(), PolicyError> {
        let Generation { sampling, max_tokens, batch_size } = generation;
        let mut prompts = BTreeMap::new();
        let asked = waiting(requests, &mut prompts);
        let job = Job::Respond { requests: asked, sampling, max_tokens, batch_size };
        let mut next = |question| {
            let Question::Next { id, response, stream } = question else {
                return Err(unexpected());
            };
            let prompt = prompts.remove(&id).ok_or_else(unexpected)?;
            for choice in &response {
                requests.ends(id, choice.token);
            }
            let goes_on = requests.take(Request { id, prompt, stream: *stream }, response);
            Ok(Reply::Next { goes_on, requests: waiting(requests, &mut prompts) })
        };
        match self.run(&job, &mut next)? {
            JobResult::Answered => Ok(()),
            _ => Err(unexpected()),
        }
    }

    /// Responses end where the format of the run says, which is what `ends` is told after all.
    fn generate(
        &self,
        prompts: &[&[u32]],
        sampling: Sampling,
        max_tokens: usize,
        streams: &mut [Stream],
        ends: &mut dyn FnMut(usize, u32) -> bool,
    ) -> Result<Vec<Vec<SampledToken>>, PolicyError> {
        let asked = prompts.iter().zip(&*streams);
        let asked = asked.map(|(prompt, stream)| (prompt.to_vec(), stream.clone())).collect();
        let job = Job::Generate { prompts: asked, sampling, max_tokens };
        let JobResult::Responses(found) = self.run(&job, &mut no_question)? else {
            return Err(unexpected());
        };
        if found.len() != prompts.len() {
            return Err(unexpected());
        }
        let mut responses = Vec::with_capacity(found.len());
        for (row, ((response, after), stream)) in found.into_iter().zip(streams).enumerate() {
            *stream = after;
            for choice in &response {
                ends(row, choice.token);
            }
            responses.push(response);
        }
        Ok(responses)
    }

    fn score(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
    ) -> Result<Vec<TokenScore>, PolicyError> {
        let job = Job::Score { passages: messages::texts(passages), temperature };
        match self.run(&job, &mut no_question)? {
            JobResult::Scores(scores) => Ok(scores),
            _ => Err(unexpected()),
        }
    }

    fn gradient(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
        loss_gradients: &mut LossGradients<'_>,
    ) -> Result<Self::Gradient, PolicyError> {
        let job = Job::Gradient { passages: messages::texts(passages), temperature };
        let mut answer = |question| match question {
            Question::LossGradients(scores) => Ok(Reply::LossGradients(loss_gradients(&scores))),
            Question::Next { .. } => Err(unexpected()),
        };
        match self.run(&job, &mut answer)? {
            JobResult::Gradient(bytes) => self.policy.read_gradient(&bytes),
            _ => Err(unexpected()),
        }
    }

    fn embed(&self, texts: &[&[u32]]) -> Result<Option<Vec<Vec<f64>>>, PolicyError> {
        self.policy.embed(texts)
    }

    fn add(sum: Self::Gradient, more: Self::Gradient) -> Self::Gradient {
        P::add(sum, more)
    }

    fn optimizer(&self, settings: AdamWSettings) -> Self::Optimizer {
        self.policy.optimizer(settings)
    }

    fn apply(
        &mut self,
        gradient: Self::Gradient,
        optimizer: &mut Self::Optimizer,
        update: OptimizerStep,
    ) -> Result<f64, PolicyError> {
        let norm = self.policy.apply(gradient, optimizer, update)?;
        *self = self.with(self.policy.clone(), false);
        Ok(norm)
    }

    fn reference(&self) -> Self {
        self.with(self.policy.reference(), true)
    }

    fn after_warm_start(self) -> Result<Self, PolicyError> {
        Ok(self.with(self.policy.clone().after_warm_start()?, false))
    }

    fn trained_count(&self) -> usize {
        self.policy.trained_count()
    }

    fn step_count(optimizer: &Self::Optimizer) -> i32 {
        P::step_count(optimizer)
    }

    fn save(
        &self,
        reference: &Self,
        optimizer: &Self::Optimizer,
        write: &mut WriteFile<'_>,
    ) -> Result<(), PolicyError> {
        self.policy.save(&reference.policy, optimizer, write)
    }

    fn load(
        &mut self,
        reference: &mut Self,
        optimizer: &mut Self::Optimizer,
        step_count: i32,
        read: &mut ReadFile<'_>,
    ) -> Result<(), PolicyError> {
        self.policy.load(&mut reference.policy, optimizer, step_count, read)?;
        *self = self.with(self.policy.clone(), false);
        *reference = self.with(reference.policy.clone(), true);
        Ok(())
    }

    fn as_any(&self) -> &dyn Any {
        self.policy.as_any()
    }
}

/// That of the policy inside.
impl<P: PortablePolicy> PortablePolicy for RemotePolicy<P> {
    fn write_weights(&self) -> Result<Vec<u8>, PolicyError> {
        self.policy.write_weights()
    }

    fn with_weights(&self, bytes: &[u8]) -> Result<Self, PolicyError> {
        Ok(self.with(self.policy.with_weights(bytes)?, false))
    }

    fn write_gradient(gradient: Self::Gradient) -> Result<Vec<u8>, PolicyError> {
        P::write_gradient(gradient)
    }

    fn read_gradient(&self, bytes: &[u8]) -> Result<Self::Gradient, PolicyError> {
        self.policy.read_gradient(bytes)
    }
}

/// What waits, taken; prompts are kept until they are answered.
fn waiting(requests: &mut dyn Requests, prompts: &mut BTreeMap<usize, Vec<u32>>) -> Vec<Request> {
    let mut asked = Vec::new();
    while let Some(request) = requests.next() {
        prompts.insert(request.id, request.prompt.clone());
        asked.push(request);
    }
    asked
}
