//! The numbers that the texts of the lessons name are those on the screen.

use super::{at, stops};
use crate::model::{Cell, Explained, Model};
use serde_json::Value;
use std::collections::BTreeSet;

/// Numbers that a stop names and does not show: papers, sums that the text forms, what would be with other
/// attempts or settings (the text derives it), and true advantages, which the process has.
const ELSEWHERE: [(&str, &[&str]); 18] = [
    ("credit, 2", &["2.5", "2402.03300", "7.5"]),
    ("credit, 5", &["2503.20783"]),
    ("credit, 9", &["17.1"]),
    ("credit, 10", &["1.8", "25.2", "6.3"]),
    ("credit, 11", &["0.1", "0.25", "0.5"]),
    ("credit, 12", &["0.9", "3.825"]),
    ("anchors, 2", &["2505.10978"]),
    ("anchors, 4", &["22.761"]),
    ("anchors, 9", &["4.873"]),
    ("anchors, 10", &["1.5", "2.441", "2.5"]),
    ("anchors, 12", &["1.539"]),
    ("context, 2", &["46.29"]),
    ("context, 6", &["0.968", "1.5"]),
    ("context, 11", &["3.775", "4.1375"]),
    ("limits, 6", &["49.3", "52.7"]),
    ("agents, 3", &["0.25", "0.719", "2.125"]),
    ("agents, 4", &["0.5", "2602.08847"]),
    ("agents, 5", &["1.732", "4.330", "7.5"]),
];

/// The decimals of a text, without their signs.
fn decimals(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
    let numbers = words.map(|word| word.trim_matches('.')).filter(|word| word.contains('.'));
    numbers.map(str::to_owned).collect()
}

/// All that a stop tells in a language.
fn told(stop: &Value, language: &str) -> String {
    let question = &stop["question"];
    let choices = question["choices"].as_array().into_iter().flatten();
    let parts = [&stop["text"], &question["text"], &question["hint"], &question["explanation"]];
    let words = parts.into_iter().chain(choices).filter_map(|part| part[language].as_str());
    words.collect::<Vec<_>>().join(" ")
}

/// What the arithmetic of all steps is made of, without signs.
fn shown(model: &Model) -> Vec<f64> {
    let task = model.on_stage();
    let controls = &model.document.controls;
    let mut all = vec![f64::from(controls.options.discount)];
    for (row, attempt) in task.rows().iter().enumerate() {
        for step in 0..attempt.steps.len() {
            let explanation = Explained::new(task, Cell { row, step }, controls).explanation;
            all.extend([explanation.discounted_return, explanation.advantage]);
            for term in &explanation.terms {
                all.extend([term.mean, term.std, term.advantage, term.weight, term.contribution]);
            }
        }
    }
    all.into_iter().map(f64::abs).collect()
}

#[test]
fn every_number_of_a_text_is_on_the_screen_or_said_to_be_from_elsewhere() {
    let mut missing = Vec::new();
    for (place, label, stop) in stops() {
        let numbers = decimals(&told(&stop, "en"));
        assert_eq!(numbers, decimals(&told(&stop, "ko")), "{label}: both languages");
        let shown = shown(&at(place.lesson, place.stop));
        let listed =
            ELSEWHERE.iter().find(|(stop, _)| *stop == label).map_or(&[][..], |(_, it)| it);
        let is_shown = |number: &String| {
            let places = number.split_once('.').map_or(0, |(_, rest)| rest.len());
            shown.iter().any(|value| format!("{value:.places$}") == *number)
        };
        let elsewhere: Vec<_> = numbers.into_iter().filter(|number| !is_shown(number)).collect();
        if elsewhere != listed {
            missing.push((label, elsewhere));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}
