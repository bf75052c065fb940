//! Good, odd and bad rollouts files.
#![allow(clippy::float_cmp, reason = "exact zeros and hand-derived numbers are what is tested")]

use hgpo_core::{Batch, Error, Problem, Step, Trajectory, format};

pub(super) const GOOD: &str = r#"{"task":"g","trajectory":"t0","steps":[{"state":"hall","action":"go","reward":0.0,"valid":true},{"state":"kitchen","reward":10}]}"#;

pub(super) fn line(trajectory: &str, steps: &str) -> String {
    format!(r#"{{"task":"g","trajectory":"{trajectory}","steps":[{steps}]}}"#)
}

fn refuse(text: impl AsRef<[u8]>) -> Error {
    format::read(text.as_ref()).expect_err("must be refused")
}

pub(super) fn message(text: impl AsRef<[u8]>) -> String {
    refuse(text).to_string()
}

#[test]
fn names_with_line_breaks_stay_on_one_line() {
    let json = "{\"task\":\"g\",\"trajectory\":\"t\",\"steps\":[{\"a\\nb\":NaN}]}";
    let error = format::read_jsonl(json.as_bytes()).unwrap_err().to_string();
    assert!(error.contains(r"`a\nb` is NaN") && !error.contains('\n'), "{error}");
    let csv = "task,trajectory,state,reward,\"a\nb\",\"a\nb\"\n";
    let error = format::read_csv(csv.as_bytes()).unwrap_err().to_string();
    assert!(error.contains(r"duplicate column `a\nb`") && !error.contains('\n'), "{error}");
}

#[test]
fn reads_the_documented_example() {
    let expected = Trajectory::new(
        "g",
        "t0",
        vec![Step::new("hall", 0.0).with_action("go"), Step::new("kitchen", 10.0)],
    );
    assert_eq!(format::read_jsonl(GOOD.as_bytes()).expect("good"), [expected]);
}

#[test]
fn writes_fields_in_the_documented_order_and_keeps_unknown_ones() {
    let text = r#"{"task":"g","trajectory":"t","success":true,"seed":18446744073709551615,"environment":"chores","steps":[{"state":"s","action":"a","reward":0.1,"valid":false,"agent":"x","observation":"o","prompt":"p","response":"r","logprob":-0.3}],"model":{"name":"m"}}"#;
    let mut written = Vec::new();
    format::write_jsonl(&mut written, &format::read(text.as_bytes()).expect("good"))
        .expect("written");
    assert_eq!(String::from_utf8(written).expect("text"), format!("{text}\n"));
}

#[test]
fn accepts_a_byte_order_mark_crlf_blank_lines_and_no_last_line_break() {
    let other = GOOD.replace("t0", "t1");
    let plain = format::read(format!("{GOOD}\n{other}\n").as_bytes()).expect("good");
    for odd in [
        format!("\u{feff}{GOOD}\r\n{other}\r\n"),
        format!("\n\r\n  \n{GOOD}\n\n\n{other}"),
        format!("\u{feff}\n\n{GOOD}\n \t\n{other}\n\n"),
    ] {
        assert_eq!(format::read(odd.as_bytes()).expect("good"), plain);
        assert_eq!(format::read_jsonl(odd.as_bytes()).expect("good"), plain);
    }
}

#[test]
fn an_empty_file_has_no_trajectories() {
    for empty in ["", "\n\n", "\u{feff}", "  \r\n"] {
        assert!(message(empty).starts_with("no trajectories: at least one"), "{empty:?}");
        assert!(format::read_jsonl(empty.as_bytes()).is_err());
        assert!(format::read_csv(empty.as_bytes()).is_err());
    }
}

#[test]
fn numbers_that_json_does_not_have_are_named_with_their_step() {
    for literal in ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "nan", "inf"] {
        let steps = format!(
            r#"{{"state":"NaN \" Infinity","reward":1}},{{"state":"b","reward":{literal}}}"#
        );
        let text = format!("{GOOD}\n{}\n", line("t1", &steps));
        let expected = format!(
            "line 2, task \"g\", trajectory \"t1\", step 1: `reward` is {literal}, not a finite number"
        );
        assert!(message(&text).starts_with(&expected), "{}", message(&text));
    }
    let nested = line("t1", r#"{"state":"a","reward":1,"info":{"logprobs":[0.5, NaN]}}"#);
    assert!(message(nested).contains("step 0: `info.logprobs[1]` is NaN"));
    let outside = r#"{"task":"g","trajectory":"t","score":NaN,"steps":[{"state":"a","reward":1}]}"#;
    assert!(message(outside).contains("trajectory \"t\": `score` is NaN"));
}

#[test]
fn a_truncated_last_line_is_told_from_a_broken_one() {
    for end in [1, 20, 60, GOOD.len() - 1] {
        let text = format!("{GOOD}\n{}", &GOOD[..end]);
        assert!(
            message(&text).starts_with("line 2: the text ends in the middle of this line"),
            "{end}"
        );
    }
    let in_a_character = [GOOD.as_bytes(), b"\n{\"task\":\"caf\xc3"].concat();
    assert!(message(in_a_character).starts_with("line 2: the text ends in the middle"));
    assert!(
        message("{\n  \"task\": \"g\"\n}\n")
            .starts_with("line 1: the JSON does not end on its line")
    );
}

#[test]
fn wrong_types_name_field_and_step() {
    for (steps, expected) in [
        (r#"{"state":"a","reward":"1"}"#, r#"step 0: `reward` must be a number, not the text "1""#),
        (r#"{"state":"a","reward":null}"#, "step 0: `reward` must be a number, not null"),
        (
            r#"{"state":"a","reward":1},{"state":2,"reward":1}"#,
            "step 1: `state` must be text, not 2",
        ),
        (r#"{"state":"a"}"#, "step 0: `reward` is missing"),
        (r#"{"reward":1}"#, "step 0: `state` is missing"),
        (r#"{"state":"a","reward":1,"valid":1}"#, "step 0: `valid` must be true or false, not 1"),
        (
            r#"{"state":"a","reward":1,"valid":null}"#,
            "step 0: `valid` must be true or false, not null",
        ),
        (r#"{"state":"a","reward":1,"action":{}}"#, "step 0: `action` must be text, not an object"),
        ("3", "step 0: not a trajectory (found 3)"),
        (
            r#"{"state":"a","reward":1,"reward":2}"#,
            ": duplicate field `reward` at column 71: keep one of them",
        ),
    ] {
        let text = message(line("t7", steps));
        assert!(text.starts_with("line 1, task \"g\", trajectory \"t7\""), "{text}");
        assert!(text.contains(expected), "{text}");
    }
    for (text, expected) in [
        (r#"{"trajectory":"t","steps":[]}"#, "`task` is missing"),
        (r#"{"task":"g","steps":[]}"#, "`trajectory` is missing"),
        (r#"{"task":"g","trajectory":"t"}"#, "`steps` is missing"),
        (r#"{"task":1,"trajectory":"t","steps":[]}"#, "`task` must be text, not 1"),
        (r#"{"task":"g","trajectory":"t","steps":{}}"#, "`steps` must be a list, not an object"),
        (
            r#"{"task":"g","trajectory":"t","seed":-1,"steps":[]}"#,
            "`seed` must be a whole number from 0, not -1",
        ),
    ] {
        assert!(message(text).contains(expected), "{}", message(text));
    }
}

#[test]
fn what_is_no_trajectory_is_refused() {
    assert!(
        message(line("t", ""))
            .ends_with("the trajectory has no steps: remove it, or record at least one step")
    );
    assert!(
        message(format!("{GOOD}\n{GOOD}\n"))
            .contains("line 2, task \"g\", trajectory \"t0\": the task already has")
    );
    assert!(message(format!("{GOOD}\n{GOOD}\n")).contains("(line 1)"));
    assert!(
        message(format!("{GOOD}\n{{\"task\":}}\n"))
            .starts_with("line 2: not valid JSON (expected value at column 9)")
    );
    assert!(message(format!("{GOOD}{GOOD}")).contains("not valid JSON (trailing characters"));
    assert!(message(format!("{GOOD}\n[1]\n")).contains("line 2: not a trajectory (found a list)"));
    assert!(message("[]").contains("one JSON array"));
    assert!(message("hello\nworld").contains("neither JSON Lines nor CSV"));
    assert_eq!(
        message("\ntask;trajectory;state;reward\r\ng;t;a;1\n"),
        "line 1: the columns of `task;trajectory;state;reward` must be separated by commas: write the file with commas"
    );
    assert_eq!(
        message("task\ttrajectory\tstate\t\u{1b}[1m\ng\tt\ta\t1"),
        "line 1: the columns of `task\\ttrajectory\\tstate\\t\\u{1b}[1m` must be separated by commas: write the file with commas"
    );
    assert!(
        message(line("t", r#"{"state":"a","reward":1e101}"#))
            .contains("beyond ±1e100: scale the rewards down")
    );
    let deep = format!("{GOOD}\n{}", "[".repeat(500));
    assert!(message(deep).starts_with("line 2: not valid JSON (lists and objects nested deeper"));
}

#[test]
fn bytes_that_are_not_utf8_are_located() {
    let text = [GOOD.as_bytes(), b"\n{\"task\":\"\xff\"}\n"].concat();
    let error = refuse(text);
    assert_eq!(error.to_string(), "line 2: byte 10 of the line is not UTF-8: write it as UTF-8");
    assert_eq!(error.place().and_then(|place| place.line), Some(2));
    assert!(message(b"caf\xe9 ").starts_with("line 1: byte 4 of the line is not UTF-8"));
}

#[test]
fn summaries_embeddings_and_values_are_read_from_every_format() {
    let step = r#""context":"came by the road","embedding":[1,-0.5],"state_value":0.25"#;
    let json = line("t", &format!(r#"{{"state":"shop","reward":1,{step}}}"#));
    let row = format!(r#"{{"uid":"g","traj_uid":"t","anchor_obs":"shop","rewards":1,{step}}}"#);
    let csv = "task,trajectory,state,reward,context,embedding,state_value\n\
               g,t,shop,1,came by the road,\"[1,-0.5]\",0.25\n";
    let expected = Step {
        context: Some("came by the road".to_owned()),
        embedding: Some(vec![1.0, -0.5]),
        state_value: Some(0.25),
        ..Step::new("shop", 1.0)
    };
    for text in [json.as_str(), &row, csv] {
        let read = format::read(text.as_bytes()).expect("good");
        assert_eq!(read, [Trajectory::new("g", "t", vec![expected.clone()])]);
        let mut written = Vec::new();
        format::write_jsonl(&mut written, &read).expect("written");
        assert_eq!(format::read(&written[..]).expect("read"), read);
    }
    let refused = |text: &str| {
        let text = message(text.replace("-0.5", "true"));
        assert!(text.contains("step 0: `embedding` must be a list of numbers, not"), "{text}");
    };
    [json.as_str(), &row, csv].into_iter().for_each(refused);
    let refused = |text: &str| {
        let text = message(text.replace("0.25", "true"));
        assert!(text.contains("step 0: `state_value` must be a number, not"), "{text}");
    };
    [json.as_str(), &row, csv].into_iter().for_each(refused);
}

#[test]
fn refuses_bad_verl_agent_rows() {
    let good = r#"{"uid":"u","traj_uid":"a","anchor_obs":"hall","rewards":0.0}"#;
    for (bad, expected) in [
        (
            good.replace("0.0", "NaN"),
            "line 2, task \"u\", trajectory \"a\", step 1: `rewards` is NaN",
        ),
        (good.replace("0.0", "\"x\""), "step 1: `rewards` must be a number"),
        (good.replace("\"hall\"", "null"), "step 1: `anchor_obs` must be text, not null"),
        (
            good.replace("\"rewards\":0.0", "\"is_action_valid\":2,\"rewards\":0"),
            "step 1: `is_action_valid` must be true",
        ),
        (
            good.replace("\"anchor_obs\"", "\"obs\""),
            "step 1: `anchor_obs` is missing: there are `uid`",
        ),
        (GOOD.to_owned(), "`state` is missing: there are `task`"),
        (good[..30].to_owned(), "line 2: the text ends in the middle"),
    ] {
        let text = message(format!("{good}\n{bad}"));
        assert!(text.contains(expected), "{text}");
    }
    assert!(message(good.replace("0.0", "NaN")).contains("step 0: `rewards` is NaN"));
}

#[test]
fn reads_csv() {
    let text = "\u{feff}state,task,trajectory,reward,valid,action,score\r\n\
                \"hall, \"\"A\"\"\",g,t,0.5,,,7\r\n\
                \"two\nlines\",g,t,1e1,False,go,8\r\n\
                hall,g,u,-1,1,,\r\n";
    let read = format::read(text.as_bytes()).expect("csv");
    assert_eq!(read, format::read_csv(text.as_bytes()).expect("csv"));
    assert_eq!((read.len(), read[0].steps.len()), (2, 2));
    assert_eq!(read[0].steps[0].state, "hall, \"A\"");
    assert_eq!((read[0].steps[0].valid, &read[0].steps[0].action), (true, &None));
    let second = &read[0].steps[1];
    assert_eq!((second.state.as_str(), second.reward, second.valid), ("two\nlines", 10.0, false));
    assert_eq!((second.action.as_deref(), &second.extra["score"]), (Some("go"), &"8".into()));
}

#[test]
fn refuses_bad_csv() {
    let head = "task,trajectory,state,action,reward,valid\n";
    for (rows, expected) in [
        (
            "g,t,a,,1,true\ng,t,b,,nan,true\n",
            "line 3, task \"g\", trajectory \"t\", step 1: `reward` is nan",
        ),
        ("g,t,a,,1e999,true\n", "step 0: `reward` is 1e999"),
        ("g,t,a,,ten,true\n", "step 0: `reward` must be a number, not \"ten\""),
        ("g,t,a,,,true\n", "`reward` must be a number, not \"\""),
        ("g,t,a,,1,maybe\n", "`valid` must be true or false, not \"maybe\""),
        ("g,t,a,,1,true\ng,t,b\n", "line 3: not a CSV record (3 values where the header has 6)"),
        ("g,t,a,,1e101,true\n", "step 0: `reward` is"),
        ("", "no trajectories"),
    ] {
        let text = message(format!("{head}{rows}"));
        assert!(text.contains(expected), "{text}");
    }
    assert!(
        message("task,trajectory,reward\ng,t,1\n").contains(
            "line 1: `state` is missing: there are `task`, `trajectory`, `reward`; rename"
        )
    );
    assert!(
        message("task,trajectory,state,reward,reward\ng,t,a,1,2\n")
            .contains("line 1: duplicate column `reward`")
    );
    let not_text = [head.as_bytes(), b"g,t,\xff,,1,true\n"].concat();
    assert!(
        message(not_text).contains("line 2: byte"),
        "{}",
        message([head.as_bytes(), b"g,t,\xff,,1,true\n"].concat())
    );
}

#[test]
fn streams_task_by_task() {
    let of =
        |task: &str, name: &str| GOOD.replace("\"g\"", &format!("{task:?}")).replace("t0", name);
    let text = [of("g", "a"), of("g", "b"), of("h", "a")].join("\n");
    let tasks: Vec<Vec<Trajectory>> =
        format::Reader::new(text.as_bytes()).collect::<Result<_, _>>().expect("good");
    assert_eq!(tasks.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(tasks.concat(), format::read(text.as_bytes()).expect("good"));

    let scattered = [of("g", "a"), of("h", "a"), of("g", "b")].join("\n");
    let mut reader = format::Reader::new(scattered.as_bytes());
    assert!(reader.next().expect("g").is_ok());
    let error = reader.next().expect("an error").expect_err("scattered").to_string();
    assert!(
        error.starts_with(
            "line 3, task \"g\": the lines of the task are not consecutive (it began on line 1)"
        ),
        "{error}"
    );
    assert!(reader.next().is_none());
    assert_eq!(format::read(scattered.as_bytes()).expect("whole").len(), 3);
    assert!(format::Reader::new(&b""[..]).next().is_none());
}

#[test]
fn never_writes_what_it_would_not_read() {
    let nan = Trajectory::new("g", "t", vec![Step::new("a", f64::NAN)]);
    let step = Step { embedding: Some(vec![0.0, f64::INFINITY]), ..Step::new("a", 1.0) };
    let infinite = Trajectory::new("g", "t", vec![step]);
    let step = Step { state_value: Some(1e101), ..Step::new("a", 1.0) };
    let large = Trajectory::new("g", "t", vec![step]);
    let empty = Trajectory::new("g", "t", Vec::new());
    for bad in [nan, infinite, large, empty] {
        let mut sink = Vec::new();
        assert!(format::write_jsonl(&mut sink, &[bad]).is_err());
        assert!(sink.is_empty());
    }
}

#[test]
fn a_batch_names_what_it_refuses() {
    let good = Trajectory::new("g", "t", vec![Step::new("a", 1.0)]);
    let bad = Trajectory::new("g", "u", vec![Step::new("a", 1.0), Step::new("b", f64::INFINITY)]);
    let refuse = |trajectories| Batch::new(trajectories).expect_err("refused").to_string();
    assert!(refuse(vec![]).starts_with("no trajectories"));
    assert!(
        refuse(vec![good.clone(), bad])
            .starts_with("task \"g\", trajectory \"u\", step 1: `reward` is inf")
    );
    // Nothing is said of rows, which a batch is not made of.
    assert_eq!(
        refuse(vec![good.clone(), good.clone()]),
        "task \"g\", trajectory \"t\": the task already has a trajectory of this name: give every \
         trajectory of a task its own"
    );
    let embedding = Some(vec![0.5, f64::NAN]);
    let step = Step { embedding, ..Step::new("a", 1.0) };
    assert!(
        refuse(vec![Trajectory::new("g", "t", vec![step])])
            .starts_with("task \"g\", trajectory \"t\", step 0: `embedding` is NaN")
    );
    let step = Step { state_value: Some(f64::NAN), ..Step::new("a", 1.0) };
    assert!(
        refuse(vec![Trajectory::new("g", "t", vec![step])])
            .starts_with("task \"g\", trajectory \"t\", step 0: `state_value` is NaN")
    );
    let error = Batch::new(vec![Trajectory::new("g", "t", vec![])]).expect_err("refused");
    assert!(matches!(error, Error::Rollouts { problem: Problem::EmptyTrajectory, .. }));
    // The same name in another task is another trajectory.
    assert!(Batch::new(vec![good.clone(), Trajectory { task: "h".into(), ..good }]).is_ok());
}

#[test]
fn csv_quotes_hold_commas_quotes_and_line_breaks() {
    let text = "\u{feff}\"task\",trajectory,state,reward\r\n\r\ng,\"a, \"\"b\"\"\",\"x\ny\",1\rg,cd,\"5\"\" e\",2";
    let read = format::read_csv(text.as_bytes()).expect("csv");
    assert_eq!([&*read[0].trajectory, &*read[1].trajectory], ["a, \"b\"", "cd"]);
    assert_eq!([&*read[0].steps[0].state, &*read[1].steps[0].state], ["x\ny", "5\" e"]);
    let error = format::read_csv(format!("{text}\r\n\ng,a").as_bytes()).expect_err("too short");
    // The quoted line break and the blank lines count, a lone carriage return does not.
    assert!(error.to_string().starts_with("line 6: not a CSV record (2 values"), "{error}");
}
