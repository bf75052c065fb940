//! The known name closest to a misspelt one.

use strsim::levenshtein;

/// The candidate that takes the fewest edits to reach; one edit away counts a candidate whose last
/// part contains that of `name`, or has it as its initials (`learn.rate` and `learn.lr` are
/// `learn.learning_rate`).
pub(super) fn nearest(name: &str, candidates: &[String]) -> String {
    candidates.iter().min_by_key(|candidate| distance(name, candidate)).cloned().unwrap_or_default()
}

fn distance(name: &str, candidate: &str) -> (usize, usize) {
    let (name_end, candidate_end) = (last(name), last(candidate));
    let whole = levenshtein(name, candidate);
    let short = candidate_end.contains(name_end) || initials(candidate_end) == name_end;
    let end = if short { 1 } else { levenshtein(name_end, candidate_end) + 1 };
    (whole.min(end), whole)
}

fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// `lr` of `learning_rate`.
fn initials(name: &str) -> String {
    name.split('_').filter_map(|word| word.chars().next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_name_or_a_missing_section_is_enough() {
        let names =
            ["seed", "learn.discount", "estimator.name", "learn.learning_rate"].map(String::from);
        assert_eq!(nearest("learn.rate", &names), "learn.learning_rate");
        assert_eq!(nearest("learn.lr", &names), "learn.learning_rate");
        assert_eq!(nearest("name", &names), "estimator.name");
        assert_eq!(nearest("lern.discount", &names), "learn.discount");
    }
}
