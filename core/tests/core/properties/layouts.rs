//! Layouts: the same rollouts as trajectories, rows, tables and conversations, whole and damaged.

use super::*;

use format::{Layout, read_with};
use serde_json::json;

const OWN: [&str; 6] = ["task", "trajectory", "state", "action", "reward", "valid"];
const FOREIGN: [&str; 6] =
    ["uid", "traj_uid", "anchor_obs", "action", "rewards", "is_action_valid"];
const NAMED: [&str; 6] = ["group", "id", "obs", "did", "score", "kept"];
const COLUMNS: &str = "task=group,trajectory=id,state=obs,action=did,reward=score,valid=kept";

/// Texts with what separates, quotes and escapes in the formats.
fn rollouts() -> impl Strategy<Value = Vec<Trajectory>> {
    let text = "[ab ,\"\\\\\u{e9}\n:{}]{1,5}";
    let step = (text, text, reward(), prop::bool::weighted(0.8));
    let steps = prop::collection::vec(step, 1..5);
    prop::collection::vec(("[gh]", steps), 1..5).prop_map(|all| {
        let named = all.into_iter().enumerate().map(|(place, (task, steps))| {
            let steps = steps.into_iter().map(|(state, action, reward, valid)| {
                Step::new(state, reward).with_action(action).with_valid(valid)
            });
            Trajectory::new(task, place.to_string(), steps.collect())
        });
        named.collect()
    })
}

fn rows(all: &[Trajectory]) -> impl Iterator<Item = [Value; 6]> {
    all.iter().flat_map(|own| {
        own.steps.iter().map(|step| {
            let Step { state, action, reward, valid, .. } = step;
            [
                json!(own.task),
                json!(own.trajectory),
                json!(state),
                json!(action),
                json!(reward),
                json!(valid),
            ]
        })
    })
}

fn lines(all: &[Trajectory], names: [&str; 6]) -> String {
    let line = |row: [Value; 6]| {
        let object: serde_json::Map<String, Value> =
            names.map(str::to_owned).into_iter().zip(row).collect();
        Value::from(object).to_string() + "\n"
    };
    rows(all).map(line).collect()
}

fn table(all: &[Trajectory], names: [&str; 6]) -> String {
    let quoted = |value: Value| match value {
        Value::String(text) => format!("\"{}\"", text.replace('"', "\"\"")),
        other => other.to_string(),
    };
    rows(all).fold(names.join(",") + "\n", |table, row| table + &row.map(quoted).join(",") + "\n")
}

/// A user that shows the states, and an assistant that acts; rewards in its messages or in a list.
fn conversations(all: &[Trajectory], has_list: bool) -> String {
    let line = |own: &Trajectory| {
        let messages = own.steps.iter().enumerate().flat_map(|(place, step)| {
            let parts = json!([{ "type": "text", "text": step.state }]);
            let content = if place % 2 == 0 { parts } else { json!(step.state) };
            let mut turn =
                json!({ "role": "assistant", "content": step.action, "valid": step.valid });
            if !has_list {
                turn["reward"] = json!(step.reward);
            }
            [json!({ "role": "user", "content": content }), turn]
        });
        let mut line = json!({ "task": own.task, "trajectory": own.trajectory, "messages": messages.collect::<Vec<_>>() });
        if has_list {
            line["rewards"] = own.steps.iter().map(|step| step.reward).collect();
        }
        line.to_string() + "\n"
    };
    all.iter().map(line).collect()
}

/// All ways to write the rollouts down, with the columns that have to be named.
fn logs(all: &[Trajectory]) -> [(String, &'static str); 8] {
    [
        (lines(all, OWN), ""),
        (lines(all, FOREIGN), ""),
        (lines(all, NAMED), COLUMNS),
        (table(all, OWN), ""),
        (table(all, FOREIGN), ""),
        (table(all, NAMED), COLUMNS),
        (conversations(all, false), ""),
        (conversations(all, true), ""),
    ]
}

fn layout(columns: &str) -> Layout {
    let columns = if columns.is_empty() { Ok(format::Columns::default()) } else { columns.parse() };
    Layout { columns: columns.expect("columns"), ..Layout::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_500) })]

    #[test]
    fn every_layout_says_the_same(all in rollouts()) {
        for (text, columns) in logs(&all) {
            let (read, _) = read_with(text.as_bytes(), &layout(columns))
                .unwrap_or_else(|error| panic!("{error}: {text}"));
            prop_assert_eq!(&read, &all, "{}", text);
        }
    }

    /// Eight layouts a case: cut off, a byte changed, bytes left out, bytes twice.
    #[test]
    fn damaged_logs_are_read_or_refused_with_their_place(
        all in rollouts(),
        at in any::<prop::sample::Index>(),
        kind in 0..4,
        byte in any::<u8>(),
    ) {
        for (text, columns) in logs(&all) {
            let mut bytes = text.into_bytes();
            let place = at.index(bytes.len());
            let end = bytes.len().min(place + 1 + usize::from(byte % 20));
            match kind {
                0 => bytes.truncate(place),
                1 => bytes[place] = byte,
                2 => drop(bytes.drain(place..end)),
                _ => drop(bytes.splice(place..place, bytes[place..end].to_vec())),
            }
            let Err(error) = read_with(&bytes[..], &layout(columns)) else { continue };
            let told = error.to_string();
            let whole = ["no trajectories", "a file compressed", "text in UTF-16"];
            let is_whole = whole.iter().any(|begin| told.starts_with(begin));
            prop_assert!(told.starts_with("line ") || is_whole, "{}", told);
            prop_assert!(!told.contains('\n') && told.len() < 2_000, "{}", told);
        }
    }
}
