//! How a step's advantage comes about: what core says, with the steps behind every term as cells.

use super::{Cell, Controls, Task, Worth};
use hgpo_core::{
    Baseline, Estimator, Explanation, LevelTerm, Options, Skipped, StdRule, StepAddress, explain,
};

/// How a step's advantage comes about.
#[derive(Debug)]
pub(crate) struct Explained {
    /// The step.
    pub(crate) cell: Cell,
    /// What core says, its levels taken out.
    pub(crate) explanation: Explanation,
    /// The levels that the step has, the widest group first.
    pub(crate) levels: Vec<Group>,
    /// How many levels it does not have for want of a past.
    pub(crate) missing: usize,
    /// Whether the steps of its own attempt are left out of the means.
    pub(crate) others_only: bool,
    /// What the state is worth that it leads to, where that is asked.
    pub(crate) worth: Option<Worth>,
    episode: Vec<(Cell, f64)>,
    progress: Vec<(Cell, f64)>,
}

/// A group of the chosen step.
#[derive(Debug)]
pub(crate) struct Group {
    /// k.
    pub(crate) level: usize,
    /// Its members, in the order of the stage, each with what is compared.
    pub(crate) members: Vec<(Cell, f64)>,
    /// The step among them.
    pub(crate) term: LevelTerm,
}

/// Which term of an advantage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Index {
    /// That of whole attempts.
    Episode,
    /// That of a level.
    Level(usize),
    /// That of the gain in value.
    Progress,
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// R, the return of a step.
    Return,
    /// S, the score of an attempt.
    Score,
    /// x, the worth of the state that a step leads to.
    Worth,
    /// y, the gain in value.
    Gain,
}

/// A term of the advantage: the step's value against those of its group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contrast<'a> {
    /// Which term.
    pub(crate) index: Index,
    /// What is compared.
    pub(crate) quantity: Quantity,
    /// The step's own value.
    pub(crate) value: f64,
    /// The group.
    pub(crate) members: &'a [(Cell, f64)],
    /// What core says.
    pub(crate) term: &'a LevelTerm,
}

impl Explained {
    /// How the advantage of a step of the task comes about.
    pub(crate) fn new(task: &Task, cell: Cell, controls: &Controls) -> Self {
        let options = &controls.options;
        let mut explanation = of_core(task, cell, options);
        // The groups themselves hold the step's own attempt, though the means do not.
        let whole = with_whole_groups(options).map(|options| of_core(task, cell, &options).levels);
        let terms = std::mem::take(&mut explanation.levels);
        let all = terms.len();
        let groups = whole.unwrap_or_default();
        let levels: Vec<Group> = terms
            .into_iter()
            .filter(|term| term.skipped != Some(Skipped::Missing))
            .enumerate()
            .map(|(level, term)| Group {
                level,
                members: members(groups.get(level).unwrap_or(&term)),
                term,
            })
            .collect();
        Self {
            cell,
            missing: all - levels.len(),
            others_only: !groups.is_empty(),
            worth: Worth::new(task, cell, &options.estimator),
            episode: explanation.episode.as_ref().map(members).unwrap_or_default(),
            progress: explanation.progress.as_ref().map(members).unwrap_or_default(),
            levels,
            explanation,
        }
    }

    /// The sizes of the groups, the widest first.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        self.levels.iter().map(|group| group.members.len()).collect()
    }

    /// The estimator, within agents that of Dr. MAS.
    pub(crate) fn estimator(&self) -> &Estimator {
        inside(&self.explanation.options.estimator)
    }

    /// Whether a step is one of those that the explanation speaks of.
    pub(crate) fn speaks_of(&self, cell: Cell) -> bool {
        let among = |members: &[(Cell, f64)]| members.iter().any(|(other, _)| *other == cell);
        cell.row == self.cell.row
            || among(&self.episode)
            || self.levels.first().is_some_and(|widest| among(&widest.members))
            || among(&self.progress)
    }

    /// The terms of the advantage, in the order of the sum.
    pub(crate) fn comparisons(&self) -> Vec<Contrast<'_>> {
        let explanation = &self.explanation;
        let episode = explanation.episode.as_ref().map(|term| Contrast {
            index: Index::Episode,
            quantity: Quantity::Score,
            value: explanation.episode_score,
            members: &self.episode,
            term,
        });
        let progress = explanation.progress.as_ref().map(|term| Contrast {
            index: Index::Progress,
            quantity: Quantity::Gain,
            value: self.own(&self.progress),
            members: &self.progress,
            term,
        });
        let levels = self.levels.iter().map(|group| Contrast {
            index: Index::Level(group.level),
            quantity: if self.worth.is_some() { Quantity::Worth } else { Quantity::Return },
            value: match self.worth {
                Some(_) => self.own(&group.members),
                None => explanation.step_reward,
            },
            members: &group.members,
            term: &group.term,
        });
        episode.into_iter().chain(levels).chain(progress).collect()
    }

    fn own(&self, members: &[(Cell, f64)]) -> f64 {
        members.iter().find(|(cell, _)| *cell == self.cell).map_or(0.0, |(_, value)| *value)
    }
}

