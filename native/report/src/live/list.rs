//! List of runs: how far each is, and how well it does.

use maud::{Markup, html};

use super::document::document;
use super::{LiveRun, RunState, address};
use crate::foreign_text::display_name;
use crate::number_format::{count, percent};

/// The list of runs: single ones, those in training first and then the newest, and those of a study together in the order
/// given. `place` is where they are.
#[must_use]
pub fn list_page(place: &str, runs: &[LiveRun]) -> String {
    let (mut alone, mut studies): (Vec<&LiveRun>, Vec<(&str, Vec<&LiveRun>)>) = Default::default();
    for run in runs {
        match &run.study {
            None => alone.push(run),
            Some(study) => match studies.iter_mut().find(|(name, _)| name == study) {
                Some((_, runs)) => runs.push(run),
                None => studies.push((study, vec![run])),
            },
        }
    }
    let rank =
        |run: &LiveRun| (run.state != RunState::Training, run.seconds_ago.unwrap_or(f64::MAX));
    alone.sort_by(|one, other| {
        let ((one_rests, one), (other_rests, other)) = (rank(one), rank(other));
        one_rests.cmp(&other_rests).then(one.total_cmp(&other))
    });
    let body = html! {
        @if runs.is_empty() {
            p data-live="list" { "There are no runs in " code { (place) } " yet. One that begins, with " code { "hgpo train" } ", appears here." }
        } @else {
            form action="runs" method="get" {
                p class="note" { "Tick two or more runs to " button { "compare their curves" } }
                div data-live="list" {
                    @if !alone.is_empty() { (table("Runs", &alone)) }
                    @for (study, runs) in &studies {
                        h2 { (display_name(study)) }
                        p { (summary(runs)) " " a href=(address::report(study)) { "Report on the study so far" } }
                        (table(study, runs))
                    }
                }
            }
        }
    };
    document("Runs", false, true, &body)
}

fn summary(runs: &[&LiveRun]) -> String {
    let of = |state: RunState| runs.iter().filter(|run| run.state == state).count();
    let states = [RunState::Training, RunState::Done, RunState::Stopped];
    let told = states.map(|state| (of(state), state.name()));
    let told = told.iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> = told.map(|(count, name)| format!("{count} {name}")).collect();
    format!("{}.", told.join(", "))
}

fn table(caption: &str, runs: &[&LiveRun]) -> Markup {
    html! {
        div class="scroll" role="group" aria-label=(display_name(caption)) tabindex="0" {
            table class="runs" {
                thead { tr {
                    th {} th scope="col" { "run" } th scope="col" { "environment" } th scope="col" { "estimator" }
                    th scope="col" class="n" { "seed" } th scope="col" class="n" { "iterations" }
                    th scope="col" class="n" { "success in training" } th scope="col" class="n" { "held out, seen" }
                    th scope="col" class="n" { "unseen" } th scope="col" { "state" }
                } }
                tbody { @for run in runs { (row(run)) } }
            }
        }
    }
}

fn row(run: &LiveRun) -> Markup {
    let name = display_name(&run.name);
    let share =
        |share: Option<f64>| html! { td class="n" { (share.map_or("–".to_owned(), percent)) } };
    html! {
        tr {
            td { input type="checkbox" name="run" value=(run.name) aria-label=(format!("compare {name}")); }
            th scope="row" { a href=(address::curves([run.name.as_str()], [])) { (name) } }
            td { (display_name(&run.environment)) }
            td { (display_name(&run.estimator)) }
            td class="n" { @if let Some(seed) = run.seed { (seed) } }
            td class="n" { (iterations(run)) }
            (share(run.success_rate)) (share(run.held_out[0])) (share(run.held_out[1]))
            td { (state(run)) }
        }
    }
}

/// `12 of 100`.
pub(super) fn iterations(run: &LiveRun) -> String {
    let done = count(run.iterations);
    run.asked_iterations.map_or(done.clone(), |asked| format!("{done} of {}", count(asked)))
}

/// The state of a run, and when it was last heard of.
pub(super) fn state(run: &LiveRun) -> Markup {
    let class = match run.state {
        RunState::Training => "state training",
        RunState::Done => "state done",
        RunState::Stopped => "state stopped",
    };
    // What changes every second would be read aloud and drawn anew all the time.
    let ago =
        run.seconds_ago.map(|ago| if ago < 60.0 { "under a minute".to_owned() } else { age(ago) });
    html! {
        span class=(class) { (run.state.name()) }
        @if let Some(ago) = ago { span class="note" { ", written " (ago) " ago" } }
    }
}

/// An age in its largest unit: `3 min`, `5 h`, `12 days`.
fn age(ago: f64) -> String {
    let (unit, name) = match ago {
        _ if ago < 3600.0 => (60.0, "min"),
        _ if ago < 172_800.0 => (3600.0, "h"),
        _ => (86_400.0, "days"),
    };
    format!("{:.0}\u{a0}{name}", (ago / unit).floor())
}
