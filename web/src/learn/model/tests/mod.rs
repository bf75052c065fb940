mod courses;
mod documented;
mod numbers;

use super::{HIGHLIGHTS, LESSONS, Place, number_of, pieces, provide};
use crate::model::{
    Action, Cell, Edit, EditKind, Explained, Model, Phase, Preset, Reply, Tab, Theme, update,
};
use documented::FILES;
use serde_json::Value;

/// The lessons as the page has them.
pub(crate) fn have_lessons() {
    for (lesson, (_, text)) in FILES.iter().enumerate() {
        assert!(provide(lesson, text), "{}", LESSONS[lesson].name);
    }
}

fn opened() -> Model {
    have_lessons();
    Model::new(Theme::Auto)
}

pub(super) fn at(lesson: usize, stop: usize) -> Model {
    update(&opened(), Action::Go(Tab::Learn(Some(Place { lesson, stop }))))
}

/// Every stop as its file has it, with its place.
pub(super) fn stops() -> Vec<(Place, String, Value)> {
    let mut all = Vec::new();
    have_lessons();
    for (lesson, (listed, (_, text))) in LESSONS.iter().zip(FILES).enumerate() {
        let name = listed.name.as_str();
        let file: Value = serde_json::from_str(text).expect(name);
        for (stop, value) in file["steps"].as_array().expect(name).iter().enumerate() {
            all.push((Place { lesson, stop }, format!("{name}, {}", stop + 1), value.clone()));
        }
    }
    all
}

#[test]
fn every_file_is_read_and_every_name_in_it_is_known() {
    have_lessons();
    assert_eq!(LESSONS.len(), FILES.len());
    for (lesson, (_, text)) in LESSONS.iter().zip(FILES) {
        let file: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(Some(lesson.title.text()), file["title"]["en"].as_str(), "{}", lesson.name);
        assert_eq!(Some(lesson.summary.text()), file["summary"]["en"].as_str(), "{}", lesson.name);
        let steps = file["steps"].as_array().expect("steps");
        let asked = steps.iter().filter(|step| !step["question"].is_null()).count();
        assert_eq!(lesson.questions, asked, "{}: questions", lesson.name);
    }
    for (place, label, value) in stops() {
        let known = |key: &str, is_known: &dyn Fn(&str) -> bool| {
            assert!(
                value[key].is_null() || is_known(value[key].as_str().expect(key)),
                "{label}: {key}"
            );
        };
        known("preset", &|name| Preset::position(name).is_some());
        known("phase", &|name| Phase::of_name(name).is_some());
        known("highlight", &|name| HIGHLIGHTS.contains(&name));
        let stop = place.stop();
        assert_eq!(stop.train.is_some(), !value["train"].is_null(), "{label}: train");
        assert_ne!(stop.train.is_some(), !value["estimator"].is_null(), "{label}: estimator");
        assert_eq!(stop.question.is_some(), !value["question"].is_null(), "{label}: question");
        let model = at(place.lesson, place.stop);
        let named = value["select"].as_str().and_then(|address| model.on_stage().find(address));
        assert_eq!(
            (named, value["select"].is_null()),
            (stop.select, named.is_none()),
            "{label}: select"
        );
        let selected = model.document.selected;
        assert_eq!(stop.select.unwrap_or(selected), selected, "{label}: select");
        assert_eq!((model.level, model.phase), (stop.level, stop.phase), "{label}");
        let keys = [
            "heading",
            "text",
            "preset",
            "rollouts",
            "estimator",
            "discount",
            "select",
            "level",
            "phase",
            "highlight",
            "train",
            "question",
        ];
        for key in value.as_object().expect("an object").keys() {
            assert!(keys.contains(&key.as_str()), "{label}: {key} is no key");
        }
    }
}

#[test]
fn answers_that_are_advantages_follow_from_core() {
    let mut checked = 0;
    for (place, label, value) in stops() {
        let Some(question) = &place.stop().question else { continue };
        assert!(
            question.tolerance >= 0.0 && question.answers.iter().all(|answer| answer.is_finite()),
            "{label}"
        );
        let model = at(place.lesson, place.stop);
        let document = &model.document;
        let explained = Explained::new(model.on_stage(), document.selected, &document.controls);
        let explanation = explained.explanation;
        let advantage = match value["question"]["checks"].as_str() {
            None => continue,
            Some("advantage") => explanation.advantage,
            Some("level") => {
                let mut levels = explanation.levels();
                levels.nth(place.stop().level.expect(&label)).expect(&label).advantage
            }
            Some(other) => panic!("{label}: nothing checks {other}"),
        };
        checked += 1;
        assert!(question.admits(advantage), "{label}: {advantage} is not {:?}", question.answers);
        assert!(!question.admits(advantage + 0.02), "{label}: any number will do");
    }
    assert!(checked >= 6, "{checked} answers are checked");
}

