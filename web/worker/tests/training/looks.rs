//! What is shown of the last iteration.

use std::collections::{BTreeMap, BTreeSet};

use hgpo_core::format::{self, Reader};
use hgpo_core::process::{Decision, Move, Process};
use hgpo_core::{Batch, Discount, Estimator, estimate};
use hgpo_env::gridworld::{Map, ObservationMode, Position, observe_from};
use hgpo_worker::training::message::{ActionVerdict, Answer, Arrow, Cell, TaskProcess, Verdicts};
use serde_json::{Value, json};

use crate::ask::{run, settings, start, with};

fn answered(request: &Value) -> Answer {
    serde_json::from_str(&hgpo_worker::training::answer(&request.to_string())).unwrap()
}

/// The last iteration, and its rollouts.
fn look() -> (u64, String) {
    let look = answered(&json!({ "look": { "seed": 1 } }));
    let Answer::Look { iteration, rollouts } = look else { panic!() };
    (iteration, rollouts)
}

fn arrows() -> Vec<Arrow> {
    let arrows = answered(&json!({ "arrows": { "seed": 1 } }));
    let Answer::Arrows { places } = arrows else { panic!() };
    places
}

fn cell(row: usize, column: usize) -> Cell {
    let request = json!({ "cell": { "seed": 1, "row": row, "column": column } });
    let Answer::Cell(cell) = answered(&request) else { panic!() };
    cell
}

fn close(one: f64, other: f64) {
    assert!((one - other).abs() < 1e-9, "{one} {other}");
}

#[test]
fn before_the_first_iteration_there_is_nothing() {
    start(&settings("locked"), &[1, 2]);
    assert_eq!(look(), (0, String::new()));
    assert!(arrows().is_empty() && cell(1, 1).memories.is_empty());
}

#[test]
fn every_step_is_at_the_place_where_it_was_taken() {
    let map = "#########\n#K..S..D#\n#######.#\n#######G#\n#########";
    let slips =
        json!({ "environment": { "max_steps": 30, "gridworld": { "map": map, "slip": 0.2 } } });
    start(&with(&settings("locked"), &slips), &[1, 2]);
    run(4);
    let (_, rollouts) = look();
    let mut reader = Reader::new(rollouts.as_bytes());
    let made = reader.provenance().unwrap().unwrap();
    assert_eq!((made.seed, made.iteration), (Some(2), Some(4)));
    let trajectories = format::read(rollouts.as_bytes()).unwrap();
    let map = Map::parse(map).unwrap();
    // Each place is seen as often as it was visited.
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for step in trajectories.iter().flat_map(|it| &it.steps) {
        *seen.entry(step.state.clone()).or_default() += 1;
    }
    let mut visited: BTreeMap<String, usize> = BTreeMap::new();
    let arrows = arrows();
    for arrow in &arrows {
        let place = Position { row: arrow.row, column: arrow.column };
        *visited
            .entry(observe_from(&map, ObservationMode::Labels, place, arrow.key))
            .or_default() += arrow.visits;
    }
    assert_eq!(visited, seen);
    assert!(arrows.iter().any(|it| it.key) && arrows.iter().any(|it| !it.key));
    // Slips lead astray, and the way is found nevertheless: steps begin where the last one led.
    assert_eq!(trajectories.len(), 12);
}

#[test]
fn a_cell_shows_its_steps_and_what_they_changed() {
    let long = json!({ "environment": { "max_steps": 100 } });
    start(&with(&settings("signpost"), &long), &[1, 2]);
    run(1);
    let mut count = 0;
    for arrow in arrows() {
        let here = cell(arrow.row, arrow.column);
        assert_eq!(here.memories.iter().map(|it| it.visits).sum::<usize>(), arrow.visits);
        assert!(here.memories.is_sorted_by_key(|it| std::cmp::Reverse(it.visits)));
        for memory in &here.memories {
            assert!(memory.before.iter().all(|it| it.to_bits() == 0.25_f64.to_bits()));
            close(memory.after.iter().sum(), 1.0);
            assert!(memory.past.len() <= 2 && memory.observation.starts_with("open: "));
            count += usize::from((memory.after[0] - memory.before[0]).abs() > 1e-3);
        }
    }
    assert!(count > 0);
    assert_eq!(cell(0, 0), Cell { memories: Vec::new() });
}

