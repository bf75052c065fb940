//! Dumps of trainers: what each says, and what is refused with its line and field.
#![allow(clippy::float_cmp, reason = "exact numbers are what is tested")]

use hgpo_core::format::{self, Columns, Layout, Reader, RolloutWarnings};
use hgpo_core::{StepAddress, Trajectory};

fn read_with(text: &str, columns: &str) -> Result<(Vec<Trajectory>, RolloutWarnings), String> {
    let columns =
        if columns.is_empty() { Columns::default() } else { columns.parse().expect(columns) };
    let layout = Layout { columns, ..Layout::default() };
    format::read_with(text.as_bytes(), &layout).map_err(|error| error.to_string())
}

fn read(text: &str) -> Vec<Trajectory> {
    read_with(text, "").expect(text).0
}

fn refused(text: &str) -> String {
    read_with(text, "").expect_err(text)
}

fn names(all: &[Trajectory]) -> Vec<(&str, &str)> {
    all.iter().map(|own| (own.task.as_str(), own.trajectory.as_str())).collect()
}

const VERL: &str = r#"{"input":"2+2?","output":"4","gts":"4","score":1.0,"step":3,"acc":true,"reward":1.0}
{"input":"2+2?","output":"5","gts":"4","score":0.0,"step":3,"acc":false,"reward":0.0}
{"input":"2+2?","output":"4","gts":"4","score":1.0,"step":4,"acc":true,"reward":1.0}
"#;

#[test]
fn a_line_of_verls_dump_is_a_step_in_the_group_of_its_prompt() {
    let (read, noticed) = read_with(VERL, "").expect("a dump");
    assert_eq!(names(&read), [("3/2+2?", "1"), ("3/2+2?", "2"), ("4/2+2?", "3")]);
    let step = &read[1].steps[0];
    assert_eq!(
        (step.state.as_str(), step.action.as_deref(), step.reward),
        ("2+2?", Some("5"), 0.0)
    );
    assert_eq!((&step.extra["row_step"], &step.extra["row_reward"]), (&3.into(), &0.0.into()));
    let remarks: Vec<String> = noticed.remarks().collect();
    let told = "3 lines of a trainer's dump are one step each: the prompt is the state";
    assert!(remarks.len() == 1 && remarks[0].starts_with(told), "{remarks:?}");
    // As written anew, and task by task.
    let mut written = Vec::new();
    format::write_jsonl(&mut written, &read).expect("written");
    assert_eq!(format::read(&written[..]).expect("read"), read);
    let mut reader = Reader::new(VERL.as_bytes());
    assert!(reader.is_dump().expect("good"));
    let tasks: Vec<_> = reader.by_ref().collect::<Result<_, _>>().expect("tasks");
    assert_eq!((tasks.len(), tasks.concat() == read), (2, true));
    assert_eq!(reader.warnings().one_step, 3);
    let of = StepAddress::new("4/2+2?", "3", 0);
    let line = format::line_of(VERL.as_bytes(), &Layout::default(), &of).expect("good");
    assert_eq!(line, Some(3));
}

#[test]
fn damage_in_a_dump_is_told_with_line_and_field() {
    let second = |from: &str, to: &str| {
        let lines: Vec<&str> = VERL.lines().collect();
        refused(&[lines[0], &lines[1].replace(from, to), lines[2]].join("\n"))
    };
    let place = "line 2, task \"3/2+2?\", trajectory \"2\", step 0: ";
    for (from, to, told) in [
        ("\"output\"", "\"out\"", "`output` is missing: the lines before it have it"),
        ("\"5\"", "false", "`output` must be text, not false"),
        ("\"score\":0.0", "\"score\":\"no\"", "`score` must be a number, not the text \"no\""),
        ("\"score\":0.0", "\"score\":null", "`score` must be a number, not null"),
        ("\"score\":0.0", "\"score\":1e200", "`reward` is 1e200, beyond"),
        ("\"score\"", "\"sc\"", "`reward` is missing: there are `input`, `output`, `gts`, `sc`"),
        ("\"acc\":false", "\"valid\":7", "`valid` must be true or false, not 7"),
    ] {
        let error = second(from, to);
        assert!(error.starts_with(place) && error.contains(told), "{error}");
    }
    for (from, to, told) in [
        ("\"input\":\"2+2?\",", "", "line 2: `input` is missing: the lines before it have it"),
        ("\"input\":\"2+2?\"", "\"input\":\" \"", "line 2: `input` is missing: it is empty here"),
        ("\"step\":3", "\"step\":null", "line 2: `step` must be text, not null"),
        ("0.0", "NaN", "line 2: `score` is NaN"),
        ("}", "", "line 2: the JSON does not end on its line"),
        ("\"gts\"", "\"input\"", "line 2: duplicate field `input`"),
    ] {
        let error = second(from, to);
        assert!(error.starts_with(told), "{error}");
    }
}

