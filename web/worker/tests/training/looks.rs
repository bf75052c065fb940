//! What is shown of the last iteration.

use std::collections::BTreeMap;

use hgpo_core::Discount;
use hgpo_core::format::{self, Reader};
use hgpo_core::process::{Decision, Move, Process};
use hgpo_env::gridworld::{Map, ObservationMode, Position, observe_from};
use hgpo_worker::training::message::{Answer, Arrow, Cell};
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
    let rollouts = format::read(look().1.as_bytes()).unwrap();
    let mut count = 0;
    for arrow in arrows() {
        let here = cell(arrow.row, arrow.column);
        assert_eq!(here.steps.len(), arrow.visits);
        assert_eq!(here.memories.iter().map(|it| it.visits).sum::<usize>(), arrow.visits);
        assert!(here.memories.is_sorted_by_key(|it| std::cmp::Reverse(it.visits)));
        for step in &here.steps {
            let own = rollouts.iter().find(|it| it.trajectory == step.trajectory).unwrap();
            let state = &own.steps[step.time].state;
            assert!(here.memories.iter().any(|it| it.observation == *state));
        }
        for memory in &here.memories {
            assert!(memory.before.iter().all(|it| it.to_bits() == 0.25_f64.to_bits()));
            close(memory.after.iter().sum(), 1.0);
            assert!(memory.past.len() <= 2 && memory.observation.starts_with("open: "));
            count += usize::from((memory.after[0] - memory.before[0]).abs() > 1e-3);
        }
    }
    assert!(count > 0);
    assert_eq!(cell(0, 0), Cell { memories: Vec::new(), steps: Vec::new() });
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

#[test]
fn the_truth_is_that_of_the_policy_that_played() {
    // One step before the goal, on a corridor that is seen as it is: right wins 10 at once.
    let corridor = json!({ "environment": { "max_steps": 2, "gridworld": { "map": "S.G", "sight": "place" } },
        "learn": { "discount": 0.5 }, "rollout": { "history_length": 0, "group_size": 32, "tasks": 1 } });
    start(&with(&settings("signpost"), &corridor), &[1, 2]);
    run(1);
    let request = json!({ "truth": { "seed": 1, "task": "g00" } });
    let Answer::Truth { steps: truth } = answered(&request) else { panic!() };
    let rollouts = format::read(look().1.as_bytes()).unwrap();
    let mut right = 0;
    for (attempt, steps) in rollouts.iter().zip(&truth) {
        let first = steps[0].unwrap();
        // One of four ways goes on, and one of four of these wins: a step is worth 0.5 · 10 / 16 = 0.3125.
        if attempt.steps[0].action.as_deref() == Some("right") {
            // 0.5 · 10 / 4 there, less what it was worth before.
            close(first, 0.9375);
            right += 1;
        } else {
            close(first, -0.3125);
        }
        assert_eq!(steps.len(), attempt.steps.len());
    }
    assert!(right > 0);
    let missing = json!({ "truth": { "seed": 1, "task": "g01" } });
    let Answer::Error(said) = answered(&missing) else { panic!() };
    assert!(said.starts_with("task: nothing was played at 'g01'"), "{said}");
}

#[test]
fn a_task_that_is_too_large_for_true_values_is_told_as_such() {
    let large = json!({
        "environment": { "max_steps": 60, "gridworld": { "slip": 0.3 } },
        "rollout": { "tasks": 1, "group_size": 2, "history_length": 8 },
    });
    start(&with(&settings("hall"), &large), &[1]);
    run(1);
    for kind in ["truth", "process"] {
        let answer = answered(&json!({ kind: { "seed": 0, "task": "g00" } }));
        let Answer::TooLarge { combinations } = answer else { panic!("{answer:?}") };
        assert!(combinations > 1000, "{combinations}");
    }
}

#[test]
fn the_truth_of_every_step_is_known_where_moves_slip_and_places_look_alike() {
    let slips = json!({ "environment": { "gridworld": { "slip": 0.2 } } });
    start(&with(&settings("locked"), &slips), &[1, 2]);
    run(3);
    let request = json!({ "truth": { "seed": 1, "task": "g02" } });
    let Answer::Truth { steps: truth } = answered(&request) else { panic!() };
    assert_eq!(truth.len(), 4);
    let known: Vec<_> = truth.iter().flatten().map(|step| step.unwrap()).collect();
    assert!(known.iter().any(|advantage| *advantage > 0.0));
    assert!(known.iter().any(|advantage| *advantage < 0.0));
}

#[test]
fn the_process_of_a_task_says_what_the_truth_does() {
    let slips =
        json!({ "environment": { "gridworld": { "slip": 0.2 } }, "learn": { "discount": 0.9 } });
    start(&with(&settings("locked"), &slips), &[1, 2]);
    run(3);
    let ask = |kind: &str| answered(&json!({ kind: { "seed": 1, "task": "g01" } }));
    let Answer::Truth { steps: truth } = ask("truth") else { panic!() };
    let Answer::Process(told) = ask("process") else { panic!() };
    let process: Process = serde_json::from_str(&told.process).unwrap();
    let values = process.values(Discount::new(0.9).unwrap());
    let rollouts = format::read(look().1.as_bytes()).unwrap();
    let attempts: Vec<_> = rollouts.iter().filter(|it| it.task == "g01").collect();
    assert_eq!((attempts.len(), told.situations.len()), (4, 4));
    let (mut alone, mut several) = (0, 0);
    for ((attempt, situations), steps) in attempts.into_iter().zip(&told.situations).zip(&truth) {
        let located = process.locate(attempt).unwrap();
        for (time, (situation, step)) in situations.iter().zip(steps).enumerate() {
            let situation = situation.unwrap();
            let is_taken = |it: &Move| Some(&it.action) == attempt.steps[time].action.as_ref();
            let action = process.situations()[situation].actions.iter().position(is_taken).unwrap();
            let steps_left = process.step_limit() - time;
            let truth = values.advantage(Decision { situation, steps_left, action });
            assert_eq!(truth.to_bits(), step.unwrap().to_bits());
            // Where the attempt alone tells the situation, it is this one.
            assert!(located[time].is_none_or(|it| it.situation == situation));
            *if located[time].is_some() { &mut alone } else { &mut several } += 1;
        }
    }
    assert!(alone > 0 && several > 0, "{alone} {several}");
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
    let request = json!({ "process": { "seed": 1, "task": "g00" } });
    let Answer::Process(told) = answered(&request) else { panic!() };
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
