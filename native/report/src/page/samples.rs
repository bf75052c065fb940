//! Sample trajectories, each with a link that opens it in the page.

use hgpo_core::{Trajectory, format};
use maud::{Markup, html};

use super::arm_labels::arm_name;
use super::section::{Place, small_print};
use crate::findings::Part;
use crate::foreign_text;
use crate::input::{Sample, render_value, samples};
use crate::number_format::count_of;
use crate::trajectory_link::link;

/// The most steps that are shown.
const STEPS: usize = 60;

/// The longest state that is shown whole.
const STATE: usize = 600;

/// The longest trajectory that is offered as JSON Lines.
const LINES: usize = 60_000;

pub(super) fn section(part: &Part<'_>, place: &Place<'_>) -> Markup {
    let found: Vec<_> = part
        .coloured()
        .map(|(_, arm)| (arm, samples(arm.arm, part.source)))
        .filter(|(_, samples)| !samples.is_empty())
        .collect();
    if found.is_empty() {
        return html! { p { "There are no traces: the runs’ folders are not beside the summary, or no run wrote one." } };
    }
    html! {
        p class="finding" {
            "From the last trace of a run of each arm: a success and a failure, where there are both, and at the same task where some attempts won and others did not."
        }
        @for (arm, samples) in &found {
            (place.subheading(&arm_name(arm)))
            @for sample in samples { (render_sample(sample, place, &arm_name(arm))) }
        }
        (small_print(&format!("Links open the page at {} with all attempts at the task, so that every advantage can be looked into; they hold the attempts themselves and work wherever the page is served. On paper, open the named trace in the page.", place.options.page)))
    }
}

fn render_sample(sample: &Sample, place: &Place<'_>, arm: &str) -> Markup {
    let it = &sample.group[sample.at];
    let outcome = if it.succeeded() { "success" } else { "failure" };
    let title = foreign_text::display_name(&it.trajectory);
    let instruction = it.extra.get("instruction").map(render_value);
    let file = format!("{arm}, seed {}", sample.seed);
    let address = place.options.page.trim_end_matches('/').to_owned() + "/";
    let of = |group: &[Trajectory]| {
        link(&address, &file, sample.options.as_ref(), group, &it.trajectory)
    };
    let alone = || {
        Some((
            of(std::slice::from_ref(it))?,
            "this attempt alone; all at the task would make too long a link",
        ))
    };
    let found = of(&sample.group).map(|link| (link, "all attempts at the task")).or_else(alone);
    html! {
        div class="sample" {
            p {
                strong { (title) ": " (outcome) } ", " (count_of(it.steps.len(), "step", "steps"))
                @if let Some(text) = instruction { ", “" (foreign_text::passage(&text, 200)) "”" }
                ". "
                @if let Some((link, what)) = found {
                    a class="open" href=(link) { "Open " (title) " (" (outcome) ", " (arm) ") in the page" } " (" (what) "). "
                } @else {
                    "It is too long for a link: copy its JSON Lines into " a href=(address) { "the page" } ". "
                }
                span class="source" { "From " code { (sample.file.display().to_string()) } ", task " (foreign_text::display_name(&it.task)) @if let Some(iteration) = sample.iteration { ", iteration " (iteration) } "." }
            }
            details { summary { "Its steps" } (steps(it)) }
            (lines(it))
        }
    }
}

fn steps(it: &Trajectory) -> Markup {
    let caption = format!("Steps of {}", foreign_text::display_name(&it.trajectory));
    let rest = it.steps.len().saturating_sub(STEPS);
    html! {
        div class="scroll" role="group" aria-label=(caption) tabindex="0" {
            table class="steps" {
                caption { (caption) }
                thead { tr { th scope="col" class="n" { "step" } th scope="col" { "state" } th scope="col" { "action" } th scope="col" class="n" { "reward" } } }
                tbody { @for (at, step) in it.steps.iter().take(STEPS).enumerate() {
                    tr {
                        th scope="row" class="n" { (at) }
                        td { (foreign_text::passage(&step.state, STATE)) }
                        td { (foreign_text::passage(step.action.as_deref().unwrap_or_default(), STATE)) @if !step.valid { em { " (invalid)" } } }
                        td class="n" { (step.reward) }
                    }
                } }
            }
        }
        @if rest > 0 { (small_print(&format!("and {rest} more steps"))) }
    }
}

fn lines(it: &Trajectory) -> Markup {
    let mut text = Vec::new();
    let is_written = format::write_jsonl(&mut text, std::slice::from_ref(it)).is_ok();
    let text = String::from_utf8_lossy(&text);
    html! { @if is_written && text.len() <= LINES {
        details { summary { "As JSON Lines, to copy" } pre { code { (text.trim_end()) } } }
    } }
}
