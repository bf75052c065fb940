//! Where estimators disagree, over the whole file.

use super::File;
use super::file::StepOf;
use super::filter::by_name;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Which estimators are held against each other, by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pair {
    /// One; the chosen estimator if there is none.
    pub(crate) one: Option<String>,
    /// The other; all others if there is none.
    pub(crate) other: Option<String>,
}

impl Pair {
    /// The positions of one estimator, and of those that it is held against; the chosen one and all others for names that
    /// the file is not taken up under.
    pub(crate) fn of(&self, file: &File) -> (usize, Vec<usize>) {
        let find = |name: Option<&str>| {
            let name = name?;
            file.methods.iter().position(|own| own.estimator.name() == name)
        };
        let one = find(self.one.as_deref()).unwrap_or(0);
        let all = || (0..file.methods.len()).filter(|other| *other != one).collect();
        let other = find(self.other.as_deref()).filter(|other| *other != one);
        (one, other.map_or_else(all, |other| vec![other]))
    }
}

/// What steps are put in order by: a column of their table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum StepKey {
    /// The names of their tasks.
    Task,
    /// The names of their attempts, and when they were taken.
    Step,
    /// Their states.
    State,
    /// Their advantages under the estimator of this number.
    Advantage(usize),
    /// How far their ranks are apart.
    Apart,
}

impl StepKey {
    /// The columns of the table under some estimators, in order.
    pub(crate) fn all(methods: usize) -> Vec<Self> {
        let advantages = (0..methods).map(Self::Advantage);
        [Self::Task, Self::Step, Self::State]
            .into_iter()
            .chain(advantages)
            .chain([Self::Apart])
            .collect()
    }

    fn compare(self, file: &File, one: &Disagreement, other: &Disagreement) -> Ordering {
        let [own, its] = [one, other].map(|each| &file.steps[each.step]);
        let attempt = |step: &StepOf| &*file.tasks[step.task].attempts[step.attempt];
        match self {
            Self::Task => by_name(&file.tasks[own.task].name, &file.tasks[its.task].name),
            Self::Step => by_name(attempt(own), attempt(its)).then(own.at.cmp(&its.at)),
            Self::State => by_name(&file.texts.all()[own.state], &file.texts.all()[its.state]),
            Self::Advantage(method) => {
                let of = &file.advantages[method];
                of[one.step].total_cmp(&of[other.step])
            }
            Self::Apart => one.apart.total_cmp(&other.apart),
        }
    }
}

/// Puts steps in the order of a column, if there is one, the largest first or last; then opposite signs first, then by
/// the difference of ranks; equal ones stay as they are.
fn sort(file: &File, by: Option<(StepKey, bool)>, steps: &mut [Disagreement]) {
    steps.sort_by(|one, other| {
        let order = by.map_or(Ordering::Equal, |(key, falls)| {
            let order = key.compare(file, one, other);
            if falls { order.reverse() } else { order }
        });
        order.then(other.opposite.cmp(&one.opposite)).then(other.apart.total_cmp(&one.apart))
    });
}

/// How far estimators are apart on a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Disagreement {
    /// The step among those of the file.
    pub(crate) step: usize,
    /// Whether one of the others lowers what the first raises, or raises what it lowers.
    pub(crate) opposite: bool,
    /// The largest difference between the step's rank under the first estimator and under one of the others,
    /// as a share of the largest possible one: 1 if it is the lowest of all under one and the highest
    /// under the other.
    pub(crate) apart: f64,
}

/// Every step on which ranks or signs differ between one estimator and others: in the order of a column if there is one,
/// then opposite signs first, then by the difference of ranks, then in the order of the file.
pub(crate) fn disagreements(
    file: &File,
    (one, others): (usize, &[usize]),
    by: Option<(StepKey, bool)>,
) -> Vec<Disagreement> {
    let chosen = ranks(&file.advantages[one]);
    let mut apart = vec![0.0_f64; chosen.len()];
    for other in others {
        for ((apart, own), other) in
            apart.iter_mut().zip(&chosen).zip(ranks(&file.advantages[*other]))
        {
            *apart = apart.max((own - other).abs());
        }
    }
    let most = chosen.len().saturating_sub(1).max(1) as f64;
    let each = |(step, apart): (usize, f64)| Disagreement {
        step,
        opposite: others.iter().any(|other| file.are_opposite(step, one, *other)),
        apart: apart / most,
    };
    let mut found: Vec<Disagreement> = apart.into_iter().enumerate().map(each).collect();
    found.retain(|one| one.opposite || one.apart > 0.0);
    sort(file, by, &mut found);
    found
}

