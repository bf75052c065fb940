//! How large the groups are, and which share of the steps has no signal.

use crate::{
    model::{
        Comparison,
        comparison::{Bar, Column, bars, silence},
    },
    text::{self, compare as words, estimator},
    view::Markup,
};
use hgpo_core::GroupDiagnostics;

/// Histograms of group sizes, and the shares of steps without signal.
pub(super) fn sizes(to: &mut Markup, compared: &Comparison) {
    let chosen = compared.of_chosen();
    let share = chosen.diagnostics.no_signal_fraction;
    to.raw("<section class=\"sizes\" aria-labelledby=\"sizes-title\"><h3 id=\"sizes-title\">");
    to.text(words::signal()).raw("</h3><p>");
    to.text(&words::why_silent(estimator(chosen.name), share, silence(&chosen.diagnostics)));
    to.raw("<p class=\"hint\">").text(words::signal_meaning()).raw("</p>");
    histograms(to, deepest(compared));
    table(to, compared);
    if compared.columns.iter().flat_map(all_groups).any(|groups| groups.inconsistency.is_some()) {
        to.raw("<p class=\"hint\">").text(words::split_meaning()).raw("</p>");
    }
    to.raw("</section>");
}

/// The estimator whose groups are drawn: the chosen one, if it has levels.
fn deepest(compared: &Comparison) -> &Column {
    let depth = |column: &&Column| column.diagnostics.levels.len();
    let chosen = Some(compared.of_chosen()).filter(|column| depth(column) > 0);
    chosen.or(compared.columns.iter().max_by_key(depth)).unwrap_or(compared.of_chosen())
}

/// The groups of an estimator: whole attempts, then the levels.
fn all_groups(column: &Column) -> impl Iterator<Item = &GroupDiagnostics> {
    column.diagnostics.episode.iter().chain(&column.diagnostics.levels)
}

/// The kind of a group: a level, or whole attempts.
fn kind(to: &mut Markup, groups: &GroupDiagnostics) {
    match groups.level {
        Some(level) => {
            to.raw("<span class=\"mark-of-level\" title=\"").text(&text::shared(level.0));
            to.raw("\">G<sub>").text(&level.to_string());
            to.raw("</sub></span>");
        }
        None => {
            to.text(text::attempts());
        }
    }
}

fn histograms(to: &mut Markup, column: &Column) {
    to.raw("<h4>").text(estimator(column.name)).raw(": ").text(words::sizes_hint());
    to.raw("</h4><div class=\"histograms\">");
    for groups in all_groups(column).filter(|groups| groups.steps > 0) {
        to.raw("<div class=\"histogram\"><h5>");
        kind(to, groups);
        to.raw("</h5><ul>");
        for one in bars(&groups.sizes) {
            bar(to, one, groups.steps);
        }
        to.raw("</ul></div>");
    }
    to.raw("</div>");
}

/// A bar as long as its share of the steps.
fn bar(to: &mut Markup, bar: Bar, of: usize) {
    let share = bar.steps as f64 / of as f64;
    to.raw(if bar.to == 1 { "<li class=\"single\">" } else { "<li>" });
    to.raw("<span class=\"size\">").text(&words::sizes(bar));
    to.raw("</span> <span class=\"bar\" style=\"--share:").text(&share.to_string());
    to.raw("\"></span> <span class=\"count\">")
        .text(&text::counted_steps(bar.steps))
        .raw("</span></li>");
}

/// Every estimator's share of steps without signal, and those of its groups.
fn table(to: &mut Markup, compared: &Comparison) {
    to.raw("<table><thead><tr>");
    let shares = [words::alone(), words::all_equal_share(), words::split(), words::explained()];
    for heading in [words::group(), words::step_count()].into_iter().chain(shares) {
        to.raw("<th scope=\"col\">").text(heading);
    }
    for column in &compared.columns {
        to.raw("<tbody data-estimator=\"").raw(column.name);
        to.raw("\"><tr><th scope=\"rowgroup\" colspan=\"6\">").text(estimator(column.name));
        to.raw(": ").text(&words::no_signal(column.diagnostics.no_signal_fraction));
        for groups in all_groups(column) {
            to.raw("<tr><th scope=\"row\">");
            kind(to, groups);
            let shares = [groups.singleton_fraction, groups.zero_std_fraction];
            to.raw("<td>").text(&groups.steps.to_string());
            for share in shares {
                to.raw("<td>").text(&words::percent(share));
            }
            past(to, groups);
        }
    }
    to.raw("</table>");
}

/// How many groups of equal states are split at a level, and how much of their returns that explains.
fn past(to: &mut Markup, groups: &GroupDiagnostics) {
    let Some(found) = groups.inconsistency.filter(|found| found.groups > 0) else {
        to.raw("<td>\u{2013}<td>\u{2013}");
        return;
    };
    to.raw("<td>").text(&words::percent(found.split_fraction));
    to.raw("<td>").text(&words::past_explains(found.explained, found.by_chance));
}

#[cfg(test)]
mod tests {
    use super::sizes;
    use crate::model::comparison::{Comparison, Ticks, tests::batch};
    use crate::view::Markup;
    use hgpo_core::Options;

    #[test]
    fn pasts_that_differ_are_told_beside_chance() {
        let door = include_str!("../../../../../assets/presets/inconsistent.rollouts.jsonl");
        let methods = [Options::default()];
        let compared = Comparison::new(&batch(door), &methods, "hgpo", Ticks::default());
        let mut to = Markup::default();
        sizes(&mut to, &compared.expect("admitted"));
        let drawn = to.finish();
        // Level 1, \u{3b3} = 0.95: one of two groups is split, the door. From the desk 10, 9.5, 10, from itself 10,
        // from the hall 8.57375, 0: B = 41.657, T = 78.578, and 2/5 by chance.
        assert!(drawn.contains("<td>50.0\u{a0}%<td>53.0\u{a0}% (40.0\u{a0}%)"), "{drawn}");
        // Level 2: 10, 9.5, 10 from hall and desk, 10 from desk and door: B = 1/48, T = 3/16, and 1/3.
        assert!(drawn.contains("<td>100.0\u{a0}%<td>11.1\u{a0}% (33.3\u{a0}%)"), "{drawn}");
        // Level 0 has no past.
        assert!(drawn.contains("<td>\u{2013}<td>\u{2013}"), "{drawn}");
    }
}
