use std::collections::BTreeMap;

use super::*;
use crate::policy::LossGradient;
use crate::policy::sampling::Sampling;
use hgpo_env::random::{Purpose, Stream};

const SETTINGS: AdamWSettings = AdamWSettings { beta_1: 0.9, beta_2: 0.999, weight_decay: 0.01 };
const UPDATE: OptimizerStep =
    OptimizerStep { divisor: 1.0, max_grad_norm: 1e9, learning_rate: 0.1 };

fn entry(action: u64) -> TableKey {
    TableKey { memory: 7, action }
}

/// Preferences 0 and ln 3 of actions 1 and 2 in memory 7: probabilities 1/4 and 3/4.
fn table() -> TablePolicy {
    let mut table = TablePolicy::default();
    let place = table.place(entry(2));
    table.preferences[place] = 3f64.ln();
    table
}

/// A gradient of these values.
fn gradient<const ENTRIES: usize>(values: [(TableKey, f64); ENTRIES]) -> TableGradient {
    let mut gradient = TableGradient::default();
    for (TableKey { memory, action }, value) in values {
        *gradient.0.entry(memory).or_default().get_or_insert(0, action, 0.0) += value;
    }
    gradient
}

fn close(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-12, "{value} {expected}");
}

#[test]
fn a_prompt_keeps_memory_and_actions() {
    let (memory, actions) = (u64::MAX - 5, [1 << 40, 3]);
    let prompt = prompt(memory, actions);
    let (read, listed) = memory_and_actions(&prompt);
    assert_eq!((read, listed.collect::<Vec<_>>()), (memory, actions.to_vec()));
}

#[test]
fn scores_are_those_of_the_softmax() {
    let prompt = prompt(7, [1, 2]);
    let passages = [0, 1].map(|token| [token]);
    let passages = passages.each_ref().map(|response| Passage { prompt: &prompt, response });
    let scores = table().score(&passages, 1.0).unwrap();
    close(scores[0].log_probability, 0.25f64.ln());
    close(scores[1].log_probability, 0.75f64.ln());
    close(scores[0].entropy, -(0.25 * 0.25f64.ln() + 0.75 * 0.75f64.ln()));
    // At temperature 1/2 the odds are 1 : 9.
    close(table().score(&passages, 0.5).unwrap()[1].log_probability, 0.9f64.ln());
}

#[test]
fn probabilities_are_those_of_the_softmax() {
    let found = table().probabilities(&prompt(7, [1, 2]), 1.0);
    assert_eq!(found.len(), 2);
    close(found[0], 0.25);
    close(found[1], 0.75);
    // At temperature 1/2 the odds are 1 : 9; in another memory nothing is known.
    close(table().probabilities(&prompt(7, [2, 1]), 0.5)[0], 0.9);
    assert_eq!(table().probabilities(&prompt(8, [2, 1, 3, 4]), 1.0), [0.25; 4]);
}

#[test]
fn actions_are_found_wherever_they_are_listed() {
    // The same memory with other actions in another order, over two micro-batches.
    let loss_gradient = LossGradient { log_probability: -1.0, entropy: 0.0 };
    let mut loss_gradients = |scores: &[TokenScore]| vec![loss_gradient; scores.len()];
    let mut of = |actions: &[u64]| {
        let prompt = prompt(7, actions.iter().copied());
        let passage = [Passage { prompt: &prompt, response: &[0] }];
        TablePolicy::default().gradient(&passage, 1.0, &mut loss_gradients).unwrap()
    };
    let sum = sorted(&TablePolicy::add(of(&[1, 2]), of(&[3, 2, 1, 4])).0);
    // −(1 − 1/2) + 1/4, 1/2 + 1/4, −(1 − 1/4), 1/4.
    let expected = [(1, -0.25), (2, 0.75), (3, -0.75), (4, 0.25)];
    assert_eq!(sum.len(), 4);
    for ((found, value), (action, expected)) in sum.into_iter().zip(expected) {
        assert_eq!(found, entry(action));
        close(value, expected);
    }
}

#[test]
fn responses_follow_the_scores_and_know_their_own() {
    let prompt = prompt(7, [1, 2]);
    let mut streams: Vec<Stream> =
        (0..4000).map(|row| Stream::new(3, Purpose::Sampling, [row, 0])).collect();
    let prompts = vec![prompt.as_slice(); streams.len()];
    let drawn =
        table().generate(&prompts, Sampling::at(1.0), 1, &mut streams, &mut |_, _| true).unwrap();
    let second = drawn.iter().filter(|response| response[0].token == 1).count() as f64;
    // Standard error √(0.75 · 0.25 / 4000) = 0.0068; five of them.
    assert!((second / 4000.0 - 0.75).abs() < 0.035, "{second}");
    for response in drawn.iter().take(20) {
        let passage = Passage { prompt: &prompt, response: &[response[0].token] };
        let scored = table().score(&[passage], 1.0).unwrap()[0].log_probability;
        close(response[0].log_probability, scored);
    }
}