/// The rank of every number, from 0 for the least; equal numbers have the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    // The two zeros are equal: added to zero, both have its sign.
    let compare = |one: usize, other: usize| (values[one] + 0.0).total_cmp(&(values[other] + 0.0));
    order.sort_unstable_by(|&one, &other| compare(one, other));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for equal in order.chunk_by(|&one, &next| compare(one, next).is_eq()) {
        let mean = first as f64 + (equal.len() - 1) as f64 / 2.0;
        for &place in equal {
            ranks[place] = mean;
        }
        first += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::{Disagreement, Pair, StepKey, disagreements, ranks, sort};
    use crate::overview::model::file::File;
    use crate::overview::model::tests::both;

    fn of(advantages: [&[f64]; 3]) -> Vec<(usize, bool, f64)> {
        let methods = crate::overview::model::tests::methods();
        let advantages = advantages.map(<[f64]>::to_vec).to_vec();
        let file = File { methods, advantages, ..File::default() };
        let told = |one: Disagreement| (one.step, one.opposite, one.apart);
        disagreements(&file, (0, &[1, 2]), None).into_iter().map(told).collect()
    }

    #[test]
    fn any_pair_is_held_against_each_other() {
        let methods = crate::overview::model::tests::methods();
        let advantages = vec![vec![1.0, 2.0, 3.0], vec![-1.0, 2.0, 3.0], vec![-1.0, 3.0, 2.0]];
        let file = File { methods, advantages, ..File::default() };
        let pair = |one: &str, other: &str| {
            let name = |name: &str| Some(name.to_owned()).filter(|name| !name.is_empty());
            Pair { one: name(one), other: name(other) }.of(&file)
        };
        assert_eq!(pair("", ""), (0, vec![1, 2]));
        assert_eq!(pair("grpo", "gigpo"), (1, vec![2]));
        assert_eq!(pair("gigpo", ""), (2, vec![0, 1]));
        assert_eq!(pair("grpo", "grpo"), (1, vec![0, 2]), "not against itself");
        assert_eq!(pair("none", "of these"), (0, vec![1, 2]));
        let found = |(one, others): (usize, Vec<usize>)| {
            let all = disagreements(&file, (one, &others), None);
            all.into_iter().map(|one| (one.step, one.opposite)).collect::<Vec<_>>()
        };
        assert_eq!(found(pair("grpo", "gigpo")), [(1, false), (2, false)]);
        assert_eq!(found(pair("hgpo", "grpo")), [(0, true)]);
    }

    #[test]
    fn steps_are_put_in_the_order_of_any_column() {
        let file = both();
        let all = || {
            let apart = [0.5, 0.0, 0.25, 1.0, 0.75];
            let each = |(step, apart)| Disagreement { step, opposite: false, apart };
            apart.into_iter().enumerate().map(each).collect::<Vec<_>>()
        };
        let order = |key, falls| {
            let mut steps = all();
            sort(&file, Some((key, falls)), &mut steps);
            steps.into_iter().map(|one| one.step).collect::<Vec<_>>()
        };
        assert_eq!(order(StepKey::Apart, true), [3, 4, 0, 2, 1]);
        assert_eq!(order(StepKey::Task, false), [4, 3, 0, 2, 1], "alone, then g by ranks");
        assert_eq!(order(StepKey::Step, true)[0], 4, "z after x and y");
        for method in 0..3 {
            let sorted = order(StepKey::Advantage(method), false);
            assert!(sorted.is_sorted_by_key(|step| file.advantages[method][*step]));
        }
        assert_eq!(StepKey::all(3).len(), 7);
    }

    #[test]
    fn opposite_signs_come_first_then_the_ranks() {
        // Ranks: 4, 0, 2, 3, 1 under the chosen one, then 4, 3, 2, 0, 1 and 4, 0, 2, 1, 3. Step 1 has one
        // sign and is 3 of 4 ranks apart. Of those with opposite signs, step 3 is 3 of 4 apart, step 4
        // 2 of 4, step 2 none.
        let found = of([
            &[5.0, -5.0, 1.0, 2.0, -1.0],
            &[5.0, -0.1, -0.2, -9.0, -0.3],
            &[5.0, -5.0, 1.0, 0.5, 2.0],
        ]);
        assert_eq!(found, [(3, true, 0.75), (4, true, 0.5), (2, true, 0.0), (1, false, 0.75)]);
    }

    #[test]
    fn a_file_of_one_step_and_equal_estimators_have_nothing_to_tell() {
        assert!(of([&[1.0], &[2.0], &[3.0]]).is_empty());
        assert!(of([&[1.0, 2.0], &[10.0, 20.0], &[0.1, 0.2]]).is_empty());
    }

    #[test]
    fn equal_numbers_share_the_mean_of_their_ranks() {
        assert_eq!(ranks(&[3.0, -1.0, 3.0, 0.5]), [2.5, 0.0, 2.5, 1.0]);
        assert_eq!(ranks(&[0.0, -0.0, 0.0]), [1.0, 1.0, 1.0]);
        assert!(ranks(&[]).is_empty());
    }
}
