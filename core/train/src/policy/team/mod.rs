//! Team policy: several policies as one, each for the agents that act with it.
//!
//! The first token of a prompt is the number of the policy that has to answer
//! ([`crate::rollout::team_format::TeamFormat`]); it is taken off before that one reads the prompt. Each policy has an
//! optimiser of its own, and the norm of its gradient is clipped apart.

#[cfg(feature = "remote")]
mod portable;
mod sorted_requests;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use self::sorted_requests::SortedRequests;
use super::requests::{Generation, Requests};
use super::{
    AdamWSettings, LossGradient, LossGradients, OptimizerStep, Passage, Policy, PolicyError,
    ReadFile, TokenScore, WriteFile, read_file, write_file,
};

/// The file with the updates that each optimiser has made.
const STEPS: &str = "team.json";

/// Policies, by their numbers.
#[derive(Clone)]
pub struct TeamPolicy<P> {
    members: Vec<P>,
    /// The learning rate of each, as a multiple of that of an update.
    learning_rate_factors: Vec<f64>,
    /// The norm of each one's gradient in the last update, before clipping; none if it had no steps in it.
    norms: Vec<Option<f64>>,
}

impl<P: Policy> TeamPolicy<P> {
    /// Policies that all begin as this one does, each with the multiple of the learning rate at which it learns.
    #[must_use]
    pub fn new(policy: &P, learning_rate_factors: Vec<f64>) -> Self {
        let members = vec![policy.clone(); learning_rate_factors.len()];
        let norms = vec![None; members.len()];
        Self { members, learning_rate_factors, norms }
    }

    /// The policies, by their numbers.
    #[must_use]
    pub fn members(&self) -> &[P] {
        &self.members
    }

    fn with(&self, members: Vec<P>) -> Self {
        Self { members, ..self.clone() }
    }

    /// The policy that a prompt is for, and the prompt as it reads it.
    fn route<'a>(&self, prompt: &'a [u32]) -> Result<(usize, &'a [u32]), PolicyError> {
        let (&first, rest) = prompt.split_first().ok_or_else(unknown_policy)?;
        let member = first as usize;
        if member < self.members.len() { Ok((member, rest)) } else { Err(unknown_policy()) }
    }

    /// The passages of every policy that has any, with their places.
    fn parts<'a>(&self, passages: &[Passage<'a>]) -> Result<Vec<Part<'a>>, PolicyError> {
        let mut parts: Vec<Part<'a>> = (0..self.members.len()).map(Part::of).collect();
        for (place, passage) in passages.iter().enumerate() {
            let (member, prompt) = self.route(passage.prompt)?;
            parts[member].places.push(place);
            parts[member].passages.push(Passage { prompt, ..*passage });
        }
        parts.retain(|part| !part.places.is_empty());
        Ok(parts)
    }

    /// The gradients of the first of `parts` and those after it: inside the question of the first for the
    /// gradients of the loss, the others are computed until they ask the same, so that the loss is asked once, with the
    /// scores of all.
    fn gradients(
        &self,
        parts: &[Part<'_>],
        temperature: f64,
        join: &mut Join<'_, '_>,
    ) -> Result<Vec<(usize, P::Gradient)>, PolicyError> {
        let Some((part, others)) = parts.split_first() else {
            join.answer();
            return Ok(Vec::new());
        };
        let mut found = Ok(Vec::new());
        let mut ask = |scores: &[TokenScore]| {
            let place = join.scores.len();
            join.scores.push(scores.to_vec());
            found = self.gradients(others, temperature, join);
            match &found {
                Ok(_) => std::mem::take(&mut join.answers[place]),
                // What is given back is thrown away.
                Err(_) => vec![LossGradient::default(); scores.len()],
            }
        };
        let own = self.members[part.member].gradient(&part.passages, temperature, &mut ask);
        let mut found = found?;
        found.push((part.member, own?));
        Ok(found)
    }
}

fn unknown_policy() -> PolicyError {
    PolicyError::Workers("a prompt names no policy of the team".into())
}

