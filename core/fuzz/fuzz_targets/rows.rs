//! verl-agent's rows, from arbitrary columns.
#![no_main]

use arbitrary::Arbitrary;
use hgpo_core::format;
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Row {
    task: u8,
    trajectory: u8,
    state: String,
    reward: f64,
    valid: Option<bool>,
}

fuzz_target!(|rows: Vec<Row>| {
    let mut text = String::new();
    for Row { task, trajectory, state, reward, valid } in &rows {
        // `{:?}` of a string is close to JSON; if it is not, the line is refused.
        let valid = valid.map_or(String::new(), |valid| format!(",\"is_action_valid\":{valid}"));
        text.push_str(&format!(
            "{{\"uid\":\"{task}\",\"traj_uid\":\"{trajectory}\",\"anchor_obs\":{state:?},\"rewards\":{reward:?}{valid}}}\n"
        ));
    }
    if let Ok(trajectories) = format::read(text.as_bytes()) {
        let steps: usize = trajectories.iter().map(|trajectory| trajectory.steps.len()).sum();
        assert_eq!(steps, rows.len());
    }
});
