//! Values of states: learned by a critic, estimated by restarts, computed from a finite process, or
//! measured for a study of the bias of estimators.

pub mod bias_study;
pub mod critic;
pub mod finite_process;
pub mod restarts;

use crate::TrainerError;
use crate::policy::Policy;
use crate::rollout::episode::Episode;
use crate::rollout::episode_sampler::EpisodeSampler;

/// Continuations that run at once: enough to fill every batch, few enough to be held in memory.
pub const CONTINUATIONS: usize = 4096;

/// Plays the continuations of places, `each` of every place, and tells `found` those of each in turn.
fn play_continuations<P: Policy, T: Copy + Sync>(
    sampler: &EpisodeSampler<'_, P>,
    (places, each): (&[T], usize),
    continuations: impl Fn(T) -> Result<Vec<Episode>, TrainerError>,
    mut found: impl FnMut(T, &[Episode]),
    phase: &str,
) -> Result<(), TrainerError> {
    let mut done: usize = 0;
    for part in places.chunks((CONTINUATIONS / each).max(1)) {
        let parts = part.iter().map(|&place| continuations(place));
        let parts: Vec<Vec<Episode>> = parts.collect::<Result<_, _>>()?;
        let mut episodes: Vec<Episode> = parts.into_iter().flatten().collect();
        let most = each.saturating_mul(sampler.config.environment.max_steps);
        sampler.play_with_progress(&mut episodes, &|responses| {
            let done = done.saturating_mul(most).saturating_add(responses);
            sampler.host.progress(phase, done, places.len().saturating_mul(most));
        })?;
        for (&place, continuations) in part.iter().zip(episodes.chunks(each)) {
            found(place, continuations);
        }
        done += part.len();
    }
    Ok(())
}