#[test]
fn a_lesson_leaves_the_own_work_as_it_was() {
    let opened = update(&opened(), Action::Open(3));
    let before = update(
        &opened,
        Action::Edit(Edit(Cell::default(), EditKind::State("elsewhere".to_owned()))),
    );
    let place = Place::find("context", Some(2)).expect("known");
    let inside = update(&before, Action::Go(Tab::Learn(Some(place))));
    assert_eq!(inside.place(), Some(place));
    assert_ne!(inside.document, before.document);
    assert!(!inside.history.has_past(), "undo does not lead out of the lesson");
    let changed = update(&inside, Action::Set("discount", "0.5".to_owned()));
    let next = place.next().expect("there is one");
    let further = update(&changed, Action::Go(Tab::Learn(Some(next))));
    assert!(!further.history.has_past(), "what is changed at a stop is gone with it");
    for tab in [Tab::Explore, Tab::Learn(None)] {
        let left = update(&further, Action::Go(tab));
        let expected = Model { tab, ..before.clone() };
        assert_eq!(left, expected, "settings, history and what can be gone back to, too");
    }
}

#[test]
fn what_a_lesson_shows_is_kept_if_the_reader_says_so() {
    let before = update(&opened(), Action::Open(3));
    let place = Place::find("context", Some(2)).expect("known");
    let inside = update(&before, Action::Go(Tab::Learn(Some(place))));
    let inside = update(&inside, Action::Reply(Reply::Show, String::new()));
    let kept = update(&inside, Action::Keep);
    assert_eq!((kept.tab, &kept.document), (Tab::Explore, &inside.document));
    assert_eq!(update(&kept, Action::Undo).document, before.document);
}

#[test]
fn stops_follow_each_other_through_all_lessons() {
    have_lessons();
    let mut count = 0;
    for lesson in 0..LESSONS.len() {
        let mut place = Place::first(lesson);
        assert_eq!(place.back(), None);
        count += 1;
        while let Some(next) = place.next() {
            assert_eq!(next.back(), Some(place));
            place = next;
            count += 1;
        }
        assert_eq!(place.next_lesson(), Some(lesson + 1).filter(|next| *next < LESSONS.len()));
    }
    assert_eq!(count, stops().len());
    assert_eq!(Place::find("nonsense", Some(1)), None);
    assert_eq!(Place::find("anchors", Some(0)), Place::find("anchors", Some(1)));
    let last = Place::find("anchors", Some(999)).expect("kept within");
    assert_eq!(last.stop + 1, last.stops().len());
}

#[test]
fn indices_and_powers_are_told_from_the_text() {
    assert_eq!(
        pieces("w_0 is (k + 1)^α, a _ b^ c"),
        [("", "w"), ("sub", "0"), ("", " is (k + 1)"), ("sup", "α"), ("", ", a _ b^ c")]
    );
    assert_eq!(pieces("A_E와"), [("", "A"), ("sub", "E"), ("", "와")]);
}

#[test]
fn numbers_are_read_as_people_write_them() {
    for (text, number) in [
        ("-0,5", -0.5),
        (" \u{2212}2.25 ", -2.25),
        ("40/9", 40.0 / 9.0),
        ("- 1", f64::NAN),
        ("+3", 3.0),
        ("-1 / 4", -0.25),
        (".5", 0.5),
        ("64.3 %", 0.643),
    ] {
        match number_of(text) {
            Some(read) => assert!((read - number).abs() < 1e-12, "{text}"),
            None => assert!(number.is_nan(), "{text}"),
        }
    }
    for wrong in ["", "-", "1/0", "0/0", "two", "1/2/3", "NaN", "inf"] {
        assert_eq!(number_of(wrong), None, "{wrong}");
    }
}

#[test]
fn a_lesson_that_is_opened_again_shows_its_new_rollouts() {
    let file = |reward: u8| {
        let row = format!(
            r#"{{"task":"g","trajectory":"a","steps":[{{"state":"s","reward":{reward}}}]}}"#
        );
        let step = format!(r#"{{"heading":"H","text":"X","rollouts":[{row}]}}"#);
        let text = format!(r#"{{"version":1,"title":"T","steps":[{step},{step}]}}"#);
        Action::Course { name: "again.json".to_owned(), text }
    };
    let reward = |model: &Model| model.on_stage().step(Cell::default()).reward;
    let first = update(&Model::new(Theme::Auto), file(1));
    let second = update(&first, file(2));
    assert!((reward(&first) - 1.0).abs() < 1e-12 && (reward(&second) - 2.0).abs() < 1e-12);
    let next = second.place().and_then(Place::next).expect("two stops");
    let next = update(&second, Action::Go(Tab::Learn(Some(next))));
    assert!((reward(&next) - 2.0).abs() < 1e-12);
}
