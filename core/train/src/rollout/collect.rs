//! Plays episodes with a policy, many at a time.
//!
//! Short responses: all running episodes answer together, and then all act. Long ones end at different
//! times, so that each episode acts when it has answered, and asks again.

use super::continuous;
use super::episode::{Episode, Turn};
use super::prompt::{Format, PromptError};
use crate::executor::{Executor, map};
use crate::policy::decoder::Policy;
use crate::policy::decoder::generate::LONG;
use crate::policy::decoder::weights::WeightsError;
use crate::policy::sampling::{Choice, Sampling};

/// Why episodes could not be played to their end.
#[derive(Debug, thiserror::Error)]
pub enum RolloutError {
    /// The device failed.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// A prompt could not be made, or a response not be read.
    #[error(transparent)]
    Prompt(#[from] PromptError),
}

/// How episodes are played.
#[derive(Clone, Copy, Debug)]
pub struct Play {
    /// Softmax temperature.
    pub temperature: f64,
    /// Tokens after which a response is cut.
    pub max_response_tokens: usize,
    /// Running episodes that generate together.
    pub batch_size: usize,
    /// Batches of long responses side by side.
    pub batches: usize,
    /// Whether an inadmissible action counts as invalid.
    pub inadmissible_is_invalid: bool,
}

/// Is told how many episodes are finished; whether to go on.
pub type KeepGoing<'a> = dyn Fn(usize) -> bool + Sync + 'a;

/// Plays all episodes to their end. `keep_going(finished)` is asked after every step; where it
/// says no, the episodes are left unfinished and the answer is `false`.
///
/// # Errors
/// When the device fails, a prompt cannot be made, or a response not be read.
pub fn collect(
    policy: &Policy,
    format: &dyn Format,
    episodes: &mut [Episode],
    play: Play,
    executor: &dyn Executor,
    keep_going: &KeepGoing<'_>,
) -> Result<bool, RolloutError> {
    if play.max_response_tokens >= LONG {
        return continuous::collect(policy, format, episodes, play, executor, keep_going);
    }
    loop {
        let mut running: Vec<&mut Episode> = episodes.iter_mut().filter(|e| !e.done).collect();
        let running_count = running.len();
        if running_count == 0 {
            return Ok(true);
        }
        let prompts: Vec<Vec<u32>> =
            running.iter().map(|e| e.prompt(format)).collect::<Result<_, _>>()?;
        let responses = respond(policy, format, &running, &prompts, play, executor)?;
        for ((episode, prompt), (response, stream)) in
            running.iter_mut().zip(prompts).zip(responses)
        {
            episode.stream = stream;
            episode.act(Turn { prompt, response }, format, play.inadmissible_is_invalid)?;
        }
        let finished = episodes.iter().filter(|e| e.done).count();
        if !keep_going(finished) {
            return Ok(false);
        }
    }
}

type Response = (Vec<Choice>, hgpo_env::random::Stream);

/// One response a running episode, in their order. Prompts of similar length share a batch, so that
/// little is spent on padding.
fn respond(
    policy: &Policy,
    format: &dyn Format,
    running: &[&mut Episode],
    prompts: &[Vec<u32>],
    play: Play,
    executor: &dyn Executor,
) -> Result<Vec<Response>, WeightsError> {
    let mut order: Vec<usize> = (0..prompts.len()).collect();
    order.sort_by_key(|&index| prompts[index].len());
    let batches: Vec<&[usize]> = order.chunks(play.batch_size.max(1)).collect();
    let streams: Vec<_> = running.iter().map(|episode| episode.stream.clone()).collect();
    let sampling = Sampling::at(play.temperature);
    let results = map(executor, batches.len(), |batch| {
        let members = batches[batch];
        let prompts: Vec<&[u32]> = members.iter().map(|&i| prompts[i].as_slice()).collect();
        let mut streams: Vec<_> = members.iter().map(|&i| streams[i].clone()).collect();
        let mut endings: Vec<_> = members.iter().map(|_| format.ending()).collect();
        let responses = policy.generate(
            &prompts,
            sampling,
            play.max_response_tokens,
            &mut streams,
            &mut |row, token| endings[row].push(token),
        )?;
        Ok::<_, WeightsError>(responses.into_iter().zip(streams).collect::<Vec<_>>())
    });
    let mut placed: Vec<(usize, Response)> = Vec::with_capacity(prompts.len());
    for (members, result) in batches.iter().zip(results) {
        placed.extend(members.iter().copied().zip(result?));
    }
    placed.sort_by_key(|(index, _)| *index);
    Ok(placed.into_iter().map(|(_, response)| response).collect())
}