#[test]
fn the_gradient_is_the_derivative_of_the_loss() {
    let prompt = prompt(7, [1, 2, 3]);
    let passage = [Passage { prompt: &prompt, response: &[1] }];
    let loss_gradient = LossGradient { log_probability: -2.0, entropy: 0.5 };
    let mut loss_gradients = |scores: &[TokenScore]| vec![loss_gradient; scores.len()];
    let gradient = table().gradient(&passage, 0.8, &mut loss_gradients).unwrap();
    let loss = |table: &TablePolicy| {
        let score = table.score(&passage, 0.8).unwrap()[0];
        loss_gradient.log_probability * score.log_probability
            + loss_gradient.entropy * score.entropy
    };
    let gradient = sorted(&gradient.0);
    assert_eq!(gradient.len(), 3);
    for &(entry, found) in &gradient {
        let moved = |by: f64| {
            let mut table = table();
            let place = table.place(entry);
            table.preferences[place] += by;
            loss(&table)
        };
        let expected = (moved(1e-6) - moved(-1e-6)) / 2e-6;
        assert!((found - expected).abs() < 1e-7, "{entry:?} {found} {expected}");
    }
    // Preferences are shifted together without effect.
    close(gradient.iter().map(|(_, value)| value).sum(), 0.0);
}

#[test]
fn the_first_step_moves_by_the_learning_rate_against_the_sign() {
    let mut table = table();
    let mut moments = table.optimizer(SETTINGS);
    let gradient = gradient([(entry(1), 3.0), (entry(2), -4.0)]);
    let update = OptimizerStep { divisor: 2.0, ..UPDATE };
    // Divided by 2: (1.5, −2), norm 2.5.
    close(table.apply(gradient, &mut moments, update).unwrap(), 2.5);
    assert!((table.preference(entry(1)) + 0.1).abs() < 1e-7);
    let decayed = 3f64.ln() * (1.0 - 0.1 * 0.01);
    assert!((table.preference(entry(2)) - decayed - 0.1).abs() < 1e-7);
}

#[test]
fn an_entry_that_joins_later_moves_as_if_it_had_been_there_from_the_start() {
    let run = |known: bool| {
        let mut table = TablePolicy::default();
        let mut moments = table.optimizer(SETTINGS);
        let first = if known {
            gradient([(entry(1), 1.0), (entry(2), 0.0)])
        } else {
            gradient([(entry(1), 1.0)])
        };
        let _ = table.apply(first, &mut moments, UPDATE).unwrap();
        let second = gradient([(entry(2), 1.0)]);
        let _ = table.apply(second, &mut moments, UPDATE).unwrap();
        [1, 2].map(|action| table.preference(entry(action)))
    };
    assert_eq!(run(true).map(f64::to_bits), run(false).map(f64::to_bits));
    // Momentum goes on moving an entry that has no gradient any more.
    assert!(run(true)[0] < -0.1);
}

#[test]
fn a_non_finite_gradient_changes_nothing() {
    let mut table = table();
    let mut moments = table.optimizer(SETTINGS);
    let gradient = gradient([(entry(1), f64::NAN)]);
    assert!(table.apply(gradient, &mut moments, UPDATE).unwrap().is_nan());
    assert_eq!((table, moments.step), (self::table(), 0));
}

#[test]
fn files_give_back_every_bit_and_damage_is_named() {
    let (mut table, reference) = (table(), TablePolicy::default());
    let mut moments = table.optimizer(SETTINGS);
    let gradient = gradient([(entry(1), 0.1), (entry(9), -1e-300)]);
    let _ = table.apply(gradient, &mut moments, UPDATE).unwrap();
    let mut files = BTreeMap::new();
    let mut write = |name: &str, bytes| {
        files.insert(name.to_owned(), bytes);
        Ok::<_, std::io::Error>(())
    };
    table.save(&reference, &moments, &mut write).unwrap();

    let load = |files: &BTreeMap<String, Vec<u8>>| {
        let (mut policy, mut old) = (TablePolicy::default(), self::table());
        let mut again = policy.optimizer(SETTINGS);
        policy.load(&mut old, &mut again, 1, &mut |name| Ok(files[name].clone()))?;
        Ok::<_, PolicyError>((policy, old, again))
    };
    assert_eq!(load(&files).unwrap(), (table, reference, moments));

    let text = String::from_utf8(files["policy.csv"].clone()).unwrap();
    let twice = format!("{text}{}\n", text.lines().nth(1).unwrap());
    for (broken, says) in [
        ("memory;action\n".to_owned(), "the first line is not"),
        (text.replace("0000000000000007", "x"), "'x' is not a digest"),
        (text.replacen("e0", "e0,1", 1), "line 2"),
        (text.replacen("e0", "e999", 1), "not a finite number"),
        (twice, "twice"),
    ] {
        let mut files = files.clone();
        files.insert("policy.csv".into(), broken.into_bytes());
        let error = load(&files).unwrap_err().to_string();
        assert!(error.contains("policy.csv") && error.contains(says), "{says}: {error}");
    }
}
