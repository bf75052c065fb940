//! What is shown of a step: its truth, its estimates beside it, and how they are spread.

use super::exhibit::{exhibit, index};
use super::histogram::{Span, histogram};
use super::{Found, Shown};
use crate::export::exhibit_menu;
use crate::learn::view::typeset;
use crate::model::number::short;
use crate::model::{Controls, Explained};
use crate::text::{self, Named, truth as words};
use crate::view::menu::glossary;
use hgpo_core::Comparison;
use hgpo_core::process::Decision;
use hgpo_core::process::simulation::{SimulationReport, Unit};
use yew::prelude::*;

/// The step, the buttons that draw the attempts anew or many groups of them, and the symbols; another button sets what
/// estimates and truth share a unit with.
pub(super) fn view(
    shown: &Shown,
    [draw_anew, draw_many, set_scale]: [Callback<MouseEvent>; 3],
) -> Html {
    let (task, cell) = (&shown.of.task, shown.of.selected);
    let name = text::step_name(&task.rows()[cell.row].trajectory, cell.step);
    let told = match shown.found {
        Found::Known { decision, action_value, value, advantage } => {
            let worth = [advantage, action_value, value].map(|value| short(value, 3));
            html! { <>{ because(words::worth(worth)) }{ estimates(shown, decision, advantage, set_scale) }</> }
        }
        Found::Ambiguous => because(words::ambiguous()),
        Found::Misfit(step) => because(words::misfit(&task.rows()[cell.row].trajectory, step)),
    };
    let has = in_sight(shown);
    let symbols = words::symbols().filter(|(name, _)| has(name));
    let symbol = |(name, meaning): Named| {
        let is_letter = name.starts_with(|first: char| first.is_ascii_uppercase());
        let name = typeset(name);
        (
            if is_letter {
                html! { <i>{ name }</i> }
            } else {
                name
            },
            meaning,
        )
    };
    html! {
        <>
            <h2>{ name }</h2>
            { told }
            <div class="draws">
                <button type="button" class="button" data-draw="attempts"
                    onclick={draw_anew}>{ words::draw_anew() }</button>
                <button type="button" class="button"
                    onclick={draw_many}>{ words::draw_many() }</button>
            </div>
            <p class="hint">{ words::draw_hint() }</p>
            { exhibit_menu("truth", text::estimate_and_truth(), { let shown = shown.clone(); move || exhibit(&shown) }) }
            { glossary("symbols", text::symbols_title(), symbols.map(symbol)) }
        </>
    }
}

/// Which of the symbols are in sight: those of the comparisons that the estimator makes, of the truth where it is known, and
/// of what drawing tells.
fn in_sight(shown: &Shown) -> impl Fn(&str) -> bool {
    let explained = Explained::new(&shown.of.task, shown.of.selected, &shown.of.controls);
    let terms = explained.explanation.terms;
    let compares = |of: fn(Comparison) -> bool| terms.iter().any(|term| of(term.comparison));
    let of_attempts = compares(|own| own == Comparison::Episode);
    let of_levels = compares(|own| own.level().is_some());
    let is_known = matches!(shown.found, Found::Known { .. });
    let is_drawn = is_known && shown.study.is_some();
    let is_compared = shown.study.as_ref().is_some_and(|study| study.unit == Unit::Return);
    let error = words::name_of_error();
    move |name| match name {
        "A" => is_known,
        "A_k" => is_known && of_levels,
        "A_E" => is_known && of_attempts,
        _ if name.starts_with(['Q', 'V']) => is_known,
        _ => is_drawn && (is_compared || !error.starts_with(name)),
    }
}

/// A sentence about the whole step.
fn because(sentence: impl Into<Html>) -> Html {
    let sentence: Html = sentence.into();
    html! { <p class="because">{ sentence }</p> }
}

/// The estimates, with the truth if it has the same unit, and what drawing tells of them.
fn estimates(
    shown: &Shown,
    decision: Decision,
    truth: f64,
    set_scale: Callback<MouseEvent>,
) -> Html {
    let (controls, study) = (&shown.of.controls, shown.study.as_ref());
    let has_unit = has_unit(controls);
    let can_have_unit = controls.with("scale", "mean").is_some_and(|other| self::has_unit(&other));
    html! {
        <>
            if !has_unit {
                <p class="hint">
                    { words::other_unit() }
                    if can_have_unit {
                        { " " }
                        <button type="button" class="button"
                            onclick={set_scale}>{ words::set_scale() }</button>
                    }
                </p>
            }
            { table(shown, decision, has_unit.then_some(truth)) }
            if let Some(study) = study { { notes(study, decision) } }
        </>
    }
}

