//! Suggestion of a name in place of a misspelt one.

use strsim::levenshtein;

/// A question for the candidate that was probably meant; if none is near, what there is. A section is no setting.
pub(crate) fn suggest(name: &str, candidates: &[String]) -> String {
    if !names_in_section(name, candidates).is_empty() {
        return list_known(name, candidates);
    }
    match nearest(name, candidates) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => list_known(name.rsplit_once('.').map_or("", |(section, _)| section), candidates),
    }
}

/// The candidate that takes the fewest edits to reach, if they are few; one edit away counts a candidate whose last
/// part contains that of `name`, or has it as its initials (`learn.rate` and `learn.lr` are `learn.learning_rate`).
pub(crate) fn nearest<'a>(name: &str, candidates: &'a [String]) -> Option<&'a String> {
    let most = 1 + last_part(name).chars().count() / 4;
    let near = candidates.iter().map(|candidate| (distance(name, candidate), candidate));
    near.filter(|((edits, _), _)| *edits <= most).min().map(|(_, candidate)| candidate)
}

/// The names in a section; if there are none, the sections.
fn list_known(section: &str, candidates: &[String]) -> String {
    let inside = names_in_section(section, candidates);
    if !inside.is_empty() {
        return format!("[{section}] has {}", inside.join(", "));
    }
    let mut sections: Vec<&str> =
        candidates.iter().map(|it| it.split('.').next().unwrap_or(it)).collect();
    sections.dedup();
    format!("there are {}; --dry-run prints all settings", sections.join(", "))
}

/// The candidates in a section, without its name.
fn names_in_section<'a>(section: &str, candidates: &'a [String]) -> Vec<&'a str> {
    let below = |it: &'a String| it.strip_prefix(section)?.strip_prefix('.');
    candidates.iter().filter_map(below).collect()
}

fn distance(name: &str, candidate: &str) -> (usize, usize) {
    let (name_end, candidate_end) = (last_part(name), last_part(candidate));
    let whole = levenshtein(name, candidate);
    let short = candidate_end.contains(name_end) || initials(candidate_end) == name_end;
    let end = if short { 1 } else { levenshtein(name_end, candidate_end) + 1 };
    (whole.min(end), whole)
}

fn last_part(name: &str) -> &str {
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
    fn partial_names_and_missing_sections_get_suggestions() {
        let names = ["estimator.name", "learn.discount", "learn.learning_rate", "seed", "x.y.cost"]
            .map(String::from);
        let meant = |name| nearest(name, &names).map(String::as_str);
        assert_eq!(meant("learn.rate"), Some("learn.learning_rate"));
        assert_eq!(meant("learn.lr"), Some("learn.learning_rate"));
        assert_eq!(meant("name"), Some("estimator.name"));
        assert_eq!(meant("lern.discount"), Some("learn.discount"));
        // No guess at random: what there is.
        assert_eq!(suggest("learn.loss", &names), "[learn] has discount, learning_rate");
        let all = "there are estimator, learn, seed, x; --dry-run prints all settings";
        assert_eq!(suggest("loss", &names), all);
        // A section is no setting.
        assert_eq!(suggest("estimator", &names), "[estimator] has name");
    }
}
