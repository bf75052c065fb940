//! Sample efficiency: the environment steps until half, and four fifths, of the episodes are won.

use maud::{Markup, html};

use super::arm_labels::{ROWS, arm_label, arm_name, note_on_omitted_rows};
use super::key::Key;
use super::section::{Place, small_print};
use super::table::Table;
use crate::ReportError;
use crate::figure::{Axis, Mark, Row, RowChart};
use crate::findings::{Finding, Part};
use crate::number_format::{count, short_count};
use hgpo_study::summary::RunSummary;

/// The environment steps that a run took.
type StepsOf = fn(&RunSummary) -> Option<u64>;

/// Levels of success, and where runs say when they reach them.
const LEVELS: [(&str, StepsOf); 2] =
    [("50 %", |run| run.scores.steps_to_50), ("80 %", |run| run.scores.steps_to_80)];

/// What the runs of an arm took to a level: those that reach it in order, and how many there are in all.
struct Reached {
    steps: Vec<u64>,
    runs: usize,
}

impl Reached {
    fn of(arm: &Finding<'_>, level: StepsOf) -> Self {
        let mut steps: Vec<u64> = arm.finished.iter().filter_map(|run| level(run)).collect();
        steps.sort_unstable();
        Self { steps, runs: arm.finished.len() }
    }

    /// The median over all runs, of which those that never reach it count as the slowest; none if it is
    /// one of those.
    fn median(&self) -> Option<u64> {
        let at = |place: usize| self.steps.get(place).copied();
        let half = self.runs / 2;
        match self.runs {
            0 => None,
            runs if runs % 2 == 1 => at(half),
            _ => Some(at(half - 1)?.midpoint(at(half)?)),
        }
    }
}

pub(crate) fn section(part: &Part<'_>, place: &Place<'_>) -> Result<Markup, ReportError> {
    let is_reached =
        |steps: StepsOf| part.arms.iter().any(|arm| !Reached::of(arm, steps).steps.is_empty());
    if !is_reached(LEVELS[0].1) {
        let none = "No finished run won half of its training episodes within the budget.";
        return Ok(html! { p { (none) } });
    }
    Ok(html! {
        p class="finding" { (finding(part)) }
        @for (level, steps) in LEVELS { @if is_reached(steps) { (picture(part, level, steps, place)?) } }
        (table(part, place))
        (small_print("Until success in training, as in the learning curve, first is 50 or 80 %. Medians are over all finished runs: one that never gets there counts as slower than all that do, so that a median can be missing."))
    })
}

fn finding(part: &Part<'_>) -> String {
    let told = LEVELS.map(|(level, steps)| {
        let medians =
            part.arms.iter().filter_map(|arm| Some((arm, Reached::of(arm, steps).median()?)));
        let first = medians.min_by_key(|(_, median)| *median);
        first.map_or(format!("{level}: no arm with half of its runs"), |(arm, median)| {
            format!("{level}: {}, median {} environment steps", arm_name(arm), count(median))
        })
    });
    format!("First at {}.", told.join("; first at "))
}

fn picture(
    part: &Part<'_>,
    level: &str,
    steps: StepsOf,
    place: &Place<'_>,
) -> Result<Markup, ReportError> {
    let arms = part.arms.iter().filter(|arm| !arm.finished.is_empty());
    let rows = arms.clone().take(ROWS).map(|arm| {
        let reached = Reached::of(arm, steps);
        let mut marks: Vec<_> =
            reached.steps.iter().map(|it| Mark::RunSummary(*it as f64)).collect();
        let median = reached.median();
        marks.extend(median.map(|it| Mark::Point(it as f64)));
        let told = median.map_or("–".to_owned(), |it| short_count(it as f64));
        let value = format!("{told}; {} of {} runs", reached.steps.len(), reached.runs);
        Row { series: arm.series, name: arm_name(arm), marks, value }
    });
    let across = Axis::steps(part.budget);
    let chart = RowChart { across, reference: None, rows: rows.collect() };
    let sentence = format!(
        "Environment steps until {level} of the training episodes are won: median, and single runs as pale dots; at the right, the median and how many runs get there.{}",
        note_on_omitted_rows(arms.count())
    );
    place.figure(&chart, &Key::None, &sentence, None)
}

fn table(part: &Part<'_>, place: &Place<'_>) -> Markup {
    let head =
        ["arm", "runs", "reach 50 %", "median steps to 50 %", "reach 80 %", "median steps to 80 %"];
    let mut table = Table::new("Environment steps to 50 and 80 % success in training", &head);
    for arm in &part.arms {
        let mut cells = vec![Some(arm.finished.len().to_string())];
        for (_, steps) in LEVELS {
            let reached = Reached::of(arm, steps);
            cells.extend([Some(reached.steps.len().to_string()), reached.median().map(count)]);
        }
        table.push(arm_label(arm), cells);
    }
    place.table(&table)
}

#[cfg(test)]
mod tests {
    use super::Reached;

    #[test]
    fn runs_that_never_reach_a_level_count_as_the_slowest() {
        let median = |steps: &[u64], runs| Reached { steps: steps.to_vec(), runs }.median();
        assert_eq!(median(&[10, 20, 40], 3), Some(20));
        assert_eq!(median(&[10, 20, 40], 4), Some(30)); // 10, 20, 40, never
        assert_eq!(median(&[10, 20], 4), None); // 10, 20, never, never
        assert_eq!(median(&[10, 20], 5), None);
        assert_eq!(median(&[], 0), None);
    }
}
