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
        none.contains(
            "`reward` is missing: there are `task`, `messages`, `score`; write it, or name the one"
        ),
        "{none}"
    );
    let null = refused(&line("", "", r#","reward":null"#));
    assert!(null.contains("`reward` is missing: it is null: write a number"), "{null}");
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

/// Messages by who says what; `parents` has the place of the one before each.
fn messages(said: &[(&str, &str)], parents: &[Option<usize>]) -> String {
    let message = |(place, (role, content)): (usize, &(&str, &str))| {
        let parent = parents.get(place).map(|parent| {
            let parent = parent.map_or("null".to_owned(), |parent| format!("\"m{parent}\""));
            format!(r#","id":"m{place}","parent_id":{parent}"#)
        });
        let parent = parent.unwrap_or_default();
        format!(r#"{{"role":"{role}","content":"{content}"{parent}}}"#)
    };
    said.iter().enumerate().map(message).collect::<Vec<_>>().join(",")
}

const ASKED_TWICE: [(&str, &str); 5] =
    [("user", "q"), ("assistant", "a"), ("user", "no"), ("assistant", "b"), ("assistant", "c")];

#[test]
fn turns_of_branches_are_steps_of_one_attempt_on_their_own_paths() {
    let line = |parents: &[Option<usize>], reward: &str| {
        format!(r#"{{"task":"g","messages":[{}]{reward}}}"#, messages(&ASKED_TWICE, parents))
    };
    let own = |text: &str, state_of| -> Vec<(String, String, f64)> {
        let read = read_with(text, state_of, "").expect(text);
        let step =
            |step: &Step| (step.state.clone(), step.action.clone().expect("one"), step.reward);
        read[0].steps.iter().map(step).collect()
    };
    let step = |state: &str, action: &str, reward| (state.to_owned(), action.to_owned(), reward);
    // The last message answers the first one anew.
    let tree = [None, Some(0), Some(1), Some(2), Some(0)];
    let steps = own(&line(&tree, ",\"reward\":1"), StateOf::LastObservation);
    assert_eq!(steps, [step("q", "a", 0.0), step("no", "b", 0.0), step("q", "c", 1.0)]);
    let steps = own(&line(&tree, ",\"reward\":1"), StateOf::Transcript);
    assert_eq!(steps[2].0, "q");
    // In a chain, the last one is part of the turn before it, as in a list.
    let chain = [None, Some(0), Some(1), Some(2), Some(3)];
    let list = own(&line(&[], ",\"reward\":1"), StateOf::Transcript);
    assert_eq!(list.len(), 2);
    assert_eq!(own(&line(&chain, ",\"reward\":1"), StateOf::Transcript), list);
    let refused = |text: &str| read_with(text, StateOf::default(), "").expect_err(text);
    let told = "`reward` must be one number of the line, as its messages branch, not one a turn (write branches";
    for rewards in [",\"rewards\":[1,2,3]", ",\"rewards\":[1]"] {
        let error = refused(&line(&tree, rewards));
        assert!(error.contains(told), "{error}");
    }
    let error = refused(&line(&tree, "").replace("\"c\"", "\"c\",\"reward\":1"));
    assert!(error.contains(told), "{error}");
    assert_eq!(own(&line(&chain, ",\"rewards\":[1,2]"), StateOf::Transcript)[0].2, 1.0);
    let error = refused(
        &line(&tree, ",\"reward\":1").replace("\"parent_id\":\"m2\"", "\"parent_id\":\"m9\""),
    );
    let told =
        "`messages[3].parent_id` must be the `id` of a message before it, not the text \"m9\"";
    assert!(error.contains(told), "{error}");
    let error = refused(&line(&tree, ",\"reward\":1").replace("\"id\":\"m2\"", "\"id\":\"m1\""));
    assert!(
        error.contains("`messages[2].id` is that of another message before it: keep one"),
        "{error}"
    );
}

#[test]
fn lines_with_the_same_beginning_are_attempts_of_their_own() {
    let line = |said: &[(&str, &str)], reward: u8| {
        format!(r#"{{"messages":[{}],"reward":{reward}}}"#, messages(said, &[]))
    };
    let other = [ASKED_TWICE[0], ASKED_TWICE[1], ASKED_TWICE[2], ("assistant", "d")];
    let read = read(&[line(&ASKED_TWICE[..4], 0), line(&other, 1)].join("\n"));
    let names: Vec<_> =
        read.iter().map(|own| (own.task.as_str(), own.trajectory.as_str())).collect();
    assert_eq!(names, [("q", "1"), ("q", "2")]);
    assert_eq!(read[0].steps[0], read[1].steps[0]);
    assert_eq!((read[0].steps.len(), read[1].steps[1].action.as_deref()), (2, Some("d")));
}

#[test]
fn turns_that_were_cut_off_are_steps_and_counted() {
    let cut_off = |last: &str, line: &str| {
        let text = format!(
            r#"{{"task":"g","reward":1{line},"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":"a"}},{{"role":"user","content":"no"}},{{"role":"assistant"{last}}}]}}"#
        );
        let (read, noticed) = format::read_with_warnings(text.as_bytes()).expect(&text);
        let step = &read[0].steps[1];
        assert_eq!((read[0].steps.len(), step.reward), (2, 1.0));
        (step.action.clone().expect("one"), step.valid, noticed.cut_off)
    };
    let said = |action: &str, valid, count| (action.to_owned(), valid, count);
    assert_eq!(cut_off(r#","content":"b""#, ""), said("b", true, 0));
    assert_eq!(cut_off(r#","content":"b","finish_reason":"length""#, ""), said("b", true, 1));
    assert_eq!(
        cut_off(r#","content":"b","truncated":true,"valid":false"#, ""),
        said("b", false, 1)
    );
    assert_eq!(cut_off(r#","content":null"#, ""), said("", true, 1));
    assert_eq!(cut_off("", r#","truncated":true"#), said("", true, 1));
    assert_eq!(cut_off(r#","content":"b""#, r#","finish_reason":"length""#), said("b", true, 1));
    assert_eq!(
        cut_off(r#","content":"b","finish_reason":"stop""#, r#","truncated":false"#),
        said("b", true, 0)
    );
    // An empty message after what was said is no other action.
    assert_eq!(
        cut_off(r#","content":"b"},{"role":"assistant","content":"""#, ""),
        said("b", true, 0)
    );
    let text = LOG.replace("\"reward\":0", "\"reward\":0,\"finish_reason\":\"length\"");
    let (_, noticed) = format::read_with_warnings(text.as_bytes()).expect("good");
    let remarks: Vec<String> = noticed.remarks().collect();
    assert!(
        remarks[0].starts_with("1 turn was cut off, or empty at the end; such turns"),
        "{remarks:?}"
    );
}

#[test]
fn what_an_assistant_says_in_a_prompt_is_no_step() {
    let text = format!(
        r#"{{"prompt":[{}],"completion":[{}],"reward":1}}"#,
        messages(&ASKED_TWICE[..3], &[]),
        messages(&[("assistant", "b")], &[])
    );
    let steps = &read(&text)[0].steps;
    assert_eq!((steps.len(), steps[0].action.as_deref()), (1, Some("b")));
    assert!(steps[0].state.contains("\"content\":\"a\""), "{}", steps[0].state);
}

#[test]
fn calls_of_tools_may_be_text_and_other_calls_differ() {
    let called = |call: &str| {
        let text = format!(
            r#"{{"task":"g","reward":1,"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","tool_calls":[{call}]}}]}}"#
        );
        read(&text)[0].steps[0].action.clone().expect("one")
    };
    let text = r#""{\"id\":\"c\",\"name\":\"add\",\"arguments\":\"{}\"}""#;
    let own = r#"{"id":"d","function":{"name":"add","arguments":{}}}"#;
    assert_eq!(
        (called(text), called(own)),
        (called(own), r#"{"arguments":{},"name":"add"}"#.to_owned())
    );
    let other = |id: &str, input: &str| {
        called(&format!(r#"{{"id":"{id}","type":"custom","custom":{{"input":"{input}"}}}}"#))
    };
    assert_eq!(other("c", "x"), other("d", "x"));
    assert_ne!(other("c", "x"), other("c", "y"));
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

#[test]
fn fields_that_are_kept_can_be_written_and_are_not_meant_as_others() {
    let with = |field: &str| LOG.replace(r#""reward":0"#, &format!(r#""reward":0,{field}"#));
    let refused = read_with(&with(r#""Success":true"#), StateOf::default(), "").unwrap_err();
    assert!(refused.starts_with("line 2, ") && refused.contains("`Success`"), "{refused}");
    let turn = LOG.replace(r#""role":"assistant""#, r#""role":"assistant","is_valid":false"#);
    let refused = read_with(&turn, StateOf::default(), "").unwrap_err();
    assert!(refused.contains("`is_valid`, and `valid` is missing"), "{refused}");
    let all = read(&with(r#""success":true,"Success":1"#));
    let mut written = Vec::new();
    format::write_jsonl(&mut written, &all).expect("written");
    assert_eq!(format::read(&written[..]).expect("read"), all);
}
