//! What a reader can change about the trajectories of a task.

use super::Cell;
use hgpo_core::{REWARD_LIMIT, Step, Trajectory};

/// A change of the task on the stage, and the step that it is about; the first one of the trajectory where it is about
/// all of that.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Edit(pub(crate) Cell, pub(crate) EditKind);

/// What can be changed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EditKind {
    /// Another state.
    State(String),
    /// Another action; none if empty.
    Action(String),
    /// Another reward, as it was typed.
    Reward(String),
    /// Another agent; none if empty.
    Agent(String),
    /// Another summary of the past; none if empty.
    Context(String),
    /// Whether the response kept the format.
    Valid(bool),
    /// One more step after a step, in the same state.
    Insert,
    /// The step is taken out.
    Delete,
    /// The step changes places with the one before it.
    Earlier,
    /// The step changes places with the one after it.
    Later,
    /// Another name of a trajectory.
    Rename(String),
    /// Whether the trajectory was a success, if it says so.
    Success(Option<bool>),
    /// One more trajectory of one step, at the end.
    Add,
    /// The same trajectory once more, below.
    Duplicate,
    /// The trajectory is taken out.
    Remove,
    /// The trajectory changes places with the one above it.
    Up,
    /// The trajectory changes places with the one below it.
    Down,
    /// The trajectory ends before a step, and the rest becomes one of its own.
    Split,
    /// The trajectory below goes on where this one ends.
    Merge,
}

/// Why a change cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// What was typed is not a number that a reward can be.
    Reward,
    /// Another trajectory of the task has the name, or it is empty.
    Name,
    /// A task has at least one trajectory.
    LastTrajectory,
    /// A trajectory has at least one step.
    LastStep,
    /// There is no step or trajectory on that side.
    Edge,
    /// The estimator needs data of every step that a new one has not.
    Estimator,
}

impl Edit {
    /// A change of a whole trajectory.
    pub(crate) const fn of_row(row: usize, change: EditKind) -> Self {
        Self(Cell { row, step: 0 }, change)
    }

    /// Makes the change, and gives the step that is chosen after it.
    ///
    /// # Errors
    /// Why it cannot be made; nothing has changed then that matters.
    pub(crate) fn apply(&self, rows: &mut Vec<Trajectory>) -> Result<Cell, Refusal> {
        let Self(place, change) = self;
        let (Cell { row, step }, mut next) = (*place, *place);
        let changed = &mut rows[row].steps[step];
        match change {
            EditKind::State(text) => changed.state.clone_from(text),
            EditKind::Action(text) => changed.action = some(text),
            EditKind::Agent(text) => changed.agent = some(text),
            EditKind::Context(text) => changed.context = some(text),
            EditKind::Reward(text) => changed.reward = reward(text)?,
            EditKind::Valid(valid) => changed.valid = *valid,
            EditKind::Success(success) => rows[row].success = *success,
            EditKind::Rename(name) => rename(rows, row, name)?,
            EditKind::Insert => {
                let (agent, state) = (changed.agent.clone(), changed.state.clone());
                rows[row].steps.insert(step + 1, Step { agent, ..Step::new(state, 0.0) });
                next.step += 1;
            }
            EditKind::Delete => next.step = remove(&mut rows[row].steps, step, Refusal::LastStep)?,
            EditKind::Earlier => {
                next.step = swap(&mut rows[row].steps, step, step.wrapping_sub(1))?;
            }
            EditKind::Later => next.step = swap(&mut rows[row].steps, step, step + 1)?,
            EditKind::Add => {
                let (task, state) = (rows[0].task.clone(), rows[0].steps[0].state.clone());
                let name = free_name(rows, "t");
                next.row = rows.len();
                rows.push(Trajectory::new(task, name, vec![Step::new(state, 0.0)]));
            }
            EditKind::Duplicate => {
                let trajectory = free_name(rows, &rows[row].trajectory);
                rows.insert(row + 1, Trajectory { trajectory, ..rows[row].clone() });
                next.row += 1;
            }
            EditKind::Remove => next.row = remove(rows, row, Refusal::LastTrajectory)?,
            EditKind::Up => next.row = swap(rows, row, row.wrapping_sub(1))?,
            EditKind::Down => next.row = swap(rows, row, row + 1)?,
            EditKind::Split => return split(rows, *place),
            EditKind::Merge => return merge(rows, row),
        }
        Ok(next)
    }
}

fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// A typed reward; the minus sign of print will do.
fn reward(text: &str) -> Result<f64, Refusal> {
    let text = text.trim().replace('\u{2212}', "-");
    let admitted = |number: &f64| number.abs() <= REWARD_LIMIT;
    hgpo_core::number(&text).filter(admitted).ok_or(Refusal::Reward)
}

fn rename(rows: &mut [Trajectory], row: usize, name: &str) -> Result<(), Refusal> {
    let taken = rows.iter().enumerate().any(|(at, other)| at != row && other.trajectory == name);
    if taken || name.is_empty() {
        return Err(Refusal::Name);
    }
    name.clone_into(&mut rows[row].trajectory);
    Ok(())
}

/// Takes one of several out; gives the place that is chosen after it.
fn remove<T>(all: &mut Vec<T>, place: usize, last: Refusal) -> Result<usize, Refusal> {
    if all.len() == 1 {
        return Err(last);
    }
    all.remove(place);
    Ok(place.min(all.len() - 1))
}

/// Lets two neighbours change places, and gives that of the first one then.
fn swap<T>(all: &mut [T], place: usize, with: usize) -> Result<usize, Refusal> {
    if with >= all.len() {
        return Err(Refusal::Edge);
    }
    all.swap(place, with);
    Ok(with)
}

/// The name of a trajectory with the least number from 1 at its end that no other has.
fn free_name(rows: &[Trajectory], like: &str) -> String {
    let stem = like.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let taken = |name: &String| rows.iter().any(|row| row.trajectory == *name);
    // One of the first `rows.len() + 1` names is free.
    let mut names = (1..).map(|number| format!("{stem}{number}"));
    names.find(|name| !taken(name)).unwrap_or_default()
}

fn split(rows: &mut Vec<Trajectory>, Cell { row, step }: Cell) -> Result<Cell, Refusal> {
    if step == 0 {
        return Err(Refusal::Edge);
    }
    let trajectory = free_name(rows, &rows[row].trajectory);
    let steps = rows[row].steps.split_off(step);
    let rest = Trajectory { trajectory, steps, ..rows[row].clone() };
    // How it ended is known of the second part alone.
    rows[row].success = None;
    rows.insert(row + 1, rest);
    Ok(Cell { row: row + 1, step: 0 })
}

fn merge(rows: &mut Vec<Trajectory>, row: usize) -> Result<Cell, Refusal> {
    if row + 1 >= rows.len() {
        return Err(Refusal::Edge);
    }
    let rest = rows.remove(row + 1);
    let step = rows[row].steps.len();
    rows[row].steps.extend(rest.steps);
    rows[row].success = rest.success;
    Ok(Cell { row, step })
}

#[cfg(test)]
mod tests {
    use super::{Edit, EditKind, Refusal};
    use crate::model::Cell;
    use hgpo_core::{Step, Trajectory};

    fn rows() -> Vec<Trajectory> {
        let walk = |name: &str, states: &str| {
            let steps = states.chars().map(|state| Step::new(state, 0.0)).collect();
            Trajectory { success: Some(true), ..Trajectory::new("g", name, steps) }
        };
        vec![walk("t1", "abc"), walk("t2", "d")]
    }

    /// States of every row after an edit, and the step that is chosen.
    fn after(edit: &Edit) -> (Vec<String>, Result<(usize, usize), Refusal>) {
        let mut rows = rows();
        let chosen = edit.apply(&mut rows).map(|cell| (cell.row, cell.step));
        let states = |row: &Trajectory| row.steps.iter().map(|step| &*step.state).collect();
        (rows.iter().map(states).collect(), chosen)
    }

    const fn cell(row: usize, step: usize) -> Cell {
        Cell { row, step }
    }

