//! Environment interface: suites of tasks, episodes, observations and actions.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::EnvError;
use crate::random::{Purpose, Stream};

/// Which tasks: those trained on, new tasks in known layouts, or new tasks in new layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// Tasks that training draws from.
    Train,
    /// Tasks never trained on, in layouts that training uses.
    Seen,
    /// Tasks in layouts that training never uses.
    Unseen,
}

impl Split {
    /// Every split.
    pub const ALL: [Self; 3] = [Self::Train, Self::Seen, Self::Unseen];

    /// Its name in settings and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Seen => "seen",
            Self::Unseen => "unseen",
        }
    }
}

/// What can be done now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actions {
    /// These texts, in a fixed order; shared, as in many environments they hardly change.
    Listed(Arc<[String]>),
    /// `search[...]` with free text, if there is a search, and `click[...]` with one of
    /// these.
    Free {
        /// Whether `search[...]` is possible.
        search: bool,
        /// What can be clicked, in a fixed order.
        clickables: Vec<String>,
    },
    /// Any text.
    Text,
}

impl Actions {
    /// The listed actions; none if they are free.
    #[must_use]
    pub fn listed(&self) -> &[String] {
        match self {
            Self::Listed(actions) => actions,
            Self::Free { .. } | Self::Text => &[],
        }
    }

    /// The actions that are possible as they stand, with nothing left to be written.
    #[must_use]
    pub fn complete(&self) -> Vec<String> {
        match self {
            Self::Listed(actions) => actions.to_vec(),
            Self::Free { clickables, .. } => {
                clickables.iter().map(|it| format!("click[{it}]")).collect()
            }
            Self::Text => Vec::new(),
        }
    }

    /// All that is possible, as an agent is told: for a search, a form to fill in; nothing if any text is possible.
    #[must_use]
    pub fn describe(&self) -> Vec<String> {
        let form = matches!(self, Self::Free { search: true, .. });
        let form = form.then(|| "search[<your query>]".to_owned());
        form.into_iter().chain(self.complete()).collect()
    }

    /// Whether nothing can be done: the episode is over.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Listed(actions) => actions.is_empty(),
            Self::Free { search, clickables } => !search && clickables.is_empty(),
            Self::Text => false,
        }
    }
}

/// What the agent is shown before it acts.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The anchor text that grouping compares: it depends on the current place only.
    pub text: String,
    /// What would be carried out now; nothing once the episode is over.
    pub actions: Actions,
    /// Who has to act, if several agents share the episode.
    pub agent: Option<String>,
    /// A summary of the past, as far as the agent knows it, for grouping by summaries.
    pub context: Option<String>,
    /// Numbers that stand for the text, for grouping by their similarity.
    pub embedding: Option<Vec<f64>>,
}

impl Observation {
    /// A text and what can be done, and nothing else.
    #[must_use]
    pub fn new(text: impl Into<String>, actions: Actions) -> Self {
        Self { text: text.into(), actions, agent: None, context: None, embedding: None }
    }

    /// A text and the actions to choose from, and nothing else.
    #[must_use]
    pub fn listed(text: impl Into<String>, actions: Vec<String>) -> Self {
        Self::new(text, Actions::Listed(actions.into()))
    }
}

/// What one action led to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Immediate reward.
    pub reward: f64,
    /// The episode is over: the task is done or the step limit is reached.
    pub done: bool,
    /// The task is done.
    pub won: bool,
    /// The action was admissible; otherwise it changed nothing and cost the step.
    pub admissible: bool,
}

/// Something that an action can lead to.
pub struct Possibility {
    /// How likely it is: above 0, and at most 1.
    pub probability: f64,
    /// Immediate reward.
    pub reward: f64,
    /// The episode as it goes on; none if it is over, whatever the step limit is.
    pub next: Option<Box<dyn Environment>>,
}

/// One running episode.
pub trait Environment: Send + Sync {
    /// The instruction, in words.
    fn instruction(&self) -> &str;

