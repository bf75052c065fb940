//! Rollouts: steps and trajectories.

pub(crate) mod fields;
pub mod token_fields;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::{Error, Place, Problem};

/// Largest magnitude of a reward and of a state's value: sums of squares stay finite in `f64`.
pub const REWARD_LIMIT: f64 = 1e100;

/// One step: what the agent saw, did, and got.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// Anchor observation; grouping compares it by exact equality.
    pub state: String,
    /// Action taken in `state`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Immediate reward.
    pub reward: f64,
    /// Whether the response kept the output format; an invalid step is penalised.
    pub valid: bool,
    /// Summary of what came before, for grouping by summaries in place of the last states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Numbers that stand for `state`, for grouping by their similarity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding: Option<Vec<f64>>,
    /// What `state` is worth before the action, in units of the discounted return: an estimate of a
    /// critic or of restarts, for estimators that compare with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state_value: Option<f64>,
    /// Who acted, if several agents share a trajectory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Full text, if it differs from `state`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observation: Option<String>,
    /// Text the policy was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Text the policy gave back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
    /// Fields unknown to this crate, kept on rewrite.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Default for Step {
    /// An empty state without action or reward; valid.
    fn default() -> Self {
        Self::new("", 0.0)
    }
}

impl Step {
    /// A valid step without action.
    #[must_use]
    pub fn new(state: impl Into<String>, reward: f64) -> Self {
        Self {
            state: state.into(),
            action: None,
            reward,
            valid: true,
            context: None,
            embedding: None,
            state_value: None,
            agent: None,
            observation: None,
            prompt: None,
            response: None,
            extra: Map::new(),
        }
    }

    /// The same step with its action.
    #[must_use]
    pub fn with_action(mut self, action: impl Into<String>) -> Self {
        self.action = Some(action.into());
        self
    }

    /// The same step with `valid` set.
    #[must_use]
    pub fn with_valid(mut self, valid: bool) -> Self {
        self.valid = valid;
        self
    }

    /// Checks that the reward and the state's value are numbers that sums and squares can be taken
    /// of, that the embedding holds numbers, and that no unknown field is meant as one that holds nothing.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        check_unknown(
            &self.extra,
            &[
                ("action", self.action.is_none()),
                ("context", self.context.is_none()),
                ("embedding", self.embedding.is_none()),
                ("state_value", self.state_value.is_none()),
                ("agent", self.agent.is_none()),
                ("observation", self.observation.is_none()),
                ("prompt", self.prompt.is_none()),
                ("response", self.response.is_none()),
                ("step", !self.extra.contains_key("step")),
            ],
        )?;
        usable("reward", self.reward)?;
        if let Some(value) = self.state_value {
            usable("state_value", value)?;
        }
        match self.embedding.iter().flatten().find(|number| !number.is_finite()) {
            Some(number) => Err(Problem::NonFinite {
                field: "embedding".to_owned(),
                literal: number.to_string(),
            }),
            None => Ok(()),
        }
    }
}