#[test]
fn a_dump_without_prompts_needs_a_column_for_its_groups() {
    // As RAGEN validates.
    let text = VERL.replace("2+2?", "").replace("gts", "start");
    let error = refused(&text);
    let told = "line 1: `input` is missing: it is empty here, and tells groups of attempts apart: name a column that";
    assert!(error.starts_with(told), "{error}");
    let (read, noticed) = read_with(&text, "task=start").expect("named");
    assert_eq!((names(&read)[0], noticed.empty_states), (("4", "1"), 3));
}

#[test]
fn columns_of_a_dump_may_be_others_and_flags_are_heeded() {
    let text = VERL.replace("\"acc\"", "\"is_action_valid\"");
    let read = read_with(&text, "task=gts,state=output,context=input").expect("named").0;
    assert_eq!(names(&read)[0], ("4", "1"));
    let step = &read[1].steps[0];
    assert_eq!(
        (step.state.as_str(), step.context.as_deref(), step.valid),
        ("5", Some("2+2?"), false)
    );
    let error = read_with(VERL, "reward=points").expect_err("no such column");
    assert!(
        error.contains("the column `points`, named for `reward`, is missing (there are"),
        "{error}"
    );
    // A file that has all that rows have is one of rows.
    let columns = "task=step,trajectory=output,state=input".parse().expect("columns");
    let layout = Layout { columns, ..Layout::default() };
    assert!(!Reader::with(VERL.as_bytes(), layout).is_dump().expect("good"));
    let read = read_with(VERL, "task=step,trajectory=output,state=input").expect("rows").0;
    assert_eq!(names(&read)[0], ("3", "4"));
}

#[test]
fn completions_of_trl_need_the_name_of_their_reward() {
    let line = |completion: &str, length: f64| {
        format!(
            r#"{{"step":5,"prompt":"2+2?","completion":"{completion}","is_right":1.0,"is_short":{length},"advantage":0.7}}"#
        )
    };
    let text = [line("4", 0.5), line("four", 0.0)].join("\n");
    let error = refused(&text);
    let told = "`reward` is missing: there are `step`, `prompt`, `completion`, `is_right`, `is_short`, `advantage`; write it, or name the one that holds it (reward=COLUMN)";
    assert!(error.starts_with("line 1, task \"5/2+2?\"") && error.contains(told), "{error}");
    let (read, noticed) = read_with(&text, "reward=is_short").expect("named");
    assert_eq!(names(&read), [("5/2+2?", "1"), ("5/2+2?", "2")]);
    assert_eq!((read[0].steps[0].reward, noticed.one_step), (0.5, 2));
    // Its versions that wrote the reward.
    let text = text.replace("is_right", "reward").replace(":5,", ":\"5\",");
    assert_eq!(self::read(&text)[1].steps[0].reward, 1.0);
}

/// Two attempts at an example, the second of which called a tool, and one that failed.
const RESULTS: &str = r#"{"example_id":7,"task":"sums","prompt":[{"role":"system","content":"Add."},{"role":"user","content":"2+2?"}],"completion":[{"role":"assistant","content":"4"}],"reward":1.0,"is_truncated":false,"metrics":{"right":1.0}}
{"example_id":7,"task":"sums","prompt":[{"role":"system","content":"Add."},{"role":"user","content":"2+2?"}],"completion":[{"role":"assistant","content":"","tool_calls":["{\"id\":\"c1\",\"name\":\"add\",\"arguments\":\"{\\\"a\\\":2}\"}"]},{"role":"tool","content":"4","tool_call_id":"c1"},{"role":"assistant","content":"4"}],"reward":0.5}
{"example_id":7,"task":"sums","prompt":[{"role":"user","content":"2+2?"}],"completion":[],"reward":0.0,"error":{"error":"x"}}
"#;

