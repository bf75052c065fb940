//! verl-agent's rows, and what rows of all formats share.
#![allow(clippy::float_cmp, reason = "exact numbers are what is tested")]

use hgpo_core::format::{self, Layout, Reader};
use hgpo_core::{Step, StepAddress, Trajectory};

#[test]
fn reads_verl_agent_rows() {
    let rows = r#"{"uid":"u","traj_uid":"a","anchor_obs":"hall","rewards":0.0,"is_action_valid":true,"episode_rewards":10}
{"uid":"u","traj_uid":"a","anchor_obs":[[0,1]],"rewards":10,"is_action_valid":0.0}
{"uid":3,"traj_uid":"a","anchor_obs":"hall","rewards":1}
"#;
    let read = format::read(rows.as_bytes()).expect("rows");
    assert_eq!((read.len(), read[0].steps.len()), (2, 2));
    assert_eq!((read[0].steps[1].state.as_str(), read[0].steps[1].valid), ("[[0,1]]", false));
    assert_eq!(read[0].steps[0].extra["episode_rewards"], 10);
    assert_eq!(
        (read[1].task.as_str(), read[1].steps[0].reward, read[1].steps[0].valid),
        ("3", 1.0, true)
    );
}

#[test]
fn rows_say_that_an_action_is_invalid_by_either_name() {
    for text in [
        r#"{"uid":"u","traj_uid":"a","anchor_obs":"s","rewards":1,"is_action_valid":false}"#,
        r#"{"uid":"u","traj_uid":"a","anchor_obs":"s","rewards":1,"valid":false}"#,
        "task,trajectory,state,reward,valid\nu,a,s,1,false\n",
        "task,trajectory,state,reward,is_action_valid\nu,a,s,1,0\n",
    ] {
        let read = format::read(text.as_bytes()).expect(text);
        assert!(!read[0].steps[0].valid && read[0].steps[0].extra.is_empty(), "{text}");
    }
    let both = "task,trajectory,state,reward,valid,is_action_valid\nu,a,s,1,1,0\n";
    let error = format::read(both.as_bytes()).expect_err("two flags").to_string();
    assert!(error.contains("is_action_valid"), "{error}");
    let both = r#"{"uid":"u","traj_uid":"a","anchor_obs":"s","rewards":1,"valid":1,"is_action_valid":false}"#;
    let error = format::read(both.as_bytes()).expect_err("two flags").to_string();
    assert!(error.contains("`is_action_valid` and `valid` contradict each other"), "{error}");
    let row = r#"{"uid":"u","traj_uid":"a","anchor_obs":"s","rewards":1,"valid":"no"}"#;
    let error = format::read(row.as_bytes()).expect_err("no flag").to_string();
    assert!(error.contains("`valid` must be true or false"), "{error}");
}

