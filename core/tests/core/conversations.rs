//! Conversations: messages in OpenAI's form, whose assistant's turns are steps.
#![allow(clippy::float_cmp, reason = "exact numbers are what is tested")]

use hgpo_core::format::{self, Columns, Layout, StateOf};
use hgpo_core::{Step, Trajectory};

/// Two attempts at one question: one by a tool that is called twice, one by a word; and content in parts.
const LOG: &str = r#"{"messages":[{"role":"system","content":"Help."},{"role":"user","content":"What is 2+2?"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"add","arguments":"{\"b\": 2, \"a\": 2}"}}]},{"role":"tool","tool_call_id":"call_1","content":"4"},{"role":"assistant","content":"It is 4."}],"reward":1}
{"messages":[{"role":"system","content":"Help."},{"role":"user","content":[{"type":"text","text":"What is 2+2?"}]},{"role":"assistant","content":"5"}],"reward":0,"model":"m"}
"#;

fn read_with(text: &str, state_of: StateOf, columns: &str) -> Result<Vec<Trajectory>, String> {
    let columns =
        if columns.is_empty() { Columns::default() } else { columns.parse().expect(columns) };
    let read =
        format::read_with(text.as_bytes(), &Layout { columns, state_of, ..Layout::default() });
    read.map(|(read, _)| read).map_err(|error| error.to_string())
}

fn read(text: &str) -> Vec<Trajectory> {
    read_with(text, StateOf::default(), "").expect(text)
}

