//! Dr. MAS: each agent of a team is compared with itself only.

use super::Estimator;
use super::grpo::Grpo;
use super::method::Method;
use super::terms::mixed_statistics::{AgentStatistics, MixedStatistics};
use super::terms::term::Terms;
use super::terms::turn_groups::{TurnGroups, TurnScores};
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::error::Error;
use crate::option::declaration::{Declared, Kind};
use crate::option::fields::options;
use crate::returns::Scores;
use crate::statistics::Scale;

options! {
    /// Dr. MAS: each agent of a team is compared with itself only.
    ///
    /// Groups are those of another estimator within (task, agent) in place of the task: mean and
    /// deviation are over all turns of that agent in the task's trajectories, and the context of a step
    /// is the agent's own last states. Returns and episode scores stay those of the whole trajectory.
    /// Source: arXiv 2602.08847.
    ///
    /// Steps without an `agent` are those of one more agent; rollouts without agents give exactly what
    /// the estimator inside gives (with `turns = together`).
    ///
    /// # Formula
    /// ```text
    /// A_t = (S_t − mean_k S) / (σ_k + 1e-6)      grpo inside; k: the agent of step t, in the task
    /// ```
    /// Whether the gain is the agents' identity or that rows are counted is answered by four arms: with
    /// `episode_statistics = steps` every row counts, with `trajectories` each trajectory once (for an
    /// agent, each in which it acts, by the agent's first row there).
    ///
    /// | normalised over | every row | each trajectory once |
    /// |---|---|---|
    /// | all | `grpo` | `grpo`, `trajectories` |
    /// | the agent | `dr-mas` with `grpo` inside: Dr. MAS | the same, `trajectories` |
    ///
    /// # Mean and deviation
    /// With `grpo` inside, `mean` and `deviation` say separately whose rows they are over: the
    /// `agent`'s or `all` of the task. Both `all` is `grpo` alone, bit for bit. With m and s for mean and
    /// deviation, the mean of A² over agent k's rows is (without 1e-6, with `std = population`)
    /// ```text
    /// mean \ deviation      agent                              all
    /// agent                 1                                  s_k² / s²
    /// all                   (s_k² + (m_k − m)²) / s_k²         (s_k² + (m_k − m)²) / s²
    /// ```
    /// With `singleton = keep`, a score whose mean would be its own stays as it is, and one whose deviation
    /// is of one row is not divided; with `zero`, A = 0 if either group has one row. With `mean = all` and
    /// `deviation = agent`, an agent whose scores are all equal has σ_k = 0, and its distance from the mean
    /// of all is divided by 1e-6.
    ///
    /// # Turns
    /// With `grpo` or `rloo` inside, which compare episode scores alone, `turns` says which of an agent's
    /// turns are compared. n counts the agent's own turns of a trajectory.
    /// 1. `apart`: its nth turns, AT-GRPO's groups (arXiv 2510.11062), and those of mmGRPO
    ///    (arXiv 2508.04660) that DSPy calls ragged. Without agents: the nth steps.
    /// 2. `truncated`: the same, but only turns that the agent has in every trajectory of the task in
    ///    which it acts; later ones get exactly 0.
    /// 3. `filled`: trajectories with fewer turns take part in the statistics of nth turns by the agent's
    ///    last turn. DSPy also trains on that turn once more; here every step has one advantage.
    ///
    /// A trajectory has one row in such a group, so that `episode_statistics` changes nothing. Not beside
    /// `mean` or `deviation` over `all`, whose rows have no nth turn in common.
    ///
    /// # Example
    /// ```
    /// use hgpo_core::{estimate, Batch, DrMas, Estimator, Grpo, Options, Scale, Step, Trajectory};
    /// let turn = |agent: &str, valid| Step { agent: Some(agent.into()), ..Step::new("s", 0.0).with_valid(valid) };
    /// let batch = Batch::new(vec![
    ///     Trajectory::new("g", "0", vec![turn("planner", true), turn("coder", false)]),
    ///     Trajectory::new("g", "1", vec![turn("planner", true), turn("coder", true)]),
    /// ])?;
    /// let inside = Estimator::Grpo(Grpo { scale: Scale::Mean, ..Grpo::default() });
    /// let options = Options {
    ///     invalid_penalty: 1.0,
    ///     estimator: Estimator::DrMas(DrMas { estimator: Box::new(inside), ..DrMas::default() }),
    ///     ..Options::default()
    /// };
    /// // Planner: 0, 0. Coder: −1, 0, mean −1/2. All four together would have the mean −1/4.
    /// assert_eq!(estimate(&batch, &options)?.advantages, [[0.0, -0.5], [0.0, 0.5]]);
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    pub struct DrMas {
        /// The estimator within each agent's steps: any but this one.
        estimator: Box<Estimator> = Box::new(Estimator::Grpo(Grpo::default())),
            Declared::new(
                Kind::Estimator,
                "Estimator used within each agent's steps",
                "arXiv 2602.08847",
            );
        /// Whose rows the mean is over.
        mean: AgentStatistics = AgentStatistics::Agent,
            over("Mean over the agent's rows of the task, or over all (with grpo inside)");
        /// Whose rows the standard deviation is over.
        deviation: AgentStatistics = AgentStatistics::Agent,
            over("Standard deviation over the agent's rows of the task, or over all (with grpo inside)");
        /// Which of an agent's turns are compared.
        turns: TurnGroups = TurnGroups::Together,
            Declared::new(
                Kind::Choice(TurnGroups::NAMES),
                "An agent's turns compared together, or the nth ones with each other (with grpo or rloo inside)",
                "arXiv 2510.11062, 2508.04660",
            );
    }
}

