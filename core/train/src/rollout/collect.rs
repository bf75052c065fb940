//! Collection of episodes: a policy plays many at a time.
//!
//! Short responses: all running episodes answer together, and then all act. Long ones end at different
//! times, so that each episode acts when it has answered, and asks again.

use std::sync::atomic::{AtomicUsize, Ordering};

use hgpo_env::random::Stream;

use super::continuous;
use super::episode::{Episode, Turn};
use super::episode_sampler::{EpisodeSampler, KeepGoing};
use super::prompt_format::StopCondition;
use crate::TrainerError;
use crate::executor::map;
use crate::host::note_halves;
use crate::policy::requests::LONG;
use crate::policy::sampling::SampledToken;
use crate::policy::{Policy, PolicyError};

/// Makes what tells where a response ends.
pub(crate) type Stop<'a> = dyn Fn() -> StopCondition<'a> + Sync + 'a;

/// Plays all episodes to their end. `keep_going(responses)` is asked after every step, and between batches
/// of short responses or tokens of long ones; if it says no, the episodes are left unfinished.
///
/// # Errors
/// When the device fails, a prompt cannot be made, a response not be read, or what `keep_going` says.
pub(super) fn collect<P: Policy>(
    sampler: &EpisodeSampler<'_, P>,
    episodes: &mut [Episode],
    keep_going: &KeepGoing<'_>,
) -> Result<(), TrainerError> {
    if sampler.config.rollout.max_response_tokens >= LONG {
        return continuous::collect(sampler, episodes, keep_going);
    }
    let most = sampler.config.environment.max_steps;
    let responses_done = |episodes: &[Episode]| -> usize {
        episodes.iter().map(|episode| episode.responses_done(most)).sum()
    };
    loop {
        let before = responses_done(episodes);
        let mut running: Vec<&mut Episode> = episodes.iter_mut().filter(|e| !e.done).collect();
        if running.is_empty() {
            return Ok(());
        }
        let prompts: Vec<Vec<u32>> =
            running.iter().map(|e| e.prompt(sampler.format)).collect::<Result<_, _>>()?;
        let streams = running.iter_mut().map(|episode| &mut episode.stream).collect();
        let stop = || sampler.format.stop_condition();
        let responses =
            respond(sampler, &prompts, streams, &stop, &|drawn| keep_going(before + drawn))?;
        // All actions are announced before the first is waited for.
        let turns = prompts.into_iter().zip(responses);
        let decisions = running.iter_mut().zip(turns).map(|(episode, (prompt, response))| {
            episode.decide(Turn { prompt, response }, sampler.format)
        });
        let decisions: Vec<_> = decisions.collect::<Result<_, _>>()?;
        for (episode, decision) in running.iter_mut().zip(decisions) {
            let is_invalid = sampler.config.environment.inadmissible_is_invalid;
            sampler.unless_stopped(episode.carry_out(decision, is_invalid).map_err(Into::into))?;
        }
        keep_going(responses_done(episodes))?;
    }
}

/// One response a prompt, in their order, each drawn with its stream and ended as `stop` says. Prompts of similar length
/// share a batch, so that little is spent on padding. `keep_going(drawn)` is asked around every batch.
pub(crate) fn respond<P: Policy>(
    sampler: &EpisodeSampler<'_, P>,
    prompts: &[Vec<u32>],
    mut streams: Vec<&mut Stream>,
    stop: &Stop<'_>,
    keep_going: &KeepGoing<'_>,
) -> Result<Vec<Vec<SampledToken>>, PolicyError> {
    let mut order: Vec<usize> = (0..prompts.len()).collect();
    order.sort_by_key(|&index| prompts[index].len());
    let size = sampler.config.batch_size(sampler.policy.is_on_adapter());
    let batches: Vec<&[usize]> = order.chunks(size).collect();
    let drawn = AtomicUsize::new(0);
    let results = map(sampler.host.executor(), batches.len(), |batch| {
        keep_going(drawn.load(Ordering::Relaxed))?;
        let members = batches[batch];
        let prompts: Vec<&[u32]> = members.iter().map(|&i| prompts[i].as_slice()).collect();
        let streams: Vec<Stream> = members.iter().map(|&i| streams[i].clone()).collect();
        let found = draw(sampler, &prompts, streams, stop)?;
        keep_going(drawn.fetch_add(members.len(), Ordering::Relaxed) + members.len())?;
        Ok::<_, PolicyError>(found)
    });
    let mut placed = vec![Vec::new(); prompts.len()];
    for (members, result) in batches.iter().zip(results) {
        let (responses, after) = result?;
        for ((&member, response), stream) in members.iter().zip(responses).zip(after) {
            placed[member] = response;
            *streams[member] = stream;
        }
    }
    Ok(placed)
}

/// A response a prompt, and the streams after them. A batch that does not fit into the device's memory is drawn in halves.
/// Once the user asks to stop, the responses are cut short.
fn draw<P: Policy>(
    sampler: &EpisodeSampler<'_, P>,
    prompts: &[&[u32]],
    mut streams: Vec<Stream>,
    stop: &Stop<'_>,
) -> Result<(Vec<Vec<SampledToken>>, Vec<Stream>), PolicyError> {
    let EpisodeSampler { config, policy, sampling, host, .. } = *sampler;
    let before = streams.clone();
    let mut endings: Vec<_> = prompts.iter().map(|_| stop()).collect();
    let found = policy.generate(
        prompts,
        sampling,
        config.rollout.max_response_tokens,
        &mut streams,
        &mut |row, token| endings[row](token) || host.interrupted(),
    );
    match found {
        Err(PolicyError::OutOfMemory(reason)) if prompts.len() > 1 => {
            policy.release_memory();
            let half = prompts.len() / 2;
            note_halves(host, &reason, "rollout.batch_size", half);
            let (first, second) = prompts.split_at(half);
            let mut rest = before;
            let later = rest.split_off(half);
            let (mut responses, mut streams) = draw(sampler, first, rest, stop)?;
            let (more, after) = draw(sampler, second, later, stop)?;
            responses.extend(more);
            streams.extend(after);
            Ok((responses, streams))
        }
        found => Ok((found?, streams)),
    }
}
