//! The order of the tasks.

use super::{File, Task};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

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
fn by_name(one: &str, other: &str) -> Ordering {
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
mod tests {
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