    /// What the agent sees now.
    fn observe(&self) -> Observation;

    /// Carries out one action, written as an observation lists it or as its form is filled in; any
    /// other text changes nothing and costs the step. After the end nothing is carried out any more:
    /// the reward is 0, `done` stays set, and `won` stays as it was.
    ///
    /// Whatever is left to chance is drawn from `chance`, which belongs to the episode and not to the
    /// state: attempts at one task differ, and who goes on from a snapshot draws anew.
    fn step(&mut self, action: &str, chance: &mut Stream) -> Outcome;

    /// Announces the action that [`Self::step`] is called with next, so that an environment outside this process
    /// can work on it while the actions of other episodes are chosen.
    fn announce(&mut self, action: &str) {
        let _ = action;
    }

    /// Numbers of the episode so far that are worth a look, by their names, which nothing is learned from.
    fn info(&self) -> Option<&Map<String, Value>> {
        None
    }

    /// What each agent earned by the last action, if agents have rewards of their own, of which [`Outcome::reward`] is
    /// then the mean; who is left out earned nothing.
    fn agent_rewards(&self) -> Option<&BTreeMap<String, f64>> {
        None
    }

    /// Why the episode cannot go on, if what it is played by outside this process has failed.
    fn failure(&self) -> Option<&str> {
        None
    }

    /// A copy of the whole state: restore by putting it back in place of the running episode.
    fn snapshot(&self) -> Box<dyn Environment>;

    /// Names all that matters for what comes next, apart from the steps left: two episodes of a task with the
    /// same situation go on alike. `None` if the environment does not name it.
    fn situation(&self) -> Option<String> {
        None
    }

    /// Everything that an admissible action can lead to, with probabilities that add up to 1, whatever the
    /// step limit is. `None` if the environment does not know its chances.
    fn possibilities(&self, action: &str) -> Option<Vec<Possibility>> {
        let _ = action;
        None
    }

    /// A drawing of the whole state in text, for people who look on: no agent is shown it. `None` if
    /// the environment draws none.
    fn drawing(&self) -> Option<String> {
        None
    }

    /// How much of the task is done, from 0 to 1, if more is known of it than whether it is done.
    fn score(&self) -> Option<f64> {
        None
    }

    /// What is seen as the original of the environment tells it, if that is a different text from the one
    /// that grouping compares: for comparisons with it.
    fn original(&self) -> Option<String> {
        None
    }

    /// The shortest way to finish from here, with full knowledge of what is hidden and however few
    /// steps are left; empty once won. `None` if the environment does not plan.
    fn plan(&self) -> Option<Vec<String>> {
        None
    }
}

/// A scripted player.
pub trait Player: Send {
    /// The action to take now; `None` if it knows none. Call it once a step, beginning with the observation
    /// that it was made for, and carry out what it says.
    fn act(&mut self, now: &Observation) -> Option<String>;
}

/// A plan that is carried out.
impl Player for std::vec::IntoIter<String> {
    fn act(&mut self, _: &Observation) -> Option<String> {
        self.next()
    }
}

/// The task seed that is drawn for a place of an iteration or a split.
pub(crate) fn drawn_task(seed: u64, of: u64, place: usize) -> u64 {
    Stream::new(seed, Purpose::Tasks, [of, place as u64]).word()
}

/// A family of tasks.
pub trait Suite: Send + Sync {
    /// Its name, as written in rollouts files.
    fn name(&self) -> &str;

    /// Announces a task that [`Self::start`] is called with later, so that an environment outside this process can
    /// prepare several at once.
    fn announce(&self, split: Split, task_seed: u64) {
        let _ = (split, task_seed);
    }

    /// Starts the task that `task_seed` names in `split`: always in the same state.
    ///
    /// # Errors
    /// If the task cannot be made, as when its file cannot be read: names what it was.
    fn start(&self, split: Split, task_seed: u64) -> Result<Box<dyn Environment>, EnvError>;

