//! An iteration of runs on the stage of the page, side by side.

use maud::html;

use super::address;
use super::document::document;
use crate::foreign_text::display_name;

/// The stage with an iteration of each run, or the last one before it that has a trace. `runs` has their names and the
/// iterations of which there are traces, in ascending order; `has_page` is whether the page is served, too.
#[must_use]
pub fn stage_page(runs: &[(String, Vec<u64>)], iteration: u64, has_page: bool) -> String {
    let names = || runs.iter().map(|(name, _)| name.as_str());
    let traces = common_traces(runs.iter().map(|(_, traces)| &traces[..]));
    let before = traces.iter().rev().find(|&&it| it < iteration);
    let after = traces.iter().find(|&&it| it > iteration);
    let body = html! {
        nav class="turn" aria-label="Iterations" {
            @if let Some(it) = before { a href=(address::stage(names(), *it)) rel="prev" { "← iteration " (it) } }
            @if let Some(it) = after { a href=(address::stage(names(), *it)) rel="next" { "iteration " (it) " →" } }
            a href=(address::curves(names(), [])) { "Curves" }
        }
        @if !has_page {
            p { "The page is not there to show it: start hgpo view with " code { "--page DIR" } ", the folder in which the page was built (" code { "scripts/web --build" } " builds it in " code { "dist" } ")." }
        }
        div class="stages" {
            @for (name, traces) in runs {
                section {
                    h2 { (display_name(name)) }
                    @match traces.iter().rev().find(|&&trace| trace <= iteration) {
                        None => p { "No trace of this iteration: " code { "checkpoint.traces_every" } " says which are written." },
                        Some(&trace) => {
                            p { "Iteration " (trace) ". " a href=(address::trace_in_page(name, trace)) target="_blank" rel="noopener" { "Open in the page" } }
                            @if has_page {
                                iframe src=(format!("{}&embed=1", address::trace_in_page(name, trace))) title=(format!("Iteration {trace} of {}", display_name(name))) {}
                            }
                        }
                    }
                }
            }
        }
    };
    document(&format!("Iteration {iteration}"), true, false, &body)
}

/// Iterations that all runs have traces of.
pub(super) fn common_traces<'a>(mut runs: impl Iterator<Item = &'a [u64]> + Clone) -> Vec<u64> {
    let first = runs.next().unwrap_or_default();
    let is_common = |it: &&u64| runs.clone().all(|other| other.binary_search(it).is_ok());
    first.iter().filter(is_common).copied().collect()
}
