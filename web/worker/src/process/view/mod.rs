//! The estimates of a step beside the truth, as HTML: what the page would otherwise carry for every
//! reader.

mod histogram;
mod text;

use super::message::ViewRequest;
use super::random::words;
use hgpo_core::process::simulation::{
    EstimateSummary, SimulationPlan, SimulationReport, Unit, simulate,
};
use hgpo_core::process::{Decision, Process};
use hgpo_core::{Batch, Comparison, Explanation, Options, Step, explain_row};
use hgpo_words::escaped;
use histogram::{Span, histogram};
use text::Text;

/// What is shown of a step.
///
/// # Errors
/// Attempts that are no batch, a step that is not there, options that are refused, too many samples.
pub(crate) fn view(request: ViewRequest) -> Result<String, String> {
    let text = Text(request.language);
    let (attempt, time) = (request.attempts.get(request.step.0), request.step.1);
    let name = attempt.map(|attempt| escaped(&text.step(&attempt.trajectory, time)));
    let (name, told) = (name.unwrap_or_default(), told(request)?);
    Ok(format!("<h2>{name}</h2>{told}{}{}", text.buttons(), text.symbols()))
}

/// What is told between the name of the step and the buttons.
fn told(request: ViewRequest) -> Result<String, String> {
    let ViewRequest { process, options, attempts, step, situation, samples, seed, language } =
        request;
    let text = Text(language);
    let (row, time) = step;
    let attempt = attempts.get(row).filter(|attempt| time < attempt.steps.len());
    let attempt = attempt.ok_or_else(|| format!("there is no step {row}/{time}"))?;
    let decision = match process.locate(attempt) {
        Ok(located) => {
            located[time].or_else(|| seen(&process, situation?, &attempt.steps[time], time))
        }
        Err(misfit) => {
            return Ok(because(&escaped(&text.misfit(&attempt.trajectory, misfit.step))));
        }
    };
    let Some(decision) = decision else { return Ok(because(text.ambiguous())) };
    let group = attempts.len();
    let batch = Batch::new(attempts).map_err(|error| error.to_string())?;
    let explanation = explain_row(&batch, &options, batch.row(row, time));
    let explanation = explanation.map_err(|error| error.to_string())?;
    let values = process.values(options.discount);
    let truth = values.advantage(decision);
    let value = values.value(decision.situation, decision.steps_left);
    let worth = [truth, values.action_value(decision), value];
    let unit = Unit::of(&options);
    let can_have_unit = can_have_unit(options.clone());
    let studied = if samples == 0 {
        None
    } else {
        let plan = SimulationPlan { samples, attempts: group, options };
        Some(simulate(&process, &plan, &mut words(seed)).map_err(|error| error.to_string())?)
    };
    let mut html = because(&text.worth(worth.map(text::number)));
    if unit != Unit::Return {
        let button = if can_have_unit { scale_button(text) } else { String::new() };
        html.extend(["<p class=\"hint\">", text.other_unit(), &button, "</p>"]);
    }
    let truth = (unit == Unit::Return).then_some(truth);
    html += &table(text, &explanation, truth, decision, studied.as_ref());
    Ok(html + &studied.map(|studied| notes(text, decision, &studied)).unwrap_or_default())
}

/// A sentence about the whole step.
fn because(sentence: &str) -> String {
    format!("<p class=\"because\">{sentence}</p>")
}

/// The button that sets what estimates and truth share a unit with.
fn scale_button(text: Text) -> String {
    let name = text.set_scale();
    format!(" <button type=\"button\" class=\"button\" data-set=\"scale=mean\">{name}</button>")
}

/// Whether estimates would have the unit of the truth by their scale alone.
fn can_have_unit(mut options: Options) -> bool {
    options.set("scale", "mean".into()).is_ok() && Unit::of(&options) == Unit::Return
}

/// The decision of a step that was seen to be taken in a situation; none if that cannot be.
fn seen(process: &Process, situation: usize, step: &Step, time: usize) -> Option<Decision> {
    let here = process.situations().get(situation).filter(|it| it.state == step.state)?;
    let action = here.actions.iter().position(|it| Some(&it.action) == step.action.as_ref())?;
    Some(Decision { situation, steps_left: process.step_limit() - time, action })
}

/// What is said under the table.
fn notes(text: Text, decision: Decision, studied: &SimulationReport) -> String {
    let steps = studied.of(decision).map_or(0, |own| own.steps);
    let drawn = text.drawn([studied.samples, studied.attempts, steps]);
    if studied.unit != Unit::Return {
        return format!("<p class=\"hint\">{drawn}</p>");
    }
    format!("<p class=\"hint\">{drawn}{}</p>{}", text.line(), overall(text, studied))
}