/// Whether estimates have the unit of the truth.
pub(super) fn has_unit(controls: &Controls) -> bool {
    Unit::of(&controls.options) == Unit::Return
}

/// A line for each comparison that the step is part of, for the advantage itself, and for the truth if
/// it has the same unit.
fn table(shown: &Shown, decision: Decision, truth: Option<f64>) -> Html {
    let Shown { of, study, .. } = shown;
    let explained = Explained::new(&of.task, of.selected, &of.controls);
    let terms = explained.explanation.terms.iter().map(|term| {
        let said = term.skipped.is_none() && !term.alone;
        (Some(term.comparison), said.then_some(term.advantage))
    });
    let lines = terms.chain([(None, Some(explained.explanation.advantage))]);
    let own = study.as_ref().and_then(|study| study.of(decision));
    let span = study.as_ref().zip(own).map(|(study, own)| Span::of(&own.said, &study.bins, truth));
    let is_studied = study.is_some();
    let line = |(comparison, estimate): (Option<Comparison>, Option<f64>)| {
        let said = own.and_then(|own| own.said.iter().find(|said| said.comparison == comparison));
        let said = said.zip(span.as_ref());
        html! {
            <>
                <tr>
                    { name(comparison, if said.is_some() { "2" } else { "1" }) }
                    { number(estimate) }
                    if let Some((said, _)) = said {
                        { numbers([Some(said.estimates.mean), said.bias, said.estimates.spread]) }
                    } else if is_studied {
                        <td colspan="3">{ "\u{2013}" }</td>
                    }
                </tr>
                if let Some((said, span)) = said {
                    // As wide as the numbers are together.
                    <tr class="picture"><td colspan="4">{ histogram(&said.estimates, span) }</td></tr>
                }
            </>
        }
    };
    let columns = [words::here(), words::mean(), words::bias(), words::spread()];
    let truth = truth.map(|truth| {
        html! {
            <tr class="true">
                <th scope="row">{ words::truth_name() }</th>{ number(Some(truth)) }
                if is_studied { <td colspan="3"></td> }
            </tr>
        }
    });
    let body = html! { <>{ for lines.map(line) }{ truth }</> };
    wide(&columns[..if is_studied { 4 } else { 1 }], body)
}

/// What drawing tells, under the table.
fn notes(study: &SimulationReport, decision: Decision) -> Html {
    let steps = study.of(decision).map_or(0, |own| own.steps);
    let is_compared = study.unit == Unit::Return;
    let rows = study.overall.iter().filter_map(|one| {
        let errors = one.errors.as_ref()?;
        let all = [errors.squared_bias, errors.variance, errors.mean_squared_error];
        Some(html! { <tr>{ name(one.comparison, "1") }{ numbers(all) }</tr> })
    });
    html! {
        <>
            <p class="hint">
                { words::drawn([study.samples, study.attempts, steps]) }
                if is_compared { { words::line() } }
            </p>
            if is_compared {
                <h3>{ words::overall() }</h3>
                { wide(&[words::squared_bias(), words::variance(), words::together()], rows.collect()) }
            }
        </>
    }
}

/// A table with a name before its columns.
fn wide(columns: &[&'static str], body: Html) -> Html {
    html! {
        <div class="wide"><table class="levels">
            <thead><tr><td></td>{ for columns.iter().map(|name| html! { <th scope="col">{ *name }</th> }) }</tr></thead>
            <tbody>{ body }</tbody>
        </table></div>
    }
}

/// The start of a line, which is so many rows high: the advantage of a comparison, or the advantage itself.
fn name(comparison: Option<Comparison>, rowspan: &'static str) -> Html {
    let index = comparison.map(index);
    let title = if index.is_some() { words::by_comparison() } else { words::whole() };
    html! { <th scope="row" {rowspan} {title}><i>{ "A" }</i>if let Some(index) = index { <sub>{ index }</sub> }</th> }
}

fn numbers(all: [Option<f64>; 3]) -> Html {
    all.into_iter().map(number).collect()
}

/// A cell with a number; a dash for none.
fn number(value: Option<f64>) -> Html {
    html! { <td>{ value.map_or_else(|| "\u{2013}".to_owned(), |value| short(value, 3)) }</td> }
}