    #[test]
    fn steps_come_go_and_change_places() {
        assert_eq!(
            after(&Edit(cell(0, 1), EditKind::Insert)),
            (vec!["abbc".into(), "d".into()], Ok((0, 2)))
        );
        assert_eq!(
            after(&Edit(cell(0, 2), EditKind::Delete)),
            (vec!["ab".into(), "d".into()], Ok((0, 1)))
        );
        assert_eq!(
            after(&Edit(cell(0, 0), EditKind::Later)),
            (vec!["bac".into(), "d".into()], Ok((0, 1)))
        );
        assert_eq!(
            after(&Edit(cell(0, 2), EditKind::Earlier)),
            (vec!["acb".into(), "d".into()], Ok((0, 1)))
        );
        assert_eq!(after(&Edit(cell(1, 0), EditKind::Delete)).1, Err(Refusal::LastStep));
        assert_eq!(after(&Edit(cell(0, 0), EditKind::Earlier)).1, Err(Refusal::Edge));
        assert_eq!(after(&Edit(cell(0, 2), EditKind::Later)).1, Err(Refusal::Edge));
    }

    #[test]
    fn trajectories_come_go_and_change_places() {
        assert_eq!(
            after(&Edit::of_row(0, EditKind::Add)),
            (vec!["abc".into(), "d".into(), "a".into()], Ok((2, 0)))
        );
        let twice = vec!["abc".into(), "abc".into(), "d".into()];
        assert_eq!(after(&Edit::of_row(0, EditKind::Duplicate)), (twice, Ok((1, 0))));
        assert_eq!(after(&Edit::of_row(1, EditKind::Remove)), (vec!["abc".into()], Ok((0, 0))));
        assert_eq!(
            after(&Edit::of_row(0, EditKind::Down)),
            (vec!["d".into(), "abc".into()], Ok((1, 0)))
        );
        assert_eq!(after(&Edit::of_row(0, EditKind::Up)).1, Err(Refusal::Edge));
        assert_eq!(after(&Edit::of_row(1, EditKind::Down)).1, Err(Refusal::Edge));
        let mut one = rows();
        one.pop();
        assert_eq!(Edit::of_row(0, EditKind::Remove).apply(&mut one), Err(Refusal::LastTrajectory));
    }

    #[test]
    fn splitting_and_merging_undo_each_other() {
        let mut changed = rows();
        assert_eq!(Edit(cell(0, 1), EditKind::Split).apply(&mut changed), Ok(cell(1, 0)));
        assert_eq!((changed[0].steps.len(), changed[1].trajectory.as_str()), (1, "t3"));
        assert_eq!((changed[0].success, changed[1].success), (None, Some(true)));
        assert_eq!(Edit::of_row(0, EditKind::Merge).apply(&mut changed), Ok(cell(0, 1)));
        assert_eq!(changed, rows());
        assert_eq!(after(&Edit(cell(0, 0), EditKind::Split)).1, Err(Refusal::Edge));
        assert_eq!(after(&Edit::of_row(1, EditKind::Merge)).1, Err(Refusal::Edge));
    }

    #[test]
    fn what_is_typed_is_checked() {
        let mut changed = rows();
        let typed = |text: &str| Edit(cell(0, 0), EditKind::Reward(text.to_owned()));
        assert_eq!(typed(" \u{2212}2.5 ").apply(&mut changed), Ok(cell(0, 0)));
        assert!((changed[0].steps[0].reward + 2.5).abs() < f64::EPSILON);
        for wrong in ["", "ten", "NaN", "inf", "1e300"] {
            assert_eq!(typed(wrong).apply(&mut changed), Err(Refusal::Reward), "{wrong}");
        }
        assert_eq!(
            Edit::of_row(0, EditKind::Rename("t2".to_owned())).apply(&mut changed),
            Err(Refusal::Name)
        );
        assert_eq!(
            Edit::of_row(0, EditKind::Rename(String::new())).apply(&mut changed),
            Err(Refusal::Name)
        );
        assert_eq!(
            Edit::of_row(0, EditKind::Rename("t1".to_owned())).apply(&mut changed),
            Ok(cell(0, 0))
        );
        assert_eq!(
            Edit(cell(0, 0), EditKind::Action(String::new())).apply(&mut changed),
            Ok(cell(0, 0))
        );
        assert_eq!(changed[0].steps[0].action, None);
    }
}
