//! Addresses of the page that were given away, and what each showed then: scripts/witnesses/README.md.

#[path = "../../../scripts/witnesses/difference.rs"]
pub(crate) mod difference;

use super::lesson::own;
use super::lesson::tests::have_lessons;
use super::{Advantages, Chrome, Model, Phase, Problem, Source, Tab, Theme};
use difference::{RULE, difference};
use serde_json::{Map, Value, json};

const ADDRESSES: &str = include_str!("../../../scripts/witnesses/page/addresses.jsonl");

/// A lesson of somebody's own, beside the page.
const LESSON: (&str, &str) =
    ("doors.lesson.json", include_str!("../../../scripts/witnesses/page/doors.lesson.json"));

/// Every address with what is recorded of it.
fn witnesses() -> Vec<(String, Value)> {
    let lines = ADDRESSES.lines().map(|line| serde_json::from_str::<Value>(line).expect(line));
    let of = |line: Value| {
        let address = line["address"].as_str().map(str::to_owned);
        (address.unwrap_or_else(|| of_element(&line["element"])), line["shows"].clone())
    };
    lines.map(of).collect()
}

/// The address that the element `hgpo-lab` opens.
fn of_element(element: &Value) -> String {
    let element = element.as_str().expect("an address or an element");
    let (mut query, mut link) = ("?embed=1".to_owned(), String::new());
    for attribute in element.trim_end_matches("></hgpo-lab>").split("\" ") {
        let attribute = attribute.trim_start_matches("<hgpo-lab ").trim_end_matches('"');
        match attribute.split_once("=\"").expect(element) {
            ("state", state) => link = format!("#{state}"),
            ("title", _) => {}
            (name, value) => query.extend(["&", name, "=", value]),
        }
    }
    query + &link
}

/// The page at an address.
fn opened(address: &str) -> (Chrome, Model) {
    have_lessons();
    own::add(LESSON.0, LESSON.1, true).expect("the lesson is read");
    let (query, link) = address.split_once('#').unwrap_or((address, ""));
    let chrome = Chrome::parse(query);
    let model = Model::new(Theme::Auto).started(&chrome, link, None);
    (chrome, model)
}

/// What the page shows at an address. Texts are left out, as they may be edited.
fn shown(address: &str) -> Value {
    let (chrome, model) = opened(address);
    let mut shown = json!({
        "view": match model.tab {
            Tab::Explore => "explore",
            Tab::Overview => "overview",
            Tab::Learn(_) => "learn",
            Tab::Train => "train",
        },
        "language": chrome.language.map(crate::model::Language::name),
        "theme": chrome.theme.map(|theme| format!("{theme:?}").to_lowercase()),
        "embed": chrome.embed,
        "present": chrome.present,
        "hides": chrome.hides(),
        "trains": chrome.trained(),
        "ignored": model.ignored.iter().map(|one| one.said.clone()).collect::<Vec<_>>(),
        "problem": model.problem.as_ref().map(problem),
        "setup": model.setup,
    });
    let all = shown.as_object_mut().expect("an object");
    if let Some(place) = model.place() {
        all.extend(lesson(place));
    }
    if !matches!(model.tab, Tab::Train | Tab::Learn(None)) {
        all.extend(work(&model));
    }
    shown
}

fn problem(problem: &Problem) -> String {
    format!("{problem:?}")
}

fn lesson(place: super::Place) -> Map<String, Value> {
    let stop = place.stop();
    let question = stop.question.as_ref();
    let lesson = json!({
        "lesson": place.lesson().name,
        "step": place.stop + 1,
        "highlight": stop.highlight,
        "training": stop.train.as_ref().map(|train| json!([train.setup, train.parts])),
        "choices": question.map(|question| question.choices.len()),
        "answer": question.map(|question| question.answers[0]),
    });
    lesson.as_object().expect("an object").clone()
}

fn work(model: &Model) -> Map<String, Value> {
    let document = &model.document;
    let (key, name) = match &document.source {
        Source::Preset(index) => ("preset", &super::PRESETS[*index].name),
        Source::File(name) => ("file", name),
    };
    let task = model.on_stage();
    let row = &task.rows()[document.selected.row];
    let advantages = Advantages::new(task, &document.controls).of;
    let phase = model.phase.map(Phase::name);
    let work = json!({
        key: name,
        "options": serde_json::to_value(&document.controls.options).expect("plain"),
        "tasks": document.rollouts.tasks.len(),
        "task": &*task.name,
        "select": format!("{}/{}", row.trajectory, document.selected.step),
        "selected": [document.selected.row, document.selected.step],
        "level": model.level,
        "phase": phase,
        "states": task.states.iter().map(|state| &*state.text).collect::<Vec<_>>(),
        "advantages": advantages.iter().map(|row| row.to_vec()).collect::<Vec<_>>(),
        "told": document.told.as_ref().map(|told| [0, 1, 2, 3].map(|place| told.word(place).to_owned())),
    });
    work.as_object().expect("an object").clone()
}

#[test]
fn addresses_given_away_show_what_they_showed() {
    let failed: Vec<String> = witnesses()
        .iter()
        .filter_map(|(address, was)| {
            let is = shown(address);
            let what = difference("shows", was, &is, 1e-12)?;
            Some(format!("{address}: {what}\n    now: {is}\n"))
        })
        .collect();
    assert!(failed.is_empty(), "\n{}{RULE}", failed.concat());
}

#[test]
fn every_kind_of_address_is_witnessed() {
    let all = witnesses();
    assert!(all.len() >= 30, "{}", all.len());
    let counted = |key: &str, value: Value| all.iter().filter(|(_, it)| it[key] == value).count();
    for view in ["explore", "overview", "learn", "train"] {
        assert!(counted("view", view.into()) >= 2, "{view}");
    }
    assert!(counted("embed", true.into()) >= 4 && counted("language", "ko".into()) >= 3);
    assert!(all.iter().filter(|(address, _)| address.contains("#1.")).count() >= 8);
}