/// Whose rows statistics are over.
const fn over(meaning: &'static str) -> Declared {
    Declared::new(Kind::Choice(AgentStatistics::NAMES), meaning, "arXiv 2602.08847")
}

impl DrMas {
    /// Whether mean and deviation are the agent's own.
    fn is_agent_wise(&self) -> bool {
        [self.mean, self.deviation] == [AgentStatistics::Agent; 2]
    }
}

impl Method for DrMas {
    fn reads_agents(&self) -> bool {
        true
    }

    fn inside(&self) -> Option<&Estimator> {
        Some(&self.estimator)
    }

    fn inside_mut(&mut self) -> Option<&mut Estimator> {
        Some(&mut self.estimator)
    }

    fn cohorts(&self, batch: &Batch, task: usize) -> Vec<Cohort> {
        if self.is_agent_wise() {
            Cohort::of_agents(batch, task)
        } else {
            vec![Cohort::of_task(batch, task)]
        }
    }

    fn prepare(&self, batch: &Batch, cohort: &Cohort, scores: &Scores) -> Box<dyn Terms> {
        let inside = self.estimator.method();
        match inside.compares_scores_only() {
            Some(comparison) if self.mean != self.deviation => {
                Box::new(MixedStatistics::new(batch, cohort, scores, comparison, self.mean))
            }
            Some(comparison) if self.turns != TurnGroups::Together => {
                Box::new(TurnScores::new(cohort, scores, comparison, self.turns))
            }
            _ => inside.prepare(batch, cohort, scores),
        }
    }

    fn without_effect(&self) -> Vec<&'static str> {
        let mut idle = Vec::new();
        if self.turns != TurnGroups::Together {
            idle.push("episode_statistics");
        }
        if self.estimator.scale() == Scale::Mean {
            idle.push("deviation");
        }
        idle
    }

    fn validate(&self) -> Result<(), Error> {
        let refuse = |option, problem| Err(Error::option(option, problem));
        let inside = self.estimator.name();
        let all = if self.mean == AgentStatistics::All { "mean" } else { "deviation" };
        let has_turns = self.turns != TurnGroups::Together;
        if matches!(*self.estimator, Estimator::DrMas(_)) {
            let problem = "dr-mas inside dr-mas: choose the estimator of each agent's steps";
            return refuse("estimator", problem.to_owned());
        }
        if !self.is_agent_wise() && !matches!(*self.estimator, Estimator::Grpo(_)) {
            let problem = format!("{inside} has no such choice: use grpo inside, or `agent`");
            return refuse(all, problem);
        }
        if has_turns && self.estimator.method().compares_scores_only().is_none() {
            let problem = format!(
                "{inside} compares more than the scores of episodes: use grpo or rloo inside, or `together`"
            );
            return refuse("turns", problem);
        }
        if has_turns && !self.is_agent_wise() {
            let problem =
                format!("not beside `{all} = all`: choose `together`, or `{all} = agent`");
            return refuse("turns", problem);
        }
        Ok(())
    }
}
