//! What is too large, or no settings at all.

use serde_json::{Value, json};

use crate::ask::{raw, refused, run, settings, start, with};

fn starting(settings: &Value) -> String {
    refused(&json!({ "start": { "settings": settings, "seeds": [1] } }))
}

#[test]
fn what_is_no_request_is_said() {
    let text = |request: &str| {
        let answer: Value = serde_json::from_str(&hgpo_worker::training::answer(request)).unwrap();
        answer["error"].as_str().unwrap().to_owned()
    };
    assert!(text("").starts_with("not a request: "));
    assert!(text(&"[".repeat(100_000)).starts_with("not a request: "));
    assert!(text(r#"{"dance": {}}"#).starts_with("not a request: unknown variant `dance`"));
    assert!(text(r#"{"run": {"iterations": -1, "milliseconds": 1}}"#).contains("integer `-1`"));
    assert!(text(r#"{"run": {"iterations": 1, "milliseconds": 1e999}}"#).contains("out of range"));
    assert_eq!(text(r#"{"look": {"seed": 0}}"#), "there is no lane yet: start one");
}

#[test]
fn settings_that_do_not_exist_are_named() {
    let settings = settings("signpost");
    for (other, says) in [
        (json!({ "pace": 1 }), "settings: unknown field `pace`"),
        (json!({ "learn": { "pace": 1 } }), "settings: unknown field `pace`"),
        (json!({ "environment": { "gridworld": { "pace": 1 } } }), "unknown field `pace`"),
        (
            json!({ "environment": { "name": "chores" } }),
            "a lane knows no 'chores'; set it to gridworld or guide-and-walker",
        ),
        (json!({ "environment": { "name": "<script>" } }), "a lane knows no '<script>'"),
        (json!({ "environment": { "gridworld": { "world": "mars" } } }), "mars"),
        (json!({ "policy": { "kind": "decoder" } }), "'policy.kind': a lane trains tables"),
        (json!({ "learn": { "environment_steps": 1 } }), "'learn.environment_steps': a lane ends"),
        (json!({ "estimator": { "name": "dream" } }), "dream"),
        (
            json!({ "estimator": { "name": "dr-mas" } }),
            "'estimator.name': dr-mas compares each agent with itself",
        ),
        (json!({ "pretrained": { "model": "x" } }), "pretrained.model"),
        (json!({ "learn": { "learning_rate": null } }), "settings: "),
        (json!({ "learn": { "learning_rate": 1e39 } }), "'learn.learning_rate': must lie between"),
    ] {
        let said = starting(&with(&settings, &other));
        assert!(said.contains(says), "{other}: {said}");
    }
    assert!(
        refused(&json!({ "start": { "settings": [], "seeds": [1] } })).starts_with("not a request")
    );
    // What is quoted is cut.
    let field = |name: String| starting(&with(&settings, &json!({ name: 1 })));
    assert!(field("뜻".repeat(10_000)).starts_with("settings: unknown field `뜻뜻"));
    assert!(field("<b> \n".repeat(10_000)).ends_with('…'));
}

#[test]
fn what_is_too_large_is_refused_before_it_is_made() {
    let settings = settings("signpost");
    let most = "a lane has at most 400000";
    for (other, says) in [
        (json!({ "rollout": { "tasks": 1_000_000_000 } }), most),
        (json!({ "rollout": { "tasks": usize::MAX, "group_size": usize::MAX } }), most),
        (json!({ "rollout": { "group_size": 10_000 } }), most),
        (json!({ "rollout": { "dynamic_sampling": 1_000, "group_size": 64 } }), most),
        (json!({ "learn": { "restarts": 1_000 } }), most),
        (
            json!({ "environment": { "max_steps": 1_001 } }),
            "'environment.max_steps': at most 1000 in a lane",
        ),
        (json!({ "rollout": { "history_length": 33 } }), "'rollout.history_length': at most 32"),
        (
            json!({ "estimator": { "name": "hgpo", "context_length": 33 } }),
            "'estimator.context_length': at most 32",
        ),
        (json!({ "learn": { "epochs": 1_000_000 } }), "updates an iteration"),
        (
            json!({ "rollout": { "group_size": 2000 }, "learn": { "mini_batch_size": 1 } }),
            "updates an iteration",
        ),
        (json!({ "warm_start": { "episodes": 100_000_000 } }), "steps of the warm start"),
        (
            json!({ "warm_start": { "episodes": 2_000, "epochs": 3, "mini_batch_size": 1 } }),
            "updates of the warm start",
        ),
        (json!({ "evaluation": { "tasks": 1_000_000 } }), "steps of an evaluation"),
        (json!({ "environment": { "gridworld": { "map": ".".repeat(10_000) } } }), "24"),
        (json!({ "environment": { "gridworld": { "map": "S.<img src=x>.G" } } }), "map"),
        (json!({ "environment": { "gridworld": { "map": "S.." } } }), "goal"),
        (
            json!({ "environment": { "gridworld": { "map": "" , "world": "generated", "height": 1_000_000_000 } } }),
            "height",
        ),
    ] {
        let said = starting(&with(&settings, &other));
        assert!(said.contains(says), "{other}: {said}");
    }
    let seeds =
        |seeds: &[u64]| refused(&json!({ "start": { "settings": settings, "seeds": seeds } }));
    assert_eq!(seeds(&[]), "seeds: 0 of them, but there must be 1 to 64");
    assert!(seeds(&(0..65).collect::<Vec<_>>()).starts_with("seeds: 65 of them"));
    assert_eq!(seeds(&[4, 4]), "seeds: 4 is listed twice; remove one");
}

#[test]
fn what_is_refused_leaves_the_lane_as_it_was() {
    let settings = settings("signpost");
    start(&settings, &[1, 2]);
    let lines = run(6);
    start(&settings, &[1, 2]);
    run(3);
    let large = with(&settings, &json!({ "rollout": { "tasks": 1_000_000 } }));
    for (request, says) in [
        (json!({ "start": { "settings": large, "seeds": [1] } }), "steps an iteration"),
        (json!({ "change": { "settings": large } }), "steps an iteration"),
        (
            json!({ "run": { "iterations": 1, "milliseconds": 1e300 } }),
            "run.milliseconds: from 0 to 60000",
        ),
        (json!({ "run": { "iterations": 1, "milliseconds": -1 } }), "run.milliseconds"),
        (json!({ "go-back": { "iteration": u64::MAX } }), "was not reached, go to one from 0 to 3"),
        (json!({ "look": { "seed": 2 } }), "there is none at position 2, choose one from 0 to 1"),
        (
            json!({ "cell": { "seed": usize::MAX, "row": 0, "column": 0 } }),
            "there is none at position",
        ),
        (json!({ "process": { "seed": 0, "task": "<b>" } }), "nothing was played at '<b>'"),
        (
            json!({ "verdicts": { "seed": 0, "estimators": vec![json!({ "name": "grpo" }); 9], "truth": false } }),
            "9 are too many, send at most 8",
        ),
    ] {
        let said = refused(&request);
        assert!(said.contains(says), "{request}: {said}");
    }
    let again = run(3);
    assert_eq!(again[1], lines[1][3..]);
}

#[test]
fn training_that_fails_is_as_if_it_had_not_been() {
    let wild = json!({ "learn": { "entropy_coefficient": -1e38, "learning_rate": 1e38, "max_grad_norm": 1e38 } });
    start(&with(&settings("signpost"), &wild), &[1, 2]);
    let request = json!({ "run": { "iterations": 50, "milliseconds": 10_000 } });
    let mut reached = 0;
    let said = loop {
        let answer = raw(&request);
        match answer.get("ran") {
            Some(ran) => reached = ran["iteration"].as_u64().unwrap(),
            None => break answer["error"].as_str().unwrap().to_owned(),
        }
        assert!(reached < 500, "it never fails");
    };
    assert!(!said.contains('\n'));
    assert_eq!(refused(&request), said);
    let look = crate::ask::asked(&json!({ "look": { "seed": 1 } }), "look");
    assert_eq!(look["iteration"], reached);
}
