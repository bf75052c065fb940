//! Dr. MAS: each agent of a team is compared with itself only.

use super::Estimator;
use super::grpo::Grpo;
use super::method::Method;
use super::terms::term::Terms;
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::error::Error;
use crate::option::declaration::{Declared, Kind};
use crate::option::fields::options;
use crate::returns::Scores;

options! {
    /// Dr. MAS: each agent of a team is compared with itself only.
    ///
    /// Groups are those of another estimator within (task, agent) in place of the task: mean and
    /// deviation are over all turns of that agent in the task's trajectories, and the context of a step
    /// is the agent's own last states. Returns and episode scores stay those of the whole trajectory.
    /// Source: arXiv 2602.08847.
    ///
    /// Steps without an `agent` are those of one more agent; rollouts without agents give exactly what
    /// the estimator inside gives.
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
    ///     estimator: Estimator::DrMas(DrMas { estimator: Box::new(inside) }),
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
        Cohort::of_agents(batch, task)
    }

    fn prepare(&self, batch: &Batch, cohort: &Cohort, scores: &Scores) -> Box<dyn Terms> {
        self.estimator.method().prepare(batch, cohort, scores)
    }

    fn validate(&self) -> Result<(), Error> {
        if matches!(*self.estimator, Estimator::DrMas(_)) {
            let problem = "dr-mas inside dr-mas: choose the estimator of each agent's steps";
            return Err(Error::option("estimator", problem));
        }
        Ok(())
    }
}
