//! verl-agent's rows, and what rows of all formats share.
#![allow(clippy::float_cmp, reason = "exact numbers are what is tested")]

use hgpo_core::format;

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
    let row = r#"{"uid":"u","traj_uid":"a","anchor_obs":"s","rewards":1,"valid":"no"}"#;
    let error = format::read(row.as_bytes()).expect_err("no flag").to_string();
    assert!(error.contains("`valid` must be true or false"), "{error}");
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
