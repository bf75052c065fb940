//! The distinct histories that episodes of one task went through.

use std::collections::HashMap;

use crate::rollout::episode::Episode;

/// A tree of histories: the start, and what each action led to. Numbered in order of appearance.
#[derive(Clone, Debug)]
pub(super) struct Histories {
    met: Vec<Met>,
    /// The histories of each episode, from the start to its end.
    ways: Vec<Vec<usize>>,
}

/// How a history was met.
#[derive(Clone, Copy, Debug)]
struct Met {
    /// The first episode that met it,
    episode: usize,
    /// after so many steps.
    steps: usize,
    /// It ended there.
    over: bool,
    /// Another group met it too.
    repeated: bool,
}

impl Histories {
    /// Those of finished episodes that began in the same state, in groups of this size.
    pub(super) fn of(episodes: &[Episode], group_size: usize) -> Self {
        let mut met = vec![Met { episode: 0, steps: 0, over: false, repeated: true }];
        let mut after: HashMap<(usize, Option<&str>, bool), usize> = HashMap::new();
        let mut ways = Vec::with_capacity(episodes.len());
        for (index, episode) in episodes.iter().enumerate() {
            let steps = &episode.trajectory.steps;
            let mut way = vec![0];
            for (step, done) in steps.iter().zip(1..) {
                let before = way[way.len() - 1];
                let next = met.len();
                let deed = (before, step.action.as_deref(), step.valid);
                let history = *after.entry(deed).or_insert(next);
                if history == next {
                    let over = done == steps.len();
                    met.push(Met { episode: index, steps: done, over, repeated: false });
                }
                let met = &mut met[history];
                met.repeated |= met.episode / group_size != index / group_size;
                way.push(history);
            }
            ways.push(way);
        }
        Self { met, ways }
    }

    /// Number of histories.
    pub(super) fn count(&self) -> usize {
        self.met.len()
    }

    /// Those that several groups met and after which the episode goes on, ascending. What one
    /// group alone did has no repeats to measure bias by, and so no value to be known.
    pub(super) fn open(&self) -> impl Iterator<Item = usize> + '_ {
        let open = |&history: &usize| self.met[history].repeated && !self.met[history].over;
        (0..self.met.len()).filter(open)
    }

    /// Whether the episode ends there.
    pub(super) fn is_over(&self, history: usize) -> bool {
        self.met[history].over
    }

    /// An episode, and the number of its steps that make up the history.
    pub(super) fn example(&self, history: usize) -> (usize, usize) {
        (self.met[history].episode, self.met[history].steps)
    }

    /// The histories of an episode: one more than it has steps.
    pub(super) fn way(&self, episode: usize) -> &[usize] {
        &self.ways[episode]
    }
}
