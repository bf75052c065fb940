//! Layouts: the same rollouts as trajectories, rows, tables, conversations and dumps of trainers, whole and damaged.

use super::*;

use format::{Layout, read_with};
use serde_json::json;

const OWN: [&str; 6] = ["task", "trajectory", "state", "action", "reward", "valid"];
const FOREIGN: [&str; 6] =
    ["uid", "traj_uid", "anchor_obs", "action", "rewards", "is_action_valid"];
const NAMED: [&str; 6] = ["group", "id", "obs", "did", "score", "kept"];
const COLUMNS: &str = "task=group,trajectory=id,state=obs,action=did,reward=score,valid=kept";
const NESTED: &str =
    "task=group,trajectory=id,steps=turns,state=obs,action=did,reward=score,valid=kept";

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

/// A trajectory a line, by other names.
fn nested(all: &[Trajectory]) -> String {
    let line = |own: &Trajectory| {
        let steps = own.steps.iter().map(|step| {
            let Step { state, action, reward, valid, .. } = step;
            json!({ "obs": state, "did": action, "score": reward, "kept": valid })
        });
        let turns: Value = steps.collect();
        json!({ "group": own.task, "id": own.trajectory, "turns": turns }).to_string() + "\n"
    };
    all.iter().map(line).collect()
}