#[test]
fn arrows_are_means_over_the_steps_and_learn_the_way() {
    let corridor = json!({ "environment": { "gridworld": { "map": "######\n#Sa.G#\n######" } } });
    start(&with(&settings("signpost"), &corridor), &[1, 2]);
    run(150);
    let arrows = arrows();
    for arrow in &arrows {
        close(arrow.mean.iter().sum(), 1.0);
        let here = cell(arrow.row, arrow.column);
        assert_eq!(arrow.memories, here.memories[..here.memories.len().min(3)]);
        for action in 0..4 {
            let sum: f64 = here.memories.iter().map(|it| it.visits as f64 * it.after[action]).sum();
            close(arrow.mean[action], sum / arrow.visits as f64);
        }
    }
    // From the start on, at the left, the way is to the right.
    let first = arrows.iter().find(|it| (it.row, it.column) == (1, 1)).unwrap();
    assert!(first.mean[3] > 0.9, "{first:?}");
}

/// What estimators of these names say, and what is true.
fn verdicts(names: &[&str]) -> Verdicts {
    let estimators: Vec<Value> = names.iter().map(|name| json!({ "name": name })).collect();
    let request = json!({ "verdicts": { "seed": 1, "estimators": estimators, "truth": true } });
    let Answer::Verdicts(verdicts) = answered(&request) else { panic!() };
    verdicts
}

fn process(task: &str) -> TaskProcess {
    let answer = answered(&json!({ "process": { "seed": 1, "task": task } }));
    let Answer::Process(told) = answer else { panic!("{answer:?}") };
    told
}

/// Values brought to mean 0 and standard deviation 1.
fn standardized(values: &[f64]) -> Vec<f64> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let deviation = (values.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / count).sqrt();
    values.iter().map(|it| (it - mean) / deviation).collect()
}

#[test]
fn the_truth_is_that_of_the_policy_that_played() {
    // One step before the goal, on a corridor that is seen as it is: right wins 10 at once.
    let corridor = json!({ "environment": { "max_steps": 2, "gridworld": { "map": "S.G", "sight": "place" } },
        "learn": { "discount": 0.5 }, "rollout": { "history_length": 0, "group_size": 128, "tasks": 1 } });
    start(&with(&settings("signpost"), &corridor), &[1, 2]);
    run(1);
    let rollouts = format::read(look().1.as_bytes()).unwrap();
    // One of four ways goes on, and one of four of these wins: the start is worth 0.5 · 10 / 16 = 0.3125, the cell
    // beside the goal 10 / 4, and 0.5 · 0 after two steps.
    let worth = |time: usize, place: &str, action: &str| match (time, place, action) {
        (0, _, "right") => 0.9375,
        (0, ..) => -0.3125,
        (_, "0,1", "right") => 7.5,
        (_, "0,1", _) => -2.5,
        _ => 0.0,
    };
    let mut taken: Vec<(&str, String, f64)> = Vec::new();
    for attempt in &rollouts {
        let mut place = "0,0";
        for (time, step) in attempt.steps.iter().enumerate() {
            let action = step.action.clone().unwrap();
            let next = if action == "right" { "0,1" } else { "0,0" };
            taken.push((place, action.clone(), worth(time, place, &action)));
            place = next;
        }
    }
    let standard = standardized(&taken.iter().map(|it| it.2).collect::<Vec<_>>());
    let said = verdicts(&["grpo", "gigpo"]);
    assert_eq!(said.actions.iter().map(|it| it.steps).sum::<usize>(), taken.len());
    for verdict in &said.actions {
        let place = format!("{},{}", verdict.row, verdict.column);
        let action = ["up", "down", "left", "right"][verdict.action];
        let is_own = |it: &(&(&str, String, f64), &f64)| it.0.0 == place && it.0.1 == action;
        let own: Vec<f64> =
            taken.iter().zip(&standard).filter(is_own).map(|(_, value)| *value).collect();
        assert_eq!((own.len(), verdict.advantages.len()), (verdict.steps, 2));
        let mean = own.iter().sum::<f64>() / own.len() as f64;
        assert!((verdict.truth.unwrap() - mean).abs() < 1e-5, "{mean} {verdict:?}");
    }
    let right = |it: &&ActionVerdict| (it.row, it.column, it.action) == (0, 1, 3);
    let best = said.actions.iter().find(right).unwrap();
    assert!(best.truth.unwrap() > 0.0 && best.advantages[1].unwrap() > 0.0, "{best:?}");
    assert!(said.agreement.iter().all(|it| it.unwrap() > 0.0), "{:?}", said.agreement);
}

