//! Batch of rollouts, validated once, with tasks and states by number.

pub(crate) mod address;
pub(crate) mod cohort;
pub(crate) mod intern;
pub(crate) mod per_step;

use std::collections::HashMap;
use std::sync::Arc;

use crate::batch::address::StepAddress;
use crate::batch::intern::{Interner, Renumbering, number};
use crate::batch::per_step::PerStep;
use crate::error::{Error, Place, Problem};
use crate::parallel;
use crate::rollout::{Step, Trajectory};

/// Number of a state within its task, from 0 in order of first appearance: equal numbers of the
/// same task mean equal texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub(crate) u32);

impl StateId {
    /// The number, to index a list of the task's states.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// Rollouts that were validated once; every estimator works on this.
///
/// Steps are also numbered through the whole batch, trajectory after trajectory in input order:
/// the *row* of a step. Flat arrays over rows are how the estimators see a batch.
///
/// ```
/// use hgpo_core::{Batch, Step, Trajectory};
/// let batch = Batch::new(vec![Trajectory::new("g", "g0", vec![Step::new("hall", 1.0)])])?;
/// assert_eq!((batch.step_count(), batch.tasks()), (1, &["g".to_owned()][..]));
/// # Ok::<(), hgpo_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    trajectories: Vec<Trajectory>,
    tasks: Vec<String>,
    task_of: Vec<usize>,
    /// Indices of the trajectories of each task, ascending.
    pub(crate) members: Vec<Vec<usize>>,
    first_row: Arc<[usize]>,
    states: Vec<StateId>,
    state_counts: Vec<usize>,
    /// Reward of each row: what every estimator reads first, without the texts in between.
    pub(crate) rewards: Vec<f64>,
    /// Whether the response of each row kept the format.
    pub(crate) valid: Vec<bool>,
}

/// The rows of one task, trajectory after trajectory.
struct TaskRows {
    states: Vec<StateId>,
    state_count: usize,
    rewards: Vec<f64>,
    valid: Vec<bool>,
}

impl TaskRows {
    /// Checks the trajectories with these indices and numbers their states: by their texts, or, if
    /// each trajectory's numbers are `told`, by these.
    ///
    /// # Errors
    /// The first problem, with the index of its trajectory.
    fn new(
        trajectories: &[Trajectory],
        members: &[usize],
        told: Option<&[&[u32]]>,
    ) -> Result<Self, (usize, Error)> {
        let steps = members.iter().map(|&index| trajectories[index].steps.len()).sum();
        let (mut texts, mut numbers) = (Interner::default(), Renumbering::default());
        let (mut states, mut rewards, mut valid) =
            (Vec::with_capacity(steps), Vec::with_capacity(steps), Vec::with_capacity(steps));
        for &index in members {
            trajectories[index].check().map_err(|error| (index, error))?;
            for step in &trajectories[index].steps {
                rewards.push(step.reward);
                valid.push(step.valid);
            }
            let steps = trajectories[index].steps.iter();
            match told {
                Some(told) => {
                    states.extend(told[index].iter().map(|&it| StateId(numbers.number(it))));
                }
                None => states.extend(steps.map(|step| StateId(texts.number(&step.state)))),
            }
        }
        let state_count = texts.len().max(numbers.len());
        Ok(Self { states, state_count, rewards, valid })
    }
}

/// The indices of each task's trajectories, tasks in order of first appearance.
///
/// # Errors
/// The index of the first trajectory that has another one's name.
fn by_task(trajectories: &[Trajectory]) -> Result<Vec<Vec<usize>>, usize> {
    let mut numbers = HashMap::new();
    let mut names: Vec<HashMap<&str, usize>> = Vec::new();
    let mut members: Vec<Vec<usize>> = Vec::new();
    for (index, trajectory) in trajectories.iter().enumerate() {
        let task = number(&mut numbers, &trajectory.task);
        if task == members.len() {
            members.push(Vec::new());
            names.push(HashMap::new());
        }
        members[task].push(index);
        if names[task].insert(&trajectory.trajectory, index).is_some() {
            return Err(index);
        }
    }
    Ok(members)
}