/// Checks that no unknown field is meant as one of these that holds nothing: names, and whether they do.
fn check_unknown(
    unknown: &Map<String, Value>,
    fields: &[(&'static str, bool)],
) -> Result<(), Problem> {
    if unknown.is_empty() {
        return Ok(());
    }
    let empty = fields.iter().filter_map(|&(name, is_empty)| is_empty.then_some(name));
    fields::check_spelling(unknown.keys().map(String::as_str), &empty, |_| true)
}

/// Checks that sums and squares can be taken of a number.
fn usable(field: &str, number: f64) -> Result<(), Problem> {
    let field = field.to_owned();
    if !number.is_finite() {
        return Err(Problem::NonFinite { field, literal: number.to_string() });
    }
    if number.abs() > REWARD_LIMIT {
        return Err(Problem::TooLarge { field, value: number, limit: REWARD_LIMIT });
    }
    Ok(())
}

/// One episode of a task. Trajectories of the same task started from the same initial state.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Trajectory {
    /// The group: episodes with the same initial state.
    pub task: String,
    /// Name, unique within the task.
    pub trajectory: String,
    /// Whether the task was achieved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success: Option<bool>,
    /// Seed of the environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Name of the environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// Steps in order of time.
    pub steps: Vec<Step>,
    /// Fields unknown to this crate, kept on rewrite.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Trajectory {
    /// A trajectory with nothing but its names and steps.
    #[must_use]
    pub fn new(task: impl Into<String>, trajectory: impl Into<String>, steps: Vec<Step>) -> Self {
        Self { task: task.into(), trajectory: trajectory.into(), steps, ..Self::default() }
    }

    /// Whether the task was achieved: what `success` says, else whether the rewards add up to more
    /// than 0.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        let total = || self.steps.iter().map(|step| step.reward).sum::<f64>();
        self.success.unwrap_or_else(|| total() > 0.0)
    }

    pub(crate) fn place(&self) -> Place {
        Place::trajectory(&self.task, &self.trajectory)
    }

    /// Checks that task and trajectory have names: an empty one, as of a missing value, may stand for several.
    pub(crate) fn check_names(&self) -> Result<(), Error> {
        let names = [("task", &self.task), ("trajectory", &self.trajectory)];
        match names.into_iter().find(|(_, name)| name.trim().is_empty()) {
            Some((field, _)) => Err(self.place().error(Problem::EmptyName { field })),
            None => Ok(()),
        }
    }

    /// Checks what can be checked in one trajectory: it has names and steps, these are in order, rewards are usable
    /// numbers, and no unknown field is meant as one that holds nothing.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.check_names()?;
        check_unknown(
            &self.extra,
            &[
                ("success", self.success.is_none()),
                ("seed", self.seed.is_none()),
                ("environment", self.environment.is_none()),
            ],
        )
        .map_err(|problem| self.place().error(problem))?;
        if self.steps.is_empty() {
            return Err(self.place().error(Problem::EmptyTrajectory));
        }
        for (index, step) in self.steps.iter().enumerate() {
            let checked =
                step.check().and_then(|()| follow(&self.steps[..index], step, true, None));
            checked.map_err(|problem| self.place().at_step(index).error(problem))?;
        }
        Ok(())
    }
}

/// How many agents may act at the same time, at least, for one that acts twice to be found.
const AGENTS: usize = 1000;

/// The number of a step, if it has one.
pub(crate) fn number(step: &Step) -> Option<f64> {
    let number = match step.extra.get("step")? {
        Value::String(text) => crate::text::number::number(text.trim()),
        value => value.as_f64(),
    };
    number.filter(|number| number.is_finite())
}

/// Checks that a step may be the next one of its trajectory, and is not the step of another one of the same name, as
/// when files were put together. In its file, it stands together with the step before it or not; `first_line` is the
/// one that the trajectory begins on.
///
/// Steps without numbers stand together. Numbers go on one by one, but for those of agents that act at the same time.
#[expect(clippy::float_cmp, reason = "numbers that are not exactly one apart are no neighbours")]
pub(crate) fn follow(
    steps: &[Step],
    step: &Step,
    is_together: bool,
    first_line: Option<usize>,
) -> Result<(), Problem> {
    let Some(last) = steps.last() else { return Ok(()) };
    let own = || steps.iter().rev().take(AGENTS).find(|before| before.agent == step.agent);
    let goes_on = match [last, step].map(number) {
        [None, None] if is_together => true,
        [None, None] => return Err(Problem::DuplicateTrajectory { first_line }),
        [Some(before), Some(now)] if is_together && now == before => {
            own().is_none_or(|own| number(own) < Some(now))
        }
        [Some(before), Some(now)] => now == before + 1.0,
        _ => false,
    };
    if goes_on {
        return Ok(());
    }
    let [before, now] = [last, step]
        .map(|step| number(step).map_or("none".to_owned(), |number| number.to_string()));
    Err(Problem::UnorderedRows { before, now, first_line })
}
