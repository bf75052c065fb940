//! What the reader does.

use super::{Page, ROWS, draw, files, kept, with};
use crate::model::{Filter, Key, csv};
use gloo::{events::EventListener, file::Blob};
use hgpo_words::download;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Element, Event, HtmlInputElement, HtmlSelectElement,
    js_sys::{Array, futures::spawn_local},
};

/// Hears what happens in an element, as long as what comes back is kept.
pub(super) fn listen(root: &Element) -> Vec<EventListener> {
    let hear = |name: &'static str, act: fn(&Element)| {
        EventListener::new(root, name, move |event: &Event| {
            if let Some(target) = event.target().and_then(|it| it.dyn_into::<Element>().ok()) {
                act(&target);
            }
        })
    };
    vec![hear("click", pressed), hear("change", changed), hear("input", typed)]
}

/// Does what the nearest element around a press names.
fn pressed(target: &Element) {
    let named = target.closest("[data-do]").ok().flatten();
    let Some(named) = named.and_then(|element| element.get_attribute("data-do")) else { return };
    let mut words = named.split(' ');
    let action = words.next().unwrap_or_default();
    let numbers: Vec<usize> = words.filter_map(|word| word.parse().ok()).collect();
    match (action, numbers.as_slice()) {
        ("open", [task, attempt, at]) => open([*task, *attempt, *at]),
        ("sort", [place]) => sort(*place),
        ("drop", [run]) => with(|page| {
            if *run < page.runs.len() {
                page.runs.remove(*run);
                draw::runs(page);
            }
        }),
        ("save", []) => save(),
        ("clear", []) => with(|page| {
            page.wishes.filter = Filter::default();
            kept::keep(page);
            draw::whole(page);
        }),
        ("more-tasks", []) => with(|page| {
            page.rows[0] += ROWS;
            draw::tasks(page);
        }),
        ("more-steps", []) => with(|page| {
            page.rows[1] += ROWS;
            draw::apart(page);
        }),
        _ => {}
    }
}

fn open(place: [usize; 3]) {
    let Some(open) = with(|page| page.screen.as_ref().map(|screen| screen.answer.clone())) else {
        return;
    };
    let [task, attempt, at] = place.map(|number| JsValue::from_f64(number as f64));
    // The page answers by closing the overview; one that is gone has nothing to answer.
    let _ = open.call3(&JsValue::NULL, &task, &attempt, &at);
}

/// Hands the comparison to the reader as a file.
fn save() {
    let table = with(|page| csv(&page.file, &page.found));
    download::save("comparison.csv", Blob::new_with_options(table.as_str(), Some("text/csv")));
}

fn sort(place: usize) {
    with(|page| {
        if let Some(&key) = Key::all(page.file.methods.len()).get(place) {
            page.wishes.sorting = page.wishes.sorting.pressed(key);
            kept::keep(page);
            draw::tasks(page);
        }
    });
}

/// A box was ticked, a choice was made, a file was picked.
fn changed(target: &Element) {
    let chosen = target.dyn_ref::<HtmlSelectElement>().map(HtmlSelectElement::value);
    let input = target.dyn_ref::<HtmlInputElement>();
    match (target.id().as_str(), chosen, input) {
        ("agent", Some(agent), _) => with(|page| {
            let number = agent.parse::<usize>().ok();
            let name = number.and_then(|number| page.file.agents.all().get(number));
            page.wishes.filter.agent = name.cloned();
            narrowed(page);
        }),
        ("metric", Some(key), _) => with(|page| {
            page.key = key;
            draw::runs(page);
        }),
        ("only-opposite", _, Some(tick)) => filter(|wishes| wishes.opposite = tick.checked()),
        ("only-alone", _, Some(tick)) => filter(|wishes| wishes.alone = tick.checked()),
        ("only-invalid", _, Some(tick)) => filter(|wishes| wishes.invalid = tick.checked()),
        ("trace", _, Some(slider)) => {
            with(|page| page.wanted = slider.value().parse().ok());
            files::open_wanted();
        }
        ("run-files", _, Some(picker)) => picked(picker),
        _ => {}
    }
}

/// The text to look for is typed; the slider is on its way.
fn typed(target: &Element) {
    let Some(input) = target.dyn_ref::<HtmlInputElement>() else { return };
    match input.id().as_str() {
        "state-text" => filter(|wishes| wishes.text = input.value()),
        "trace" => files::tell_wanted(input),
        _ => {}
    }
}

fn filter(change: impl FnOnce(&mut Filter)) {
    with(|page| {
        change(&mut page.wishes.filter);
        narrowed(page);
    });
}

/// Keeps the filter and shows what meets it.
fn narrowed(page: &mut Page) {
    kept::keep(page);
    draw::filtered(page);
}

/// Takes the files over that were picked, and clears the field so that they can be picked again.
fn picked(picker: &HtmlInputElement) {
    if let Some(list) = picker.files() {
        let files = Array::from(&list);
        picker.set_value("");
        spawn_local(files::add(files));
    }
}
