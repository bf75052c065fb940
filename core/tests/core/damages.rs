//! Damage that changes what a file means: refused if no valid file looks like it, else warned of.

use hgpo_core::format::{self, RolloutWarnings};

const HEADER: &str = "task,trajectory,state,reward,valid\n";

fn refused(text: impl AsRef<[u8]>) -> String {
    format::read(text.as_ref()).expect_err("damaged").to_string()
}

fn warnings(text: &str) -> RolloutWarnings {
    format::read_with_warnings(text.as_bytes()).expect(text).1
}

/// A step a line, in verl-agent's names.
fn row(trajectory: &str, others: &str) -> String {
    format!(
        "{{\"uid\":\"g\",\"traj_uid\":\"{trajectory}\",\"anchor_obs\":\"s\",\"rewards\":1{others}}}\n"
    )
}

#[test]
fn zero_bytes_are_refused_in_every_format_with_their_line() {
    let wrong = |line: usize, byte: usize| {
        format!(
            "line {line}: byte {byte} of the line is zero, as in UTF-16 or after an interrupted write: "
        )
    };
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let line = "{\"task\":\"\u{bb38}\"}";
    assert!(refused(utf16(line)).starts_with(&wrong(1, 2)), "{}", refused(utf16(line)));
    assert!(refused(utf16(HEADER)).starts_with(&wrong(1, 2)));
    for text in
        [format!("{HEADER}g,a,s,1,1\ng,b,\0,1,1\n"), format!("{HEADER}g,a,s,1,1\n\"\0\0\0\0")]
    {
        assert!(refused(&text).starts_with("line 3: byte "), "{}", refused(&text));
    }
    assert!(refused(format!("{}\0\0", row("a", ""))).starts_with(&wrong(2, 1)));
}

#[test]
fn the_first_line_that_is_wrong_is_told_whatever_is_wrong_further_down() {
    let text = [b"{\"task\":1}\n".as_slice(), b"{\"task\":\"\xff\"}\n"].concat();
    assert!(refused(&text).starts_with("line 1: `"), "{}", refused(&text));
    // As for those who read task by task.
    let by_task = format::Reader::new(&text[..]).next().expect("a line").expect_err("wrong");
    assert_eq!(refused(&text), by_task.to_string());
    let cut = [HEADER.as_bytes(), b"g,a,\xeb\xb0"].concat();
    assert!(refused(cut).starts_with("line 2: the text ends in the middle of this line"));
}