#[test]
fn states_whose_digits_are_lost_are_refused() {
    // As floats, both are 2^64.
    for lost in ["18446744073709551616", "[18446744073709551617]"] {
        let row = format!(r#"{{"uid":"u","traj_uid":"a","anchor_obs":{lost},"rewards":1}}"#);
        let error = format::read(row.as_bytes()).expect_err(lost).to_string();
        assert!(
            error.contains("`anchor_obs` must be text, or whole numbers of 64 bits"),
            "{error}"
        );
    }
    let deep = ["[", "]"].map(|it| it.repeat(200)).concat();
    let row = format!(r#"{{"uid":"u","traj_uid":"a","anchor_obs":{deep},"rewards":1}}"#);
    let error = format::read(row.as_bytes()).expect_err("deep").to_string();
    assert!(error.contains("not valid JSON (lists and objects nested deeper"), "{error}");
}

#[test]
fn a_row_with_fields_of_ours_is_read_back() {
    let row = r#"{"uid":"u","traj_uid":"a","anchor_obs":"hall","rewards":1.0,"state":7,"valid":"?","is_action_valid":1}"#;
    let read = format::read(row.as_bytes()).expect("a row");
    assert_eq!(read[0].steps[0].extra["row_state"], 7);
    let mut written = Vec::new();
    format::write_jsonl(&mut written, &read).expect("written");
    assert_eq!(format::read(&written[..]).expect("read"), read);
}

/// An active row, one that repeats it, padding, and a row of another task with more padding.
const PADDED: [&str; 2] = [
    r#"{"uid":"u","traj_uid":"a","anchor_obs":"s","rewards":1,"active_masks":true}
{"uid":"u","traj_uid":"a","anchor_obs":"s","rewards":1,"active_masks":true}
{"uid":"u","traj_uid":"a","anchor_obs":"s","rewards":0,"active_masks":false}
{"uid":"v","traj_uid":"a","anchor_obs":"s","rewards":0,"active_masks":0}
{"uid":"v","traj_uid":"b","anchor_obs":"s","rewards":1,"active_masks":1.0}
{"uid":"v","traj_uid":"b","anchor_obs":"t","rewards":1}
"#,
    "task,trajectory,state,reward,active_masks\nu,a,s,1,True\nu,a,s,1,True\nu,a,s,0,False\n\
     v,a,s,0,0\nv,b,s,1,1\nv,b,t,1,\n",
];

#[test]
fn rows_that_pad_an_episode_are_left_out_and_counted() {
    let steps = |states: &[&str]| states.iter().map(|&state| Step::new(state, 1.0)).collect();
    let expected = [
        Trajectory::new("u", "a", steps(&["s", "s"])),
        Trajectory::new("v", "b", steps(&["s", "t"])),
    ];
    for text in PADDED {
        let (read, warnings) = format::read_with_warnings(text.as_bytes()).expect(text);
        assert_eq!((warnings.inactive, warnings.repeated), (2, 1), "{text}");
        assert_eq!(read, expected, "{text}");
        assert_eq!(format::read(text.as_bytes()).expect(text), expected);
        // What is found again is the row of the step: the line after the first one, or the header.
        let line = |step| {
            let of = StepAddress::new("v", "b", step);
            format::line_of(text.as_bytes(), &Layout::default(), &of).expect(text).expect("there")
        };
        assert_eq!(line(1) - line(0), 1);
        let padding = text.replace("true", "false").replace("True", "False");
        let (read, warnings) = format::read_with_warnings(padding.as_bytes()).expect(text);
        assert_eq!((read.len(), warnings.inactive, warnings.repeated), (1, 4, 0));
    }
    let mut reader = Reader::new(PADDED[0].as_bytes());
    let tasks: Vec<_> = reader.by_ref().collect::<Result<_, _>>().expect("task by task");
    assert_eq!(tasks.concat(), expected);
    assert_eq!((reader.warnings().inactive, reader.warnings().repeated), (2, 1));

    let only = PADDED[0].lines().nth(2).expect("padding");
    let error = format::read(only.as_bytes()).expect_err("nothing is left").to_string();
    assert!(error.starts_with("no trajectories"), "{error}");
    let wrong = only.replace("false", "\"off\"");
    let error = format::read(wrong.as_bytes()).expect_err("no flag").to_string();
    assert!(error.contains("`active_masks` must be true or false, not the text"), "{error}");
    let wrong = "task,trajectory,state,reward,active_masks\nu,a,s,1,off\n";
    let error = format::read(wrong.as_bytes()).expect_err("no flag").to_string();
    assert!(error.contains("`active_masks` must be true or false"), "{error}");
}

#[test]
fn the_line_of_a_step_does_not_count_padding() {
    let csv = "task,trajectory,state,reward,active_masks\ng,a,s,1,1\ng,a,s,0,0\ng,a,t,1,1\n";
    let of = StepAddress::new("g", "a", 1);
    assert_eq!(format::line_of(csv.as_bytes(), &Layout::default(), &of).expect("good"), Some(4));
}

#[test]
fn rows_that_repeat_the_row_before_are_counted_unless_they_are_numbered() {
    let repeated = |text: &str| format::read_with_warnings(text.as_bytes()).expect(text).1.repeated;
    let head = "task,trajectory,state,reward,action\n";
    assert_eq!(repeated(&format!("{head}g,a,s,0,go\ng,a,s,0,go\ng,a,s,0,go\n")), 2);
    // Another trajectory, another action, and one between them.
    assert_eq!(repeated(&format!("{head}g,a,s,0,go\ng,b,s,0,go\ng,b,s,0,stay\ng,b,s,0,go\n")), 0);
    assert_eq!(repeated("task,trajectory,state,reward,step\ng,a,s,0,0\ng,a,s,0,1\n"), 0);
    // A trajectory on one line is a list of steps, whoever wrote it.
    let step = r#"{"state":"s","reward":0}"#;
    let line = format!(r#"{{"task":"g","trajectory":"a","steps":[{step},{step}]}}"#);
    assert_eq!(repeated(&line), 0);
}

/// A layout with columns of these names.
fn named(columns: &str) -> Layout {
    Layout { columns: columns.parse().expect("columns"), ..Layout::default() }
}

/// Three steps of two trajectories.
const PLAIN: &str =
    "task,trajectory,state,reward,valid,step\ng,t,a,1,true,0\ng,t,b,2,false,1\ng,u,a,0,true,0\n";

#[test]
fn columns_of_any_name_hold_what_they_are_said_to() {
    let rows = |names: [&str; 6]| {
        let row = |line: &str| {
            let values = line.split(',').zip(names).map(|(value, name)| {
                let is_text = value.parse::<f64>().is_err() && value.parse::<bool>().is_err();
                let quote = if is_text { "\"" } else { "" };
                format!("\"{name}\":{quote}{value}{quote}")
            });
            format!("{{{}}}", values.collect::<Vec<_>>().join(","))
        };
        PLAIN.lines().skip(1).map(row).collect::<Vec<_>>().join("\n")
    };
    let own = ["task", "trajectory", "state", "reward", "valid", "step"];
    let mine = ["group", "id", "task", "score", "kept", "turn"];
    let layout = named("task=group,trajectory=id,state=task,reward=score,valid=kept,step=turn");
    let csv = mine.join(",") + PLAIN.strip_prefix(&own.join(",")).expect("the header");
    let numbers = |read: &[Trajectory]| -> Vec<f64> {
        read.iter()
            .flat_map(|own| &own.steps)
            .map(|step| step.extra["step"].to_string().trim_matches('"').parse().expect("a number"))
            .collect()
    };
    let plain = |mut read: Vec<Trajectory>| {
        assert_eq!(numbers(&read), [0.0, 1.0, 0.0]);
        read.iter_mut().flat_map(|own| &mut own.steps).for_each(|step| step.extra.clear());
        read
    };
    let expected = plain(format::read(PLAIN.as_bytes()).expect("good"));
    assert_eq!(plain(format::read(rows(own).as_bytes()).expect("rows")), expected);
    for text in [csv.clone(), rows(mine)] {
        let (read, _) = format::read_with(text.as_bytes(), &layout).expect("named");
        assert_eq!(plain(read), expected, "{text}");
        let streamed: Result<Vec<_>, _> = Reader::with(text.as_bytes(), layout.clone()).collect();
        if text.starts_with('{') {
            assert_eq!(plain(streamed.expect("rows").concat()), expected);
        }
        let step = StepAddress::new("g", "t", 1);
        let line = format::line_of(text.as_bytes(), &layout, &step).expect("named");
        assert_eq!(line, Some(if text.starts_with('{') { 2 } else { 3 }));
    }
    // By verl-agent's names in a table, too.
    let foreign = csv.replace(
        "group,id,task,score,kept,turn",
        "uid,traj_uid,anchor_obs,rewards,is_action_valid,step",
    );
    assert_eq!(plain(format::read(foreign.as_bytes()).expect("verl-agent's")), expected);
    // Without a word, what is missing is said with what there is.
    let why = |text: &str| format::read(text.as_bytes()).expect_err(text).to_string();
    let other = csv.replace("task", "obs");
    let there = "line 1: `task` is missing: there are `group`, `id`, `obs`, `score`, `kept`, `turn`; rename the one that \
                 holds it, or name it (task=COLUMN)";
    assert_eq!(why(&other), there);
    let why = |columns: &str| {
        format::read_with(other.as_bytes(), &named(columns)).expect_err("missing").to_string()
    };
    assert_eq!(
        why("task=group,reward=points"),
        "line 1: the column `points`, named for `reward`, is missing (there are `group`, `id`, `obs`, `score`, `kept`, \
         `turn`): name one that is there"
    );
}

#[test]
fn names_of_one_kind_go_together() {
    let both = "task,trajectory,state,reward,uid,traj_uid,anchor_obs,rewards\ng,t,a,1,h,u,b,2\n";
    let of = |text: &str| {
        let read = format::read(text.as_bytes()).expect(text);
        let step = &read[0].steps[0];
        (read[0].task.clone(), read[0].trajectory.clone(), step.state.clone(), step.reward)
    };
    let [own, foreign] =
        [("g", "t", "a", 1.0), ("h", "u", "b", 2.0)].map(|(task, name, state, reward)| {
            (task.to_owned(), name.to_owned(), state.to_owned(), reward)
        });
    assert_eq!(of(both), own);
    assert_eq!(of(&both.replace(",trajectory", ",attempt")), foreign);
}

#[test]
fn what_is_called_like_a_field_that_another_column_holds_is_kept() {
    let layout = named("reward=score,step=turn");
    let table = "task,trajectory,state,reward,score,turn,step,action\ng,t,a,9,1,0,5,go\n";
    let (read, _) = format::read_with(table.as_bytes(), &layout).expect("good");
    let step = &read[0].steps[0];
    assert_eq!((step.reward, step.action.as_deref()), (1.0, Some("go")));
    assert_eq!((&step.extra["row_reward"], &step.extra["row_step"]), (&"9".into(), &"5".into()));
    let mut written = Vec::new();
    format::write_jsonl(&mut written, &read).expect("written");
    assert_eq!(format::read(&written[..]).expect("read"), read);
}

#[test]
fn trajectories_whose_fields_have_other_names_are_read_by_columns() {
    let layout = named("task=group,trajectory=id,steps=turns,state=obs,reward=score");
    let line = r#"{"group":"g","id":"t","seed":3,"steps":9,"task":"x","turns":[{"obs":[1],"score":2,"action":"go","state":"y"},{"obs":"b","score":0,"active_masks":0},{"obs":"c","score":1,"valid":0}]}"#;
    let (read, noticed) = format::read_with(line.as_bytes(), &layout).expect("named");
    let own = &read[0];
    assert_eq!((own.task.as_str(), own.trajectory.as_str(), own.seed), ("g", "t", Some(3)));
    assert_eq!((&own.extra["row_task"], &own.extra["row_steps"]), (&"x".into(), &9.into()));
    let step = &own.steps[0];
    assert_eq!(
        (step.state.as_str(), step.reward, step.action.as_deref()),
        ("[1]", 2.0, Some("go"))
    );
    assert_eq!((&step.extra["row_state"], own.steps[1].valid), (&"y".into(), false));
    assert_eq!((own.steps.len(), noticed.inactive), (2, 1));
    let mut written = Vec::new();
    format::write_jsonl(&mut written, &read).expect("written");
    assert_eq!(format::read(&written[..]).expect("read"), read);
    let of = StepAddress::new("g", "t", 1);
    assert_eq!(format::line_of(line.as_bytes(), &layout, &of).expect("good"), Some(1));
    // The first of them is not taken for the line that says how they were made.
    assert_eq!(Reader::with(line.as_bytes(), layout.clone()).provenance().expect("good"), None);
    let row = r#"{"group":"g","id":"t","obs":"a","score":1,"seed":3}"#;
    let rows = named("task=group,trajectory=id,state=obs,reward=score");
    assert_eq!(format::read_with(row.as_bytes(), &rows).expect("rows").0.len(), 1);
    // With the list by its own name.
    let line = line.replace("\"steps\":9,", "").replace("\"turns\"", "\"steps\"");
    let list = named("task=group,trajectory=id,state=obs,reward=score");
    assert_eq!(format::read_with(line.as_bytes(), &list).expect("named").0[0].steps, own.steps);

    let why = |from: &str, to: &str| {
        let text = line.replace("\"steps\"", "\"turns\"").replace(from, to);
        format::read_with(text.as_bytes(), &layout).expect_err(to).to_string()
    };
    let place = "line 1, task \"g\", trajectory \"t\", step 0: ";
    for (from, to, told) in [
        (
            "\"turns\"",
            "\"turn\"",
            "line 1: the column `turns`, named for `steps`, is missing (there are `group`",
        ),
        ("\"id\"", "\"name\"", "line 1: the column `id`, named for `trajectory`, is missing"),
        (
            "\"obs\":[1]",
            "\"see\":1",
            &format!("{place}the column `obs`, named for `state`, is missing (there are `see`"),
        ),
        (
            "\"score\":2",
            "\"score\":\"no\"",
            &format!("{place}`score` must be a number, not the text"),
        ),
        ("\"score\":2", "\"score\":1e200", &format!("{place}`reward` is 1e200, beyond")),
        ("{\"obs\":[1]", "7,{\"obs\":[1]", &format!("{place}`turns[0]` must be an object, not 7")),
        (
            "\"turns\":[",
            "\"turns\":7,\"rest\":[",
            "line 1, task \"g\", trajectory \"t\": `turns` must be a list, not 7",
        ),
        (
            "\"seed\":3",
            "\"seed\":-1",
            "line 1, task \"g\", trajectory \"t\": `seed` must be a whole number",
        ),
    ] {
        let error = why(from, to);
        assert!(error.starts_with(told), "{error}");
    }
    let table = "task,trajectory,state,reward,turns\ng,t,a,1,x\n";
    let error = format::read_with(table.as_bytes(), &named("steps=turns")).expect_err("a table");
    assert!(
        error.to_string().contains("`steps` is a list of objects, which rows do not have"),
        "{error}"
    );
}
