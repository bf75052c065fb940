//! Traces with the tokens of every step (`trace.tokens`).
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs;

use serde_json::Value;

use crate::support::{lines, run, succeeds, tiny};

/// Fields that the trainer writes, with what they have one entry of.
const OF_RESPONSE: [&str; 8] = [
    "response_ids",
    "response_tokens",
    "response_mask",
    "rollout_log_probs",
    "new_log_probs",
    "new_entropies",
    "ref_log_probs",
    "token_advantages",
];

#[test]
fn traces_with_tokens_have_the_advantages_of_those_without() {
    let folder = tempfile::tempdir().unwrap();
    let trace = |name: &str, tokens: &str, threads: &str| {
        let settings = [
            "learn.iterations=2",
            "evaluation.tasks=1",
            "learn.normalize_advantages=false",
            tokens,
        ];
        let set: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
        succeeds(&run(folder.path(), &tiny(name, &[&set[..], &["--threads", threads]].concat())));
        let path = format!("runs/{name}/traces/iteration_000002.rollouts.jsonl");
        let printed = succeeds(&run(folder.path(), &["advantages", &path, "--recorded"]));
        (fs::read_to_string(folder.path().join(path)).unwrap(), printed)
    };
    let (plain, advantages) = trace("plain", "trace.tokens=false", "1");
    let (with, same) = trace("tokens", "trace.tokens=true", "1");
    assert_eq!(same, advantages);
    assert_eq!(trace("threads", "trace.tokens=true", "4").0, with);
    let mut without = String::new();
    let estimated = lines(&advantages);
    let mut moved = 0;
    for (at, mut line) in lines(&with).into_iter().enumerate() {
        // The first line says how the others were made, and the loss.
        if let Some(objective) = line.as_object_mut().unwrap().shift_remove("objective") {
            assert_eq!((at, &objective["clip_low"]), (0, &0.2.into()), "{objective}");
            assert_eq!(
                line.as_object_mut().unwrap().shift_remove("entropy_coefficient"),
                Some(0.001.into())
            );
        }
        let steps = line.get_mut("steps").and_then(Value::as_array_mut);
        for (time, step) in steps.into_iter().flatten().enumerate() {
            let step = step.as_object_mut().unwrap();
            assert!(!step.shift_remove("prompt_ids").unwrap().as_array().unwrap().is_empty());
            let prompt = step.shift_remove("prompt").unwrap();
            assert!(prompt.as_str().unwrap().starts_with("<observation>"), "{prompt}");
            let [ids, texts, mask, log_probs, new, entropies, reference, each] =
                OF_RESPONSE.map(|name| match step.shift_remove(name).unwrap() {
                    Value::Array(numbers) => numbers,
                    other => panic!("{name}: {other}"),
                });
            let others = [&texts, &mask, &log_probs, &new, &entropies, &reference, &each];
            assert!(others.iter().all(|it| it.len() == ids.len()));
            let text: String = texts.iter().map(|it| it.as_str().unwrap()).collect();
            assert_eq!(text, step["response"]);
            moved += usize::from(new != log_probs);
            assert!(new.iter().all(|it| it.as_f64().unwrap() <= 0.0));
            assert!(entropies.iter().all(|it| it.as_f64().unwrap() >= 0.0));
            assert!(!ids.is_empty() && log_probs.iter().all(|it| it.as_f64().unwrap() <= 0.0));
            assert!(mask.iter().all(|it| *it == 1));
            let advantage = &estimated[at - 1]["advantages"][time];
            assert!(each.iter().all(|it| it == advantage), "{each:?} {advantage}");
        }
        without += &(line.to_string() + "\n");
    }
    assert!(moved > 10, "the update changes what the policy says of its tokens");
    assert!(without == plain && !plain.contains("response_ids"));
}