#[test]
fn what_estimators_say_is_what_they_estimate_of_the_rollouts() {
    start(&settings("signpost"), &[1, 2]);
    run(2);
    let names = ["grpo", "gigpo", "hgpo"];
    let said = verdicts(&names);
    let trajectories = format::read(look().1.as_bytes()).unwrap();
    let actions: Vec<String> =
        trajectories.iter().flat_map(|it| &it.steps).filter_map(|it| it.action.clone()).collect();
    let batch = Batch::new(trajectories).unwrap();
    for (at, name) in names.into_iter().enumerate() {
        let mut options =
            Reader::new(look().1.as_bytes()).provenance().unwrap().unwrap().options.unwrap();
        options.estimator = Estimator::default_named(name).unwrap();
        let report = estimate(&batch, &options).unwrap();
        let standard = standardized(report.advantages.values());
        // Over all places at once, by action.
        for (action, side) in ["up", "down", "left", "right"].into_iter().enumerate() {
            let own = actions.iter().zip(&standard).filter(|(it, _)| *it == side);
            let wanted: f64 = own.map(|(_, value)| value).sum();
            let told = said.actions.iter().filter(|it| it.action == action);
            let sum: f64 = told.map(|it| it.steps as f64 * it.advantages[at].unwrap()).sum();
            assert!((sum - wanted).abs() < 1e-4, "{name} {side}: {sum} {wanted}");
        }
    }
    // One that does not exist, or cannot be had in a lane, says nothing, and the others do.
    let estimators =
        json!([{ "name": "none" }, { "name": "hgpo", "context_length": 99 }, { "name": "gigpo" }]);
    let request = json!({ "verdicts": { "seed": 1, "estimators": estimators, "truth": false } });
    let Answer::Verdicts(some) = answered(&request) else { panic!() };
    for (one, all) in some.actions.iter().zip(&said.actions) {
        assert_eq!(one.advantages, [None, None, all.advantages[1]]);
        assert!(one.truth.is_none() && all.truth.is_some());
    }
    assert_eq!((some.agreement, some.too_large), (vec![None; 3], None));
}

#[test]
fn a_task_that_is_too_large_for_true_values_is_told_as_such() {
    let large = json!({
        "environment": { "max_steps": 60, "gridworld": { "slip": 0.3 } },
        "rollout": { "tasks": 1, "group_size": 2, "history_length": 8 },
    });
    start(&with(&settings("hall"), &large), &[1, 2]);
    run(1);
    let answer = answered(&json!({ "process": { "seed": 0, "task": "g00" } }));
    let Answer::TooLarge { combinations } = answer else { panic!("{answer:?}") };
    assert!(combinations > 1000, "{combinations}");
    let said = verdicts(&["gigpo"]);
    assert!(said.too_large.unwrap() > 1000 && said.agreement == [None]);
    assert!(said.actions.iter().all(|it| it.truth.is_none() && it.advantages[0].is_some()));
}

