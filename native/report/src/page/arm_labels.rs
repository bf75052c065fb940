//! Labels of arms: their names, with the marker that they have in figures.

use hgpo_study::seeds::ranges;
use hgpo_study::summary::RunSummary;
use maud::Markup;

use super::key::{Key, label};
use crate::findings::{Finding, Part};
use crate::foreign_text;
use crate::number_format::count_of;

/// The most rows of a figure that draws the arms in their order.
pub(super) const ROWS: usize = 20;

/// The longest name that stands beside a line uncut.
const BESIDE: usize = 20;

/// The name of an arm as a text.
pub(super) fn arm_name(arm: &Finding<'_>) -> String {
    foreign_text::display_name(&arm.name)
}

/// The name of an arm with its sign, if it has one.
pub(super) fn arm_label(arm: &Finding<'_>) -> Markup {
    label(&arm_name(arm), arm.series)
}

/// The key of a figure that draws the arms that have a colour; numbers are those beside narrow figures.
/// Wide ones can do without if `is_named`, unless a name is too long for them.
pub(super) fn figure_key(part: &Part<'_>, is_named: bool) -> Key {
    let is_needed =
        !is_named || part.coloured().any(|(_, arm)| arm_name(arm).chars().count() > BESIDE);
    let names = part.coloured().map(|(series, arm)| (series, arm_name(arm)));
    Key::Arms { names: names.collect(), is_needed }
}

/// What is to be said if not all arms are drawn.
pub(super) fn note_on_undrawn_arms(part: &Part<'_>) -> String {
    let all = part.arms.iter().filter(|arm| !arm.finished.is_empty()).count();
    let drawn = part.coloured().count();
    if drawn == all {
        return String::new();
    }
    format!(
        " Of {all} arms, {drawn} are drawn: the first and those with the largest areas. The headline’s table has all."
    )
}

/// What is to be said if not all of so many arms have a row.
pub(super) fn note_on_omitted_rows(arms: usize) -> String {
    if arms <= ROWS {
        return String::new();
    }
    format!(" The first {ROWS} arms are drawn; the table has all.")
}

/// Seeds in order, neighbours as ranges: `1, 3–5`.
pub(super) fn render_seeds<'a>(runs: impl Iterator<Item = &'a RunSummary>) -> String {
    let mut seeds: Vec<u64> = runs.map(|run| run.seed).collect();
    seeds.sort_unstable();
    seeds.dedup();
    let told = ranges(&seeds).into_iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}–{last}"),
    });
    told.collect::<Vec<_>>().join(", ")
}

/// `12 of 13 runs`, or `12 runs` if these are all.
pub(super) fn describe_counted_runs(arm: &Finding<'_>) -> String {
    let (counted_ones, all) = (arm.finished.len(), arm.arm.runs.len());
    if counted_ones == all {
        count_of(all, "run", "runs")
    } else {
        format!("{counted_ones} of {all} runs")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_seeds_are_ranges() {
        let runs: Vec<RunSummary> = [5, 1, 3, 4, 9, 10, u64::MAX]
            .map(|seed| RunSummary::missing(seed, String::new()))
            .to_vec();
        assert_eq!(render_seeds(runs.iter()), format!("1, 3–5, 9, 10, {}", u64::MAX));
    }
}
