//! What is read, and what is refused.

use hgpo_core::process::Process;

use super::{DOOR, door, examples};

#[test]
fn what_is_read_is_written_and_read_the_same() {
    for process in examples().into_iter().map(|(_, process)| process).chain([door()]) {
        let text = serde_json::to_string(&process).unwrap();
        assert_eq!(Process::read(&text).unwrap(), process);
        assert_eq!(serde_json::from_str::<Process>(&text).unwrap(), process);
    }
}

#[test]
fn what_is_absent_has_its_default() {
    let short = r#"{"step_limit": 1, "start": [{"situation": "s"}], "situations": [
        {"state": "s", "actions": [{"action": "go", "outcomes": [{}]}]}]}"#;
    let long = r#"{"step_limit": 1, "start": [{"situation": "s", "probability": 1}], "situations": [
        {"name": "s", "state": "s", "actions": [{"action": "go", "valid": true, "probability": 1.0,
            "outcomes": [{"probability": 1, "reward": -0.0}]}]}]}"#;
    assert_eq!(Process::read(short).unwrap(), Process::read(long).unwrap());
}

/// The door with one part in place of another, refused.
fn refused(part: &str, instead: &str) -> String {
    assert!(DOOR.contains(part), "{part}");
    Process::read(&DOOR.replacen(part, instead, 1)).unwrap_err().to_string()
}

#[test]
fn errors_say_where_and_what_to_do() {
    let cases = [
        (
            r#"{"situation": "locked", "probability": 0.5}"#,
            r#"{"situation": "locked", "probability": 0.4}"#,
            "start: the probabilities add up to 0.9, not to 1: correct them",
        ),
        (
            r#""push", "probability": 0.75"#,
            r#""push", "probability": 0.75000001"#,
            r#"situation "locked": the probabilities add up to 1.00000001, not to 1: correct them"#,
        ),
        (
            r#""probability": 0.25, "outcomes": [{"reward": -1, "next": "open"}]"#,
            r#""probability": 0.25, "outcomes": [{"reward": -1, "next": "shut"}]"#,
            r#"situation "locked", action "ring", outcome 1: there is no situation "shut": add it, or correct it"#,
        ),
        (
            r#"{"situation": "open""#,
            r#"{"situation": "locked""#,
            "start: the same situation is there twice: keep one of them",
        ),
        (
            r#""name": "open""#,
            r#""name": "locked""#,
            r#"situation "locked": there is another one of this name: rename one of them"#,
        ),
        (
            r#""hidden": "open""#,
            r#""hidden": "locked""#,
            r#"situation "open": there is another one with this state, hidden part and agent: tell them apart by `hidden`"#,
        ),
        (
            r#""action": "ring""#,
            r#""action": "push""#,
            r#"situation "locked": the same action is there twice: keep one of them"#,
        ),
        (
            r#"[{"next": "locked"}]"#,
            r#"[{"probability": 0.5}, {"probability": 0.5}]"#,
            r#"situation "locked", action "push": the same outcome is there twice: keep one of them"#,
        ),
        (
            r#""probability": 0.75"#,
            r#""probability": 0"#,
            r#"situation "locked", action "push": `probability` 0 is not above 0 and at most 1: correct it, or leave out what never happens"#,
        ),
        (
            r#""reward": 8"#,
            r#""reward": 1e101"#,
            r#"situation "open", action "push", outcome 1: `reward` 1e101 is beyond ±1e100: scale it down"#,
        ),
        (
            r#""reward": 8"#,
            r#""reward": "eight""#,
            r#"situation "open", action "push", outcome 1: `reward` must be a finite number: correct it"#,
        ),
        (
            r#""reward": 8"#,
            r#""rewards": 8"#,
            r#"situation "open", action "push", outcome 1: unknown field "rewards": use some of `probability`, `reward`, `next`"#,
        ),
        (
            r#""step_limit": 2"#,
            r#""step_limit": 0"#,
            "`step_limit` must be a whole number from 1: add it",
        ),
        (
            r#""step_limit": 2"#,
            r#""step_limit": 250001"#,
            "4 outcomes with 250001 steps left each are more than 1000000 combinations: lower `step_limit`, or leave out situations",
        ),
        (r#""state": "door", "#, "", "situation 1: `state` is missing: add it"),
        (
            r#"[{"next": "locked"}]"#,
            "[]",
            r#"situation "locked", action "push": `outcomes` must be a list that is not empty: add it"#,
        ),
    ];
    for (part, instead, expected) in cases {
        assert_eq!(refused(part, instead), format!("process: {expected}"));
    }
}

#[test]
fn what_is_no_number_is_no_json() {
    for literal in ["NaN", "Infinity", "1e999"] {
        let said = refused(r#""reward": 8"#, &format!(r#""reward": {literal}"#));
        assert!(said.starts_with("process: not JSON (") && !said.contains('\n'), "{said}");
    }
    let twice = refused(r#""reward": 8"#, r#""reward": 8, "reward": 9"#);
    assert!(twice.contains("duplicate field `reward`"), "{twice}");
    assert!(Process::read("[]").unwrap_err().to_string().contains("must be an object"));
}

#[test]
fn the_largest_that_is_read_has_values() {
    // 4 outcomes, 250,000 steps each.
    let process = Process::read(&DOOR.replace(r#""step_limit": 2"#, r#""step_limit": 250000"#));
    let values = process.unwrap().values(hgpo_core::Discount::new(1.0).unwrap());
    // It opens in the end: n − 1 rings of a chance of 1/4 before a push of 3/4 cost 1/3, 8 − 1/3.
    assert!((values.value(1, 250_000) - (8.0 - 1.0 / 3.0)).abs() < 1e-12);
}

#[test]
fn an_error_is_one_line_whatever_it_quotes() {
    for text in ["{\"a\\n\": 1, \"a\\n\": 2}", "{\"step_limit\": 1, \"start\": [], \"b\\nc\": 1}"] {
        let message = Process::read(text).expect_err("refused").to_string();
        assert!(!message.contains('\n') && message.contains("\\n"), "{message}");
    }
}
