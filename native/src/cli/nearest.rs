//! What to write in place of a misspelt name.

use strsim::levenshtein;

/// A question for the candidate that was probably meant; where none is near, what there is.
pub(super) fn advice(name: &str, candidates: &[String]) -> String {
    let is_section = |it: &String| it.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    match nearest(name, candidates).filter(|_| !candidates.iter().any(is_section)) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => known(name, candidates),
    }
}

/// The candidate that takes the fewest edits to reach, where they are few; one edit away counts a candidate whose last
/// part contains that of `name`, or has it as its initials (`learn.rate` and `learn.lr` are `learn.learning_rate`).
pub(super) fn nearest<'a>(name: &str, candidates: &'a [String]) -> Option<&'a String> {
    let most = 1 + last(name).chars().count() / 4;
    let near = candidates.iter().map(|candidate| (distance(name, candidate), candidate));
    near.filter(|((edits, _), _)| *edits <= most).min().map(|(_, candidate)| candidate)
}

/// The names in the section of `name`, or the sections.
fn known(name: &str, candidates: &[String]) -> String {
    // A section itself is no setting.
    let is_section =
        candidates.iter().any(|it| it.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')));
    let above = name.rsplit_once('.').map_or("", |(section, _)| section);
    let section = if is_section { name } else { above };
    let inside = |it: &'_ String| Some(it.strip_prefix(section)?.strip_prefix('.')?.to_owned());
    let inside: Vec<String> = candidates.iter().filter_map(inside).collect();
    if !inside.is_empty() {
        return format!("[{section}] has {}", inside.join(", "));
    }
    let mut sections: Vec<&str> =
        candidates.iter().map(|it| it.split('.').next().unwrap_or(it)).collect();
    sections.dedup();
    format!("there are {}; --dry-run prints all settings", sections.join(", "))
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
        let names = ["estimator.name", "learn.discount", "learn.learning_rate", "seed", "x.y.cost"]
            .map(String::from);
        let meant = |name| nearest(name, &names).map(String::as_str);
        assert_eq!(meant("learn.rate"), Some("learn.learning_rate"));
        assert_eq!(meant("learn.lr"), Some("learn.learning_rate"));
        assert_eq!(meant("name"), Some("estimator.name"));
        assert_eq!(meant("lern.discount"), Some("learn.discount"));
        // No guess at random: what there is.
        assert_eq!(advice("learn.loss", &names), "[learn] has discount, learning_rate");
        let all = "there are estimator, learn, seed, x; --dry-run prints all settings";
        assert_eq!(advice("loss", &names), all);
        // A section is no setting.
        assert_eq!(advice("estimator", &names), "[estimator] has name");
    }
}