/// A line for each comparison that the step is part of, for the advantage itself, and for the truth if
/// it has the same unit.
fn table(
    text: Text,
    explanation: &Explanation,
    truth: Option<f64>,
    decision: Decision,
    studied: Option<&SimulationReport>,
) -> String {
    let terms = explanation.terms.iter().map(|term| {
        let said = term.skipped.is_none() && !term.alone;
        (Some(term.comparison), said.then_some(term.advantage))
    });
    let lines = terms.chain(std::iter::once((None, Some(explanation.advantage))));
    let own = studied.and_then(|studied| studied.of(decision));
    let span = studied.zip(own).map(|(studied, own)| Span::of(own, &studied.bins, truth));
    let columns = if studied.is_some() { 4 } else { 1 };
    let mut html = begin(&[text.here(), text.mean(), text.bias(), text.spread()][..columns]);
    for (comparison, estimate) in lines {
        let said = own.and_then(|own| own.said.iter().find(|said| said.comparison == comparison));
        let said = said.zip(span.as_ref());
        let rest = match said {
            Some((said, span)) => distribution(text, said, span),
            None if studied.is_some() => "<td colspan=\"3\">\u{2013}</td>".to_owned(),
            None => String::new(),
        };
        let name = name(text, comparison, if said.is_some() { 2 } else { 1 });
        html.extend([&*name, &number(estimate), &rest, "</tr>"]);
    }
    if truth.is_some() {
        let rest = if studied.is_some() { "<td colspan=\"3\"></td>" } else { "" };
        html.extend(["<tr class=\"true\"><th scope=\"row\">", text.truth_name(), "</th>"]);
        html.extend([&number(truth), rest, "</tr>"]);
    }
    html + END
}

/// Mean, bias, spread, and below them the picture, which is as wide as they are together.
fn distribution(text: Text, said: &EstimateSummary, span: &Span) -> String {
    let estimates = &said.estimates;
    let numbers = [Some(estimates.mean), said.bias, estimates.spread].map(number).concat();
    let spread = text::number(estimates.spread.unwrap_or_default());
    let words = text.picture(estimates.count, &text::number(estimates.mean), &spread);
    let picture = histogram(&estimates.histogram, span, &escaped(&words));
    format!("{numbers}</tr><tr class=\"picture\"><td colspan=\"4\">{picture}</td>")
}

/// Bias and variance over all steps.
fn overall(text: Text, studied: &SimulationReport) -> String {
    let columns = [text.squared_bias(), text.variance(), text.together()];
    let rows = studied.overall.iter().filter_map(|one| {
        let errors = one.errors.as_ref()?;
        let numbers = [errors.squared_bias, errors.variance, errors.mean_squared_error];
        Some(format!("{}{}</tr>", name(text, one.comparison, 1), numbers.map(number).concat()))
    });
    format!("<h3>{}</h3>{}{}{END}", text.overall(), begin(&columns), rows.collect::<String>())
}

/// A table up to its first line.
fn begin(columns: &[&str]) -> String {
    let heads = columns.iter().map(|name| format!("<th scope=\"col\">{name}</th>"));
    let heads: String = heads.collect();
    format!(
        "<div class=\"wide\"><table class=\"levels\"><thead><tr><td></td>{heads}</tr></thead><tbody>"
    )
}

/// What follows the last line of a table.
const END: &str = "</tbody></table></div>";

/// The start of a line, which is so many rows high: the advantage of a comparison, or the advantage itself.
fn name(text: Text, comparison: Option<Comparison>, rows: usize) -> String {
    let index = comparison.map(|comparison| match (comparison, comparison.level()) {
        (Comparison::Episode, _) => "E".to_owned(),
        (_, Some(level)) => level.0.to_string(),
        _ => "\u{2200}".to_owned(),
    });
    let index = index.map(|index| format!("<sub>{index}</sub>")).unwrap_or_default();
    let meaning = if index.is_empty() { text.whole() } else { text.by_comparison() };
    format!("<tr><th scope=\"row\" rowspan=\"{rows}\" title=\"{meaning}\"><i>A</i>{index}</th>")
}

/// A cell with a number, with the minus sign of print.
fn number(value: Option<f64>) -> String {
    format!("<td>{}</td>", value.map_or_else(|| "\u{2013}".to_owned(), text::number))
}

#[cfg(test)]
mod tests;