impl Batch {
    /// Validates the trajectories and numbers their tasks and states.
    ///
    /// # Errors
    /// No trajectory at all, a trajectory without steps, two trajectories of one task with the
    /// same name, a reward that is not finite or beyond [`REWARD_LIMIT`](crate::REWARD_LIMIT), an
    /// embedding with a number that is not finite. The error names task, trajectory and step. (That all
    /// steps have embeddings of one length is asked by [`Options::check`](crate::Options::check), of
    /// options that compare them.)
    pub fn new(trajectories: Vec<Trajectory>) -> Result<Self, Error> {
        Self::numbered(trajectories, None)
    }

    /// Validates trajectories whose states the caller has told apart already: `states` holds a number
    /// for each step, trajectory after trajectory, equal for equal states of a task and for them alone.
    ///
    /// Texts of states are compared no more. They may be empty, but for who reads them: explanations,
    /// [`Metric::Edit`](crate::Metric::Edit) and files.
    ///
    /// ```
    /// use hgpo_core::{Batch, Step, Trajectory};
    /// let steps = vec![Step::new("", 0.0), Step::new("", 1.0), Step::new("", 0.0)];
    /// let batch = Batch::with_states(vec![Trajectory::new("g", "g0", steps)], &[70, 20, 70])?;
    /// let numbers: Vec<usize> = batch.states().iter().map(|state| state.get()).collect();
    /// assert_eq!((numbers, batch.state_counts()), (vec![0, 1, 0], &[2][..]));
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Batch::new`]'s.
    ///
    /// # Panics
    /// More numbers than steps, or fewer.
    pub fn with_states(trajectories: Vec<Trajectory>, states: &[u32]) -> Result<Self, Error> {
        let mut rest = states;
        let mut told = Vec::with_capacity(trajectories.len());
        for trajectory in &trajectories {
            let (of_trajectory, after) = rest.split_at(trajectory.steps.len());
            told.push(of_trajectory);
            rest = after;
        }
        assert!(rest.is_empty(), "there are more numbers of states than steps");
        Self::numbered(trajectories, Some(&told))
    }

    fn numbered(trajectories: Vec<Trajectory>, told: Option<&[&[u32]]>) -> Result<Self, Error> {
        if trajectories.is_empty() {
            return Err(Place::default().error(Problem::NoTrajectories));
        }
        let members = by_task(&trajectories).map_err(|index| {
            let earlier = trajectories[..index].iter().find_map(|each| each.check().err());
            let problem = Problem::DuplicateTrajectory { first_line: None };
            earlier.unwrap_or_else(|| trajectories[index].place().error(problem))
        })?;
        let rows_of = |task: usize| TaskRows::new(&trajectories, &members[task], told);
        let mut tasks_rows = Vec::with_capacity(members.len());
        let mut errors = Vec::new();
        parallel::each(members.len(), rows_of, |rows| match rows {
            Ok(rows) => tasks_rows.push(rows),
            Err(error) => errors.push(error),
        });
        if let Some((_, error)) = errors.into_iter().min_by_key(|(index, _)| *index) {
            return Err(error);
        }
        let batch = Self::assemble(&trajectories, members, &tasks_rows);
        Ok(Self { trajectories, ..batch })
    }

    /// Brings the rows of all tasks into the order of the input. The trajectories are left out.
    fn assemble(trajectories: &[Trajectory], members: Vec<Vec<usize>>, tasks: &[TaskRows]) -> Self {
        let mut task_of = vec![0; trajectories.len()];
        for (task, members) in members.iter().enumerate() {
            for &index in members {
                task_of[index] = task;
            }
        }
        let steps = tasks.iter().map(|task| task.states.len()).sum();
        let mut end = 0;
        let ends = trajectories.iter().map(|trajectory| {
            end += trajectory.steps.len();
            end
        });
        let mut batch = Self {
            trajectories: Vec::new(),
            first_row: std::iter::once(0).chain(ends).collect(),
            tasks: members.iter().map(|members| trajectories[members[0]].task.clone()).collect(),
            task_of,
            members,
            states: Vec::with_capacity(steps),
            state_counts: tasks.iter().map(|task| task.state_count).collect(),
            rewards: Vec::with_capacity(steps),
            valid: Vec::with_capacity(steps),
        };
        let mut taken = vec![0; tasks.len()];
        for (trajectory, &task) in trajectories.iter().zip(&batch.task_of) {
            let rows = taken[task]..taken[task] + trajectory.steps.len();
            taken[task] = rows.end;
            batch.states.extend(&tasks[task].states[rows.clone()]);
            batch.rewards.extend(&tasks[task].rewards[rows.clone()]);
            batch.valid.extend(&tasks[task].valid[rows]);
        }
        batch
    }

    /// Refuses the first step that has a problem.
    pub(crate) fn check_steps(
        &self,
        problem: impl Fn(&Step) -> Option<Problem>,
    ) -> Result<(), Error> {
        for trajectory in &self.trajectories {
            for (index, step) in trajectory.steps.iter().enumerate() {
                if let Some(problem) = problem(step) {
                    return Err(trajectory.place().at_step(index).error(problem));
                }
            }
        }
        Ok(())
    }

    /// The trajectories in input order.
    #[must_use]
    pub fn trajectories(&self) -> &[Trajectory] {
        &self.trajectories
    }

    /// Gives the trajectories back.
    #[must_use]
    pub fn into_trajectories(self) -> Vec<Trajectory> {
        self.trajectories
    }

    /// Number of steps in all trajectories.
    #[must_use]
    pub fn step_count(&self) -> usize {
        self.states.len()
    }

    /// Tasks in order of first appearance.
    #[must_use]
    pub fn tasks(&self) -> &[String] {
        &self.tasks
    }

    /// Index in [`Batch::tasks`] of each trajectory's task.
    #[must_use]
    pub fn task_of(&self) -> &[usize] {
        &self.task_of
    }

    /// Rows of a trajectory.
    pub(crate) fn rows_of(&self, trajectory: usize) -> std::ops::Range<usize> {
        self.first_row[trajectory]..self.first_row[trajectory + 1]
    }

    /// Rows of each trajectory, in input order.
    pub fn rows(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        self.first_row.windows(2).map(|pair| pair[0]..pair[1])
    }

    /// The state of each row, as a number.
    #[must_use]
    pub fn states(&self) -> &[StateId] {
        &self.states
    }

    /// A number for each row, as lists of the trajectories.
    ///
    /// # Panics
    /// If there are not as many numbers as steps.
    #[must_use]
    pub fn per_step(&self, values: Vec<f64>) -> PerStep {
        assert_eq!(values.len(), self.step_count(), "one number a step");
        PerStep { first_row: Arc::clone(&self.first_row), values }
    }

    /// Whether there is one number for each row, in lists as long as the trajectories.
    pub(crate) fn is_covered_by(&self, numbers: &PerStep) -> bool {
        numbers.first_row == self.first_row
    }

    /// Number of different states of each task.
    #[must_use]
    pub fn state_counts(&self) -> &[usize] {
        &self.state_counts
    }

    /// Row of a step of the batch.
    ///
    /// # Panics
    /// A trajectory beyond the last, or a step beyond its last, as when a slice is indexed. For a step
    /// that may not be there: [`Batch::trajectories`] and `get`, or [`Batch::locate`].
    #[must_use]
    #[track_caller]
    pub fn row(&self, trajectory: usize, step: usize) -> usize {
        let rows = self.rows_of(trajectory);
        assert!(step < rows.len(), "the trajectory has no such step");
        rows.start + step
    }

    /// Index of the trajectory, and the step in it, of a row.
    ///
    /// # Panics
    /// A row from [`Batch::step_count`] on.
    #[must_use]
    #[track_caller]
    pub fn position(&self, row: usize) -> (usize, usize) {
        assert!(row < self.step_count(), "the batch has no such row");
        let trajectory = self.first_row.partition_point(|&first| first <= row) - 1;
        (trajectory, row - self.first_row[trajectory])
    }

    /// The step of a row.
    ///
    /// # Panics
    /// A row from [`Batch::step_count`] on.
    #[must_use]
    #[track_caller]
    pub fn step(&self, row: usize) -> &Step {
        let (trajectory, step) = self.position(row);
        &self.trajectories[trajectory].steps[step]
    }

    /// Trajectory index and step of an address.
    ///
    /// # Errors
    /// No such trajectory, or no such step.
    pub fn locate(&self, address: &StepAddress) -> Result<(usize, usize), Error> {
        let refuse = |problem| Error::Address { address: address.to_string(), problem };
        let is_meant =
            |each: &Trajectory| each.task == address.task && each.trajectory == address.trajectory;
        let index = self.trajectories.iter().position(is_meant);
        let index = index.ok_or_else(|| refuse("no such trajectory".to_owned()))?;
        let last = self.trajectories[index].steps.len() - 1;
        if address.step > last {
            return Err(refuse(format!("choose a step from 0 to {last}")));
        }
        Ok((index, address.step))
    }
}
