//! Signal of a log: how many of its steps have an advantage, and why the others have none.

use crate::batch::Batch;
use crate::estimate::Estimate;

/// Whether a part is nearly all of a whole: nine in ten.
pub(crate) fn is_nearly_all(part: usize, whole: usize) -> bool {
    part * 10 >= whole * 9
}

/// Counts of the steps that have an advantage of exactly 0, over any number of batches.
///
/// ```
/// use hgpo_core::{Batch, NoSignal, Options, Signal, estimate, format};
/// // Each state has the time in it: none comes again.
/// let rows = "task,trajectory,state,reward\ng,a,hall 10:01,0\ng,a,room 10:02,1\ng,b,hall 10:05,0\n";
/// let batch = Batch::new(format::read(rows.as_bytes())?)?;
/// let mut signal = Signal::default();
/// signal.observe(&batch, &estimate(&batch, &Options::default())?);
/// assert_eq!(signal.lack(), Some(NoSignal::StatesAlone));
/// assert!(signal.remark().expect("no signal").starts_with("3 of 3 steps have no advantage"));
/// # Ok::<(), hgpo_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Signal {
    /// Steps in all.
    pub steps: usize,
    /// Those whose advantage is exactly 0.
    pub without: usize,
    /// Of those without, steps of tasks with a single trajectory.
    single: usize,
    /// Of those without, steps of tasks whose trajectories all have the same sum of rewards.
    equal: usize,
    /// Of those without, steps whose state no other step of the task has.
    alone: usize,
    /// Steps after the first of their trajectory.
    later: usize,
    /// Of those, steps without an advantage whose state no other step of the task has.
    later_alone: usize,
}

/// Why hardly any step has an advantage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoSignal {
    /// Tasks have one trajectory each.
    SingleTrajectories,
    /// The trajectories of a task have the same sum of rewards.
    EqualRewards,
    /// States do not come again within a task.
    StatesAlone,
    /// The steps of a group have the same value.
    EqualSteps,
}

impl Signal {
    /// Counts the steps of a batch.
    #[allow(clippy::float_cmp, reason = "sums of equal rewards in the same order are equal")]
    pub fn observe(&mut self, batch: &Batch, estimate: &Estimate) {
        let advantages = estimate.advantages.values();
        let trajectories = || batch.rows().zip(batch.task_of());
        self.steps += advantages.len();
        self.later += advantages.len() - batch.trajectories().len();
        if !advantages.contains(&0.0) {
            return;
        }
        let mut sizes = vec![0; batch.tasks().len()];
        let mut rewards = vec![None; sizes.len()];
        let mut is_equal = vec![true; sizes.len()];
        let mut seen: Vec<Vec<usize>> =
            batch.state_counts().iter().map(|&count| vec![0; count]).collect();
        for (rows, &task) in trajectories() {
            let sum: f64 = batch.rewards[rows.clone()].iter().sum();
            sizes[task] += 1;
            is_equal[task] &= *rewards[task].get_or_insert(sum) == sum;
            for row in rows {
                seen[task][batch.states()[row].get()] += 1;
            }
        }
        for (rows, &task) in trajectories() {
            let first = rows.start;
            for row in rows.filter(|&row| advantages[row] == 0.0) {
                let is_alone = seen[task][batch.states()[row].get()] == 1;
                self.without += 1;
                self.single += usize::from(sizes[task] == 1);
                self.equal += usize::from(is_equal[task]);
                self.alone += usize::from(is_alone);
                self.later_alone += usize::from(is_alone && row > first);
            }
        }
    }

    /// Why hardly any step (at most one in ten) has an advantage, or hardly any after the first of its trajectory, which
    /// all attempts at a task have in common, as their states do not come again; none if more have one.
    #[must_use]
    pub fn lack(&self) -> Option<NoSignal> {
        let nearly_all = |part: usize, whole: usize| part > 0 && is_nearly_all(part, whole);
        let of_those = |part| nearly_all(part, self.without);
        match self {
            _ if !nearly_all(self.without, self.steps) => {
                nearly_all(self.later_alone, self.later).then_some(NoSignal::StatesAlone)
            }
            _ if of_those(self.single) => Some(NoSignal::SingleTrajectories),
            _ if of_those(self.equal) => Some(NoSignal::EqualRewards),
            _ if of_those(self.alone) => Some(NoSignal::StatesAlone),
            _ => Some(NoSignal::EqualSteps),
        }
    }

    /// What there is to say if hardly any step has an advantage.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        let why = match self.lack()? {
            NoSignal::SingleTrajectories => {
                "tasks have one trajectory each, which there is nothing to compare with; if some are of the same \
                 task, give them the same `task`"
            }
            NoSignal::EqualRewards => {
                "the trajectories of a task have the same rewards in sum; sample more of them, or other tasks"
            }
            NoSignal::StatesAlone => {
                "their states occur once in their task; if something in them differs each time (a time, a counter), \
                 leave it out, or compare similar states (`similarity`, such as `edit`) or whole trajectories (the estimator `grpo`)"
            }
            NoSignal::EqualSteps => "the steps that they are compared with are worth the same",
        };
        Some(format!("{} of {} steps have no advantage: {why}", self.without, self.steps))
    }
}

#[cfg(test)]
mod tests {
    use super::{NoSignal, Signal};
    use crate::{Batch, Options, estimate, format};

    fn signal(rows: &[&str]) -> Signal {
        let csv = format!("task,trajectory,state,reward\n{}\n", rows.join("\n"));
        let batch = Batch::new(format::read(csv.as_bytes()).expect("rows")).expect("a batch");
        let mut signal = Signal::default();
        signal.observe(&batch, &estimate(&batch, &Options::default()).expect("an estimate"));
        signal
    }

    #[test]
    fn a_lack_of_signal_has_its_cause() {
        let cases: [(&[&str], Option<NoSignal>); 6] = [
            (&["g,a,s,1", "g,b,s,0"], None),
            (&["g,a,s,1", "h,a,s,0"], Some(NoSignal::SingleTrajectories)),
            (&["g,a,s,0", "g,a,t,1", "g,b,u,0", "g,b,v,1"], Some(NoSignal::EqualRewards)),
            (&["g,a,s,0", "g,b,t,1"], Some(NoSignal::StatesAlone)),
            // The first step is all that attempts have in common.
            (&["g,a,s,0", "g,a,1,0", "g,a,2,1", "g,b,s,0", "g,b,3,0"], Some(NoSignal::StatesAlone)),
            // Both attempts reach s with the same return, whatever they earned before.
            (&["g,a,s,0", "g,b,s,0", "g,c,t,1", "h,c,t,1", "h,d,t,1"], Some(NoSignal::EqualSteps)),
        ];
        for (rows, expected) in cases {
            let found = signal(rows);
            assert_eq!(found.lack(), expected, "{rows:?}: {found:?}");
            assert_eq!(found.remark().is_some(), expected.is_some());
        }
    }

    #[test]
    fn one_step_in_ten_with_an_advantage_is_a_lack_and_two_are_none() {
        let rows = |with: usize| -> Vec<String> {
            let alone = (2 * with..20).map(|step| format!("g,a{step},alone {step},1"));
            let pairs = (0..with)
                .flat_map(|pair| [format!("g,b{pair},s{pair},1"), format!("g,c{pair},s{pair},0")]);
            alone.chain(pairs).collect()
        };
        for (with, expected) in [(1, true), (2, false)] {
            let rows = rows(with);
            let found = signal(&rows.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!((found.steps, found.without), (20, 20 - 2 * with));
            assert_eq!(found.lack().is_some(), expected, "{found:?}");
        }
    }
}
