//! Continuous batching of long responses: an episode that has acted asks again at once, and one that has ended makes room for
//! the next.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::episode::{Episode, Turn};
use super::episode_sampler::{EpisodeSampler, KeepGoing};
use super::prompt_format::{PromptError, StopCondition};
use crate::TrainerError;
use crate::executor::{Executor, map};
use crate::policy::Policy;
use crate::policy::requests::{Generation, Request, Requests};
use crate::policy::sampling::{SampledToken, Sampling};

/// The episodes of one batch, and those that wait for a place in it.
struct Players<'a, 'e, P> {
    sampler: &'a EpisodeSampler<'a, P>,
    episodes: &'a mut [&'e mut Episode],
    endings: Vec<StopCondition<'a>>,
    waiting: VecDeque<Request>,
    /// Asked after every step.
    go_on: &'a (dyn Fn(bool) -> bool + Sync),
    /// Whether they were to go on when asked last, or what went wrong.
    outcome: Result<bool, PromptError>,
}

/// Plays all episodes to their end, `rollout.batches` batches side by side; `false` if they were left
/// unfinished.
pub(super) fn collect<P: Policy>(
    sampler: &EpisodeSampler<'_, P>,
    episodes: &mut [Episode],
    temperature: f64,
    executor: &dyn Executor,
    keep_going: &KeepGoing<'_>,
) -> Result<bool, TrainerError> {
    let rollout = &sampler.config.rollout;
    let finished = AtomicUsize::new(episodes.iter().filter(|episode| episode.done).count());
    let go_on = |done| {
        let finished = finished.fetch_add(usize::from(done), Ordering::Relaxed) + usize::from(done);
        keep_going(finished)
    };
    let mut running: Vec<&mut Episode> =
        episodes.iter_mut().filter(|episode| !episode.done).collect();
    let share = running.len().div_ceil(rollout.batches.max(1)).max(1);
    let batches: Vec<_> = running.chunks_mut(share).map(Mutex::new).collect();
    let generation = Generation {
        sampling: Sampling::at(temperature),
        max_tokens: rollout.max_response_tokens,
        batch_size: rollout.batch_size,
    };
    let results = map(executor, batches.len(), |batch| {
        // Only this job asks for this batch.
        let mut episodes = batches[batch].lock().unwrap_or_else(PoisonError::into_inner);
        let mut players = Players::new(sampler, &mut episodes, &go_on)?;
        sampler.policy.respond(generation, &mut players)?;
        Ok::<_, TrainerError>(players.outcome?)
    });
    results.into_iter().try_fold(true, |all, result| Ok(all & result?))
}

impl<'a, 'e, P: Policy> Players<'a, 'e, P> {
    fn new(
        sampler: &'a EpisodeSampler<'a, P>,
        episodes: &'a mut [&'e mut Episode],
        go_on: &'a (dyn Fn(bool) -> bool + Sync),
    ) -> Result<Self, PromptError> {
        let endings = episodes.iter().map(|_| sampler.format.stop_condition()).collect();
        let (waiting, outcome) = (VecDeque::new(), Ok(true));
        let mut players = Self { sampler, episodes, endings, waiting, go_on, outcome };
        for id in 0..players.episodes.len() {
            players.ask(id)?;
        }
        Ok(players)
    }

    fn ask(&mut self, id: usize) -> Result<(), PromptError> {
        let prompt = self.episodes[id].prompt(self.sampler.format)?;
        let stream = self.episodes[id].stream.clone();
        self.waiting.push_back(Request { id, prompt, stream });
        Ok(())
    }

    fn act(&mut self, request: Request, response: Vec<SampledToken>) -> Result<bool, PromptError> {
        let Request { id, prompt, stream } = request;
        let episode = &mut *self.episodes[id];
        episode.stream = stream;
        self.sampler.act(episode, Turn { prompt, response })?;
        let done = episode.done;
        if !done {
            self.endings[id] = self.sampler.format.stop_condition();
            self.ask(id)?;
        }
        Ok(done)
    }
}

impl<P: Policy> Requests for Players<'_, '_, P> {
    fn waiting(&self) -> usize {
        self.waiting.len()
    }

    fn next(&mut self) -> Option<Request> {
        self.waiting.pop_front()
    }

    fn ends(&mut self, id: usize, token: u32) -> bool {
        (self.endings[id])(token)
    }

    fn goes_on(&mut self) -> bool {
        let goes_on = (self.go_on)(false);
        if !goes_on {
            self.outcome = Ok(false);
        }
        goes_on
    }

    fn take(&mut self, request: Request, response: Vec<SampledToken>) -> bool {
        self.outcome = self.act(request, response).map(self.go_on);
        matches!(self.outcome, Ok(true))
    }
}