/// All ways to write the rollouts down, with the columns that have to be named.
fn logs(all: &[Trajectory]) -> [(String, &'static str); 9] {
    [
        (nested(all), NESTED),
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

/// The rollouts as dumps say them that hold texts: a step, whose state is the prompt, by which they are grouped.
fn single_steps(all: &[Trajectory]) -> Vec<Trajectory> {
    let single = |own: &Trajectory| {
        let step = Step { state: own.task.clone(), valid: true, ..own.steps[0].clone() };
        Trajectory::new(format!("7/{}", own.task), own.trajectory.clone(), vec![step])
    };
    all.iter().map(single).collect()
}

/// The rollouts as dumps say them that hold messages: one reward, at the end.
fn end_rewards(all: &[Trajectory]) -> Vec<Trajectory> {
    let mut all = all.to_vec();
    for own in &mut all {
        let last = own.steps.len() - 1;
        for (place, step) in own.steps.iter_mut().enumerate() {
            (step.valid, step.reward) = (true, if place == last { step.reward } else { 0.0 });
        }
    }
    all
}

/// What is seen and done in turn.
fn messages(own: &Trajectory) -> Vec<Value> {
    let turn = |step: &Step| {
        let [seen, done] =
            [("user", &step.state), ("assistant", step.action.as_ref().expect("one"))];
        [seen, done].map(|(role, content)| json!({ "role": role, "content": content }))
    };
    own.steps.iter().flat_map(turn).collect()
}

/// Dumps that hold texts.
fn text_dumps(all: &[Trajectory]) -> [String; 3] {
    let line = |place: usize, kind: usize| {
        let Step { state, action, reward, .. } = &all[place].steps[0];
        let line = match kind {
            0 => {
                json!({ "input": state, "output": action, "gts": null, "score": reward, "step": 7 })
            }
            1 => json!({ "step": "7", "prompt": state, "completion": action, "reward": reward }),
            _ => json!({
                "step": 7, "sample_idx": place, "prompt_idx": state, "prompt_tokens": state,
                "response_tokens": action, "reward": reward, "advantage": 0.5,
            }),
        };
        line.to_string() + "\n"
    };
    [0, 1, 2].map(|kind| (0..all.len()).map(|place| line(place, kind)).collect())
}

/// A line of a dump of messages.
fn message_line(own: &Trajectory, kind: usize) -> Value {
    let all = messages(own);
    let Trajectory { task, trajectory, .. } = own;
    let reward = own.steps[own.steps.len() - 1].reward;
    let turns = || all.chunks(2).enumerate();
    let (prompt, completion) = (&all[..1], &all[1..]);
    match kind {
        0 => json!({
            "example_id": task, "task": "e", "prompt": prompt, "completion": completion, "reward": reward,
        }),
        1 => {
            let steps = turns().map(|(turn, pair)| {
                let reward = Value::from(if turn % 2 == 0 { Some(reward) } else { None });
                json!({ "prompt": all[..=2 * turn], "completion": pair[1..], "reward": reward })
            });
            json!({
                "example_id": task, "task": "e", "prompt": prompt, "completion": completion, "reward": reward,
                "trajectory": steps.collect::<Vec<_>>(),
            })
        }
        2 => json!({
            "step": "e", "prompt": prompt, "completion": completion, "reward": reward,
        }),
        3 => json!({
            "custom_id": trajectory, "messages": all,
            "metadata": { "group_id": format!("e/{task}"), "total_reward": reward, "success": false },
        }),
        _ => {
            let nodes = all.iter().enumerate().map(|(place, message)| {
                let parent = place.checked_sub(1);
                json!({ "parent": parent, "message": message, "sampled": place % 2 == 1 })
            });
            let rewards =
                json!({ "a": { "score": reward, "weight": 0.5 }, "b": reward * 0.5, "c": null });
            let trace = json!({
                "id": trajectory, "task": { "key": "k" }, "ok": true, "rewards": rewards,
                "nodes": nodes.collect::<Vec<_>>(),
            });
            json!({ "group": { "id": format!("e/{task}") }, "traces": [trace] })
        }
    }
}

/// All dumps of the rollouts, and what they say.
fn dumps(all: &[Trajectory]) -> Vec<(String, Vec<Trajectory>)> {
    let texts = single_steps(all);
    let mut dumps: Vec<_> =
        text_dumps(&texts).into_iter().map(|text| (text, texts.clone())).collect();
    let whole = end_rewards(all);
    for kind in 0..5 {
        let lines = whole.iter().map(|own| message_line(own, kind).to_string() + "\n");
        let mut said = whole.clone();
        for own in &mut said {
            // A prompt is the group in one of them.
            let prompt = json!([{ "content": own.steps[0].state, "role": "user" }]).to_string();
            own.task = format!("e/{}", if kind == 2 { &prompt } else { &own.task });
        }
        dumps.push((lines.collect(), said));
    }
    dumps
}

/// Whose steps they are, without what else they hold.
fn plain(all: &[Trajectory]) -> Vec<Trajectory> {
    let plain = |own: &Trajectory| {
        let steps = own.steps.iter().cloned();
        let steps = steps.map(|step| Step { extra: serde_json::Map::new(), ..step });
        Trajectory::new(own.task.clone(), "", steps.collect())
    };
    all.iter().map(plain).collect()
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

    #[test]
    fn dumps_have_the_advantages_of_the_trajectories_that_they_say(all in rollouts()) {
        for (text, said) in dumps(&all) {
            let (read, noticed) = read_with(text.as_bytes(), &layout(""))
                .unwrap_or_else(|error| panic!("{error}: {text}"));
            prop_assert_eq!(plain(&read), plain(&said), "{}", text);
            let is_text = said.iter().all(|own| own.task.starts_with('7'));
            prop_assert_eq!(noticed.one_step, if is_text { all.len() } else { 0 });
            prop_assert_eq!((noticed.omitted, noticed.cut_off), (0, 0));
            let of = |all: &[Trajectory]| {
                estimate(&batch(all), &Options::default()).expect("an estimate").advantages
            };
            prop_assert_eq!(of(&read), of(&said), "{}", text);
        }
    }

    #[test]
    fn logs_with_advantages_are_the_same_logs(all in rollouts()) {
        let dumps = dumps(&all).into_iter().map(|(text, _)| (text, ""));
        for (text, columns) in logs(&all).into_iter().chain(dumps) {
            let layout = layout(columns);
            let read = |text: &str| read_with(text.as_bytes(), &layout).expect(text).0;
            let before = read(&text);
            let batch = batch(&before);
            let estimate = estimate(&batch, &Options::default()).expect("an estimate");
            let mut sink = Vec::new();
            if text.starts_with('{') {
                let mut log = format::Annotator::new(text.as_bytes(), layout.clone());
                log.write(&batch, &estimate.advantages, &mut sink).expect(&text);
                log.finish(&mut sink).expect(&text);
            } else {
                format::annotate_csv(text.as_bytes(), &layout, &batch, &estimate.advantages, &mut sink).expect(&text);
            }
            let written = String::from_utf8(sink).expect("text");
            prop_assert_eq!(plain(&read(&written)), plain(&before), "{}", written);
            // One of them has advantages, which are replaced.
            if text.starts_with('{') && !text.contains("advantage") {
                // Nothing but the advantages, in the order of the file.
                let numbers: Vec<String> = estimate.advantages.values().iter().map(|it| json!(it).to_string()).collect();
                let mut rest = written.as_str();
                let mut without = String::new();
                let mut found = Vec::new();
                while let Some((before, after)) = rest.split_once(",\"advantage\":") {
                    without.push_str(before);
                    let (number, after) = after.split_once('}').expect("an object");
                    found.push(number.to_owned());
                    without.push('}');
                    rest = after;
                }
                without.push_str(rest);
                prop_assert_eq!(without, text);
                prop_assert_eq!(found, numbers);
            }
        }
    }

    /// All layouts a case: cut off, a byte changed, bytes left out, bytes twice.
    #[test]
    fn damaged_logs_are_read_or_refused_with_their_place(
        all in rollouts(),
        at in any::<prop::sample::Index>(),
        kind in 0..4,
        byte in any::<u8>(),
    ) {
        let dumps = dumps(&all).into_iter().map(|(text, _)| (text, ""));
        for (text, columns) in logs(&all).into_iter().chain(dumps) {
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
