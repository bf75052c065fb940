//! A guide and a walker: they learn, what their words mean is told, and what is of maps is refused.

use std::collections::BTreeSet;

use hgpo_core::format;
use hgpo_worker::training::message::{Answer, Word};
use serde_json::{Value, json};

use crate::ask::{asked, raw, refused, run, settings, start, with};

/// Settings of a small training of the team.
fn team() -> Value {
    json!({
        "environment": { "name": "guide-and-walker", "max_steps": 20, "guide": { "layouts": 1 } },
        "policy": { "kind": "table" },
        "rollout": { "tasks": 8, "group_size": 8, "history_length": 0 },
        "warm_start": { "episodes": 0 },
        "estimator": { "name": "dr-mas", "inside": "gigpo" },
        "learn": { "iterations": 1000, "discount": 0.95, "normalize_advantages": true, "learning_rate": 0.2,
            "warmup_iterations": 0, "final_learning_rate_fraction": 1.0, "mini_batch_size": 4096 },
    })
}

fn words() -> Vec<Word> {
    let answer = serde_json::from_value(raw(&json!({ "words": { "seed": 1 } })).into()).unwrap();
    let Answer::Words { words } = answer else { panic!("{answer:?}") };
    words
}

/// The share of the words after which the walker did what was needed.
fn fitting(words: &[Word]) -> f64 {
    let sum = |own: fn(&Word) -> usize| words.iter().map(own).sum::<usize>() as f64;
    sum(|it| it.fitting) / sum(|it| it.said)
}

#[test]
fn a_team_makes_up_a_language_and_the_same_seeds_the_same_one() {
    start(&team(), &[1, 2]);
    assert_eq!(words(), []);
    let first = run(1);
    let before = words();
    let later = run(150);
    let after = words();
    let success = |lines: &[String]| -> f64 {
        let of = |line: &String| {
            let line: Value = serde_json::from_str(line).unwrap();
            assert!(line["agent/guide/turns"].as_f64().unwrap() >= 1.0, "{line}");
            line["success_rate"].as_f64().unwrap()
        };
        lines.iter().map(of).sum::<f64>() / lines.len() as f64
    };
    for lines in &later {
        let (early, late) = (success(&lines[..10]), success(&lines[140..]));
        assert!(late > early + 0.4, "{early} {late}");
    }
    // At first the walker guesses among some six steps.
    let (early, late) = (fitting(&before), fitting(&after));
    assert!(early < 0.4 && late > 0.6, "{early} {late}");
    start(&team(), &[1, 2]);
    assert_eq!((run(1), run(150), words()), (first, later, after));
}

#[test]
fn words_are_those_of_the_rollouts() {
    start(&team(), &[1, 2]);
    run(5);
    let rollouts = asked(&json!({ "look": { "seed": 1 } }), "look")["rollouts"].take();
    let attempts = format::read(rollouts.as_str().unwrap().as_bytes()).unwrap();
    let words = words();
    let all: BTreeSet<&str> = words.iter().map(|it| &*it.word).collect();
    // Three rooms but the hall, three things and three verbs.
    assert!(all.len() == words.len() && words.len() == 9 && all.contains("open"), "{all:?}");
    for own in &words {
        let uses = attempts.iter().flat_map(|attempt| {
            let steps = attempt.steps.iter().zip(attempt.steps[1..].iter().map(Some).chain([None]));
            steps.filter(|(step, _)| step.action.as_ref() == Some(&own.word))
        });
        let uses: Vec<_> = uses.collect();
        assert!(uses.iter().all(|(step, _)| step.agent.as_deref() == Some("guide")));
        assert_eq!(uses.len(), own.said, "{}", own.word);
        for (action, count) in &own.done {
            let done = uses
                .iter()
                .filter(|(_, next)| next.is_some_and(|next| next.action.as_ref() == Some(action)));
            assert_eq!(done.count(), *count, "{} {action}", own.word);
        }
        assert_eq!(own.needed.iter().map(|(_, count)| count).sum::<usize>(), own.said);
        assert!(own.needed.is_sorted_by_key(|(_, count)| std::cmp::Reverse(*count)));
        assert!(own.fitting <= own.said);
    }
}

#[test]
fn what_is_needed_is_the_next_step_of_a_way_to_success() {
    start(&team(), &[1, 2]);
    run(1);
    let begins =
        |action: &str| ["go to ", "open ", "take ", "put "].iter().any(|it| action.starts_with(it));
    let needed: Vec<String> =
        words().into_iter().flat_map(|it| it.needed).map(|(action, _)| action).collect();
    assert!(!needed.is_empty() && needed.iter().all(|it| begins(it)), "{needed:?}");
    // All begin in the hall, where nothing is.
    assert!(needed.iter().any(|it| it.starts_with("go to ")));
}

#[test]
fn what_is_of_maps_is_refused_of_a_team_and_words_where_nobody_speaks() {
    start(&team(), &[1, 2]);
    run(1);
    for (kind, more) in [
        ("cell", json!({ "row": 1, "column": 1 })),
        ("arrows", json!({})),
        ("verdicts", json!({ "estimators": [], "truth": true })),
        ("process", json!({ "task": "g00" })),
    ] {
        let mut request = json!({ kind: { "seed": 0 } });
        request[kind].as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let said = refused(&request);
        assert_eq!(said, format!("{kind}: guide-and-walker has no map; ask for words or look"));
    }
    let one = json!({ "environment": { "guide": { "agents": "one" } }, "estimator": { "name": "gigpo", "inside": null } });
    let mut one = with(&team(), &one);
    one["estimator"].as_object_mut().unwrap().remove("inside");
    start(&one, &[1, 2]);
    let asks = json!({ "words": { "seed": 0 } });
    assert_eq!(refused(&asks), "words: nobody speaks in guide-and-walker; ask for look");
    start(&settings("signpost"), &[1, 2]);
    assert_eq!(refused(&asks), "words: nobody speaks in gridworld; ask for look");
}

#[test]
fn other_rewards_go_on_and_other_words_begin_again() {
    let keeps = |other: &Value| {
        start(&team(), &[1]);
        run(2);
        let request = json!({ "change": { "settings": with(&team(), other) } });
        asked(&request, "changed")["keeps-weights"].as_bool().unwrap()
    };
    assert!(keeps(&json!({ "environment": { "success_reward": 5.0 } })));
    assert!(keeps(&json!({ "estimator": { "inside": "grpo" } })));
    assert!(!keeps(&json!({ "environment": { "guide": { "words": 2 } } })));
    assert!(!keeps(&json!({ "rollout": { "history_length": 1 } })));
    start(&team(), &[1]);
    run(2);
    let change = json!({ "change": { "settings": settings("signpost") } });
    assert_eq!(asked(&change, "changed")["keeps-weights"], false);
    let own = with(&team(), &json!({ "agents": { "guide": { "policy": "own" } } }));
    let said = refused(&json!({ "start": { "settings": own, "seeds": [1] } }));
    assert!(
        said.starts_with("setting 'agents.guide.policy': the agents of a lane share one table"),
        "{said}"
    );
}