/// Passages of one policy.
struct Part<'a> {
    member: usize,
    places: Vec<usize>,
    passages: Vec<Passage<'a>>,
}

impl Part<'_> {
    fn of(member: usize) -> Self {
        Self { member, places: Vec::new(), passages: Vec::new() }
    }
}

/// What is of every passage's tokens, part after part, in the order of all passages.
fn in_order<T: Clone>(parts: &[Part<'_>], values: &[Vec<T>]) -> Vec<T> {
    let count = parts.iter().map(|part| part.places.len()).sum();
    let mut slices: Vec<&[T]> = vec![&[]; count];
    for (part, values) in parts.iter().zip(values) {
        let mut rest = values.as_slice();
        for (&place, passage) in part.places.iter().zip(&part.passages) {
            (slices[place], rest) = rest.split_at(passage.response.len());
        }
    }
    slices.concat()
}

/// The scores of all parts, and the gradients of the loss that they are answered with.
struct Join<'a, 'b> {
    passages: &'a [Passage<'a>],
    parts: &'a [Part<'a>],
    scores: Vec<Vec<TokenScore>>,
    answers: Vec<Vec<LossGradient>>,
    loss_gradients: &'a mut LossGradients<'b>,
}

impl Join<'_, '_> {
    /// Asks for the gradients of the loss, once the scores of all parts are there.
    fn answer(&mut self) {
        let all = (self.loss_gradients)(&in_order(self.parts, &self.scores));
        let mut rest = all.as_slice();
        let own = |passage: &Passage<'_>| {
            let own;
            (own, rest) = rest.split_at(passage.response.len());
            own
        };
        let slices: Vec<&[LossGradient]> = self.passages.iter().map(own).collect();
        let of_part = |part: &Part<'_>| {
            part.places.iter().flat_map(|&place| slices[place].iter().copied()).collect()
        };
        self.answers = self.parts.iter().map(of_part).collect();
    }
}

impl<P: Policy> Policy for TeamPolicy<P> {
    type Gradient = Vec<Option<P::Gradient>>;
    type Optimizer = Vec<P::Optimizer>;

    /// One policy after the other answers what waits for it, until nothing waits for any.
    fn respond(
        &self,
        generation: Generation,
        requests: &mut dyn Requests,
    ) -> Result<(), PolicyError> {
        let mut sorted = SortedRequests::new(requests, self.members.len());
        while let Some(member) = sorted.next_member() {
            self.members[member].respond(generation, &mut sorted)?;
        }
        if sorted.is_lost { Err(unknown_policy()) } else { Ok(()) }
    }

    fn score(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
    ) -> Result<Vec<TokenScore>, PolicyError> {
        let parts = self.parts(passages)?;
        let of = |part: &Part<'_>| self.members[part.member].score(&part.passages, temperature);
        let scores = parts.iter().map(of).collect::<Result<Vec<_>, _>>()?;
        Ok(in_order(&parts, &scores))
    }

    fn gradient(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
        loss_gradients: &mut LossGradients<'_>,
    ) -> Result<Self::Gradient, PolicyError> {
        let parts = self.parts(passages)?;
        let (scores, answers) = (Vec::new(), Vec::new());
        let mut join = Join { passages, parts: &parts, scores, answers, loss_gradients };
        let mut gradient: Self::Gradient = self.members.iter().map(|_| None).collect();
        for (member, own) in self.gradients(&parts, temperature, &mut join)? {
            gradient[member] = Some(own);
        }
        Ok(gradient)
    }

    /// Those of the first policy: what observations are alike does not depend on who reads them.
    fn embed(&self, texts: &[&[u32]]) -> Result<Option<Vec<Vec<f64>>>, PolicyError> {
        self.members[0].embed(texts)
    }

    fn add(sum: Self::Gradient, more: Self::Gradient) -> Self::Gradient {
        let add = |(sum, more)| match (sum, more) {
            (Some(sum), Some(more)) => Some(P::add(sum, more)),
            (sum, more) => sum.or(more),
        };
        sum.into_iter().zip(more).map(add).collect()
    }