    /// The file that a task is read from, below the folder of the data, if it has one of its own.
    fn source(&self, split: Split, task_seed: u64) -> Option<&str> {
        let _ = (split, task_seed);
        None
    }

    /// How many tasks a split has, if they are those of the seeds from 0 on and others repeat them.
    fn task_count(&self, split: Split) -> Option<usize> {
        let _ = split;
        None
    }

    /// The name by which a task is known whatever its seed, if it has one.
    fn task_id(&self, split: Split, task_seed: u64) -> Option<String> {
        self.source(split, task_seed).map(str::to_owned)
    }

    /// All that a task is, without its name: two tasks are the same if nothing else tells them apart. By
    /// default the instruction, what is seen first, and the drawing.
    ///
    /// # Errors
    /// As for starting it.
    fn task_content(&self, split: Split, task_seed: u64) -> Result<String, EnvError> {
        let episode = self.start(split, task_seed)?;
        let seen = episode.observe().text;
        let drawing = episode.drawing().unwrap_or_default();
        Ok([episode.instruction(), &seen, &drawing].join("\n"))
    }

    /// What kind of task it is, if the suite has kinds, so that success can be told for each.
    fn kind(&self, split: Split, task_seed: u64) -> Option<&'static str> {
        let _ = (split, task_seed);
        None
    }

    /// How many tasks of a split ask for what a task of training asks for, in the same place, and of how many; `None` if
    /// the suite is made so that none does.
    fn repeated(&self, split: Split) -> Option<(usize, usize)> {
        let _ = split;
        None
    }

    /// Steps after which an unfinished episode ends.
    fn max_steps(&self) -> usize;

    /// The seed of the task at a place of an iteration of training.
    fn training_task(&self, seed: u64, iteration: u64, place: usize) -> u64 {
        drawn_task(seed, iteration, place)
    }

    /// The seed of the task at a place of an evaluation.
    fn evaluation_task(&self, split: Split, seed: u64, place: usize) -> u64 {
        drawn_task(seed, split as u64, place)
    }

    /// A scripted player that takes a running episode to its end, to be imitated; `seed` settles its
    /// choices. If the suite has one that sees what an agent sees, it is that one, so that an agent
    /// is not taught to guess; otherwise it follows the plan, if there is one.
    fn player(&self, episode: &dyn Environment, seed: u64) -> Option<Box<dyn Player>> {
        let _ = seed;
        episode.plan().map(|plan| Box::new(plan.into_iter()) as Box<dyn Player>)
    }

    /// Every word that instructions, observations and actions can contain, in lower case and sorted, for a
    /// word-level tokenizer (words are separated by white space; `.`, `,`, `:` and `]` are words, and one
    /// ends with `[`); `None` if there is no end to the words.
    ///
    /// # Errors
    /// If something has to be read for it and cannot be.
    fn vocabulary(&self) -> Result<Option<Vec<String>>, EnvError> {
        Ok(None)
    }

    /// The agents that share an episode, each of which acts in some of them: observations name the one that
    /// has to act, and what it sees is seen by no other. None if there is but one.
    fn agents(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Whether agents have rewards of their own ([`Environment::agent_rewards`]).
    fn gives_agent_rewards(&self) -> bool {
        false
    }

    /// Whether observations carry an embedding.
    fn gives_embeddings(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_actions_are_told_as_forms_and_clicks() {
        let actions = |search| Actions::Free { search, clickables: vec!["buy now".to_owned()] };
        assert_eq!(actions(true).describe(), ["search[<your query>]", "click[buy now]"]);
        assert_eq!(actions(true).complete(), ["click[buy now]"]);
        assert_eq!(actions(false).describe(), ["click[buy now]"]);
        assert!(Actions::Free { search: false, clickables: Vec::new() }.is_empty());
        assert!(!Actions::Free { search: true, clickables: Vec::new() }.is_empty());
    }
}
