//! Facts of a comparison in a few lines: arms, tasks, budget, seeds.

use maud::{Markup, html};

use super::arm_labels::{arm_label, render_seeds};
use crate::findings::Part;
use crate::foreign_text;
use crate::input::{flattened, render_value};
use crate::number_format::{count, count_of};

/// The most arms that are named at the beginning.
const NAMED: usize = 12;

/// What was compared: arms, tasks, budget, seeds.
pub(crate) fn comparison_facts(part: &Part<'_>) -> Markup {
    let all = part.runs().count();
    let left_out = all - part.finished();
    html! {
        dl class="facts" {
            div { dt { (if part.arms.len() == 1 { "Arm" } else { "Arms" }) } dd { (arms(part)) } }
            div { dt { "Tasks" } dd { (task(part)) } }
            div { dt { "Budget" } dd { (budget_of(part)) } }
            div { dt { "Runs" } dd {
                (count_of(all, "run", "runs"))
                @if left_out > 0 { ", of which " strong { (count(left_out as u64)) " not counted" } " (named below)" }
                @if all > 0 { "; seeds " (render_seeds(part.runs().map(|(_, run)| run))) }
            } }
        }
    }
}

fn arms(part: &Part<'_>) -> Markup {
    let rest = part.arms.len().saturating_sub(NAMED);
    html! { ul class="arms" {
        @for arm in part.arms.iter().take(NAMED) { li { (arm_label(arm)) } }
        @if part.arms.is_empty() { li { "none" } }
        @if rest > 0 { li { "and " (rest) " more" } }
    } }
}

/// The environment and, if it has one, its world.
fn task(part: &Part<'_>) -> String {
    let mut settings = flattened(&part.source.study.base);
    if let Some(first) = part.arms.first() {
        settings.extend(first.arm.settings.clone());
    }
    let Some(mut task) = settings.get("environment.name").map(render_value) else {
        return "not told in the settings that arms share".to_owned();
    };
    if let Some(world) = settings.get(&format!("environment.{task}.world")) {
        task = format!("{task}, world {}", render_value(world));
    }
    foreign_text::display_name(&task)
}

fn budget_of(part: &Part<'_>) -> String {
    let (asked, made) = (part.source.study.environment_steps, part.source.study.compared_steps());
    let steps = if made == 0 { "no".to_owned() } else { count(made) };
    let is_reached = asked > 0 && asked == made;
    let of = if is_reached { " a run" } else { ", which every finished run has made" };
    format!("{steps} environment steps{of}")
}