#[test]
fn a_quote_that_nothing_opened_is_refused() {
    for value in ["hall\"", "ha\"ll", " \"hall\""] {
        let error = refused(format!("{HEADER}g,a,{value},1,1\n"));
        let expected = "line 2: not a CSV record (a quote in a value that does not begin with one)";
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn fields_in_other_letters_are_refused_where_the_field_is_missing() {
    let steps = |fields: &str| {
        format!(
            "{{\"task\":\"g\",\"trajectory\":\"a\",\"steps\":[{{\"state\":\"s\",\"reward\":1}},{{{fields}}}]}}"
        )
    };
    let error = refused(steps("\"state\":\"s\",\"reward\":1,\"is_action_valid\":false"));
    let expected = "line 1, task \"g\", trajectory \"a\", step 1: unknown field `is_action_valid`, and `valid` is missing";
    assert!(error.starts_with(expected), "{error}");
    let error = refused(steps("\"State\":\"s\",\"reward\":1"));
    assert!(
        error.contains("step 1: unknown field `State`, and `state` is missing: rename"),
        "{error}"
    );
    let error = refused("{\"task\":\"g\",\"trajectory\":\"a\",\"Success\":true,\"steps\":[]}");
    assert!(error.contains("unknown field `Success`, and `success` is missing"), "{error}");
    let error = refused(row("a", ",\"Valid\":false"));
    let expected = "line 1, task \"g\", trajectory \"a\", step 0: unknown field `Valid`, and `valid` is missing";
    assert!(error.starts_with(expected), "{error}");
    let error = refused("task,trajectory,state,reward,stateValue\ng,a,s,1,2\n");
    assert!(error.starts_with("line 1: unknown field `stateValue`, and `state_value`"), "{error}");
    // Beside a field that holds nothing, which is not written again, and in a dump.
    let tokens = r#"{"step":1,"prompt_idx":0,"sample_idx":0,"prompt_tokens":[1],"response_tokens":[2],"reward":1"#;
    for (text, field) in [
        (steps("\"state\":\"s\",\"reward\":1,\"action\":null,\"Action\":\"a\""), "action"),
        (row("a", ",\"action\":null,\"Action\":\"a\""), "action"),
        ("task,trajectory,state,reward,agent,Agent\ng,a,s,1,,b\n".to_owned(), "agent"),
        (format!("{tokens},\"response_\":0}}\n"), "response"),
        (format!("{tokens},\"Valid\":false}}\n"), "valid"),
    ] {
        let error = refused(&text);
        assert!(error.contains(&format!("`{field}` is missing: rename")), "{text}: {error}");
    }

    // With the field itself beside them they are fields of somebody's own; so are other names.
    for fine in [
        steps("\"state\":\"s\",\"State\":7,\"reward\":1,\"states\":2"),
        row("a", ",\"is_action_valid\":true,\"Valid\":false"),
        row("a", ",\"valid\":true,\"Valid\":false"),
        "task,trajectory,state,reward,Reward,rewards\ng,a,s,1,2,3\n".to_owned(),
    ] {
        assert!(format::read(fine.as_bytes()).is_ok(), "{fine}");
    }
}

#[test]
fn a_last_line_of_csv_that_may_be_cut_is_noticed() {
    let is_noticed = |rows: &str| warnings(&format!("{HEADER}{rows}")).may_be_cut;
    // Of `123` and of `true`, which is refused.
    assert!(warnings("task,trajectory,state,reward\ng,a,s,12").may_be_cut);
    assert!(is_noticed("g,a,s,1,1") && is_noticed("g,a,s,1,"));
    assert!(refused(format!("{HEADER}g,a,s,1,tr")).contains("`valid` must be true or false"));
    for whole in ["g,a,s,1,1\n", "g,a,s,1,true", "g,a,s,1,\"1\"", "g,a,s,1,1\r\n\n"] {
        assert!(!is_noticed(whole), "{whole}");
    }
    assert!(!warnings(row("a", "").trim_end()).may_be_cut);
}

#[test]
fn texts_of_missing_values_are_noticed_in_states_and_names() {
    let csv = format!("{HEADER}g,a,nan,1,1\ng,b,s,1,1\ng,NaN,s,1,1\ng,NaN,None,1,1\n");
    assert_eq!(warnings(&csv).missing, 3);
    assert_eq!(warnings(&row("None", "")).missing, 1);
    let line = "{\"task\":\"null\",\"trajectory\":\"a\",\"steps\":[{\"state\":\"no\",\"reward\":1},{\"state\":\"\",\"reward\":1}]}";
    assert_eq!((warnings(line).missing, warnings(line).empty_states), (2, 1));
}

#[test]
fn states_whose_letters_were_lost_are_noticed() {
    let csv = format!("{HEADER}g,a,\u{fffd}\u{fffd},1,1\ng,b,\u{bb38},1,1\n");
    assert_eq!(warnings(&csv).replaced, 1);
    assert_eq!(warnings(&row("a", "").replace("\"s\"", "\"\\ufffd\"")).replaced, 1);
}

#[test]
fn contradictions_stay_on_one_line() {
    let rows = [row("a", ",\"environment\":\"x\\u2028\""), row("a", ",\"environment\":\"x\"")];
    let error = refused(rows.concat());
    assert!(error.contains(r#"`environment` is "x" here and "x\u{2028}" further up"#), "{error}");
}

#[test]
fn flags_that_only_some_rows_have_are_noticed() {
    let csv = format!("{HEADER}g,a,s,1,1\ng,a,s,2,\ng,a,s,3,0\n");
    assert_eq!(warnings(&csv).unflagged, 1);
    let rows = [row("a", ",\"is_action_valid\":false"), row("b", "")].concat();
    assert_eq!(warnings(&rows).unflagged, 1);
    assert_eq!(warnings(&row("a", "")).unflagged, 0);
    assert_eq!(warnings(&format!("{HEADER}g,a,s,1,\n")).unflagged, 0);
}

#[test]
fn trajectories_that_begin_later_than_others_are_noticed() {
    let begin = |first: [u32; 2]| {
        let rows = ["a", "b"].into_iter().zip(first);
        let rows = rows.map(|(name, step)| row(name, &format!(",\"step\":{step}")));
        warnings(&rows.collect::<String>()).late
    };
    assert_eq!([[0, 1], [1, 3], [0, 0], [1, 1], [7, 9]].map(begin), [1, 1, 0, 0, 0]);
}

#[test]
fn what_is_noticed_is_told_in_sentences() {
    let mut all = warnings(&format!("{HEADER}g,nan,s,1,\ng,nan,s,2,1"));
    all.late = 2;
    let remarks: Vec<String> = all.remarks().collect();
    assert!(
        remarks[0].starts_with("2 steps have a `state`, `task` or `trajectory` that stands for"),
        "{remarks:?}"
    );
    assert!(
        remarks[1].starts_with("1 row does not say whether the action was valid"),
        "{remarks:?}"
    );
    assert!(remarks[2].starts_with("2 trajectories begin with a later `step`"), "{remarks:?}");
    assert!(remarks[3].starts_with("the last line does not end with a line break"), "{remarks:?}");
}
