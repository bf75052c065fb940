//! Visits against those of WebShop, byte for byte.

use super::{recorded, shop};
use crate::oracle;

use std::collections::BTreeMap;
use std::sync::Arc;

use hgpo_env::random::{Purpose, Stream};
use hgpo_env::webshop::{Session, Telling};
use serde::Deserialize;

#[derive(Deserialize)]
struct Recording {
    seed: u64,
    mode: Telling,
    session: usize,
    goal: RecordedGoal,
    obs: String,
    available_actions: Available,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct RecordedGoal {
    instruction_text: String,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Available {
    has_search_bar: bool,
    clickables: Vec<String>,
}

#[derive(Deserialize)]
struct Step {
    action: String,
    obs: String,
    reward: f64,
    done: bool,
    available_actions: Option<Available>,
}

#[test]
fn visits_are_as_recorded() {
    if oracle::webshop().is_none() {
        return;
    }
    let recordings: Vec<Recording> = recorded("episodes.json");
    let mut shops = BTreeMap::new();
    let mut chance = Stream::new(0, Purpose::Sampling, [0, 0]).chance();
    let mut steps = 0;
    for (number, recording) in recordings.iter().enumerate() {
        let shop = shops.entry(recording.seed).or_insert_with(|| shop(recording.seed).unwrap());
        let mut visit = Session::new(Arc::clone(shop), recording.session).unwrap();
        assert_eq!(visit.goal().instruction, recording.goal.instruction_text, "{number}");
        let available = |visit: &Session| Available {
            has_search_bar: visit.has_search(),
            clickables: visit.clickables(),
        };
        assert_eq!(visit.render(recording.mode), recording.obs, "{number}");
        assert_eq!(available(&visit), recording.available_actions, "{number}");
        for (place, step) in recording.steps.iter().enumerate() {
            let at = format!("{number}, step {place}: {}", step.action);
            visit.act(&step.action, &mut chance);
            assert_eq!(visit.render(recording.mode), step.obs, "{at}");
            let score = visit.reward().map_or(0.0, |reward| reward.score);
            assert_eq!(
                (score.to_bits(), visit.reward().is_some()),
                (step.reward.to_bits(), step.done)
            );
            // Beyond the end the original begins another visit.
            if let Some(expected) = step.available_actions.as_ref().filter(|_| !step.done) {
                assert_eq!(available(&visit), *expected, "{at}");
            }
            steps += 1;
        }
    }
    println!("{steps} steps of {} visits are as recorded", recordings.len());
    assert_eq!(recordings.len(), 50);
}
