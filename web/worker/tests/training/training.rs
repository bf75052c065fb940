//! The lines are those of the trainer.

use std::sync::atomic::{AtomicU64, Ordering};

use hgpo_core::Estimator;
use hgpo_train::Host;
use hgpo_train::config::Config;
use hgpo_train::executor::{Executor, Sequential};
use hgpo_train::trainer::{Learner as _, Trainer, initial_policy as begin};
use serde_json::{Value, json};

use crate::ask::{run, settings, start, with};

/// One thread, and a clock that goes on whenever it is looked at.
#[derive(Default)]
struct Ticking(AtomicU64);

impl Host for Ticking {
    fn executor(&self) -> &dyn Executor {
        &Sequential
    }

    fn seconds(&self) -> f64 {
        self.0.fetch_add(1, Ordering::Relaxed) as f64 * 0.7
    }

    fn interrupted(&self) -> bool {
        false
    }

    fn progress(&self, _phase: &str, _done: usize, _total: usize) {}
}

/// Metrics as text, a field a line; those of the clock without their values.
fn fields(metrics: &Value) -> Vec<String> {
    let clock =
        |name: &str| name == "time" || name.starts_with("seconds/") || name == "tokens_per_second";
    let text = |(name, value): (&String, &Value)| {
        if clock(name) { name.clone() } else { format!("{name}: {value}") }
    };
    metrics.as_object().unwrap().iter().map(text).collect()
}

#[test]
fn all_estimators_train_as_the_trainer_does_but_for_the_clock() {
    for world in ["signpost", "locked", "hall"] {
        for estimator in Estimator::all().iter().filter(|it| !it.reads_agents()) {
            let settings = with(
                &settings(world),
                &json!({ "estimator": estimator.flat(), "environment": { "gridworld": { "slip": 0.1 } } }),
            );
            start(&settings, &[7]);
            let lines = run(3).remove(0);
            let config: Config = serde_json::from_value(settings).unwrap();
            let config = Config { seed: 7, ..config };
            let suite = hgpo_env::suite(&config.environment, None).unwrap();
            let (policy, format) = begin::table(&config);
            let mut trainer = Trainer::new(&config, suite, format, policy).unwrap();
            let clock = Ticking::default();
            for line in lines {
                let mut metrics = trainer.iterate(&clock).unwrap().unwrap().metrics;
                assert!(metrics["seconds/rollout"].as_f64().unwrap() > 0.0);
                // What the program adds.
                metrics.insert("seconds/iteration".into(), 1.5.into());
                metrics.insert("time".into(), 1e9.into());
                let line: Value = serde_json::from_str(&line).unwrap();
                assert_eq!(fields(&line), fields(&metrics.into()), "{world} {}", estimator.name());
                let clock = ["seconds/rollout", "seconds/iteration", "tokens_per_second", "time"];
                assert!(clock.iter().all(|name| line[name] == 0.0), "{line}");
            }
        }
    }
}

#[test]
fn seeds_do_not_depend_on_each_other_or_on_slices() {
    let settings = settings("signpost");
    let complete = start(&settings, &[3, 1, 4])["settings"].take();
    let together = run(6);
    assert_eq!(together.iter().map(Vec::len).collect::<Vec<_>>(), [6, 6, 6]);
    // All settings are the same settings.
    start(&complete, &[1]);
    let mut alone = run(2).remove(0);
    alone.extend(run(4).remove(0));
    assert_eq!(alone, together[1]);
    assert_ne!(together[0], together[1]);
}

#[test]
fn the_last_iteration_is_evaluated_and_nothing_is_beyond_it() {
    let last =
        json!({ "learn": { "iterations": 4 }, "evaluation": { "every": 2, "seeds": [5, 6] } });
    start(&with(&settings("comb"), &last), &[1]);
    let lines = run(10).remove(0);
    let has = |line: &String| line.contains(r#","time":0.0,"eval/success_rate":"#);
    assert_eq!(lines.iter().map(has).collect::<Vec<_>>(), [false, true, false, true]);
    let line: Value = serde_json::from_str(&lines[3]).unwrap();
    // Two seeds of four episodes.
    let won = line["eval/success_rate"].as_f64().unwrap() * 8.0;
    assert!(won.fract() == 0.0 && line["eval/seen/success_rate"] == line["eval/success_rate"]);
    assert!(line["eval/unseen/episode_length/mean"].as_f64().unwrap() >= 1.0);
    assert_eq!(run(1), [Vec::<String>::new()]);
}

#[test]
fn one_iteration_is_made_however_short_the_time_is() {
    start(&settings("signpost"), &[1, 2]);
    let request = json!({ "run": { "iterations": 1_000_000, "milliseconds": 0 } });
    let ran = crate::ask::asked(&request, "ran");
    assert_eq!(
        (ran["iteration"].as_u64(), ran["lines"][1].as_array().unwrap().len()),
        (Some(1), 1)
    );
}

#[test]
fn a_warm_start_is_made_before_the_first_iteration() {
    let warm = json!({ "warm_start": { "episodes": 50, "epochs": 4, "learning_rate": 0.1 } });
    let won = |settings: &Value| -> f64 {
        start(settings, &[1]);
        let line: Value = serde_json::from_str(&run(1)[0][0]).unwrap();
        line["success_rate"].as_f64().unwrap()
    };
    let settings = settings("landmarks");
    assert!(won(&with(&settings, &warm)) > won(&settings) + 0.2);
}
