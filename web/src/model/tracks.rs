//! Where the pasts that contexts hold run through a row.

use super::explained::past;
use super::{Cell, Task};
use hgpo_core::StepHistories;

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
mod tests {
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
