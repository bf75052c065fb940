//! Collection of episodes: a policy plays many at a time.
//!
//! Short responses: all running episodes answer together, and then all act. Long ones end at different
//! times, so that each episode acts when it has answered, and asks again.

use super::continuous;
use super::episode::{Episode, Turn};
use super::episode_sampler::{EpisodeSampler, KeepGoing};
use crate::TrainerError;
use crate::executor::map;
use crate::policy::requests::LONG;
use crate::policy::sampling::{SampledToken, Sampling};
use crate::policy::{Policy, PolicyError};

/// Plays all episodes to their end. `keep_going(finished)` is asked after every step, and between batches
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
    let total = episodes.len();
    loop {
        let mut running: Vec<&mut Episode> = episodes.iter_mut().filter(|e| !e.done).collect();
        if running.is_empty() {
            return Ok(());
        }
        let prompts: Vec<Vec<u32>> =
            running.iter().map(|e| e.prompt(sampler.format)).collect::<Result<_, _>>()?;
        let finished = total - running.len();
        let responses = respond(sampler, &mut running, &prompts, &|| keep_going(finished))?;
        for ((episode, prompt), response) in running.iter_mut().zip(prompts).zip(responses) {
            sampler.act(episode, Turn { prompt, response })?;
        }
        keep_going(episodes.iter().filter(|e| e.done).count())?;
    }
}

/// One response a running episode, in their order. Prompts of similar length share a batch, so that little is
/// spent on padding.
fn respond<P: Policy>(
    sampler: &EpisodeSampler<'_, P>,
    running: &mut [&mut Episode],
    prompts: &[Vec<u32>],
    keep_going: &(dyn Fn() -> Result<(), PolicyError> + Sync),
) -> Result<Vec<Vec<SampledToken>>, PolicyError> {
    let EpisodeSampler { config, format, policy, temperature, host, .. } = *sampler;
    let mut order: Vec<usize> = (0..prompts.len()).collect();
    order.sort_by_key(|&index| prompts[index].len());
    let batches: Vec<&[usize]> = order.chunks(config.rollout.batch_size.max(1)).collect();
    let results = map(host.executor(), batches.len(), |batch| {
        keep_going()?;
        let members = batches[batch];
        let prompts: Vec<&[u32]> = members.iter().map(|&i| prompts[i].as_slice()).collect();
        let mut streams: Vec<_> = members.iter().map(|&i| running[i].stream.clone()).collect();
        let mut endings: Vec<_> = members.iter().map(|_| format.stop_condition()).collect();
        let responses = policy.generate(
            &prompts,
            Sampling::at(temperature),
            config.rollout.max_response_tokens,
            &mut streams,
            &mut |row, token| endings[row](token),
        )?;
        Ok::<_, PolicyError>((responses, streams))
    });
    let mut placed = vec![Vec::new(); prompts.len()];
    for (members, result) in batches.iter().zip(results) {
        let (responses, streams) = result?;
        for ((&member, response), stream) in members.iter().zip(responses).zip(streams) {
            placed[member] = response;
            running[member].stream = stream;
        }
    }
    Ok(placed)
}
