//! Ranks of numbers.

/// The rank of every number, from 0 for the least; equal numbers have the mean of their ranks.
pub(crate) fn ranks(values: &[f64]) -> Vec<f64> {
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
    use super::ranks;

    #[test]
    fn equal_numbers_share_the_mean_of_their_ranks() {
        assert_eq!(ranks(&[3.0, -1.0, 3.0, 0.5]), [2.5, 0.0, 2.5, 1.0]);
        assert_eq!(ranks(&[0.0, -0.0, 0.0]), [1.0, 1.0, 1.0]);
        assert!(ranks(&[]).is_empty());
    }
}