#[test]
fn the_truth_is_that_of_the_processes_of_all_tasks() {
    let slips =
        json!({ "environment": { "gridworld": { "slip": 0.2 } }, "learn": { "discount": 0.9 } });
    start(&with(&settings("locked"), &slips), &[1, 2]);
    run(3);
    let rollouts = format::read(look().1.as_bytes()).unwrap();
    let tasks: BTreeSet<&str> = rollouts.iter().map(|it| &*it.task).collect();
    assert!(tasks.len() > 1);
    let (mut alone, mut several) = (0, 0);
    let (mut taken, mut truths) = (Vec::new(), Vec::new());
    for task in tasks {
        let told = process(task);
        let process: Process = serde_json::from_str(&told.process).unwrap();
        let values = process.values(Discount::new(0.9).unwrap());
        let attempts: Vec<_> = rollouts.iter().filter(|it| it.task == task).collect();
        assert_eq!(attempts.len(), told.situations.len());
        for (attempt, situations) in attempts.into_iter().zip(&told.situations) {
            let located = process.locate(attempt).unwrap();
            for (time, situation) in situations.iter().enumerate() {
                let situation = situation.unwrap();
                let step = &attempt.steps[time];
                let is_taken = |it: &Move| Some(&it.action) == step.action.as_ref();
                let named = &process.situations()[situation];
                let action = named.actions.iter().position(is_taken).unwrap();
                let steps_left = process.step_limit() - time;
                truths.push(values.advantage(Decision { situation, steps_left, action }));
                let place = named.name.split(" after ").next().unwrap().to_owned();
                taken.push((place, step.action.clone().unwrap()));
                // Where the attempt alone tells the situation, it is this one.
                assert!(located[time].is_none_or(|it| it.situation == situation));
                *if located[time].is_some() { &mut alone } else { &mut several } += 1;
            }
        }
    }
    assert!(alone > 0 && several > 0, "{alone} {several}");
    let standard = standardized(&truths);
    for verdict in verdicts(&[]).actions {
        let key = if verdict.key { " key" } else { "" };
        let place = format!("{},{}{key}", verdict.row, verdict.column);
        let action = ["up", "down", "left", "right"][verdict.action];
        let is_own = |it: &(&(String, String), &f64)| it.0.0 == place && it.0.1 == action;
        let own: Vec<f64> =
            taken.iter().zip(&standard).filter(is_own).map(|(_, value)| *value).collect();
        assert_eq!(own.len(), verdict.steps, "{place} {action}");
        let mean = own.iter().sum::<f64>() / own.len() as f64;
        assert!((verdict.truth.unwrap() - mean).abs() < 1e-5, "{mean} {verdict:?}");
    }
}

#[test]
fn values_by_restarts_are_near_the_truth_and_places_known_in_groups_drawn_again() {
    let other = json!({
        "environment": { "max_steps": 12, "gridworld": { "slip": 0.2 } },
        "rollout": { "tasks": 1, "dynamic_sampling": 3 },
        "learn": { "restarts": 80, "discount": 0.9 },
    });
    start(&with(&settings("locked"), &other), &[1, 2]);
    run(3);
    let told = process("g00");
    let process: Process = serde_json::from_str(&told.process).unwrap();
    let values = process.values(Discount::new(0.9).unwrap());
    let value = |(time, situation): (usize, &Option<usize>)| {
        values.value(situation.unwrap(), process.step_limit() - time)
    };
    let truth = told.situations.iter().flat_map(|own| own.iter().enumerate().map(value));
    let rollouts = format::read(look().1.as_bytes()).unwrap();
    let steps = rollouts.iter().flat_map(|it| &it.steps).zip(truth);
    let found: Vec<_> = steps.map(|(step, truth)| (step.state_value, truth)).collect();
    assert!(found.len() > 20);
    for (value, truth) in found {
        // A return between 0 and 10 has a deviation of at most 5, a mean of 80 one of 0.56.
        let value = value.unwrap();
        assert!((value - truth).abs() < 2.5, "{value} {truth}");
    }
}
