//! The estimates of a step beside the truth, as HTML: what the page would otherwise carry for every
//! reader.

mod histogram;
mod text;

use super::{message::ViewRequest, random::words};
use hgpo_core::{
    Batch, Comparison, Explanation, Options, Step, explain_row,
    process::{
        Decision, Process,
        simulation::{EstimateSummary, SimulationPlan, SimulationReport, Unit, simulate},
    },
};
use hgpo_words::escaped;
use histogram::{Span, histogram};
use text::Text;

/// What is shown of a step.
///
/// # Errors
/// Attempts that are no batch, a step that is not there, options that are refused, too many samples.
pub(crate) fn view(request: ViewRequest) -> Result<String, String> {
    let text = Text(request.language);
    let step = (request.attempts.get(request.step.0), request.step.1);
    let name = step.0.map(|attempt| escaped(&text.step(&attempt.trajectory, step.1)));
    let name = ["<h2>", &name.unwrap_or_default(), "</h2>"].concat();
    Ok([name, told(request)?, text.buttons(), text.symbols()].concat())
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
            let misfit = text.misfit(&attempt.trajectory, misfit.step);
            return Ok(["<p class=\"because\">", &escaped(&misfit), "</p>"].concat());
        }
    };
    let Some(decision) = decision else {
        return Ok(["<p class=\"because\">", text.ambiguous(), "</p>"].concat());
    };
    let group = attempts.len();
    let batch = Batch::new(attempts).map_err(|error| error.to_string())?;
    let explanation = explain_row(&batch, &options, batch.row(row, time));
    let explanation = explanation.map_err(|error| error.to_string())?;
    let values = process.values(options.discount);
    let truth = values.advantage(decision);
    let value = values.value(decision.situation, decision.steps_left);
    let sentence = text.truth(truth, values.action_value(decision), value);
    let unit = Unit::of(&options);
    let can_have_unit = can_have_unit(options.clone());
    let studied = if samples == 0 {
        None
    } else {
        let plan = SimulationPlan { samples, attempts: group, options };
        Some(simulate(&process, &plan, &mut words(seed)).map_err(|error| error.to_string())?)
    };
    let mut html = ["<p class=\"because\">", &sentence, "</p>"].concat();
    if unit != Unit::Return {
        let button = if can_have_unit { text.to_unit() } else { String::new() };
        html.extend(["<p class=\"hint\">", text.other_unit(), &button, "</p>"]);
    }
    let truth = (unit == Unit::Return).then_some(truth);
    html.push_str(&table(text, &explanation, truth, decision, studied.as_ref()));
    if let Some(studied) = &studied {
        html.push_str(&notes(text, decision, studied));
    }
    Ok(html)
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
    let drawn = studied.of(decision).map_or(0, |own| own.steps);
    let mut html = [
        "<p class=\"hint\">",
        &text.drawn(studied.samples, studied.attempts, drawn, studied.unit == Unit::Return),
        "</p>",
    ]
    .concat();
    if studied.unit == Unit::Return {
        html.push_str(&overall(text, studied));
    }
    html
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
    let mut html = begin(&text.columns()[..columns]);
    for (comparison, estimate) in lines {
        let said = own.and_then(|own| own.said.iter().find(|said| said.comparison == comparison));
        let said = said.zip(span.as_ref());
        html.extend([name(text, comparison, if said.is_some() { 2 } else { 1 }), number(estimate)]);
        html.push_str(&match said {
            Some((said, span)) => distribution(text, said, span),
            None if studied.is_some() => "<td colspan=\"3\">\u{2013}</td>".to_owned(),
            None => String::new(),
        });
        html.push_str("</tr>");
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
    let words = text.picture(estimates.count, estimates.mean, estimates.spread);
    let picture = histogram(&estimates.histogram, span, &escaped(&words));
    [&numbers, "</tr><tr class=\"picture\"><td colspan=\"4\">", &picture, "</td>"].concat()
}

/// Bias and variance over all steps.
fn overall(text: Text, studied: &SimulationReport) -> String {
    let mut html = ["<h3>", text.overall(), "</h3>", &begin(&text.overall_columns())].concat();
    for one in &studied.overall {
        let Some(errors) = &one.errors else { continue };
        let numbers = [errors.squared_bias, errors.variance, errors.mean_squared_error];
        html.extend([&*name(text, one.comparison, 1), &numbers.map(number).concat(), "</tr>"]);
    }
    html + END
}

/// A table up to its first line.
fn begin(columns: &[&str]) -> String {
    let mut html = String::from("<div class=\"wide\"><table class=\"levels\"><thead><tr><td></td>");
    for name in columns {
        html.extend(["<th scope=\"col\">", name, "</th>"]);
    }
    html + "</tr></thead><tbody>"
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
    let index = index.map(|index| ["<sub>", &index, "</sub>"].concat()).unwrap_or_default();
    let meaning = text.estimate(index.is_empty());
    let rows = rows.to_string();
    let start = ["<tr><th scope=\"row\" rowspan=\"", &rows, "\" title=\"", meaning, "\">"].concat();
    [&start, "<i>A</i>", &index, "</th>"].concat()
}

/// A cell with a number, with the minus sign of print.
fn number(value: Option<f64>) -> String {
    let shown = value.map_or_else(|| "\u{2013}".to_owned(), text::number);
    ["<td>", &shown, "</td>"].concat()
}

#[cfg(test)]
mod tests;
