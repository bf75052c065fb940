//! Histories: the distinct ones that episodes of one task went through.

use std::collections::HashMap;

use crate::rollout::episode::Episode;

/// A tree of histories: the start, and what each action led to. Numbered in order of appearance.
///
/// If chance had a part in an action, or may have had one before that nobody saw, what an agent
/// has done does not settle what comes next: there the action is a place of its own in the tree, and
/// what was seen after it are the histories below.
#[derive(Clone, Debug)]
pub(super) struct Histories {
    met: Vec<Met>,
    /// The passages of each episode, from the start to its end.
    pub(super) ways: Vec<Vec<HistoryStep>>,
}

/// One step through the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HistoryStep {
    /// The history before it.
    pub(super) before: usize,
    /// The history and the action together: `after` itself, unless chance had a part.
    pub(super) action: usize,
    /// The history after it.
    pub(super) after: usize,
}

/// How a place in the tree was met.
#[derive(Clone, Debug)]
struct Met {
    /// The episodes that met it, each after so many steps: only the first if no chance was drawn
    /// on the way, since all are then in the same state.
    visits: Vec<(usize, usize)>,
    /// Chance was drawn on the way.
    by_chance: bool,
    /// If it is an action that chance has a part in: the history in which it is taken.
    taken_in: Option<usize>,
    /// It ended there.
    over: bool,
    /// Another group met it too.
    repeated: bool,
}

impl Met {
    fn new(by_chance: bool, over: bool) -> Self {
        Self { visits: Vec::new(), by_chance, taken_in: None, over, repeated: false }
    }

    fn visit(&mut self, episode: usize, steps: usize, group_size: usize) {
        let first = self.visits.first().map_or(episode, |&(first, _)| first);
        self.repeated |= first / group_size != episode / group_size;
        if self.by_chance || self.visits.is_empty() {
            self.visits.push((episode, steps));
        }
    }
}

impl Histories {
    /// Those of finished episodes that began in the same state, in groups of this size.
    pub(super) fn of(episodes: &[Episode], group_size: usize) -> Self {
        let mut met = vec![Met { repeated: true, ..Met::new(false, false) }];
        let mut acted: HashMap<(usize, Option<&str>, bool), usize> = HashMap::new();
        let mut seen: HashMap<(usize, Option<&[u32]>), usize> = HashMap::new();
        let mut ways = Vec::with_capacity(episodes.len());
        for (index, episode) in episodes.iter().enumerate() {
            let steps = &episode.trajectory.steps;
            let mut way = Vec::with_capacity(steps.len());
            let mut before = 0;
            met[0].visit(index, 0, group_size);
            for (place, step) in steps.iter().enumerate() {
                let done = place + 1;
                let over = done == steps.len();
                let by_chance = met[before].by_chance || episode.drew[place];
                let next = met.len();
                let taken = (before, step.action.as_deref(), step.valid);
                let action = *acted.entry(taken).or_insert(next);
                if action == next {
                    let taken_in = by_chance.then_some(before);
                    met.push(Met { taken_in, ..Met::new(by_chance, over && !by_chance) });
                }
                let mut after = action;
                if by_chance {
                    met[action].visit(index, place, group_size);
                    // What the policy reads next is all that it ever knows of what chance did.
                    let read = episode.turns.get(done).map(|turn| turn.prompt.as_slice());
                    let next = met.len();
                    after = *seen.entry((action, read)).or_insert(next);
                    if after == next {
                        met.push(Met::new(true, over));
                    }
                }
                met[after].visit(index, done, group_size);
                way.push(HistoryStep { before, action, after });
                before = after;
            }
            ways.push(way);
        }
        Self { met, ways }
    }

    /// Number of places in the tree.
    pub(super) fn count(&self) -> usize {
        self.met.len()
    }

    /// Those that several groups met and after which the episode goes on, ascending. What one
    /// group alone did has no repeats to measure bias by, and so no value to be known.
    pub(super) fn open(&self) -> impl Iterator<Item = usize> + '_ {
        let open = |&place: &usize| self.met[place].repeated && !self.met[place].over;
        (0..self.met.len()).filter(open)
    }

    /// Whether the episode ends there.
    pub(super) fn is_over(&self, place: usize) -> bool {
        self.met[place].over
    }

    /// An episode and its step that took the action that the place is, if it is one that chance
    /// has a part in.
    pub(super) fn action(&self, place: usize) -> Option<(usize, usize)> {
        let met = &self.met[place];
        met.visits.first().copied().filter(|_| met.taken_in.is_some())
    }

    /// Episodes, and the number of their steps that make up the history, or that in which the action
    /// is taken. If chance was drawn on the way, all that met it: each is in a state as likely as
    /// chance has it, whatever is done next.
    pub(super) fn visits(&self, place: usize) -> &[(usize, usize)] {
        let met = &self.met[place];
        met.taken_in.map_or(&met.visits, |history| &self.met[history].visits)
    }
}
