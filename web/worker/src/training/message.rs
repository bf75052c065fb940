//! What the page asks a lane, and what it is answered.
//!
//! Settings are those of a run (`config.toml`) as JSON; a lane trains with them once a seed. Seeds are named by
//! their position in [`Request::Start`], places by row and column from 0.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Settings of a run, as JSON: tables are objects. What is left out has its default.
pub type Settings = Map<String, Value>;

/// What the page asks. `seed` is the position of a seed, `task` the name of a task: `g00` and so on, as in rollouts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs, reason = "each choice says what its fields are")]
pub enum Request {
    /// To begin, whatever the lane has been doing: the settings of all seeds, of which each takes its own in the place
    /// of `seed`, and the seeds.
    Start { settings: Settings, seeds: Vec<u64> },
    /// To go on with other settings, in place of all that there were.
    Change { settings: Settings },
    /// To train, an iteration of every seed at a time: most iterations, none of them beyond `learn.iterations`, and the
    /// milliseconds after which none is begun any more; one is always made.
    Run { iterations: u64, milliseconds: f64 },
    /// To be as after an earlier iteration, 0 for the start. The settings stay as they are.
    GoBack { iteration: u64 },
    /// To show what was played in the last iteration.
    Look { seed: usize },
    /// To show what was learned at a place in the last iteration.
    Cell { seed: usize, row: usize, column: usize },
    /// To show what the policy does at each place that was visited in the last iteration.
    Arrows { seed: usize },
    /// To show what a team said and did in the last iteration, word by word.
    Words { seed: usize },
    /// To tell what estimators say of the steps of the last iteration, place by place: estimators as settings have them
    /// (`estimator`), and whether the truth is told beside them.
    Verdicts { seed: usize, estimators: Vec<Settings>, truth: bool },
    /// To tell the process that a task of the last iteration was.
    Process { seed: usize, task: String },
}

/// What the page is answered. `iteration` is the number of iterations done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs, reason = "each choice says what its fields are")]
pub enum Answer {
    /// To [`Request::Start`]: a lane that has begun, with all settings.
    Started { settings: Settings, iteration: u64 },
    /// To [`Request::Change`]: a lane that goes on with other settings, and whether with what it has learned; otherwise
    /// it begins again.
    Changed { keeps_weights: bool, iteration: u64 },
    /// To [`Request::Run`]: what was trained. Of every seed, the new lines of `metrics.jsonl` as `hgpo train` writes
    /// them, without line ends. Fields of the clock are 0.
    Ran { iteration: u64, lines: Vec<Vec<String>> },
    /// To [`Request::GoBack`]: a lane that is as it was.
    Went { iteration: u64 },
    /// To [`Request::Look`]: the iteration, 0 before the first, and the rollouts as `hgpo train` writes them, JSON Lines of
    /// which the first says how they were made; empty before the first iteration.
    Look { iteration: u64, rollouts: String },
    /// To [`Request::Cell`].
    Cell(Cell),
    /// To [`Request::Arrows`]: what the policy does at each place that was visited in the last iteration, from the first
    /// row on, without the key first.
    Arrows { places: Vec<Arrow> },
    /// To [`Request::Words`]: every word that can be said, in the order in which the environment lists them; none before
    /// the first iteration.
    Words { words: Vec<Word> },
    /// To [`Request::Verdicts`].
    Verdicts(Verdicts),
    /// To [`Request::Process`].
    Process(TaskProcess),
    /// To [`Request::Process`], if a task has more situations and memories than true values can be computed of: the
    /// combinations that were found before it was given up.
    TooLarge { combinations: usize },
    /// To anything that cannot be done, which leaves the lane as it was: one line that says what, where, and
    /// what to do.
    Error(String),
}

/// What was learned at a place in an iteration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// What the agent had in mind there, the most frequent first.
    pub memories: Vec<Memory>,
}

/// What an agent has in mind at a place, and what it does.
///
/// Probabilities are those of up, down, left and right, at the temperature of training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// The last observations and actions that it remembers, the oldest first.
    pub past: Vec<(String, String)>,
    /// What it sees.
    pub observation: String,
    /// Whether it holds the key, which it neither sees nor remembers.
    pub key: bool,
    /// Steps of the last iteration.
    pub visits: usize,
    /// Probabilities before the last update, by which these steps were taken.
    pub before: [f64; 4],
    /// Probabilities after it.
    pub after: [f64; 4],
}

/// What the policy does at a place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Arrow {
    /// Row of the place.
    pub row: usize,
    /// Column of the place.
    pub column: usize,
    /// Whether the key was held.
    pub key: bool,
    /// Steps of the last iteration.
    pub visits: usize,
    /// Probabilities of up, down, left and right after the last update: the mean over the steps.
    pub mean: [f64; 4],
    /// What the agent had in mind, the most frequent first: three at most.
    pub memories: Vec<Memory>,
}

/// What estimators say of the steps of an iteration. Advantages are in standard deviations of all its steps, from their
/// mean, as lanes learn from them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Verdicts {
    /// What was done at each place that was visited, from the first row on, without the key first; and there by action.
    pub actions: Vec<ActionVerdict>,
    /// Of each estimator, the correlation of its means with the true ones over these actions, weighted by steps, from −1 to
    /// 1; null if one of both is always the same, or the truth is not known or was not asked for.
    pub agreement: Vec<Option<f64>>,
    /// The combinations of situation and memory that were found before it was given up, if there are more than true values
    /// can be computed of.
    pub too_large: Option<usize>,
}

/// What estimators say of an action at a place: means over the steps at which it was taken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActionVerdict {
    /// Row of the place.
    pub row: usize,
    /// Column of the place.
    pub column: usize,
    /// Whether the key was held.
    pub key: bool,
    /// The action: 0 to 3 for up, down, left and right.
    pub action: usize,
    /// How often it was taken.
    pub steps: usize,
    /// Its advantage under each estimator; null if that estimator cannot say.
    pub advantages: Vec<Option<f64>>,
    /// Its true advantage under the policy that played; null if it is not known or was not asked for.
    pub truth: Option<f64>,
}

/// What a word of a team was said for, and what was done when it was heard, in the last iteration.
///
/// Both are actions of the agent that hears it, each with how often it was: the most frequent first, and equally
/// frequent ones by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    /// The word.
    pub word: String,
    /// How often it was said.
    pub said: usize,
    /// What was to be done next when it was said, as a scripted player sees it.
    pub needed: Vec<(String, usize)>,
    /// What was done next.
    pub done: Vec<(String, usize)>,
    /// How often what was done is what was to be done.
    pub fitting: usize,
}

/// The process that a task was under the policy that played it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskProcess {
    /// As text in the format of `hgpo_core::process`: megabytes, which the page hands on unread.
    pub process: String,
    /// Of every trajectory, the positions of the situations in which its steps were taken; null if one is not
    /// in the process.
    pub situations: Vec<Vec<Option<usize>>>,
}
