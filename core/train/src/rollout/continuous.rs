//! Continuous batching of long responses: an episode that has acted asks again at once, and one that has ended makes room for
//! the next.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::episode::{Episode, Turn};
use super::episode_sampler::{EpisodeSampler, KeepGoing};
use super::prompt_format::{PromptError, StopCondition};
use crate::TrainerError;
use crate::executor::map;
use crate::host::note_halves;
use crate::policy::requests::{Generation, Request, Requests};
use crate::policy::sampling::SampledToken;
use crate::policy::{Policy, PolicyError};

/// Is told how many responses are done since it was last told; an error if the episodes are not to go on.
type GoOn<'a> = dyn Fn(usize) -> Result<(), PolicyError> + Sync + 'a;

/// The episodes of one batch, and those that wait for a place in it.
struct Players<'a, 'e, P> {
    sampler: &'a EpisodeSampler<'a, P>,
    episodes: &'a mut [&'e mut Episode],
    endings: Vec<StopCondition<'a>>,
    waiting: VecDeque<Request>,
    /// Asked after every step and between tokens.
    go_on: &'a GoOn<'a>,
    /// What went wrong, or that they are not to go on.
    outcome: Result<(), TrainerError>,
}

/// Plays all episodes to their end, `rollout.batches` batches side by side.
pub(super) fn collect<P: Policy>(
    sampler: &EpisodeSampler<'_, P>,
    episodes: &mut [Episode],
    keep_going: &KeepGoing<'_>,
) -> Result<(), TrainerError> {
    let rollout = &sampler.config.rollout;
    let most = sampler.config.environment.max_steps;
    let before = episodes.iter().map(|episode| episode.responses_done(most)).sum();
    let done = AtomicUsize::new(before);
    let go_on = |more| keep_going(done.fetch_add(more, Ordering::Relaxed) + more);
    let mut running: Vec<&mut Episode> =
        episodes.iter_mut().filter(|episode| !episode.done).collect();
    let share = running.len().div_ceil(rollout.batches.max(1)).max(1);
    let batches: Vec<_> = running.chunks_mut(share).map(Mutex::new).collect();
    let generation = Generation {
        sampling: sampler.sampling,
        max_tokens: rollout.max_response_tokens,
        batch_size: sampler.config.batch_size(sampler.policy.is_on_adapter()),
    };
    let results = map(sampler.host.executor(), batches.len(), |batch| {
        // Only this job asks for this batch.
        let mut episodes = batches[batch].lock().unwrap_or_else(PoisonError::into_inner);
        play_batch(sampler, &mut episodes, generation, &go_on)
    });
    results.into_iter().collect()
}

/// Plays the episodes of one batch. If the device has too little memory, what was being answered is asked again, half as much
/// at once.
fn play_batch<P: Policy>(
    sampler: &EpisodeSampler<'_, P>,
    episodes: &mut [&mut Episode],
    mut generation: Generation,
    go_on: &GoOn<'_>,
) -> Result<(), TrainerError> {
    loop {
        let running = episodes.iter().filter(|episode| !episode.done).count();
        let at_once = generation.batch_size.min(running);
        let mut players = Players::new(sampler, episodes, go_on)?;
        match sampler.policy.respond(generation, &mut players) {
            Err(PolicyError::OutOfMemory(reason)) if at_once > 1 => {
                sampler.policy.release_memory();
                generation.batch_size = at_once / 2;
                let setting = "rollout.batch_size";
                note_halves(sampler.host, &reason, setting, generation.batch_size);
            }
            found => {
                found?;
                return players.outcome;
            }
        }
    }
}

impl<'a, 'e, P: Policy> Players<'a, 'e, P> {
    fn new(
        sampler: &'a EpisodeSampler<'a, P>,
        episodes: &'a mut [&'e mut Episode],
        go_on: &'a GoOn<'a>,
    ) -> Result<Self, PromptError> {
        let endings = episodes.iter().map(|_| sampler.format.stop_condition()).collect();
        let (waiting, outcome) = (VecDeque::new(), Ok(()));
        let mut players = Self { sampler, episodes, endings, waiting, go_on, outcome };
        for id in 0..players.episodes.len() {
            if !players.episodes[id].done {
                players.ask(id)?;
            }
        }
        Ok(players)
    }

    fn ask(&mut self, id: usize) -> Result<(), PromptError> {
        let prompt = self.episodes[id].prompt(self.sampler.format)?;
        let stream = self.episodes[id].stream.clone();
        self.waiting.push_back(Request { id, prompt, stream });
        Ok(())
    }

    fn act(&mut self, request: Request, response: Vec<SampledToken>) -> Result<(), TrainerError> {
        let Request { id, prompt, stream } = request;
        let most = self.sampler.config.environment.max_steps;
        let episode = &mut *self.episodes[id];
        let before = episode.responses_done(most);
        episode.stream = stream;
        self.sampler.act(episode, Turn { prompt, response })?;
        let more = episode.responses_done(most).saturating_sub(before);
        if !episode.done {
            self.endings[id] = self.sampler.format.stop_condition();
            self.ask(id)?;
        }
        Ok((self.go_on)(more)?)
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
        if let Err(stop) = (self.go_on)(0) {
            self.outcome = Err(stop.into());
        }
        self.outcome.is_ok()
    }

    fn take(&mut self, request: Request, response: Vec<SampledToken>) -> bool {
        self.outcome = self.act(request, response);
        self.outcome.is_ok()
    }
}
