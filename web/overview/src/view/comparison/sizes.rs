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
    for heading in [words::group(), words::step_count(), words::alone(), words::all_equal_share()] {
        to.raw("<th scope=\"col\">").text(heading);
    }
    for column in &compared.columns {
        to.raw("<tbody data-estimator=\"").raw(column.name);
        to.raw("\"><tr><th scope=\"rowgroup\" colspan=\"4\">").text(estimator(column.name));
        to.raw(": ").text(&words::no_signal(column.diagnostics.no_signal_fraction));
        for groups in all_groups(column) {
            to.raw("<tr><th scope=\"row\">");
            kind(to, groups);
            let shares = [groups.singleton_fraction, groups.zero_std_fraction];
            to.raw("<td>").text(&groups.steps.to_string());
            for share in shares {
                to.raw("<td>").text(&words::percent(share));
            }
        }
    }
    to.raw("</table>");
}
