//! Where one advantage comes from: every group the step was compared with, and the sum.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::address::StepAddress;
use crate::batch::Batch;
use crate::cohort::Cohort;
use crate::context::Level;
use crate::error::Error;
use crate::estimate::raw_advantages;
use crate::estimator::{Comparison, Options, Skipped, Term, Whitening, sum};
use crate::returns::Scores;
use crate::six_decimals::six_decimals;

/// The advantage of one step, taken apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The step.
    pub address: StepAddress,
    /// Its trajectory's index in the batch.
    pub trajectory_index: usize,
    /// Its anchor observation.
    pub state: String,
    /// Its action.
    pub action: Option<String>,
    /// Its immediate reward.
    pub reward: f64,
    /// Whether its response kept the format.
    pub valid: bool,
    /// The options in force.
    pub options: Options,
    /// R_t before the invalid-action penalty.
    #[serde(rename = "return")]
    pub discounted_return: f64,
    /// R_t after it: what step groups compare.
    pub step_reward: f64,
    /// S_t: what episode groups compare.
    pub episode_score: f64,
    /// The episode group: `GRPO`'s only term, `GiGPO`'s first, HGPO's base group where it is on.
    pub episode: Option<LevelTerm>,
    /// One a level of the hierarchy, k = 0…K; missing and skipped ones too. Empty for `GRPO`.
    pub levels: Vec<LevelTerm>,
    /// The gain in value against that of all steps of the task: `G2PO`'s last term.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<LevelTerm>,
    /// What is done to the sum in the end: the shift and scale of `REINFORCE++`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whitening: Option<Whitening>,
    /// Sum of the contributions, episode first, whitened where that is so: bit for bit the advantage of [`estimate`](crate::estimate()).
    pub advantage: f64,
}

/// The step within one group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LevelTerm {
    /// k; absent for an episode group.
    pub level: Option<Level>,
    /// The states s_{t−k}, …, s_t, oldest first (of the agent alone, for Dr. MAS), or the summary of
    /// the past and the state; empty for an episode group and a missing level.
    pub context: Vec<String>,
    /// Rows that the step is compared with, in input order: its group, this step included (with
    /// statistics over `trajectories`, the first row of each trajectory; with a baseline of
    /// `others`, without its own trajectory).
    pub members: Vec<Member>,
    /// Number of members.
    pub size: usize,
    /// Mean of the members' values.
    pub mean: f64,
    /// Standard deviation of the whole group's values.
    pub std: f64,
    /// The step's value against them.
    pub advantage: f64,
    /// Weight before the division by the sum over the levels that are kept.
    pub raw_weight: f64,
    /// Weight in the sum; 0 where HGPO skips the level.
    pub weight: f64,
    /// Why the group says nothing about the step, where it does not.
    pub skipped: Option<Skipped>,
    /// weight · advantage.
    pub contribution: f64,
}

/// A step of a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Member {
    /// Its trajectory's index in the batch.
    pub trajectory_index: usize,
    /// Its trajectory's name.
    pub trajectory: String,
    /// Its step.
    pub step: usize,
    /// What was compared: its step reward, its episode score in an episode group; for `GraphGPO` and
    /// `G2PO` what the state it leads to is worth.
    pub value: f64,
}

/// Takes the advantage of one step apart.
///
/// # Errors
/// [`Options::validate`]'s; a batch without embeddings where they are compared; an address that the batch does not have.
pub fn explain(
    batch: &Batch,
    options: &Options,
    address: &StepAddress,
) -> Result<Explanation, Error> {
    options.check(batch)?;
    let (index, step_index) = batch.locate(address)?;
    let row = batch.row(index, step_index);
    let scores = Scores::of(batch, options.discount, options.invalid_penalty);
    let (cohort, own) = cohort_of(batch, options, row);
    let estimator = options.estimator.prepare(batch, &cohort, &scores);
    let mut terms = Vec::new();
    estimator.terms(own, &mut terms);
    let explain_term = |term: &Term| {
        let member = |(row, value)| member(batch, cohort.rows()[row], value);
        let members = estimator.members(own, term).into_iter().map(member).collect();
        level_term(term, context_of(batch, options, &cohort, own, term), members)
    };
    let of = |kind: fn(&Comparison) -> bool| {
        terms.iter().filter(move |term| kind(&term.comparison)).map(explain_term)
    };
    let mut levels: Vec<LevelTerm> = of(|c| matches!(c, Comparison::Level(_))).collect();
    if let Some(context_length) = options.estimator.context_length() {
        levels
            .extend((levels.len()..=context_length).map(|level| LevelTerm::missing(Level(level))));
    }
    let (advantage, whitening) = if options.estimator.needs_whole_batch() {
        let mut all = raw_advantages(batch, options, &scores);
        let whitening = options.estimator.finish(&mut all);
        (all[row], whitening)
    } else {
        (sum(&terms), None)
    };
    let trajectory = &batch.trajectories()[index];
    let step = &trajectory.steps[step_index];
    Ok(Explanation {
        address: StepAddress::new(&trajectory.task, &trajectory.trajectory, step_index),
        trajectory_index: index,
        state: step.state.clone(),
        action: step.action.clone(),
        reward: step.reward,
        valid: step.valid,
        options: options.clone(),
        discounted_return: scores.returns[row],
        step_reward: scores.step_rewards[row],
        episode_score: scores.episode(index) - scores.penalty(row),
        episode: of(|c| matches!(c, Comparison::Episode)).next(),
        levels,
        progress: of(|c| matches!(c, Comparison::Progress)).next(),
        whitening,
        advantage,
    })
}

