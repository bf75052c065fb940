//! Where the documents for teachers lead: to lessons and steps that exist, and docs/course.md to all of them.

use super::documented::FILES;
use crate::model::{Chrome, PRESETS};
use serde_json::Value;

const COURSE: &str = include_str!("../../../../../docs/course.md");

const DOCUMENTS: [(&str, &str); 3] = [
    ("course.md", COURSE),
    ("teaching.md", include_str!("../../../../../docs/teaching.md")),
    ("embedding.md", include_str!("../../../../../docs/embedding.md")),
];

/// Where `scripts/web` serves the page.
const PAGE: &str = "http://127.0.0.1:8080/";

/// The headings of a lesson's steps.
fn headings(name: &str) -> Option<Vec<String>> {
    let (_, file) = FILES.iter().find(|(other, _)| *other == name)?;
    let lesson: Value = serde_json::from_str(file).expect(name);
    let heading = |step: &Value| step["heading"]["en"].as_str().expect(name).to_owned();
    Some(lesson["steps"].as_array().expect(name).iter().map(heading).collect())
}

/// The queries of a document's addresses.
fn queries(document: &str) -> Vec<String> {
    let ends = |letter: char| letter.is_whitespace() || ")\"'`#<\\".contains(letter);
    let after = document.split('?').skip(1).map(|rest| rest.split(ends).next().unwrap_or(""));
    after.filter(|query| query.contains('=')).map(|query| query.replace("&amp;", "&")).collect()
}

#[test]
fn addresses_lead_to_lessons_and_steps_that_exist() {
    let mut led = 0;
    for (document, text) in DOCUMENTS {
        for query in queries(text) {
            let chrome = Chrome::parse(&query);
            assert!(chrome.ignored.is_empty(), "{document}: {query}");
            let preset = chrome.preset.as_deref();
            assert!(
                preset.is_none_or(|name| PRESETS.iter().any(|one| one.name == name)),
                "{query}"
            );
            let Some(name) = chrome.lesson.filter(|name| !name.contains('/')) else { continue };
            let steps = headings(&name).unwrap_or_default();
            let step = chrome.step.unwrap_or(1);
            assert!((1..=steps.len()).contains(&step), "{document}: {query}");
            led += 1;
        }
    }
    assert!(led > 120, "{led} addresses were found");
}

#[test]
fn links_are_named_by_the_number_of_their_step() {
    for link in COURSE.split('[').skip(1) {
        let (name, rest) = link.split_once(']').unwrap_or((link, ""));
        let (Ok(number), Some(address)) = (name.parse::<usize>(), rest.strip_prefix('(')) else {
            continue;
        };
        let address = address.split(')').next().unwrap_or("");
        let query = address.strip_prefix(&[PAGE, "?"].concat()).expect(address);
        assert_eq!(Chrome::parse(query).step, Some(number), "{address}");
    }
}

#[test]
fn every_step_has_its_link() {
    let mut all = String::new();
    for (name, file) in FILES {
        let lesson: Value = serde_json::from_str(file).expect(name);
        let title = lesson["title"]["en"].as_str().expect(name);
        let steps = headings(name).expect(name);
        let links = steps.iter().enumerate().map(|(at, heading)| {
            let step = at + 1;
            format!("{step} [{heading}]({PAGE}?lesson={name}&step={step})")
        });
        let links: Vec<String> = links.collect();
        all.extend(["\n**", title, "** (`", name, "`): ", &links.join(" \u{b7} "), "\n"]);
    }
    let written = COURSE.split_once("text, question, answer.\n").map(|(_, written)| written);
    assert!(written == Some(&all), "docs/course.md ends with the links:\n{all}");
}
