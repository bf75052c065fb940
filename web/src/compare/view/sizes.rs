//! What stands beside the heat maps: the steps on which estimators differ most, sizes of groups, and the share of the
//! steps without signal.

use super::{Action, Cell, Task, amount};
use crate::compare::model::{Bar, Column, Comparison, bars, differences as largest, silence};
use crate::model::number;
use crate::text::{self, called, compare as words};
use hgpo_core::GroupDiagnostics;
use yew::prelude::*;

/// Histograms of group sizes, and the shares of steps without signal.
pub(super) fn sizes(compared: &Comparison) -> Html {
    let chosen = compared.of_chosen();
    let share = chosen.diagnostics.no_signal_fraction;
    let mut groups = compared.columns.iter().flat_map(all_groups);
    let has_past = groups.any(|groups| groups.inconsistency.is_some());
    html! {
        <section class="sizes" aria-labelledby="sizes-title">
            <h3 id="sizes-title">{ words::signal() }</h3>
            <p>{ words::why_silent(called(chosen.name), share, silence(&chosen.diagnostics)) }</p>
            <p class="hint">{ words::signal_meaning() }</p>
            { histograms(deepest(compared)) }
            { table(compared) }
            if has_past { <p class="hint">{ words::split_meaning() }</p> }
        </section>
    }
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
fn kind(groups: &GroupDiagnostics) -> Html {
    let Some(level) = groups.level else { return html! { words::attempts() } };
    html! { <span class="mark-of-level" title={text::shared(level.0)}>{ "G" }<sub>{ level.0 }</sub></span> }
}

fn histograms(column: &Column) -> Html {
    let drawn = all_groups(column).filter(|groups| groups.steps > 0).map(|groups| {
        html! {
            <div class="histogram">
                <h5>{ kind(groups) }</h5>
                <ul>{ for bars(&groups.sizes).into_iter().map(|one| bar(one, groups.steps)) }</ul>
                { axes(groups.steps) }
            </div>
        }
    });
    html! {
        <>
            <h4>{ called(column.name) }{ ": " }{ words::sizes_hint() }</h4>
            <div class="histograms">{ for drawn }</div>
        </>
    }
}

/// What is measured down and across, and the numbers at the ends of the scale that the bars lie on.
fn axes(steps: usize) -> Html {
    html! {
        <div class="axes" aria-hidden="true">
            <span class="size">{ words::size() }</span>
            <span class="ends"><span>{ "0" }</span><span>{ number::count(steps) }</span></span>
            <span class="count">{ text::step_count() }</span>
        </div>
    }
}

/// A bar as long as its share of the steps.
fn bar(bar: Bar, of: usize) -> Html {
    let share = bar.steps as f64 / of as f64;
    html! {
        <li class={(bar.to == 1).then_some("single")}>
            <span class="size">{ words::sizes(bar) }</span>{ " " }
            <span class="bar" style={format!("--share:{share}")}></span>{ " " }
            <span class="count">{ text::steps(bar.steps) }</span>
        </li>
    }
}

/// Every estimator's share of steps without signal, and those of its groups.
fn table(compared: &Comparison) -> Html {
    let shares = [words::alone(), words::all_equal_share(), words::split(), words::explained()];
    let silent = |column: &Column| {
        words::without_signal(&words::percent(column.diagnostics.no_signal_fraction))
    };
    let heads = [words::group(), text::step_count()].into_iter().chain(shares);
    html! {
        <table>
            <thead><tr>{ for heads.map(|head| html! { <th scope="col">{ head }</th> }) }</tr></thead>
            { for compared.columns.iter().map(|column| html! {
                <tbody key={column.name} data-estimator={column.name}>
                    <tr><th scope="rowgroup" colspan="6">
                        { called(column.name) }{ ": " }{ silent(column) }
                    </th></tr>
                    { for all_groups(column).map(row) }
                </tbody>
            }) }
        </table>
    }
}

fn row(groups: &GroupDiagnostics) -> Html {
    let [split, explained] = past(groups);
    let (alone, alike) = (groups.singleton_fraction, groups.zero_std_fraction);
    html! {
        <tr>
            <th scope="row">{ kind(groups) }</th>
            <td>{ groups.steps }</td><td>{ words::percent(alone) }</td><td>{ words::percent(alike) }</td>
            <td>{ split }</td><td>{ explained }</td>
        </tr>
    }
}

/// How many groups of equal states are split at a level, and how much of their returns that explains.
fn past(groups: &GroupDiagnostics) -> [String; 2] {
    match groups.inconsistency.filter(|found| found.groups > 0) {
        None => ["\u{2013}", "\u{2013}"].map(str::to_owned),
        Some(found) => [
            words::percent(found.split_fraction),
            words::past_explains(found.explained, found.by_chance),
        ],
    }
}

/// The table, as many rows of it as are to be drawn: a step a row, an estimator a column.
pub(super) fn differences(
    task: &Task,
    compared: &Comparison,
    rows: usize,
    more: Callback<MouseEvent>,
    dispatch: &Callback<Action>,
) -> Html {
    let cells = largest(compared, rows);
    let is_chosen = |place: usize| (place == compared.chosen).then_some("chosen");
    let head = |(place, column): (usize, &Column)| {
        html! { <th class={is_chosen(place)} scope="col">{ called(column.name) }</th> }
    };
    html! {
        <section class="differences" aria-labelledby="differences-title">
            <h3 id="differences-title">{ words::disagreement() }</h3>
            <div class="wide"><table>
                <thead><tr>
                    <th scope="col">{ text::step() }</th>
                    { for compared.columns.iter().enumerate().map(head) }
                </tr></thead>
                <tbody>{ for cells.iter().map(|cell| differing(task, compared, *cell, dispatch)) }</tbody>
            </table></div>
            if cells.len() < task.batch.step_count() {
                <button type="button" class="button more-rows" onclick={more}>{ words::more_rows() }</button>
            }
        </section>
    }
}

/// A step, whose button chooses it.
fn differing(task: &Task, compared: &Comparison, cell: Cell, dispatch: &Callback<Action>) -> Html {
    let chosen = compared.of_chosen().at(cell);
    let value = |(place, column): (usize, &Column)| {
        let value = column.at(cell);
        if place == compared.chosen {
            return html! { <td class="chosen">{ amount(value, 2) }</td> };
        }
        html! { <td>{ amount(value, 2) }{ " " }<small>{ number::signed(value - chosen, 2) }</small></td> }
    };
    let id = format!("differs-{}-{}", cell.row, cell.step);
    html! {
        <tr key={id.clone()}>
            <th scope="row">
                <button type="button" class="member-button" {id}
                    onclick={dispatch.reform(move |_: MouseEvent| Action::Select(cell))}>
                    <bdi>{ text::step_name(&task.rows()[cell.row].trajectory, cell.step) }</bdi>
                </button>
            </th>
            { for compared.columns.iter().enumerate().map(value) }
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::past;
    use crate::compare::model::Comparison;
    use crate::compare::model::tests::batch;
    use hgpo_core::Options;

    #[test]
    fn pasts_that_differ_are_told_beside_chance() {
        let door = include_str!("../../../../assets/presets/inconsistent.rollouts.jsonl");
        let methods = [Options::default()];
        let compared = Comparison::new(&batch(door), &methods, "hgpo", &["grpo", "gigpo"]);
        let compared = compared.expect("admitted");
        let levels: Vec<_> = compared.columns[0].diagnostics.levels.iter().map(past).collect();
        // Level 0 has no past. Level 1, \u{3b3} = 0.95: one of two groups is split, the door. From the desk 10, 9.5,
        // 10, from itself 10, from the hall 8.57375, 0: B = 41.657, T = 78.578, and 2/5 by chance. Level 2: 10, 9.5,
        // 10 from hall and desk, 10 from desk and door: B = 1/48, T = 3/16, and 1/3.
        assert_eq!(levels[0], ["\u{2013}", "\u{2013}"]);
        assert_eq!(levels[1], ["50.0\u{a0}%", "53.0\u{a0}% (40.0\u{a0}%)"]);
        assert_eq!(levels[2], ["100.0\u{a0}%", "11.1\u{a0}% (33.3\u{a0}%)"]);
    }
}
