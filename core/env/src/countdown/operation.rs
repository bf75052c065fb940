//! Operation: two of the numbers that are left become one.

use std::fmt;

/// The largest result of an operation; every result is a whole number from 1 on.
pub(super) const LARGEST_RESULT: u32 = 99;

/// `left sign right = result`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operation {
    left: u32,
    sign: char,
    right: u32,
    pub(super) result: u32,
}

impl Operation {
    /// What can be done with numbers in ascending order, the larger number on the left; each once.
    pub(super) fn possible(numbers: &[u32]) -> Vec<Self> {
        let mut operations: Vec<Self> = Vec::new();
        for (place, &right) in numbers.iter().enumerate() {
            for &left in &numbers[place + 1..] {
                let quotient = (left % right == 0).then(|| left / right);
                let results = [
                    ('+', left + right),
                    ('-', left - right),
                    ('*', left * right),
                    ('/', quotient.unwrap_or_default()),
                ];
                for (sign, result) in results {
                    let operation = Self { left, sign, right, result };
                    if (1..=LARGEST_RESULT).contains(&result) && !operations.contains(&operation) {
                        operations.push(operation);
                    }
                }
            }
        }
        operations
    }

    /// The numbers that are left after it, in ascending order.
    pub(super) fn after(&self, numbers: &[u32]) -> Vec<u32> {
        let mut left = numbers.to_vec();
        for used in [self.left, self.right] {
            if let Some(place) = left.iter().position(|&number| number == used) {
                left.remove(place);
            }
        }
        left.insert(left.partition_point(|&number| number < self.result), self.result);
        left
    }

    /// Operations after which one number is left, which is the target; none if there is no way. Of several
    /// ways, the one that `first` prefers of the operations that lead to one, step by step.
    pub(super) fn solution(
        numbers: &[u32],
        target: u32,
        first: &mut impl FnMut(usize) -> usize,
    ) -> Option<Vec<Self>> {
        if let [only] = numbers {
            return (*only == target).then(Vec::new);
        }
        let leads = |it: &Self| Self::results(&it.after(numbers)).contains(&target);
        let leading: Vec<Self> = Self::possible(numbers).into_iter().filter(leads).collect();
        let chosen = *leading.get(first(leading.len()))?;
        let rest = Self::solution(&chosen.after(numbers), target, first)?;
        Some([vec![chosen], rest].concat())
    }

    /// What all of the numbers can become, in ascending order, each once.
    pub(super) fn results(numbers: &[u32]) -> Vec<u32> {
        if numbers.len() == 1 {
            return numbers.to_vec();
        }
        let ways = Self::possible(numbers).into_iter();
        let mut results: Vec<u32> = ways.flat_map(|it| Self::results(&it.after(numbers))).collect();
        results.sort_unstable();
        results.dedup();
        results
    }

    /// The operations as one expression.
    pub(super) fn expression(operations: &[Self]) -> String {
        let mut parts: Vec<(u32, String)> = Vec::new();
        for it in operations {
            // What an earlier operation made is written out.
            let mut part = |number: u32| match parts.iter().position(|(made, _)| *made == number) {
                Some(place) => format!("({})", parts.remove(place).1),
                None => number.to_string(),
            };
            let (left, right) = (part(it.left), part(it.right));
            parts.push((it.result, format!("{left} {} {right}", it.sign)));
        }
        parts.pop().map(|(_, text)| text).unwrap_or_default()
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { left, sign, right, result } = self;
        write!(out, "{left} {sign} {right} = {result}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(operations: &[Operation]) -> Vec<String> {
        operations.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn operations_have_whole_results_from_1_to_99() {
        let of = |numbers: &[u32]| texts(&Operation::possible(numbers));
        assert_eq!(of(&[2, 6]), ["6 + 2 = 8", "6 - 2 = 4", "6 * 2 = 12", "6 / 2 = 3"]);
        assert_eq!(of(&[50, 50]), ["50 / 50 = 1"]);
        // Equal pairs are listed once.
        assert_eq!(of(&[4, 4, 4]), ["4 + 4 = 8", "4 * 4 = 16", "4 / 4 = 1"]);
    }

    #[test]
    fn solutions_end_at_the_target_and_use_every_number() {
        let mut first = |_: usize| 0;
        let solution = Operation::solution(&[3, 4, 7], 49, &mut first).unwrap();
        assert_eq!(texts(&solution), ["4 + 3 = 7", "7 * 7 = 49"]);
        assert_eq!(Operation::expression(&solution), "(4 + 3) * 7");
        assert_eq!(Operation::solution(&[3, 4, 7], 50, &mut first), None);
        assert!(Operation::results(&[3, 4, 7]).contains(&49));
        assert_eq!(Operation::solution(&[5], 5, &mut first), Some(Vec::new()));
    }
}
