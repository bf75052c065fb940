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
    ];
    for (text, line, name, step, first) in cases {
        let found = message(&text);
        let place = format!("line {line}, task \"u\", trajectory \"{name}\", step {step}: ");
        assert!(found.starts_with(&place), "{found}");
        assert!(found.contains(&format!("of this name (line {first})")), "{found}");
    }
    let twice = format!("{0}{0}", csv(&["u,a,,s,1"]));
    assert!(
        message(&twice).starts_with("line 3: only the first line may say this"),
        "{}",
        message(&twice)
    );
}

/// Names and numbers of rows.
type Rows<'a> = &'a [(&'a str, &'a str)];

#[test]
fn rows_whose_numbers_do_not_go_on_are_refused() {
    let numbered = |name: &str, number: &str| {
        format!(r#"{{"uid":"u","traj_uid":"{name}","anchor_obs":"s","rewards":1,"step":{number}}}"#)
    };
    let row = |(name, number): &(&str, &str)| format!("u,{name},{number},s,1\n");
    let csv = |rows: &[(&str, &str)]| {
        "task,trajectory,step,state,reward\n".to_owned() + &rows.iter().map(row).collect::<String>()
    };
    let lines = |rows: &[(&str, &str)]| {
        rows.iter().map(|(name, number)| numbered(name, number) + "\n").collect::<String>()
    };
    // The step that is refused, and the numbers of the row before and of its own.
    let cases: [(Rows<'_>, usize, &str); 10] = [
        // The same episode of one step in two files.
        (&[("a", "0"), ("a", "0")], 1, "0 to 0"),
        (&[("b", "7"), ("a", "3"), ("a", "3")], 1, "3 to 3"),
        (&[("a", "-0.0"), ("a", "0")], 1, "-0 to 0"),
        // One whose numbers begin again, stand still, or come in another order.
        (&[("a", "0"), ("a", "1"), ("a", "0")], 2, "1 to 0"),
        (&[("a", "0"), ("a", "1"), ("a", "1.0")], 2, "1 to 1"),
        (&[("a", "0"), ("a", "1"), ("a", "2"), ("a", "1")], 3, "2 to 1"),
        // One that lacks a step, so that its neighbours are none.
        (&[("a", "0"), ("a", "2")], 1, "0 to 2"),
        // Apart, but not on from 1.
        (&[("a", "0"), ("a", "1"), ("b", "0"), ("a", "0")], 2, "1 to 0"),
        (&[("a", "0"), ("b", "0"), ("a", "0")], 1, "0 to 0"),
        (&[("a", "0"), ("b", "0"), ("a", "2")], 1, "0 to 2"),
    ];
    for (rows, step, numbers) in cases {
        let name = rows[rows.len() - 1].0;
        let first = 1 + rows.iter().position(|row| row.0 == name).expect("it is there");
        for (text, above) in [(csv(rows), 1), (lines(rows), 0)] {
            let (line, first) = (above + rows.len(), above + first);
            let expected = format!(
                "line {line}, task \"u\", trajectory \"{name}\", step {step}: `step` goes from {numbers} \
                 in the trajectory that begins on line {first}: sort the rows by task, trajectory and step,"
            );
            assert!(message(&text).starts_with(&expected), "{}", message(&text));
            // So does what reads task by task.
            let streamed = files::Reader::new(text.as_bytes()).find_map(Result::err);
            let told = streamed.map(|error| error.to_string());
            assert!(above == 1 || told.is_some_and(|told| told.starts_with(&expected)));
        }
    }
    // Some rows without a number, also as text and with spaces.
    for (rows, numbers) in [
        ("u,a, 0,s,1\nu,a, 0 ,s,1\n", "0 to 0"),
        ("u,a,0,s,1\nu,a,,s,1\n", "0 to none"),
        ("u,a,,s,1\nu,a,0,s,1\n", "none to 0"),
        ("u,a,0,s,1\nu,b,0,s,1\nu,a,,s,1\n", "0 to none"),
        ("u,a,nan,s,1\nu,a,0,s,1\n", "none to 0"),
    ] {
        let told = message("task,trajectory,step,state,reward\n".to_owned() + rows);
        assert!(told.contains(&format!("`step` goes from {numbers} in")), "{told}");
    }
    let texts = [numbered("a", r#""0""#), numbered("a", "0")].join("\n");
    assert!(message(&texts).contains("`step` goes from 0 to 0 in"), "{}", message(&texts));
}

#[test]
fn numbers_inside_a_trajectory_are_checked_like_those_of_rows() {
    let numbered = |numbers: &[&str]| {
        let step = |number: &&str| format!(r#"{{"state":"s","reward":1,"step":{number}}}"#);
        line("t", &numbers.iter().map(step).collect::<Vec<_>>().join(","))
    };
    for (numbers, step, told) in
        [(&["1", "0"], 1, "1 to 0"), (&["1", "1"], 1, "1 to 1"), (&["0", "2"], 1, "0 to 2")]
    {
        let found = message(numbered(numbers));
        assert!(found.starts_with("line 1, task "), "{found}");
        assert!(found.contains(&format!("step {step}: `step` goes from {told}: ")), "{found}");
    }
    let good = files::read(numbered(&["1", "2", "3"]).as_bytes()).expect("good");
    assert_eq!(good[0].steps.len(), 3);
}

#[test]
fn quotes_that_swallow_records_are_refused_where_they_open() {
    let csv = |rows: &str| format!("task,trajectory,state,reward\nu,a,s,1\n{rows}");
    for (rows, line, problem) in [
        ("u,a,\"s,0\nu,a,s,1\nu,b,s,1\n", 3, "a quote that opens on this line is never closed"),
        ("u,a,s,0\nu,a,\"", 4, "a quote that opens on this line is never closed"),
        // Closed by the quote of a later record: all values are there, but two records are one.
        (
            "u,a,\"s,0\nu,b,\"t,1\n",
            3,
            "a quote that opens on this line is closed in the middle of a value",
        ),
        ("u,a,\"s\" ,0\n", 3, "a quote that opens on this line is closed in the middle of a value"),
    ] {
        let found = message(csv(rows));
        assert!(
            found.starts_with(&format!("line {line}: not a CSV record ({problem})")),
            "{found}"
        );
    }
    let header = message("task,trajectory,state,\"reward\nu,a,s,1\n");
    assert!(header.starts_with("line 1: not a CSV record (a quote"), "{header}");
}

#[test]
fn names_that_are_empty_are_refused_everywhere_and_empty_states_counted() {
    let texts = |task: &str, trajectory: &str, state: &str| {
        [
            format!(
                r#"{{"task":"{task}","trajectory":"{trajectory}","steps":[{{"state":"{state}","reward":1}}]}}"#
            ),
            format!(
                r#"{{"uid":"{task}","traj_uid":"{trajectory}","anchor_obs":"{state}","rewards":1}}"#
            ),
            format!("task,trajectory,state,reward\n{task},{trajectory},{state},1\n"),
        ]
    };
    for (task, trajectory, field) in
        [("", "a", "task"), ("u", "", "trajectory"), (" ", "a", "task"), ("", "", "task")]
    {
        for text in texts(task, trajectory, "s") {
            let found = message(&text);
            assert!(found.contains(&format!("`{field}` is empty: ")), "{found}");
            assert!(found.starts_with("line "), "{found}");
        }
    }
    for text in texts("u", "a", "") {
        let (read, warnings) = files::read_with_warnings(text.as_bytes()).expect("good");
        assert_eq!((read.len(), warnings.empty_states), (1, 1), "{text}");
        let remarks: Vec<String> = warnings.remarks().collect();
        assert!(remarks[0].starts_with("1 step has an empty `state`"), "{remarks:?}");
    }
}

#[test]
fn rows_say_of_their_trajectory_what_lines_do() {
    let whole = r#"{"task":"u","trajectory":"a","success":true,"seed":7,"environment":"e","steps":[{"state":"s","reward":-1},{"state":"t","reward":0}]}"#;
    let rows = r#"{"uid":"u","traj_uid":"a","anchor_obs":"s","rewards":-1,"success":1.0,"seed":7,"environment":"e"}
{"uid":"u","traj_uid":"a","anchor_obs":"t","rewards":0}"#;
    let csv = "task,trajectory,success,seed,environment,state,reward\n\
               u,a,True,7.0,e,s,-1\nu,a,,,,t,0\n";
    let expected = files::read(whole.as_bytes()).expect("good");
    assert!(expected[0].succeeded());
    for text in [rows, csv] {
        assert_eq!(files::read(text.as_bytes()).expect("good"), expected, "{text}");
    }
    for (text, told) in [
        (csv.replace("True", "nonsense"), "`success` must be true or false"),
        (rows.replace("1.0", "\"yes\""), "`success` must be true or false"),
        (csv.replace("7.0", "-7"), "`seed` must be a whole number from 0"),
        (
            csv.replace(",,,,t", ",False,,,t").replace("a,,", "a,"),
            "`success` is false here and true",
        ),
        (
            rows.replace(r#""rewards":0}"#, r#""rewards":0,"seed":8}"#),
            "`seed` is 8 here and 7 further up in the trajectory that begins on line 1",
        ),
    ] {
        let found = message(&text);
        assert!(found.contains(told), "{found}");
    }
}

#[test]
fn states_that_are_values_have_one_text() {
    let rows = [r#"{"x":1,"y":[2]}"#, r#"{"y": [2.0], "x": 1.0}"#].map(|state| {
        format!(r#"{{"uid":"u","traj_uid":"a","anchor_obs":{state},"rewards":1}}"#) + "\n"
    });
    let read = files::read(rows.concat().as_bytes()).expect("good");
    assert_eq!(read[0].steps[0].state, read[0].steps[1].state);
    // A text that looks like one stays as it is.
    let text = rows[1].replace(r#"{"y": [2.0], "x": 1.0}"#, r#""{\"y\": [2.0]}""#);
    assert_eq!(files::read(text.as_bytes()).expect("good")[0].steps[0].state, r#"{"y": [2.0]}"#);
}

#[test]
fn agents_that_act_at_the_same_time_have_a_number_once() {
    let read = |rows: &str| {
        files::read(format!("task,trajectory,step,agent,state,reward\n{rows}").as_bytes())
    };
    for (rows, agent) in [
        ("u,a,0,x,s,1\nu,a,0,y,s,1\nu,a,0,x,s,1\n", "x"),
        ("u,a,0,x,s,1\nu,a,0,y,s,1\nu,a,0,z,s,1\nu,a,0,y,s,1\n", "y"),
        ("u,a,0,x,s,1\nu,a,1,x,s,1\nu,a,1,y,s,1\nu,a,0,y,s,1\n", "y"),
    ] {
        assert!(read(rows).is_err(), "{agent} acts twice");
    }
    // One of them may be silent for a while.
    let rows = "u,a,0,x,s,1\nu,a,0,y,s,1\nu,a,1,x,s,1\nu,a,2,x,s,1\nu,a,2,y,s,1\nu,b,2,y,s,1\n";
    assert_eq!(read(rows).expect("good")[0].steps.len(), 5);
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
    // `step` may number steps that several agents share.
    assert_eq!(lengths("u,a,0,x,s,1\nu,a,0,y,s,1\nu,a,1,x,s,1\nu,a,1,y,s,1\n"), [4]);
    // Without numbers, and with what is none, they stand together.
    assert_eq!(lengths("u,a,,,s,1\nu,a,,,s,1\nu,b,t1,,s,1\nu,b,t1,,s,1\n"), [2, 2]);
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
        (r#"{"estimator":{"name":"grpo","name":"hgpo"}}"#.to_owned() + "\n" + GOOD, "name"),
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
        files::line_of(
            text.as_bytes(),
            &files::Layout::default(),
            &StepAddress::new("g", name, step),
        )
        .expect("good")
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
