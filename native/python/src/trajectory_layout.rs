//! Layout of trajectories: which rows belong to each, and in what order.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use crate::columns::Columns;
use crate::exceptions::Failure;

/// Rows by task and trajectory: the trajectories of a task in order of first appearance, the rows of each
/// by `step`, or else in the order in which they came.
#[derive(Debug)]
pub(crate) struct Layout {
    /// The row that stands at each place.
    pub(crate) order: Vec<u32>,
    /// Where each trajectory begins, and where the last one ends.
    first: Vec<usize>,
    /// The first trajectory of each task, and how many trajectories there are.
    tasks: Vec<usize>,
}

/// Rows of tasks that are worked on at once: few enough that they stay in the cache.
const SHARE: usize = 4096;

impl Layout {
    /// The layout of columns of the same length.
    ///
    /// # Errors
    /// A trajectory with the same `step` twice (of one agent), or whose rows disagree on `success` or `environment`.
    pub(crate) fn of(columns: &Columns) -> Result<Self, Failure> {
        let (mut numbers, task_of) = trajectories(columns);
        let count = task_of.len();
        // Tasks one after the other; the sort keeps the order of their trajectories.
        let mut by_task: Vec<u32> = (0..count as u32).collect();
        by_task.sort_by_key(|&trajectory| task_of[trajectory as usize]);
        let mut place_of = vec![0; count];
        for (place, &trajectory) in by_task.iter().enumerate() {
            place_of[trajectory as usize] = place as u32;
        }
        for number in &mut numbers {
            *number = place_of[*number as usize];
        }
        let task_at = |place: usize| task_of[by_task[place] as usize];
        let begins = |&place: &usize| place == 0 || task_at(place) != task_at(place - 1);
        let tasks = (0..count).filter(begins).chain([count]).collect();
        let mut first = vec![0; count + 1];
        for &number in &numbers {
            first[number as usize + 1] += 1;
        }
        for index in 0..count {
            first[index + 1] += first[index];
        }
        let mut next = first.clone();
        let mut order = vec![0; numbers.len()];
        for (row, &number) in numbers.iter().enumerate() {
            order[next[number as usize]] = row as u32;
            next[number as usize] += 1;
        }
        let mut layout = Self { order, first, tasks };
        if let Some(steps) = &columns.step {
            layout.sort(columns, steps)?;
        }
        if let Some(success) = &columns.success {
            let shown = |row: usize| if success[row] { "True" } else { "False" };
            layout.agree("success", |row| success[row], shown)?;
        }
        if let Some(environment) = &columns.environment {
            let shown = |row| environment.get(row).unwrap_or("None");
            layout.agree("environment", |row| environment.numbers[row], shown)?;
        }
        Ok(layout)
    }

    /// Trajectories of consecutive tasks, of [`SHARE`] rows or little more.
    pub(crate) fn shares(&self) -> Vec<Range<usize>> {
        let mut shares = Vec::new();
        let mut start = 0;
        for &end in &self.tasks[1..] {
            let is_last = end + 1 == self.first.len();
            if is_last || self.first[end] - self.first[start] >= SHARE {
                shares.push(start..end);
                start = end;
            }
        }
        shares
    }

    /// Places of the rows of some trajectories.
    pub(crate) fn places(&self, trajectories: &Range<usize>) -> Range<usize> {
        self.first[trajectories.start]..self.first[trajectories.end]
    }

    /// All trajectories.
    pub(crate) fn all(&self) -> Range<usize> {
        0..self.first.len() - 1
    }

    /// Places of each trajectory.
    pub(crate) fn trajectories(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.first.windows(2).map(|ends| ends[0]..ends[1])
    }

    fn sort(&mut self, columns: &Columns, steps: &[i64]) -> Result<(), Failure> {
        let agent = |row: u32| columns.agent.as_ref().map(|agents| agents.numbers[row as usize]);
        for ends in self.first.windows(2) {
            let rows = &mut self.order[ends[0]..ends[1]];
            if !rows.is_sorted_by_key(|&row| steps[row as usize]) {
                rows.sort_by_key(|&row| steps[row as usize]);
            }
            // What stands between two steps that are not neighbours is missing, and the history of the later one wrong.
            let is_gap =
                |pair: &&[u32]| steps[pair[1] as usize].abs_diff(steps[pair[0] as usize]) > 1;
            if let Some(pair) = rows.windows(2).find(is_gap) {
                let [before, now] = [pair[0] as usize, pair[1] as usize];
                let what =
                    format!("step {} of its trajectory follows step {}", steps[now], steps[before]);
                let remedy = "pass the steps between as well, or leave `step` out if it counts something else";
                return Err(Failure::at(now, format!("{what} (row {before}): {remedy}")));
            }
            // Agents that act at the same time have the same step, in the order of the rows.
            for same in rows.chunk_by(|&left, &right| steps[left as usize] == steps[right as usize])
            {
                let mut seen = HashMap::with_capacity(same.len());
                for &row in same.iter().take(if same.len() > 1 { same.len() } else { 0 }) {
                    if let Some(other) = seen.insert(agent(row), row) {
                        let step = steps[row as usize];
                        let remedy =
                            "give every trajectory of a task its own name, or number its steps";
                        let what =
                            format!("step {step} of its trajectory stands in row {other} already");
                        return Err(Failure::at(row as usize, format!("{what}: {remedy}")));
                    }
                }
            }
        }
        Ok(())
    }

    /// Refuses rows of a trajectory that disagree on what is of the whole trajectory.
    fn agree<'a, T: PartialEq>(
        &self,
        name: &str,
        of: impl Fn(usize) -> T,
        shown: impl Fn(usize) -> &'a str,
    ) -> Result<(), Failure> {
        for places in self.trajectories() {
            let rows = &self.order[places];
            let first = rows[0] as usize;
            if let Some(&other) = rows.iter().find(|&&row| of(row as usize) != of(first)) {
                let (here, there) = (shown(other as usize), shown(first));
                let what =
                    format!("`{name}` is {here}, but {there} in row {first} of the trajectory");
                let remedy = "it is of the whole trajectory: give all of its rows the same";
                return Err(Failure::at(other as usize, format!("{what}: {remedy}")));
            }
        }
        Ok(())
    }
}

/// The number of each row's trajectory, in order of first appearance, and the task of each of them.
fn trajectories(columns: &Columns) -> (Vec<u32>, Vec<u32>) {
    let mut tasks = Vec::new();
    let mut known: HashMap<(u32, u32), u32> = HashMap::new();
    let mut numbers = Vec::with_capacity(columns.rewards.len());
    let mut before = ((u32::MAX, u32::MAX), 0);
    for key in columns.task.numbers.iter().copied().zip(columns.trajectory.numbers.iter().copied())
    {
        if key != before.0 {
            let next = known.len() as u32;
            let number = match known.entry(key) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(place) => {
                    tasks.push(key.0);
                    *place.insert(next)
                }
            };
            before = (key, number);
        }
        numbers.push(before.1);
    }
    (numbers, tasks)
}
