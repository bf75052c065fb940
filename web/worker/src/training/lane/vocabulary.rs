//! Words of a team: what each of them was said for in the last iteration of a seed, and what was done when it was
//! heard.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use hgpo_core::{Step, Trajectory};
use hgpo_env::chores::guide::ScriptedPair;
use hgpo_env::{Observation, Player as _, Split, Suite};

use super::runner::Runner;
use crate::training::message::{Answer, Word};

/// What was counted of a word.
#[derive(Default)]
struct Uses {
    said: usize,
    needed: BTreeMap<String, usize>,
    done: BTreeMap<String, usize>,
    fitting: usize,
}

/// Every word that can be said.
pub(crate) fn words(runner: &Runner, suite: &dyn Suite) -> Result<Answer, String> {
    let agents = suite.agents();
    let Some(&speaker) = agents.first() else {
        return Err(format!("words: nobody speaks in {}; ask for look", suite.name()));
    };
    let played = runner.last.iter().flat_map(|it| &it.trajectories);
    let mut words: Vec<(String, Uses)> = Vec::new();
    for attempt in played {
        for word in vocabulary(suite, attempt)? {
            if !words.iter().any(|(known, _)| *known == word) {
                words.push((word, Uses::default()));
            }
        }
        for (time, step) in attempt.steps.iter().enumerate() {
            let own = words.iter_mut().find(|(word, _)| step.action.as_ref() == Some(word));
            if let (true, Some((_, uses))) = (step.agent.as_deref() == Some(speaker), own) {
                uses.count(step, attempt.steps.get(time + 1));
            }
        }
    }
    Ok(Answer::Words { words: words.into_iter().map(Uses::told).collect() })
}

/// What can be said at the task of an attempt.
fn vocabulary(suite: &dyn Suite, attempt: &Trajectory) -> Result<Vec<String>, String> {
    let task = attempt.seed.unwrap_or_default();
    let start = suite.start(Split::Train, task).map_err(|error| error.to_string())?;
    Ok(start.observe().actions.listed().to_vec())
}

/// What is to be done next, by what the speaker sees: what one player of both roles would do.
fn needed(step: &Step) -> Option<String> {
    let any = vec![step.action.clone()?];
    ScriptedPair::new(1).act(&Observation::listed(step.state.clone(), any))
}

impl Uses {
    /// Counts a step of the speaker, and the answer to it; none if the attempt ended.
    fn count(&mut self, step: &Step, answer: Option<&Step>) {
        self.said += 1;
        let needed = needed(step);
        let done = answer.and_then(|it| it.action.clone());
        self.fitting += usize::from(needed.is_some() && needed == done);
        for (counts, action) in [(&mut self.needed, needed), (&mut self.done, done)] {
            if let Some(action) = action {
                *counts.entry(action).or_default() += 1;
            }
        }
    }

    fn told((word, Self { said, needed, done, fitting }): (String, Self)) -> Word {
        let sorted = |counts: BTreeMap<String, usize>| {
            let mut counts: Vec<_> = counts.into_iter().collect();
            counts.sort_by_key(|&(_, count)| Reverse(count));
            counts
        };
        Word { word, said, needed: sorted(needed), done: sorted(done), fitting }
    }
}
