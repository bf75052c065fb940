//! `hgpo play` in a shop, where words are free: by a person, and by a program.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use serde_json::Value;

use crate::support::{hgpo, run, run_with_input, succeeds};

fn play(arguments: &[&str], typed: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [&["play", "--env", "webshop-generated"][..], arguments].concat();
    succeeds(&run_with_input(folder.path(), &arguments, typed))
}

#[test]
fn typed_numbers_and_words_are_actions() {
    let text = play(&["--goal", "3"], "1\n1 lamp\n3\n");
    let mut pages = text.split("\n\n");
    let next = |pages: &mut std::str::Split<'_, &str>| pages.next().unwrap().to_owned();
    assert!(next(&mut pages).starts_with("Task: Find me "));
    assert_eq!(next(&mut pages), "Nothing searched for.");
    let advice = "1 search[<your query>]\nWrite what to search for after the number: 1 red lamp";
    assert_eq!(next(&mut pages), advice);
    let results = text.split("Results 1 to 5 of ").nth(1).unwrap();
    let first = results.lines().nth(1).unwrap();
    let (_, asin) = first.rsplit_once(": ").unwrap();
    let asin = asin.to_lowercase();
    let listed = format!("1 click[back to search]   2 click[next >]   3 click[{asin}]   4 click[");
    assert!(text.contains(&listed), "{text}");
    // The third of them is the first product, whose page follows.
    assert!(text.rsplit(first).next().unwrap().contains("click[features]"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    // What was bought by chance is told with its score.
    let end = play(&["--goal", "3"], "1 lamp\n3\nclick[buy now]\n");
    assert!(end.contains("Bought with no options, score 0."), "{end}");
    assert!(end.contains("\nThe episode is over, with a score of 0."), "{end}");
}

#[test]
fn a_program_reads_what_is_available_and_writes_actions_alone() {
    let text = play(&["--json", "--split", "unseen"], "1 lamp\nsearch[lamp]\nclick[next >]\n");
    let steps: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(steps.len(), 4);
    assert_eq!(steps[0]["available"], serde_json::json!({"search": true, "clickables": []}));
    assert_eq!((&steps[1]["valid"], &steps[2]["valid"]), (&false.into(), &true.into()));
    assert_eq!(steps[2]["available"]["search"], false);
    assert_eq!(steps[2]["available"]["clickables"].as_array().unwrap().len(), 7);
    assert!(steps[3]["observation"].as_str().unwrap().starts_with("Results 6 to 10 of "));
    assert_eq!(steps[3]["score"], 0.0);
    // A file of actions is replayed as it is written, numbers and all.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("actions"), "1 lamp\nsearch[lamp]\n").unwrap();
    let arguments = ["play", "--env", "webshop-generated", "--actions", "actions"];
    let replayed = succeeds(&run(folder.path(), &arguments));
    assert_eq!(replayed.matches("Not an admissible action").count(), 1, "{replayed}");
}

#[test]
fn control_characters_of_products_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let products = serde_json::json!([{
        "asin": "L1", "name": "Lamp\u{1b}[2J\u{202e}", "full_description": "", "small_description": [""],
        "pricing": "$5", "category": "home", "query": "lamps", "product_category": "Home",
        "customization_options": {"Size": [{"value": "small\u{7}"}]},
    }]);
    let wanted = serde_json::json!({"L1": {"attributes": ["lit"], "instruction": "Find me a lamp\u{9b}",
        "instruction_attributes": ["lit"]}});
    for (name, json) in [("items_shuffle.json", products), ("items_ins_v2.json", wanted)] {
        std::fs::write(folder.path().join(name), json.to_string()).unwrap();
    }
    std::fs::write(folder.path().join("visit"), "search[lamp]\nclick[l1]\nclick[description]\n")
        .unwrap();
    for telling in ["text", "text_rich", "lines"] {
        let set = format!("environment.webshop.observation={telling}");
        let arguments = ["play", "--env", "webshop", "--actions", "visit", "--set", &set];
        let output = hgpo(folder.path(), &arguments).env("WEBSHOP_DATA", folder.path()).output();
        let text = succeeds(&output.unwrap());
        assert!(text.contains(r"Lamp\u{1b}[2J\u{202e}") && text.contains(r"small\u{7}"), "{text}");
        assert!(text.chars().all(|it| it == '\n' || !it.is_control()), "{telling}");
    }
}
