//! Where estimators disagree, over the whole file.

use super::File;

/// How far estimators are apart on a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Disagreement {
    /// The step among those of the file.
    pub(crate) step: usize,
    /// Whether another estimator lowers what the chosen one raises, or raises what it lowers.
    pub(crate) opposite: bool,
    /// The largest difference between the step's rank under the chosen estimator and under another one,
    /// as a share of the largest possible one: 1 if it is the lowest of all under one and the highest
    /// under the other.
    pub(crate) apart: f64,
}

/// Every step on which ranks or signs differ: opposite signs first, then by the difference of ranks,
/// then in the order of the file.
pub(crate) fn disagreements(file: &File) -> Vec<Disagreement> {
    let chosen = ranks(&file.advantages[0]);
    let mut apart = vec![0.0_f64; chosen.len()];
    for other in file.others() {
        for ((apart, own), other) in
            apart.iter_mut().zip(&chosen).zip(ranks(&file.advantages[other]))
        {
            *apart = apart.max((own - other).abs());
        }
    }
    let most = chosen.len().saturating_sub(1).max(1) as f64;
    let each = |(step, apart): (usize, f64)| Disagreement {
        step,
        opposite: file.is_disputed(step),
        apart: apart / most,
    };
    let mut found: Vec<Disagreement> = apart.into_iter().enumerate().map(each).collect();
    found.retain(|one| one.opposite || one.apart > 0.0);
    found.sort_by(|one, other| {
        (other.opposite.cmp(&one.opposite)).then(other.apart.total_cmp(&one.apart))
    });
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
    use super::{Disagreement, disagreements, ranks};
    use crate::overview::model::file::File;

    fn of(advantages: [&[f64]; 3]) -> Vec<(usize, bool, f64)> {
        let methods = crate::overview::model::tests::methods();
        let advantages = advantages.map(<[f64]>::to_vec).to_vec();
        let file = File { methods, advantages, ..File::default() };
        let told = |one: Disagreement| (one.step, one.opposite, one.apart);
        disagreements(&file).into_iter().map(told).collect()
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
