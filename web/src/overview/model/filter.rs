//! Filter and order of what the overview shows: which steps, which tasks, and by which column.

use super::disagreement::{Pair, StepKey};
use super::{File, Task};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// What steps have to be like; every wish has to be met.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Filter {
    /// Estimators differ in the sign of the advantage.
    pub(crate) opposite: bool,
    /// No other step of the task is in the state.
    pub(crate) alone: bool,
    /// The response broke the format.
    pub(crate) invalid: bool,
    /// A part of the state's text, in small or capital letters.
    pub(crate) text: String,
    /// The name of the agent that took the step.
    pub(crate) agent: Option<String>,
}

/// How the reader looks at a file: kept as long as it is open, also while its page is loaded again.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Wishes {
    /// What the file is called.
    pub(crate) file: String,
    /// Which steps are looked for.
    pub(crate) filter: Filter,
    /// The order of the tasks.
    pub(crate) sorting: Sorting,
    /// Which estimators are held against each other.
    #[serde(default)]
    pub(crate) pair: Pair,
    /// The column that the steps on which they disagree are sorted by, and whether the largest come first.
    #[serde(default)]
    pub(crate) steps: Option<(StepKey, bool)>,
}

/// Which steps and tasks of a file meet a filter.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Found {
    /// Whether each step of the file does.
    pub(crate) steps: Vec<bool>,
    /// How many steps do.
    pub(crate) count: usize,
    /// The tasks with such a step, in the order of the file.
    pub(crate) tasks: Vec<usize>,
}

impl Filter {
    /// What of a file meets the filter.
    pub(crate) fn apply(&self, file: &File) -> Found {
        let wanted = self.text.trim().to_lowercase();
        let has = |text: &String| wanted.is_empty() || text.to_lowercase().contains(&wanted);
        let texts: Vec<bool> = file.texts.all().iter().map(has).collect();
        let agent = self.agent.as_deref().map(|name| file.agents.find(name));
        let meets = |step: usize| {
            let own = &file.steps[step];
            texts[own.state]
                && !(self.invalid && own.valid)
                && (!self.alone || own.alone)
                && agent.is_none_or(|agent| agent.is_some() && own.agent == agent)
                && (!self.opposite || file.is_disputed(step))
        };
        let steps: Vec<bool> = (0..file.steps.len()).map(meets).collect();
        let has_one = |task: &usize| steps[file.tasks[*task].steps.clone()].contains(&true);
        let tasks = (0..file.tasks.len()).filter(has_one).collect();
        let count = steps.iter().filter(|meets| **meets).count();
        Found { steps, count, tasks }
    }
}

/// What tasks are put in order by: a column of their table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Key {
    /// Their names.
    Name,
    /// How many attempts they have.
    Attempts,
    /// The share of attempts that succeeded.
    Success,
    /// The mean score.
    Score,
    /// How many steps they have.
    Steps,
    /// The share of steps without signal.
    Silent,
    /// Opposite signs, under the estimator of this number.
    Opposite(usize),
    /// States of a single step.
    Alone,
    /// Invalid actions.
    Invalid,
}

impl Key {
    /// The columns of the table under some estimators, in order.
    pub(crate) fn all(methods: usize) -> Vec<Self> {
        let mut keys =
            vec![Self::Name, Self::Attempts, Self::Success, Self::Score, Self::Steps, Self::Silent];
        keys.extend((1..methods).map(Self::Opposite));
        keys.extend([Self::Alone, Self::Invalid]);
        keys
    }

    fn compare(self, one: &Task, other: &Task) -> Ordering {
        let counts = |of: fn(&Task) -> usize| of(one).cmp(&of(other));
        let numbers = |of: fn(&Task) -> f64| of(one).total_cmp(&of(other));
        match self {
            Self::Name => by_name(&one.name, &other.name),
            Self::Attempts => counts(|task| task.attempts.len()),
            Self::Success => numbers(Task::success),
            Self::Score => numbers(|task| task.score),
            Self::Steps => counts(|task| task.steps.len()),
            Self::Silent => numbers(Task::silence),
            Self::Opposite(method) => one.opposite[method - 1].cmp(&other.opposite[method - 1]),
            Self::Alone => counts(|task| task.alone),
            Self::Invalid => counts(|task| task.invalid),
        }
    }
}

/// Names in the order of the alphabet, numbers in them by their value: g2 before g10.
pub(super) fn by_name(one: &str, other: &str) -> Ordering {
    let compare = |(own, its): (&[u8], &[u8])| match (value(own), value(its)) {
        (Some(number), Some(same)) => number.cmp(&same),
        _ => own.cmp(its),
    };
    let first = parts(one).zip(parts(other)).map(compare).find(|order| order.is_ne());
    let order = first.unwrap_or_else(|| parts(one).count().cmp(&parts(other).count()));
    order.then(one.cmp(other))
}

/// The digits that stand side by side, and every other byte; bytes are in the order of letters.
fn parts(text: &str) -> impl Iterator<Item = &[u8]> {
    text.as_bytes().chunk_by(|one, next| one.is_ascii_digit() && next.is_ascii_digit())
}

/// A number's digits by how many there are, without zeros before them.
fn value(part: &[u8]) -> Option<(usize, &[u8])> {
    let zeros = part.iter().take_while(|digit| **digit == b'0').count();
    part[0].is_ascii_digit().then_some((part.len() - zeros, &part[zeros..]))
}