#[test]
fn results_of_verifiers_are_conversations_in_the_group_of_their_example() {
    let (read, noticed) = read_with(RESULTS, "").expect("a dump");
    assert_eq!(names(&read), [("sums/7", "1"), ("sums/7", "2")]);
    assert_eq!((noticed.omitted, noticed.one_step), (1, 0));
    assert_eq!(read[0].environment.as_deref(), Some("sums"));
    let steps = &read[1].steps;
    assert_eq!(steps[0].state, read[0].steps[0].state);
    assert_eq!(steps[0].action.as_deref(), Some(r#"{"arguments":{"a":2},"name":"add"}"#));
    assert_eq!((steps[1].state.as_str(), steps[0].reward, steps[1].reward), ("4", 0.0, 0.5));
    assert_eq!(read[0].extra["metrics"]["right"], 1.0);
    // A completion of text is one step.
    let text = r#"{"example_id":1,"prompt":"2+2=","completion":"4","reward":1}"#;
    let (read, noticed) = read_with(text, "").expect("a dump");
    assert_eq!((names(&read)[0], noticed.one_step), (("1", "1"), 1));
    let error = refused(&RESULTS.replace("\"reward\":0.5", "\"reward\":null"));
    let told = "line 2, task \"sums/7\", trajectory \"2\": `reward` must be a number, not null";
    assert!(error.starts_with(told), "{error}");
    let error = refused(&text.replace("\"4\"", "[4]"));
    assert!(error.contains("`completion[0]` must be a message with `role`"), "{error}");
}

#[test]
fn steps_of_verifiers_own_list_are_read_with_their_rewards() {
    let step = |prompt: &str, completion: &str, reward: &str| {
        let said = |text: &str| format!(r#"{{"role":"assistant","content":"{text}"}}"#);
        let prompt = match prompt {
            "" => String::new(),
            said_before => format!(r#",{},{{"role":"user","content":"no"}}"#, said(said_before)),
        };
        format!(
            r#"{{"prompt":[{{"role":"user","content":"2+2?"}}{prompt}],"completion":[{}],"reward":{reward}}}"#,
            said(completion)
        )
    };
    let line = |one: &str, two: &str, reward: &str| {
        let [one, two] = [step("", "5", one), step("5", "4", two)];
        format!(
            r#"{{"example_id":7,"prompt":[{{"role":"user","content":"2+2?"}}],"completion":[],"reward":{reward},"trajectory":[{one},{two}]}}"#
        )
    };
    let rewards = |text: &str| -> Vec<f64> {
        let read = read(text);
        let states: Vec<_> = read[0].steps.iter().map(|step| step.state.as_str()).collect();
        assert_eq!(states, ["2+2?", "no"]);
        read[0].steps.iter().map(|step| step.reward).collect()
    };
    assert_eq!(rewards(&line("0.5", "0.5", "0.5")), [0.0, 0.5]);
    assert_eq!(rewards(&line("null", "0.5", "0.5")), [0.0, 0.5]);
    assert_eq!(rewards(&line("0.25", "0.5", "0.75")), [0.25, 0.5]);
    let error = refused(&line("0.25", "0.5", "0.5"));
    assert!(error.contains("come to 0.75, and `reward` is 0.5: keep one of them"), "{error}");
    let error =
        refused(&line("0.25", "0.5", "0.5").replace("\"completion\":[{", "\"completion\":[3,{"));
    assert!(error.contains("`trajectory[0].completion[0]` must be a message"), "{error}");
}

/// An episode: an attempt of the policy, in which a turn was taken back and cut off, one of a judge, and one that failed.
const EPISODE: &str = r#"{"id":"e","group":{"id":"g"},"task":{"type":"T","data":{"idx":0},"key":"k"},"ok":true,"traces":[{"id":"a","task":{"data":{"idx":0},"key":"k"},"agent":{"name":"agent","trainable":true},"ok":true,"nodes":[{"message":{"role":"system","content":"Add."}},{"parent":0,"message":{"role":"assistant","content":"Ask."}},{"parent":1,"message":{"role":"user","content":"2+2?"}},{"parent":2,"message":{"role":"assistant","content":"5"},"sampled":true},{"parent":3,"message":{"role":"user","content":"no"}},{"parent":4,"message":{"role":"assistant","content":"6"},"sampled":true},{"parent":2,"message":{"role":"assistant","content":"4"},"sampled":true}],"calls":[{"node":5,"finish_reason":"length"}],"rewards":{"right":{"score":2.0,"weight":0.5},"late":{"score":-0.25}},"errors":[{"type":"x"}]},{"id":"b","task":{"key":"k"},"agent":{"name":"judge","trainable":false},"ok":true,"nodes":[],"rewards":{}},{"id":"c","task":{"key":"k"},"ok":false,"nodes":[],"rewards":{}}]}
"#;

#[test]
fn an_episode_holds_attempts_whose_sampled_turns_are_steps() {
    let empty = r#"{"id":"f","group":{"id":"g"},"task":{"key":"k"},"ok":false,"traces":[]}"#;
    let later = EPISODE.replace("\"id\":\"a\"", "\"id\":\"d\"").replace("\"g\"", "\"h\"");
    let text = [EPISODE, empty, "\n", &later].concat();
    let (read, noticed) = read_with(&text, "").expect("episodes");
    assert_eq!(names(&read), [("g", "a"), ("h", "d")]);
    assert_eq!((noticed.omitted, noticed.cut_off), (5, 2));
    let steps: Vec<_> =
        read[0].steps.iter().map(|step| (step.action.as_deref(), step.reward)).collect();
    assert_eq!(steps, [(Some("5"), 0.0), (Some("6"), 0.0), (Some("4"), 0.75)]);
    let states: Vec<_> = read[0].steps.iter().map(|step| step.state.as_str()).collect();
    assert_eq!((states[0], states[1]), (states[2], "no"));
    assert!(states[0].contains("Ask.") && states[0].contains("2+2?"), "{}", states[0]);
    let of = StepAddress::new("h", "d", 2);
    assert_eq!(format::line_of(text.as_bytes(), &Layout::default(), &of).expect("good"), Some(3));
    // Without a group, of an evaluation.
    let alone = EPISODE.replace("\"group\":{\"id\":\"g\"},", "");
    assert_eq!(names(&self::read(&alone)), [("k", "a")]);
    let alone = alone.replace(",\"key\":\"k\"", "");
    assert_eq!(names(&self::read(&alone)), [(r#"{"idx":0}"#, "a")]);
}

#[test]
fn a_trace_by_itself_is_an_attempt() {
    let node = |parent: &str, role: &str, sampled: bool| {
        format!(
            r#"{{"parent":{parent},"message":{{"role":"{role}","content":"x"}},"sampled":{sampled}}}"#
        )
    };
    let trace = |rewards: &str, parent: &str| {
        let nodes = [node("null", "user", false), node(parent, "assistant", true)].join(",");
        format!(
            r#"{{"id":"a","task":{{"idx":3}},"group_id":"g","nodes":[{nodes}],"rewards":{rewards},"errors":[]}}"#
        )
    };
    let own = read(&trace(r#"{"right":1,"late":-0.5}"#, "0"));
    assert_eq!((names(&own)[0], own[0].steps[0].reward), (("g", "a"), 0.5));
    for (text, told) in [
        (trace("{\"right\":\"1\"}", "0"), "`rewards.right` must be a number, not the text \"1\""),
        (
            trace("{\"right\":{\"weight\":1}}", "0"),
            "`rewards.right.score` must be a number, not null",
        ),
        (
            trace("{}", "0").replace("sampled\":false", "sampled\":\"no\""),
            "`nodes[0].sampled` must be true or false",
        ),
        (trace("{}", "1"), "`nodes[1].parent` must be the number of a node before it, not 1"),
        (
            trace("{}", "0").replace("\"role\":\"user\"", "\"name\":1"),
            "`nodes[0].message` must be a message",
        ),
    ] {
        let error = refused(&text);
        assert!(
            error.starts_with("line 1, task \"g\", trajectory \"a\": ") && error.contains(told),
            "{error}"
        );
    }
    let lines = [trace("{}", "0"), "{\"id\":\"b\"}".to_owned()].join("\n");
    assert!(refused(&lines).starts_with("line 2: `traces` is missing: a line of traces has"));
    let error = refused(&EPISODE.replace("\"traces\":[{", "\"traces\":[7,{"));
    assert!(error.starts_with("line 1: `traces[0]` must be an object, not 7"), "{error}");
    let error = refused(
        &EPISODE
            .replace("\"ok\":true,\"nodes\":[{", "\"ok\":true,\"rewards_\":[],\"nodes\":[{")
            .replace("\"rewards\":{\"right\"", "\"reward\":{\"right\""),
    );
    assert!(error.contains("`rewards` must be an object of named rewards, not missing"), "{error}");
}

#[test]
fn a_field_steps_of_a_trace_is_kept_by_another_name() {
    let trace = r#"{"id":"a","task":{"key":"k"},"ok":true,"steps":3,"rewards":{"a":1},"nodes":[{"message":{"role":"assistant","content":"go"},"sampled":true}]}"#;
    let all = read(&format!(r#"{{"group":{{"id":"g"}},"traces":[{trace}]}}"#));
    assert_eq!(all[0].extra.get("row_steps"), Some(&3.into()));
    let mut written = Vec::new();
    format::write_jsonl(&mut written, &all).expect("written");
    assert_eq!(format::read(&written[..]).expect("read"), all);
}

#[test]
fn ragens_episodes_are_conversations_in_their_groups() {
    let line = |group: u32, reward: &str| {
        format!(
            r#"{{"custom_id":"traj_{group}","messages":[{{"role":"user","content":"P_"}},{{"role":"assistant","content":"up"}},{{"role":"user","content":"_P"}}],"metadata":{{"env_id":4,"group_id":{group},"total_reward":{reward},"success":false}}}}"#
        )
    };
    let own = read(&[line(0, "1.5"), line(1, "0")].join("\n"));
    assert_eq!(names(&own), [("0", "traj_0"), ("1", "traj_1")]);
    assert_eq!((own[0].steps[0].reward, own[0].success), (1.5, None));
    let error = refused(&line(0, "null"));
    let told = "line 1, task \"0\", trajectory \"traj_0\": `metadata.total_reward` must be a number, not null";
    assert!(error.starts_with(told), "{error}");
}

#[test]
fn records_of_open_instruct_are_steps_of_tokens() {
    let line = |sample: u32, prompt: u32, reason: &str| {
        format!(
            r#"{{"step":2,"sample_idx":{sample},"prompt_idx":{prompt},"prompt_tokens":[5,6],"response_tokens":[7],"reward":{sample}.0,"advantage":0.1,"finish_reason":"{reason}","dataset":["d"],"ground_truth":null,"request_info":null,"logprobs":[-0.5]}}"#
        )
    };
    let text = [line(0, 0, "stop"), line(1, 0, "length"), line(2, 1, "stop")].join("\n");
    let (own, noticed) = read_with(&text, "").expect("records");
    assert_eq!(names(&own), [("2/0", "0"), ("2/0", "1"), ("2/1", "2")]);
    assert_eq!((noticed.one_step, noticed.cut_off), (3, 1));
    let step = &own[1].steps[0];
    assert_eq!(
        (step.state.as_str(), step.action.as_deref(), step.reward),
        ("[5,6]", Some("[7]"), 1.0)
    );
    // As after a run was resumed: two attempts of one name may be of two policies.
    let error = refused(&[line(0, 0, "stop"), line(0, 0, "stop")].join("\n"));
    assert!(error.contains("the task already has a trajectory of this name (line 1)"), "{error}");
}