impl Contrast<'_> {
    /// Whether there is nobody to compare the step with.
    pub(crate) fn is_alone(&self, explained: &Explained) -> bool {
        let others = explained.others_only && matches!(self.index, Index::Level(_));
        self.term.size == usize::from(!others)
    }

    /// The members that the mean is over.
    pub(crate) fn compared(&self, explained: &Explained) -> Vec<(Cell, f64)> {
        let others = explained.others_only && matches!(self.index, Index::Level(_));
        let row = explained.cell.row;
        self.members.iter().copied().filter(|(cell, _)| !others || cell.row != row).collect()
    }

    /// What is taken off the number of members to divide the squares.
    pub(crate) fn less(&self, explained: &Explained) -> usize {
        let rule = match (explained.estimator(), self.index) {
            (Estimator::Hgpo(hgpo), Index::Episode) => hgpo.base_std,
            (Estimator::Hgpo(hgpo), _) => hgpo.std,
            (Estimator::Gigpo(gigpo), Index::Episode) => gigpo.episode_std,
            (Estimator::Gigpo(gigpo), _) => gigpo.step_std,
            (Estimator::Grpo(grpo), _) => grpo.std,
            (Estimator::GraphGpo(graph), _) => graph.std,
            (Estimator::G2po(graph), _) => graph.std,
            _ => StdRule::Population,
        };
        usize::from(rule == StdRule::Sample)
    }
}

fn of_core(task: &Task, cell: Cell, options: &Options) -> Explanation {
    let address = StepAddress::new(&*task.name, &task.rows()[cell.row].trajectory, cell.step);
    explain(&task.batch, options, &address).expect("the step is of the task")
}

fn inside(estimator: &Estimator) -> &Estimator {
    match estimator {
        Estimator::DrMas(team) => inside(&team.estimator),
        _ => estimator,
    }
}

/// The options with means over whole groups; none where they are anyway.
fn with_whole_groups(options: &Options) -> Option<Options> {
    fn widen(estimator: &mut Estimator) -> bool {
        match estimator {
            Estimator::Hgpo(hgpo) => {
                std::mem::replace(&mut hgpo.baseline, Baseline::Group) == Baseline::Others
            }
            Estimator::DrMas(team) => widen(&mut team.estimator),
            _ => false,
        }
    }
    let mut wide = options.clone();
    widen(&mut wide.estimator).then_some(wide)
}

fn members(term: &LevelTerm) -> Vec<(Cell, f64)> {
    let cell = |row, step| Cell { row, step };
    term.members
        .iter()
        .map(|member| (cell(member.trajectory_index, member.step), member.value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Explained, Index};
    use crate::model::{Cell, Controls, ESTIMATOR, PRESETS, estimators};

    fn explained(controls: &Controls, row: usize, step: usize) -> Explained {
        let (rollouts, _) = PRESETS[0].load();
        Explained::new(&rollouts.tasks[0], Cell { row, step }, controls)
    }

    #[test]
    fn the_terms_of_every_estimator_add_up() {
        for name in estimators().filter(|name| *name != "reinforce-plus-plus") {
            let controls = Controls::default().with(ESTIMATOR, name).expect(name);
            let explained = explained(&controls, 2, 3);
            let sum: f64 = explained.comparisons().iter().map(|each| each.term.contribution).sum();
            assert!((sum - explained.explanation.advantage).abs() < 1e-12, "{name}");
        }
    }

    #[test]
    fn a_group_keeps_its_own_attempt_where_the_mean_does_not() {
        let controls = Controls::default().with("baseline", "others").expect("admitted");
        let explained = explained(&controls, 0, 2);
        assert_eq!(explained.sizes(), [4, 3, 2]);
        let comparisons = explained.comparisons();
        // t1's return is 9.5; the others at s2 have 0, 9.025 and 0.
        let compared: Vec<f64> =
            comparisons[0].compared(&explained).iter().map(|(_, value)| *value).collect();
        assert_eq!((compared.len(), comparisons[0].term.size), (3, 3));
        assert!((comparisons[0].term.mean - 9.025 / 3.0).abs() < 1e-12);
        assert!(!comparisons[2].is_alone(&explained), "t2 is there");
    }

    #[test]
    fn the_graph_estimators_compare_what_a_step_leads_to() {
        let controls = Controls::default().with(ESTIMATOR, "g2po").expect("known");
        let explained = explained(&controls, 0, 2);
        let comparisons = explained.comparisons();
        let indices: Vec<Index> = comparisons.iter().map(|each| each.index).collect();
        assert_eq!(indices, [Index::Episode, Index::Level(0), Index::Progress]);
        // V(s5) = 0.95 · 10; V(s2) = (0.95² · 10 + 0.95³ · 10) / 4.
        let own = (9.025 + 8.573_75) / 4.0;
        assert!((comparisons[1].value - 9.5).abs() < 1e-12);
        assert!((comparisons[2].value - (9.5 - own)).abs() < 1e-12);
    }
}