    fn optimizer(&self, settings: AdamWSettings) -> Self::Optimizer {
        self.members.iter().map(|member| member.optimizer(settings)).collect()
    }

    /// Each policy makes a step of its own, if it has a gradient. The norm is that of all gradients together; if one is not
    /// finite, those before it have made their steps.
    fn apply(
        &mut self,
        gradient: Self::Gradient,
        optimizer: &mut Self::Optimizer,
        update: OptimizerStep,
    ) -> Result<f64, PolicyError> {
        let mut sum = 0.0;
        for (number, gradient) in gradient.into_iter().enumerate() {
            self.norms[number] = None;
            let Some(gradient) = gradient else { continue };
            let learning_rate = update.learning_rate * self.learning_rate_factors[number];
            let update = OptimizerStep { learning_rate, ..update };
            let norm = self.members[number].apply(gradient, &mut optimizer[number], update)?;
            self.norms[number] = Some(norm);
            sum += norm * norm;
            if !norm.is_finite() {
                break;
            }
        }
        Ok(sum.sqrt())
    }

    fn member_norms(&self) -> &[Option<f64>] {
        &self.norms
    }

    fn is_on_adapter(&self) -> bool {
        self.members.iter().any(P::is_on_adapter)
    }

    fn acting_policy(&self) -> Cow<'_, Self> {
        let acting: Vec<Cow<'_, P>> = self.members.iter().map(P::acting_policy).collect();
        if acting.iter().all(|it| matches!(it, Cow::Borrowed(_))) {
            return Cow::Borrowed(self);
        }
        Cow::Owned(self.with(acting.into_iter().map(Cow::into_owned).collect()))
    }

    fn reference(&self) -> Self {
        self.with(self.members.iter().map(P::reference).collect())
    }

    fn after_warm_start(self) -> Result<Self, PolicyError> {
        let members: Result<Vec<P>, _> =
            self.members.iter().map(|member| member.clone().after_warm_start()).collect();
        Ok(self.with(members?))
    }

    fn release_memory(&self) {
        self.members.iter().for_each(P::release_memory);
    }

    fn trained_count(&self) -> usize {
        self.members.iter().map(P::trained_count).sum()
    }

    /// The most that one of them has made.
    fn step_count(optimizer: &Self::Optimizer) -> i32 {
        optimizer.iter().map(P::step_count).max().unwrap_or_default()
    }

    fn save(
        &self,
        reference: &Self,
        optimizer: &Self::Optimizer,
        write: &mut WriteFile<'_>,
    ) -> Result<(), PolicyError> {
        let members = self.members.iter().zip(&reference.members).zip(optimizer);
        for (number, ((member, reference), optimizer)) in members.enumerate() {
            let mut own = |name: &str, bytes| write(&file_of(number, name), bytes);
            member.save(reference, optimizer, &mut own)?;
        }
        let steps: Vec<i32> = optimizer.iter().map(P::step_count).collect();
        write_file(write, STEPS, serde_json::to_vec(&steps).unwrap_or_default())
    }

    fn load(
        &mut self,
        reference: &mut Self,
        optimizer: &mut Self::Optimizer,
        _: i32,
        read: &mut ReadFile<'_>,
    ) -> Result<(), PolicyError> {
        let steps: Vec<i32> = serde_json::from_slice(&read_file(read, STEPS)?)
            .map_err(|error| PolicyError::damaged(STEPS, &error))?;
        if steps.len() != self.members.len() {
            let reason =
                format!("it is of {} policies, not of {}", steps.len(), self.members.len());
            return Err(PolicyError::damaged(STEPS, &reason));
        }
        let members = self.members.iter_mut().zip(&mut reference.members).zip(optimizer);
        for (number, (((member, reference), optimizer), steps)) in members.zip(steps).enumerate() {
            let mut own = |name: &str| read(&file_of(number, name));
            member.load(reference, optimizer, steps, &mut own)?;
        }
        Ok(())
    }
}

/// A file of one policy.
fn file_of(number: usize, name: &str) -> String {
    format!("policy_{number}_{name}")
}