/// The cohort of a row, and the row's number in it.
fn cohort_of(batch: &Batch, options: &Options, row: usize) -> (Cohort, usize) {
    let task = batch.task_of()[batch.position(row).0];
    let mut cohorts = options.estimator.cohorts(batch, task).into_iter();
    let own = |cohort: &Cohort| cohort.rows().iter().position(|&other| other == row);
    let found = cohorts.find_map(|cohort| own(&cohort).map(|row| (cohort, row)));
    found.unwrap_or_default() // every row is in one
}

fn member(batch: &Batch, row: usize, value: f64) -> Member {
    let (trajectory_index, step) = batch.position(row);
    let trajectory = batch.trajectories()[trajectory_index].trajectory.clone();
    Member { trajectory_index, trajectory, step, value }
}

/// What the row shares with its group at a level, oldest first: states of its own sequence, or the
/// summary of the past and the state.
fn context_of(
    batch: &Batch,
    options: &Options,
    cohort: &Cohort,
    row: usize,
    term: &Term,
) -> Vec<String> {
    let Comparison::Level(Level(level)) = term.comparison else { return Vec::new() };
    let step = |row: usize| batch.step(cohort.rows()[row]);
    let summary = options.estimator.reads_summaries() && level > 0;
    let past: Vec<String> = if summary {
        step(row).context.clone().into_iter().collect()
    } else {
        (row - level..row).map(|row| step(row).state.clone()).collect()
    };
    past.into_iter().chain([step(row).state.clone()]).collect()
}

fn level_term(term: &Term, context: Vec<String>, members: Vec<Member>) -> LevelTerm {
    let level = match term.comparison {
        Comparison::Level(level) => Some(level),
        Comparison::Episode | Comparison::Progress => None,
    };
    LevelTerm {
        level,
        context,
        members,
        size: term.statistics.size,
        mean: term.statistics.mean,
        std: term.statistics.std,
        advantage: term.advantage,
        raw_weight: term.raw_weight,
        weight: term.weight,
        skipped: term.skipped,
        contribution: term.contribution(),
    }
}

impl LevelTerm {
    fn missing(level: Level) -> Self {
        Self {
            level: Some(level),
            context: Vec::new(),
            members: Vec::new(),
            size: 0,
            mean: 0.0,
            std: 0.0,
            advantage: 0.0,
            raw_weight: 0.0,
            weight: 0.0,
            skipped: Some(Skipped::Missing),
            contribution: 0.0,
        }
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Singleton => "alone in its group",
            Self::Zero => "advantage 0",
            Self::Missing => "no such context",
        })
    }
}

impl fmt::Display for LevelTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level {
            Some(level) => self.write(f, &format!("level {level}")),
            None => self.write(f, "episode"),
        }
    }
}

impl LevelTerm {
    fn write(&self, f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
        f.write_str(name)?;
        if self.skipped == Some(Skipped::Missing) {
            return write!(f, "  skipped: {}", Skipped::Missing);
        }
        let [mean, std, advantage] = [self.mean, self.std, self.advantage].map(six_decimals);
        let [weight, contribution] = [self.weight, self.contribution].map(six_decimals);
        write!(f, "  size {}  mean {mean}  std {std}  advantage {advantage}", self.size)?;
        write!(f, "  weight {weight}  contribution {contribution}")?;
        if let Some(skipped) = self.skipped {
            write!(f, "  skipped: {skipped}")?;
        }
        writeln!(f)?;
        if !self.context.is_empty() {
            let states: Vec<String> = self.context.iter().map(|state| shorten(state)).collect();
            writeln!(f, "  context  {}", states.join(" > "))?;
        }
        let member = |member: &Member| {
            format!("{}/{} {}", member.trajectory, member.step, six_decimals(member.value))
        };
        let members: Vec<String> = self.members.iter().map(member).collect();
        write!(f, "  members  {}", members.join(", "))
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let valid = if self.valid { "" } else { ", invalid" };
        writeln!(
            f,
            "{}  {}  {}",
            self.address,
            self.options.estimator.name(),
            shorten(&self.state)
        )?;
        let [reward, discounted] = [self.reward, self.discounted_return].map(six_decimals);
        let [step_reward, episode] = [self.step_reward, self.episode_score].map(six_decimals);
        write!(f, "reward {reward}{valid}  return {discounted}")?;
        writeln!(f, "  step reward {step_reward}  episode score {episode}")?;
        if let Some(term) = &self.episode {
            term.write(f, "episode")?;
            writeln!(f)?;
        }
        for term in &self.levels {
            writeln!(f, "{term}")?;
        }
        if let Some(term) = &self.progress {
            term.write(f, "progress")?;
            writeln!(f)?;
        }
        if let Some(Whitening { mean, std }) = self.whitening {
            writeln!(f, "whitened: less {}, over {}", six_decimals(mean), six_decimals(std))?;
        }
        write!(f, "advantage {}", six_decimals(self.advantage))
    }
}

/// A state on one line, in at most 48 characters.
fn shorten(state: &str) -> String {
    const LENGTH: usize = 48;
    let line = state.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("\"{}...\"", &line[..end]),
        None => format!("\"{line}\""),
    }
}
