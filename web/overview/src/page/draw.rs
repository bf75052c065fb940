//! Drawing: every part of the overview is drawn anew as a whole, and the focus stays where it was.

use super::{Page, part};
use crate::{
    model::{Disagreement, Histogram, Key, Sorting, Wishes, number},
    text,
    view::{self, Markup, Runs},
};
use gloo::utils::document;

/// The parts of the overview, for good.
pub(super) fn frame(page: &Page) {
    let mut to = Markup::default();
    to.raw("<div class=\"overview-head\"><h2 id=\"overview-title\"></h2><p id=\"overview-status\" class=\"hint\" role=\"status\"></p><p id=\"overview-counts\" class=\"hint\"></p></div>");
    section(&mut to, "runs", text::runs(), "", &["runs-open", "curves"]);
    let parts = ["filter", "tasks", "task-columns"];
    section(&mut to, "tasks", text::tasks(), text::tasks_hint(), &parts);
    section(&mut to, "spread", text::distributions(), text::distributions_hint(), &["spreads"]);
    let hint = text::disagreements_hint();
    section(
        &mut to,
        "disagreements",
        text::disagreements(),
        hint,
        &["save", "apart", "step-columns"],
    );
    if let Some(screen) = &page.screen {
        screen.root.set_inner_html(&to.finish());
    }
    let mut to = Markup::default();
    to.raw("<button type=\"button\" class=\"button taken\" id=\"save-table\" data-do=\"save\">");
    to.raw(text::save_table()).raw("</button>");
    part("save", &to.finish());
}

fn section(to: &mut Markup, name: &str, title: &str, hint: &str, parts: &[&str]) {
    let id = format!("{name}-title");
    to.raw("<section").attribute("class", &format!("of-{name}")).attribute("aria-labelledby", &id);
    to.raw("><h3").attribute("id", &id).raw(">").raw(title).raw("</h3>");
    if !hint.is_empty() {
        to.raw("<p class=\"hint\">").raw(hint).raw("</p>");
    }
    for part in parts {
        to.raw("<div").attribute("id", &format!("overview-{part}")).raw("></div>");
    }
    to.raw("</section>");
}

/// Draws a part anew.
fn part(name: &str, markup: &str) {
    if let Some(part) = document().get_element_by_id(&format!("overview-{name}")) {
        part::redraw(&part, markup);
    }
}

/// What the overview is of.
pub(super) fn heading(page: &Page) {
    let Some(screen) = &page.screen else { return };
    if let Some(title) = document().get_element_by_id("overview-title") {
        title.set_text_content(Some(&text::heading(&screen.told.name)));
    }
}

/// What is said of reading and filtering.
pub(super) fn status(page: &Page, told: &str) {
    if page.screen.is_some()
        && let Some(line) = document().get_element_by_id("overview-status")
    {
        line.set_text_content(Some(told));
    }
}

/// The files of runs, and their curves.
pub(super) fn runs(page: &Page) {
    let traces: Vec<String> = page.traces.iter().map(super::Trace::describe).collect();
    let shown = page.trace();
    let all = Runs {
        metrics: &page.runs,
        key: &page.key,
        traces: &traces,
        shown,
        problems: &page.problems,
    };
    part("runs-open", &view::runs(&all));
    let marked = shown.and_then(|place| page.traces[place].iteration);
    let success = "success_rate".to_owned();
    let keys = if page.key == success { vec![success] } else { vec![success, page.key.clone()] };
    let curves =
        if page.runs.is_empty() { String::new() } else { view::curves(&page.runs, &keys, marked) };
    part("curves", &curves);
}

/// What the columns mean, as far unfolded as it was, and what estimators count: as the settings are.
pub(super) fn explained(page: &Page) {
    part("counts", &view::counts(&page.file.methods));
    for (name, markup) in [
        ("task-columns", view::task_columns(&page.file)),
        ("step-columns", view::step_columns(&page.file)),
    ] {
        let unfolded =
            |is: &str| document().query_selector(&format!("#overview-{name} details{is}"));
        let was_open = matches!(unfolded("[open]"), Ok(Some(_)));
        part(name, &markup);
        if let Some(list) = unfolded("").ok().flatten().filter(|_| was_open) {
            // What cannot be unfolded stays folded.
            let _ = list.set_attribute("open", "");
        }
    }
}

/// Everything that comes from the file.
pub(super) fn whole(page: &mut Page) {
    let keys = Key::all(page.file.methods.len());
    let Wishes { filter, sorting, .. } = &mut page.wishes;
    if filter.agent.as_ref().is_some_and(|agent| page.file.agents.find(agent).is_none()) {
        filter.agent = None;
    }
    if sorting.by.is_some_and(|(key, _)| !keys.contains(&key)) {
        *sorting = Sorting::default();
    }
    part("filter", &view::filter(&page.file, filter));
    filtered(page);
}

/// Everything that follows the filter.
pub(super) fn filtered(page: &mut Page) {
    page.found = page.wishes.filter.apply(&page.file);
    let found = &page.found;
    let numbers = [found.tasks.len(), page.file.tasks.len(), found.count, page.file.steps.len()];
    let numbers = numbers.map(number::count);
    let names: Vec<&str> = page.file.methods.iter().map(|method| &*method.label).collect();
    let mut told = text::found(numbers.each_ref().map(String::as_str));
    if let Some((chosen, others)) = names.split_first().filter(|(_, others)| !others.is_empty()) {
        told = format!("{told}. {}", text::against(chosen, &others.join(", ")));
    }
    status(page, &told);
    tasks(page);
    spreads(page);
    apart(page);
}

/// The table of the tasks.
pub(super) fn tasks(page: &Page) {
    let mut order = page.found.tasks.clone();
    let sorting = page.wishes.sorting;
    sorting.sort(&page.file, &mut order);
    part("tasks", &view::tasks(&page.file, &order, sorting, page.rows[0]));
}

fn spreads(page: &Page) {
    let steps = &page.found.steps;
    let each = page.file.methods.iter().zip(&page.file.advantages).map(|(method, advantages)| {
        let own = advantages.iter().zip(steps).filter(|(_, meets)| **meets);
        (&*method.label, Histogram::of(own.map(|(value, _)| *value)))
    });
    part("spreads", &view::histograms(each));
}

/// The table of the steps on which estimators disagree.
pub(super) fn apart(page: &Page) {
    let meets = |one: &&Disagreement| page.found.steps[one.step];
    // One more than are drawn, to know whether there are more.
    let all = page.disagreements.iter().filter(meets).take(page.rows[1] + 1);
    let all: Vec<Disagreement> = all.copied().collect();
    part("apart", &view::disagreements(&page.file, &all, page.rows[1]));
}
