//! Where the groups of the chosen step part: who leaves from level to level, and from where they came; and the tracks
//! of shared pasts between steps.

use super::explained::past;
use super::{Cell, Explained, Group, Task};
use hgpo_core::StepHistories;
use std::cmp::Reverse;

/// What tells the members that leave from the chosen step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// They had another state, that of this step.
    State(Cell),
    /// Their trajectory had begun later.
    Start,
    /// Their past is summarised otherwise.
    Summary,
}

/// The members of a level that are not in the next group.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Split {
    /// How many there are.
    pub(crate) leaving: usize,
    /// Where they came from, and how many from there; the most first.
    pub(crate) origins: Vec<(Origin, usize)>,
}

/// Who leaves between one level and the next: an entry less than there are levels.
pub(crate) fn splits(task: &Task, explained: &Explained) -> Vec<Split> {
    explained.levels.windows(2).map(|pair| split(task, explained, &pair[0], &pair[1])).collect()
}

fn split(task: &Task, explained: &Explained, outer: &Group, inner: &Group) -> Split {
    // Both lists are in the order of the stage, so one pass tells which members stay.
    let mut staying = inner.members.iter().map(|(cell, _)| *cell).peekable();
    let mut split = Split { leaving: 0, origins: Vec::new() };
    // Where every state stands among the origins; the last place is for what is no state.
    let states = task.states.iter().map(|state| state.number + 1).max().unwrap_or(0);
    let mut place_of = vec![None; states + 1];
    let leaving = outer.members.iter().map(|(cell, _)| *cell);
    for cell in leaving.filter(|cell| staying.next_if_eq(cell).is_none()) {
        let (number, origin) = match explained.past(task, cell).nth(inner.level - 1) {
            _ if explained.pasts.are_summaries() => (states, Origin::Summary),
            Some(cell) => (task.state(cell).number, Origin::State(cell)),
            None => (states, Origin::Start),
        };
        let place = *place_of[number].get_or_insert_with(|| {
            split.origins.push((origin, 0));
            split.origins.len() - 1
        });
        split.origins[place].1 += 1;
        split.leaving += 1;
    }
    split.origins.sort_by_key(|(_, count)| Reverse(*count));
    split
}

/// How a shared past runs through a step on the stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Track {
    /// Whether it comes from the step before.
    pub(crate) before: bool,
    /// Whether it goes on to the next step.
    pub(crate) after: bool,
    /// Whether the step's state is compared: not that of another agent in between.
    pub(crate) counts: bool,
}

/// How the pasts that members share with the chosen step run through a row: at the level that is
/// looked at, or else at the deepest of each. Empty where there is none.
pub(crate) fn tracks(
    task: &Task,
    pasts: &StepHistories,
    row: usize,
    marks: &[Option<usize>],
    emphasis: Option<usize>,
) -> Vec<Track> {
    let mut tracks = Vec::new();
    for (step, mark) in marks.iter().enumerate() {
        let Some(level) = mark
            .and_then(|mark| emphasis.map_or(Some(mark), |level| (mark >= level).then_some(level)))
        else {
            continue;
        };
        let past = past(pasts, task, Cell { row, step }).take(level);
        let past: Vec<usize> = past.map(|cell| cell.step).collect();
        let Some(&first) = past.last() else { continue };
        tracks.resize(marks.len(), Track::default());
        for (at, track) in tracks.iter_mut().enumerate().take(step + 1).skip(first) {
            track.before |= at > first;
            track.after |= at < step;
        }
        for at in past {
            tracks[at].counts = true;
        }
        tracks[step].counts = true;
    }
    tracks
}

#[cfg(test)]
mod track_tests {
    use super::tracks;
    use crate::model::{Controls, Rollouts, Shared, Task};
    use hgpo_core::{Step, StepHistories, Trajectory};

    /// Five steps of two agents in turn: x y x y x.
    fn task() -> Shared<Task> {
        let agents = ["x", "y", "x", "y", "x"];
        let step = |agent: &str| Step { agent: Some(agent.into()), ..Step::new("s", 0.0) };
        let row = Trajectory::new("g", "t", agents.map(step).into());
        Rollouts::new(None, vec![row]).expect("valid").tasks[0].clone()
    }

    fn controls(settings: &[(&'static str, &str)]) -> Controls {
        let set = |controls: Controls, (key, text): &(&'static str, &str)| {
            controls.with(key, text).expect("admitted")
        };
        settings.iter().fold(Controls::default(), set)
    }

    #[test]
    fn tracks_run_from_the_first_shared_state_to_the_member() {
        let draw = |settings: &[(&'static str, &str)], emphasis| {
            let marks = [None, Some(0), None, None, Some(2)];
            let pasts = StepHistories::new(&task().batch, &controls(settings).options);
            let tracks = tracks(&task(), &pasts, 0, &marks, emphasis);
            let sign = |track: &super::Track| match (track.before, track.after) {
                _ if !track.counts && (track.before || track.after) => '-',
                (false, true) => '<',
                (true, true) => '=',
                (true, false) => '>',
                (false, false) => '.',
            };
            tracks.iter().map(sign).collect::<String>()
        };
        assert_eq!(draw(&[], None), "..<=>");
        assert_eq!(draw(&[], Some(1)), "...<>");
        assert_eq!(draw(&[], Some(0)), "", "the state alone has no past");
        assert_eq!(draw(&[("estimator", "dr-mas"), ("inside", "hgpo")], None), "<-=->");
        assert_eq!(draw(&[("history", "summary")], None), "", "told by a text, not by steps");
    }
}

#[cfg(test)]
mod tests {
    use super::{Origin, splits};
    use crate::model::{Cell, Controls, Explained, Rollouts};
    use hgpo_core::{Step, Trajectory};

    /// Where the groups of the last step of the first of some trajectories part.
    fn parts(walks: &[&str]) -> Vec<(usize, Vec<(Origin, usize)>)> {
        let steps = |walk: &str| walk.chars().map(|state| Step::new(state, 0.0)).collect();
        let rows = walks.iter().enumerate();
        let rows = rows.map(|(row, walk)| Trajectory::new("g", row.to_string(), steps(walk)));
        let rollouts = Rollouts::new(None, rows.collect()).expect("valid");
        let chosen = Cell { row: 0, step: walks[0].len() - 1 };
        let explained = Explained::new(&rollouts.tasks[0], chosen, &Controls::default());
        let splits = splits(&rollouts.tasks[0], &explained);
        splits.into_iter().map(|split| (split.leaving, split.origins)).collect()
    }

    const fn state(row: usize, step: usize) -> Origin {
        Origin::State(Cell { row, step })
    }

    #[test]
    fn who_leaves_is_told_by_the_state_that_differs() {
        // All are in d. One comes from e and not from c; of the others one has x before it, not b.
        assert_eq!(
            parts(&["abcd", "abcd", "xcd", "ed"]),
            [(1, vec![(state(3, 0), 1)]), (1, vec![(state(2, 0), 1)])]
        );
    }

    #[test]
    fn the_most_come_first_and_late_beginnings_count() {
        assert_eq!(
            parts(&["bd", "xd", "ed", "ed", "d"]),
            [(4, vec![(state(2, 0), 2), (state(1, 0), 1), (Origin::Start, 1)])]
        );
        assert_eq!(parts(&["bd", "bd"]), [(0, vec![])], "nobody leaves");
    }
}
