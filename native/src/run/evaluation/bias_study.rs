//! Bias study: bias and variance of advantages under a run's policy, as files and as a table.

use std::fmt::Write as _;

use hgpo_core::{BiasReport, BiasRow, BiasStudy};
use hgpo_train::TrainerError;
use hgpo_train::trainer::Learner;
use hgpo_train::values::bias_study::BiasStudyPlan;
use serde::Serialize;

use crate::run::Machine;

/// Plays the tasks of a plan and shows every group to all studies, each of one estimator with its name in the findings;
/// `None` when interrupted.
///
/// # Errors
/// When the device fails.
pub(crate) fn study(
    learner: &dyn Learner,
    plan: &BiasStudyPlan,
    mut studies: Vec<(String, BiasStudy)>,
    machine: &Machine,
) -> Result<Option<BiasFindings>, TrainerError> {
    let (mut histories, mut won) = (0, 0);
    for task in 0..plan.tasks {
        let Some(played) = learner.study_task(plan, task, machine)? else { return Ok(None) };
        histories += played.histories;
        for group in &played.groups {
            won += group.batch.trajectories().iter().filter(|it| it.succeeded()).count();
            for (_, study) in &mut studies {
                study.add(&group.batch, &group.truth)?;
            }
        }
    }
    let &BiasStudyPlan { seed, tasks, groups, rollouts, .. } = plan;
    let group_size = learner.group_size();
    let report = |(name, study): (String, BiasStudy)| NamedReport { name, report: study.report() };
    Ok(Some(BiasFindings {
        iteration: learner.iteration(),
        seed,
        tasks,
        groups,
        group_size,
        rollouts,
        histories,
        success_rate: won as f64 / (tasks * groups * group_size) as f64,
        estimators: studies.into_iter().map(report).collect(),
    }))
}

/// A finished study.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct BiasFindings {
    /// Iterations that the policy had learned.
    pub iteration: u64,
    /// Seed of tasks, play and continuations.
    pub seed: u64,
    /// Tasks.
    pub tasks: usize,
    /// Groups a task.
    pub groups: usize,
    /// Trajectories a group.
    pub group_size: usize,
    /// Continuations that each history was valued by.
    pub rollouts: usize,
    /// Distinct histories that were valued.
    pub histories: usize,
    /// Share of the trajectories that completed their task.
    pub success_rate: f64,
    /// What was found of each estimator.
    pub estimators: Vec<NamedReport>,
}

/// What was found of one estimator.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct NamedReport {
    /// As it was asked for.
    pub name: String,
    /// What was found.
    #[serde(flatten)]
    pub report: BiasReport,
}

impl BiasFindings {
    /// All rows of all estimators: over all steps, then over the common ones. If there is nothing
    /// to measure, why, and what to change.
    pub(crate) fn table(&self) -> String {
        let Some(first) = self.estimators.first() else { return String::new() };
        let Self { iteration, tasks, groups, group_size, rollouts, histories, .. } = self;
        let mut text = format!(
            "iteration {iteration}: tasks {tasks}, groups per task {groups}, group size \
             {group_size}, success {:.1} %, steps {}, histories {histories}, continuations of each \
             {rollouts}, discount {}",
            100.0 * self.success_rate,
            first.report.steps,
            first.report.options.discount.get(),
        );
        let states = first.report.context_length + 1;
        let common = format!("steps whose last {states} states occur in another trajectory too");
        self.part(&mut text, "steps that are not alone (aggregate: all steps)", |it| &it.all_steps);
        self.part(&mut text, &common, |it| &it.common_steps);
        if self.success_rate == 0.0 {
            text.push_str(
                "\n\nno trajectory succeeded: there is nothing to compare; train the run further, or \
                 raise --tasks",
            );
        }
        text
    }

    /// The rows over a kind of steps.
    fn part(&self, text: &mut String, title: &str, rows: impl Fn(&BiasReport) -> &Vec<BiasRow>) {
        let is_empty = |it: &NamedReport| rows(&it.report).iter().all(|row| row.observations == 0);
        let width = self.estimators.iter().map(|of| of.name.len()).max().unwrap_or(0) + 2;
        // Writing to a string cannot fail.
        if self.estimators.iter().all(is_empty) {
            let _ = write!(
                text,
                "\n\n{title}\nnothing could be measured: no step occurs in two groups; raise \
                 --groups (now {})",
                self.groups
            );
            return;
        }
        let _ = write!(text, "\n\n{title}\n{:width$}{}", "", BiasRow::HEADER);
        for NamedReport { name, report } in &self.estimators {
            for (index, row) in rows(report).iter().enumerate() {
                let name = if index == 0 { name } else { "" };
                let _ = write!(text, "\n{name:width$}{row}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use hgpo_core::Options;

    use super::*;

    #[test]
    fn too_few_groups_are_reported_instead_of_zeros() {
        let mut options = Options::default();
        options.set("scale", "mean".into()).expect("a value of scale");
        options.set("invalid_penalty", 0.into()).expect("a number in range");
        let study = BiasStudy::new(&options, 2).expect("options of a study");
        let report = NamedReport { name: "hgpo".to_owned(), report: study.report() };
        let findings = BiasFindings {
            iteration: 3,
            seed: 1,
            tasks: 1,
            groups: 2,
            group_size: 4,
            rollouts: 2,
            histories: 3,
            success_rate: 0.5,
            estimators: vec![report],
        };
        let table = findings.table();
        let told =
            "nothing could be measured: no step occurs in two groups; raise --groups (now 2)";
        assert_eq!(table.matches(told).count(), 2, "{table}");
        assert!(!table.contains("0.000") && !table.contains("succeeded"), "{table}");
        let failed = BiasFindings { success_rate: 0.0, ..findings }.table();
        assert!(failed.contains("no trajectory succeeded"), "{failed}");
    }
}