#[test]
fn turns_of_the_assistant_are_steps() {
    let read = read(LOG);
    let asked = r#"[{"content":"Help.","role":"system"},{"content":"What is 2+2?","role":"user"}]"#;
    let steps = vec![
        Step::new(asked, 0.0).with_action(r#"{"arguments":{"a":2,"b":2},"name":"add"}"#),
        Step::new("4", 1.0).with_action("It is 4."),
    ];
    assert_eq!(read[0], Trajectory::new("What is 2+2?", "1", steps));
    let mut other =
        Trajectory::new("What is 2+2?", "2", vec![Step::new(asked, 0.0).with_action("5")]);
    other.extra.insert("model".to_owned(), "m".into());
    assert_eq!(read[1], other);
}

#[test]
fn states_are_what_they_are_asked_to_be() {
    let states = |state_of| -> Vec<String> {
        let read = read_with(LOG, state_of, "").expect("good");
        read[0].steps.iter().map(|step| step.state.clone()).collect()
    };
    let [last, whole, tool] =
        [StateOf::LastObservation, StateOf::Transcript, StateOf::ToolResult].map(states);
    assert_eq!(last[1], "4");
    let call = r#"{"content":"","role":"assistant","tool_calls":[{"arguments":{"a":2,"b":2},"name":"add"}]}"#;
    let shown =
        format!("{},{call},{}]", last[0].trim_end_matches(']'), r#"{"content":"4","role":"tool"}"#);
    assert_eq!(whole[1], shown);
    assert_eq!((whole[0] == last[0], &tool[1]), (true, &last[1]));
    for (name, state_of) in
        [("transcript", StateOf::Transcript), ("tool-result", StateOf::ToolResult)]
    {
        assert_eq!(name.parse(), Ok(state_of));
    }
    assert!("all".parse::<StateOf>().is_err());
}

#[test]
fn identifiers_of_calls_are_no_part_of_a_step() {
    let other = LOG
        .replace("call_1", "call_2")
        .replace(r#"{\"b\": 2, \"a\": 2}"#, r#"{\"a\":2,\"b\":2.0}"#);
    assert_eq!(read(&other), read(LOG));
}

#[test]
fn what_the_assistant_says_without_an_answer_is_one_turn_and_what_comes_after_the_last_is_none() {
    let line = |messages: &str| {
        format!(r#"{{"task":"g","trajectory":"t","reward":2,"messages":[{messages}]}}"#)
    };
    let [user, think, call, answer] = [
        r#"{"role":"user","content":"go"}"#,
        r#"{"role":"assistant","content":"hm"}"#,
        r#"{"role":"assistant","content":"","tool_calls":[{"function":{"name":"look","arguments":"not JSON"}}]}"#,
        r#"{"role":"tool","content":"dark"}"#,
    ];
    let steps = &read(&line(&[user, think, call, answer].join(",")))[0].steps;
    assert_eq!(steps.len(), 1);
    assert_eq!((steps[0].state.as_str(), steps[0].reward), ("go", 2.0));
    assert_eq!(steps[0].action.as_deref(), Some(r#"{"arguments":"not JSON","name":"look"}"#));
}

#[test]
fn rewards_stand_where_they_are() {
    let turn = |more: &str| {
        format!(r#"{{"role":"user","content":"go"}},{{"role":"assistant","content":"a"{more}}}"#)
    };
    let line = |one: &str, two: &str, more: &str| {
        format!(r#"{{"task":"g","messages":[{},{}]{more}}}"#, turn(one), turn(two))
    };
    let rewards = |text: &str, columns| -> Vec<f64> {
        let read = read_with(text, StateOf::default(), columns).expect(text);
        read[0].steps.iter().map(|step| step.reward).collect()
    };
    assert_eq!(rewards(&line("", "", r#","reward":1.5"#), ""), [0.0, 1.5]);
    assert_eq!(rewards(&line("", "", r#","rewards":[1,2]"#), ""), [1.0, 2.0]);
    assert_eq!(rewards(&line(r#","reward":1"#, "", ""), ""), [1.0, 0.0]);
    assert_eq!(
        rewards(&line(r#","reward":1"#, r#","reward":2"#, r#","reward":3"#), ""),
        [1.0, 2.0]
    );
    assert_eq!(rewards(&line("", "", r#","score":4"#), "reward=score"), [0.0, 4.0]);
    let refused = |text: &str| read_with(text, StateOf::default(), "").expect_err(text);
    let none = refused(&line("", "", r#","score":4"#));
    assert!(
        none.contains("`reward` is missing: there are `task`, `messages`, `score`; name the one"),
        "{none}"
    );
    let short = refused(&line("", "", r#","reward":[1]"#));
    assert!(
        short.contains("`reward` must be a list with a reward a step, not one of 1 for 2 steps"),
        "{short}"
    );
    let both = refused(&line(r#","reward":1"#, "", r#","reward":3"#));
    assert!(
        both.contains("the rewards of messages come to 1, and `reward` is 3: keep one of them"),
        "{both}"
    );
    let twice = r#"{"prompt":[{"role":"user","content":"q"}],"completion":[{"role":"assistant","content":"a"}],"reward":1}"#;
    assert_eq!((rewards(twice, ""), read(twice)[0].task.as_str()), (vec![1.0], "q"));
}

#[test]
fn what_is_wrong_with_a_conversation_is_told_with_its_line() {
    let refused = |text: &str| {
        let second = format!("{}\n{text}", LOG.lines().next().expect("a line"));
        read_with(&second, StateOf::default(), "").expect_err(text)
    };
    for (text, told) in [
        (r#"{"messages":[],"reward":1}"#, "line 2: `task` is missing: no message is of a user"),
        (
            r#"{"messages":[],"reward":1,"task":"g"}"#,
            "line 2, task \"g\", trajectory \"2\": the trajectory has no steps",
        ),
        (
            r#"{"messages":["hi"],"reward":1}"#,
            "line 2: `messages[0]` must be a message with `role` and `content`, not the text",
        ),
        (
            r#"{"messages":[{"content":"hi"}],"reward":1}"#,
            "`messages[0]` must be a message with `role` and `content`, not one without",
        ),
        (r#"{"messages":[{"role":"user","content":3}],"task":"g","reward":1}"#, "no steps"),
        (
            r#"{"messages":[{"role":"user","content":3},{"role":"assistant"}],"task":"g","reward":1}"#,
            "`content` must be text, or a list of parts, not",
        ),
        (
            r#"{"task":"g","trajectory":"t","steps":[]}"#,
            "line 2: `messages` is missing: a line of conversations has",
        ),
        (r#"{"messages":[],"reward":1"#, "line 2: the text ends in the middle"),
    ] {
        let why = refused(text);
        assert!(why.contains(told), "{why}");
    }
}
