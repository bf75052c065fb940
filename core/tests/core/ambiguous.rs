//! Rollouts files that could mean two things, and where a step stands in its file.

use hgpo_core::{StepAddress, format as files};

use crate::format::{GOOD, line, message};

#[test]
fn what_may_be_several_files_put_together_is_refused() {
    let row = |name: &str, more: &str| {
        format!(r#"{{"uid":"u","traj_uid":"{name}","anchor_obs":"s","rewards":1{more}}}"#)
    };
    let csv = |rows: &[&str]| format!("task,trajectory,step,state,reward\n{}\n", rows.join("\n"));
    let rows =
        |names: &[&str]| names.iter().map(|name| row(name, "")).collect::<Vec<_>>().join("\n");
    // The second file begins on line 4.
    let cases = [
        (rows(&["a", "a", "b", "a", "a", "b"]), 4, "a", 2, 1),
        (csv(&["u,a,,s,1", "u,b,,s,1", "u,a,,s,1", "u,b,,s,1"]), 4, "a", 1, 2),
        // One trajectory whose numbers begin again, or stand still.
        (csv(&["u,a,0,s,1", "u,a,1,s,1", "u,a,0,s,1"]), 4, "a", 2, 2),
        (csv(&["u,a,0,s,1", "u,a,1,s,1", "u,a,1.0,s,1"]), 4, "a", 2, 2),
        // Apart, and numbered, but not on from 1.
        (csv(&["u,a,0,s,1", "u,a,1,s,1", "u,b,0,s,1", "u,a,0,s,1"]), 5, "a", 2, 2),
        (csv(&["u,a,0,s,1", "u,b,0,s,1", "u,a,0,s,1"]), 4, "a", 1, 2),
    ];
    for (text, line, name, step, first) in cases {
        let found = message(&text);
        let place = format!("line {line}, task \"u\", trajectory \"{name}\", step {step}: ");
        assert!(found.starts_with(&place), "{found}");
        assert!(found.contains(&format!("of this name (line {first})")), "{found}");
    }
    let twice = format!("{0}{0}", csv(&["u,a,,s,1"]));
    assert!(
        message(&twice).starts_with("line 3: it says what only a first line"),
        "{}",
        message(&twice)
    );
    // Numbers in rows of verl-agent.
    let back = [row("a", r#","step":4"#), row("a", r#","step":3"#)].join("\n");
    assert!(message(back).contains("step 1: the task already has"));
}

#[test]
fn rows_that_go_on_are_one_trajectory() {
    let csv = |rows: &str| format!("task,trajectory,step,agent,state,reward\n{rows}");
    let lengths = |rows: &str| {
        let read = files::read(csv(rows).as_bytes()).expect("good");
        read.iter().map(|each| each.steps.len()).collect::<Vec<_>>()
    };
    // In turn, as environments that run side by side write them; numbers from any on.
    assert_eq!(lengths("u,a,0,,s,1\nu,b,5,,s,1\nu,a,1,,s,1\nu,b,6,,s,1\nu,a,2,,s,1\n"), [3, 2]);
    // `step` may count iterations, or steps that several agents share, or leave some out.
    assert_eq!(lengths("u,a,7,,s,1\nu,a,7,,s,1\nu,b,7,,s,1\n"), [2, 1]);
    assert_eq!(lengths("u,a,0,x,s,1\nu,a,0,y,s,1\nu,a,1,x,s,1\nu,a,1,y,s,1\n"), [4]);
    assert_eq!(lengths("u,a,0,,s,1\nu,a,3,,s,1\nu,a,,,s,1\n"), [3]);
}

#[test]
fn a_field_that_is_there_twice_is_refused_with_its_name() {
    let good = r#"{"uid":"u","traj_uid":"a","anchor_obs":"s","rewards":0,"extra":1}"#;
    let twice =
        |text: &str, field: &str, again: &str| text.replacen(field, &format!("{again},{field}"), 1);
    for (text, field) in [
        (twice(good, r#""rewards""#, r#""rewards":1"#), "rewards"),
        (twice(good, r#""uid""#, r#""uid":"v""#), "uid"),
        (twice(good, r#""extra""#, r#""extra":1"#), "extra"),
        (twice(GOOD, r#""task""#, r#""task":"h""#), "task"),
        (twice(GOOD, r#""state""#, r#""mine":1,"mine":2"#), "mine"),
        (twice(GOOD, r#""steps""#, r#""a\nb":1,"a\nb":2"#), r"a\nb"),
        (format!("{{\"seed\":1,\"seed\":2}}\n{GOOD}"), "seed"),
        // However deep, and however the key is written.
        (format!(r#"{{"estimator":{{"name":"grpo","name":"hgpo"}}}}"#) + "\n" + GOOD, "name"),
        (twice(GOOD, r#""steps""#, r#""info":{"a":[{"b":1,"\u0062":2}]}"#), "b"),
        (twice(GOOD, r#""state""#, r#""info":[{"c":{"d":1,"d":1}}]"#), "d"),
        (twice(good, r#""extra""#, r#""mine":{"e":1,"e":2}"#), "e"),
        (twice(good, r#""uid""#, r#""env":{"f":null,"f":2}"#), "f"),
    ] {
        let found = message(&text);
        assert!(found.starts_with("line 1"), "{found}");
        assert!(found.contains(&format!("duplicate field `{field}`")), "{found}");
        assert!(!found.contains('\n'), "{found}");
    }
}

#[test]
fn a_list_with_something_else_in_it_says_what() {
    let steps = r#"{"state":"a","reward":1,"embedding":[0.5,null,1]}"#;
    let row = format!(
        r#"{{"uid":"u","traj_uid":"a","anchor_obs":"s","rewards":0,{}}}"#,
        &steps[24..steps.len() - 1]
    );
    for text in [line("t", steps), row] {
        let found = message(text);
        assert!(
            found.contains("`embedding` must be a list of numbers, not one with null: "),
            "{found}"
        );
    }
    let large = message(line("t", r#"{"state":"a","reward":1e308}"#));
    assert!(large.contains("`reward` is 1e308, beyond ±1e100"), "{large}");
}

#[test]
fn a_step_is_found_in_its_file_again() {
    let at = |text: &str, name: &str, step: usize| {
        files::line_of(text.as_bytes(), &StepAddress::new("g", name, step)).expect("good")
    };
    let other = GOOD.replace("t0", "t1");
    let json = format!("\u{feff}{{\"seed\":1}}\n\n{GOOD}\n{other}\n");
    assert_eq!(
        [at(&json, "t0", 1), at(&json, "t1", 0), at(&json, "t1", 2)],
        [Some(3), Some(4), None]
    );
    let row =
        |name: &str| format!(r#"{{"uid":"g","traj_uid":"{name}","anchor_obs":"s","rewards":0}}"#);
    let rows = [row("a"), row("a"), String::new(), row("a"), row("b")].join("\n");
    assert_eq!([at(&rows, "a", 2), at(&rows, "b", 0), at(&rows, "b", 1)], [Some(4), Some(5), None]);
    let csv = "task,trajectory,state,reward\ng,a,\"two\nlines\",0\ng,a,s,0\n";
    assert_eq!([at(csv, "a", 0), at(csv, "a", 1)], [Some(2), Some(4)]);
}
