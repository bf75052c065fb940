//! How large the groups are, and which share of the steps has no signal.

use super::estimator;
use crate::{
    model::{
        Comparison,
        comparison::{Bar, Column, bars, silence},
    },
    text::{self, compare as words},
    view::row::group_name,
};
use hgpo_core::GroupDiagnostics;
use yew::prelude::*;

/// Histograms of group sizes, and the shares of steps without signal.
pub(super) fn sizes(compared: &Comparison) -> Html {
    let chosen = compared.of_chosen();
    let share = chosen.diagnostics.no_signal_fraction;
    html! {
        <section class="sizes" aria-labelledby="sizes-title">
            <h3 id="sizes-title">{ words::signal() }</h3>
            <p>{ words::why_silent(estimator(chosen.name), share, silence(&chosen.diagnostics)) }</p>
            <p class="hint">{ words::signal_meaning() }</p>
            { histograms(deepest(compared)) }
            <table>
                <thead>
                    <tr>
                        <th scope="col">{ words::group() }</th>
                        <th scope="col">{ text::step_count() }</th>
                        <th scope="col">{ words::alone() }</th>
                        <th scope="col">{ words::all_equal_share() }</th>
                    </tr>
                </thead>
                { for compared.columns.iter().map(shares) }
            </table>
        </section>
    }
}

/// The estimator whose groups are drawn: the chosen one, if it has levels.
fn deepest(compared: &Comparison) -> &Column {
    let depth = |column: &&Column| column.diagnostics.levels.len();
    let chosen = Some(compared.of_chosen()).filter(|column| depth(column) > 0);
    chosen.or(compared.columns.iter().max_by_key(depth)).unwrap_or(compared.of_chosen())
}

/// The kind of a group: a level, or whole attempts.
fn kind(groups: &GroupDiagnostics) -> Html {
    match groups.level {
        Some(level) => html! { <span class="mark-of-level">{ group_name(level.0) }</span> },
        None => html! { text::episode() },
    }
}

fn histograms(column: &Column) -> Html {
    let all = column.diagnostics.episode.iter().chain(&column.diagnostics.levels);
    html! {
        <>
            <h4>{ estimator(column.name) }{ ": " }{ words::sizes_hint() }</h4>
            <div class="histograms">
                { for all.filter(|groups| groups.steps > 0).map(|groups| html! {
                    <div class="histogram">
                        <h5>{ kind(groups) }</h5>
                        <ul>{ for bars(&groups.sizes).into_iter().map(|one| bar(one, groups.steps)) }</ul>
                    </div>
                }) }
            </div>
        </>
    }
}

/// A bar as long as its share of the steps.
fn bar(bar: Bar, of: usize) -> Html {
    let style = format!("--share:{:.3}", bar.steps as f64 / of as f64);
    html! {
        <li class={(bar.to == 1).then_some("single")}>
            <span class="size">{ words::sizes(bar) }</span>
            <span class="bar" {style}></span>
            <span class="count">{ text::steps(bar.steps) }</span>
        </li>
    }
}

/// An estimator's share of steps without signal, and those of its groups.
fn shares(column: &Column) -> Html {
    let found = &column.diagnostics;
    html! {
        <tbody data-estimator={column.name}>
            <tr>
                <th scope="rowgroup" colspan="4">
                    { estimator(column.name) }{ ": " }{ words::no_signal(found.no_signal_fraction) }
                </th>
            </tr>
            { for found.episode.iter().chain(&found.levels).map(|groups| html! {
                <tr>
                    <th scope="row">{ kind(groups) }</th>
                    <td>{ groups.steps }</td>
                    <td>{ words::percent(groups.singleton_fraction) }</td>
                    <td>{ words::percent(groups.zero_std_fraction) }</td>
                </tr>
            }) }
        </tbody>
    }
}