/// An order of the tasks; to begin with that of the file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sorting {
    /// The column, and whether the largest come first.
    pub(crate) by: Option<(Key, bool)>,
}

impl Sorting {
    /// After a press on a column's head: first the largest numbers or the first names, then the other
    /// way round.
    pub(crate) fn pressed(self, key: Key) -> Self {
        let falls = match self.by {
            Some((same, falls)) if same == key => !falls,
            _ => key != Key::Name,
        };
        Self { by: Some((key, falls)) }
    }

    /// Puts tasks in order; equal ones stay as they stand in the file.
    pub(crate) fn sort(self, file: &File, tasks: &mut [usize]) {
        let Some((key, falls)) = self.by else { return };
        tasks.sort_by(|&one, &other| {
            let order = key.compare(&file.tasks[one], &file.tasks[other]);
            if falls { order.reverse() } else { order }
        });
    }
}

#[cfg(test)]
mod sort_tests {
    use super::{Key, Sorting, by_name};
    use crate::overview::model::file::tests::both;

    #[test]
    fn numbers_in_names_count_by_their_value() {
        let mut names = ["g10", "g2", "a", "g02b", "g2a", "g"];
        names.sort_by(|one, other| by_name(one, other));
        assert_eq!(names, ["a", "g", "g2", "g2a", "g02b", "g10"]);
    }

    #[test]
    fn a_press_sorts_and_a_second_one_turns_the_order() {
        let file = both();
        let order = |sorting: Sorting| {
            let mut tasks = vec![0, 1];
            sorting.sort(&file, &mut tasks);
            tasks
        };
        assert_eq!(order(Sorting::default()), [0, 1]);
        // g: 2 attempts, half succeed, score 5, 4 steps, a quarter silent; alone: 1, none, −1, 1, all.
        let cases = [
            (Key::Attempts, [0, 1]),
            (Key::Success, [0, 1]),
            (Key::Score, [0, 1]),
            (Key::Steps, [0, 1]),
            (Key::Silent, [1, 0]),
            (Key::Invalid, [0, 1]),
            (Key::Name, [1, 0]),
        ];
        for (key, expected) in cases {
            let once = Sorting::default().pressed(key);
            assert_eq!(order(once), expected, "{key:?}");
            let [first, last] = expected;
            assert_eq!(order(once.pressed(key)), [last, first], "{key:?} turned");
        }
        let equal = Sorting::default().pressed(Key::Opposite(1));
        assert_eq!(
            (order(equal), order(equal.pressed(Key::Opposite(1)))),
            (vec![0, 1], vec![0, 1])
        );
        assert_eq!(Key::all(file.methods.len()).len(), 10);
    }
}

#[cfg(test)]
mod tests {
    use super::{Filter, Found, Wishes};
    use crate::overview::model::file::tests::both;
    use crate::overview::model::{Key, Pair, Sorting, StepKey};

    #[test]
    fn what_is_kept_is_read_again_and_nothing_else() {
        let filter = Filter { alone: true, text: "a \"hall\"".to_owned(), ..Filter::default() };
        let sorting = Sorting { by: Some((Key::Opposite(2), true)) };
        let pair = Pair { one: None, other: Some("rloo".to_owned()) };
        let steps = Some((StepKey::Advantage(1), true));
        let wishes = Wishes { file: "a.jsonl".to_owned(), filter, sorting, pair, steps };
        let before = r#"{"file":"a","filter":{"opposite":false,"alone":false,"invalid":false,"text":"","agent":null},"sorting":{"by":null}}"#;
        assert!(serde_json::from_str::<Wishes>(before).is_ok(), "as earlier versions kept it");
        for wishes in [wishes, Wishes::default()] {
            let kept = serde_json::to_string(&wishes).expect("text");
            assert_eq!(serde_json::from_str::<Wishes>(&kept).ok(), Some(wishes));
        }
        for text in ["", "{", "7", "{}", r#"{"file":7,"text":""}"#, r#"{"file":"a"}"#] {
            assert!(serde_json::from_str::<Wishes>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_wish_has_to_be_met() {
        let file = both();
        let found = |filter: Filter| {
            let Found { steps, count, tasks } = filter.apply(&file);
            let places: Vec<usize> = (0..steps.len()).filter(|&step| steps[step]).collect();
            assert_eq!(count, places.len());
            (places, tasks)
        };
        let any = Filter::default();
        assert_eq!(found(any.clone()), (vec![0, 1, 2, 3, 4], vec![0, 1]));
        assert_eq!(found(Filter { alone: true, ..any.clone() }), (vec![1, 4], vec![0, 1]));
        assert_eq!(found(Filter { invalid: true, ..any.clone() }), (vec![2], vec![0]));
        let hall = Filter { text: " hALL ".to_owned(), ..any.clone() };
        assert_eq!(found(hall.clone()), (vec![4], vec![1]));
        assert_eq!(found(Filter { invalid: true, ..hall }), (vec![], vec![]));
        let agent = |name: &str| Filter { agent: Some(name.to_owned()), ..any.clone() };
        assert_eq!(found(agent("m")), (vec![0], vec![0]));
        assert_eq!(found(agent("n")), (vec![], vec![]), "no step has it");
        assert_eq!(found(Filter { opposite: true, ..any }), (vec![], vec![]));
    }
}
