use super::{Figure, State, figure, subscript};
use hgpo_core::format;
use hgpo_words::Cell;
use std::collections::HashMap;

const OVERVIEW: &str = include_str!("../../../../../assets/presets/overview.rollouts.jsonl");

/// The figure of rollouts whose states are told by themselves, numbered as they come.
fn drawn(rollouts: &str, selected: Cell) -> String {
    let mut states = HashMap::new();
    for own in format::read_written(rollouts).expect("rollouts").1 {
        for step in own.steps {
            let number = states.len();
            let state = State { name: step.state.clone(), words: String::new(), number };
            states.entry(step.state).or_insert(state);
        }
    }
    let heading = ["a < b".to_owned(), "HGPO".to_owned()];
    figure(&Figure::read([rollouts, "{}"], selected, heading, states).expect("attempts"))
}

#[test]
fn the_overview_has_nested_outlines_for_each_group() {
    let svg = drawn(OVERVIEW, Cell { row: 0, step: 2 });
    // G_0, G_1 and G_2 hold 4, 3 and 2 steps: 9 outlines, and the frame of the chosen step.
    assert_eq!(svg.matches("stroke=\"#5b3fa6\"").count(), 10);
    assert_eq!(
        [">G\u{2080}<", ">G\u{2081}<", ">G\u{2082}<"].map(|name| svg.matches(name).count()),
        [1, 1, 2]
    );
    assert_eq!(svg.matches(">s2</text>").count(), 4);
    assert!(svg.contains("<title>a &lt; b</title>") && svg.contains(">HGPO<"));
    assert!(svg.contains(">r 10<") && !svg.contains("Only the first"));
}

#[test]
fn states_of_one_colour_differ_in_their_pattern() {
    let step = |state| format!(r#"{{"state":"room {state}","reward":0}}"#);
    let steps: Vec<String> = (0..25).map(step).collect();
    let text = format!(r#"{{"task":"g","trajectory":"t","steps":[{}]}}"#, steps.join(","));
    let svg = drawn(&text, Cell::default());
    // States 8 to 15 have stripes, 16 to 23 dots; 24 is plain again.
    let count = |what: &str| svg.matches(what).count();
    assert_eq!((count("url(#stripes)"), count("url(#dots)")), (8, 8));
    assert_eq!((count("id=\"stripes\""), count("id=\"dots\"")), (1, 1));
}

#[test]
fn large_tasks_are_cut_and_say_so() {
    let step = r#"{"state":"a","reward":0}"#;
    let steps = vec![step; 61].join(",");
    let line = |row| format!(r#"{{"task":"g","trajectory":"t{row}","steps":[{steps}]}}"#);
    let text: Vec<String> = (0..41).map(line).collect();
    let svg = drawn(&text.join("\n"), Cell::default());
    assert!(svg.contains(">t39<") && !svg.contains(">t40<"));
    assert!(svg.contains(">t = 59<") && !svg.contains(">t = 60<"));
    assert!(svg.contains("first 40 attempts and 60 steps"));
}

#[test]
fn indices_are_small() {
    assert_eq!(subscript(10), "\u{2081}\u{2080}");
}
