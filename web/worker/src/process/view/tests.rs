use crate::process::answer;
use serde_json::{Value, json};

/// One action wins 1, the other 2: V = 1.5, A* = -0.5 and 0.5.
fn process() -> Value {
    json!({"step_limit": 1, "start": [{"situation": "s"}], "situations": [{"state": "s", "actions": [
        {"action": "a", "probability": 0.5, "outcomes": [{"reward": 1}]},
        {"action": "b", "probability": 0.5, "outcomes": [{"reward": 2}]}]}]})
}

fn attempt(name: &str, action: &str, reward: f64) -> Value {
    json!({"task": "g", "trajectory": name, "steps": [{"state": "s", "action": action, "reward": reward}]})
}

fn shown(attempts: &[Value], scale: &str, samples: usize) -> String {
    let request = json!({"view": {
        "process": process(), "attempts": attempts, "step": [0, 0], "samples": samples, "seed": 1, "language": "en",
        "options": {"estimator": {"name": "hgpo", "context_length": 0, "scale": scale}, "discount": 1.0},
    }});
    let answer: Value = serde_json::from_str(&answer(&request.to_string())).expect("JSON");
    answer["view"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

#[test]
fn the_truth_stands_beside_the_estimate() {
    let html = shown(&[attempt("x", "a", 1.0), attempt("y", "b", 2.0)], "mean", 0);
    assert!(html.contains("True advantage \u{2212}0.5: from here on, this action is worth 1 on average (Q), and what the policy does 1.5 (V)."), "{html}");
    // Returns 1 and 2: the mean is 1.5.
    assert!(html.contains("<i>A</i><sub>0</sub></th><td>\u{2212}0.5</td>"), "{html}");
    assert!(html.contains("truth</th><td>\u{2212}0.5</td>"), "{html}");
    assert!(!html.contains("<svg"), "nothing was drawn");
}

#[test]
fn samples_give_bias_spread_and_a_picture() {
    let html = shown(&[attempt("x", "a", 1.0), attempt("y", "b", 2.0)], "mean", 200);
    // Half the groups of two agree, and say 0; the others are right: a bias of 0.25 on average.
    let after = html.split("<td>\u{2212}0.5</td>").nth(1).expect("the line of level 0");
    let cells: Vec<f64> = after
        .split("<td>")
        .skip(1)
        .take(3)
        .map(|cell| {
            let text = cell.split('<').next().unwrap_or_default().replace('\u{2212}', "-");
            text.parse().expect("a number")
        })
        .collect();
    assert!((cells[0] + 0.25).abs() < 0.06 && (cells[1] - 0.25).abs() < 0.06, "{cells:?}");
    assert!((cells[2] - 0.25).abs() < 0.01, "{cells:?}");
    assert_eq!(html.matches("<svg").count(), 2, "level 0 and the sum");
    assert!(html.contains("200 groups of 2 attempts"));
}

#[test]
fn what_is_not_comparable_or_not_known_is_said() {
    let divided = shown(&[attempt("x", "a", 1.0), attempt("y", "b", 2.0)], "mean-std", 20);
    assert!(divided.contains("another unit"), "{divided}");
    assert_eq!(divided.matches("data-set=\"scale=mean\"").count(), 1, "a button: {divided}");
    assert!(!divided.contains("<path"), "no line for the truth");
    let at_once = shown(&[attempt("x", "a", 1.0), attempt("y", "b", 2.0)], "mean-std", 0);
    assert!(at_once.contains("another unit") && !at_once.contains(">truth</th>"), "{at_once}");
    let edited = shown(&[attempt("<b>", "a", 5.0), attempt("y", "b", 2.0)], "mean", 0);
    assert!(edited.contains("&lt;b&gt; cannot come from"), "{edited}");
}

#[test]
fn where_a_step_was_taken_is_known_to_who_saw_it() {
    // Two rooms look alike: what is done in one of them wins 1, in the other 3.
    let room = |hidden: &str, reward: u32| {
        json!({"name": hidden, "state": "s", "hidden": hidden, "actions": [{"action": "a", "outcomes": [
            {"probability": 0.5, "reward": reward}, {"probability": 0.5}]}]})
    };
    let start = |hidden: &str| json!({"situation": hidden, "probability": 0.5});
    let process = json!({"step_limit": 1, "start": [start("left"), start("right")],
        "situations": [room("left", 1), room("right", 3)]});
    let shown = |situation: Value| {
        let attempts = [attempt("x", "a", 0.0), attempt("y", "a", 0.0)];
        let request = json!({"view": {
            "process": process, "attempts": attempts, "step": [0, 0], "situation": situation, "samples": 0,
            "seed": 1, "language": "en",
            "options": {"estimator": {"name": "hgpo", "context_length": 0, "scale": "mean"}, "discount": 1.0},
        }});
        let answer: Value = serde_json::from_str(&answer(&request.to_string())).expect("JSON");
        answer["view"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    };
    assert!(shown(Value::Null).contains("Several situations look like this step"));
    assert!(
        shown(json!(1)).contains("this action is worth 1.5 on average (Q)"),
        "{}",
        shown(json!(1))
    );
    assert!(shown(json!(7)).contains("Several situations look like this step"), "there is none");
}

#[test]
fn a_picture_has_a_row_of_its_own_below_its_numbers() {
    let html = shown(&[attempt("x", "a", 1.0), attempt("y", "b", 2.0)], "mean", 20);
    let own = "<tr class=\"picture\"><td colspan=\"4\"><svg";
    assert_eq!((html.matches(own).count(), html.matches("<svg").count()), (2, 2), "{html}");
    assert_eq!(html.matches("rowspan=\"2\"").count(), 2, "one name for both rows: {html}");
    let before = shown(&[attempt("x", "a", 1.0), attempt("y", "b", 2.0)], "mean", 0);
    assert!(!before.contains("picture") && !before.contains("rowspan=\"2\""), "{before}");
    for symbol in ["<dt><i>A</i></dt>", "<dt><i>Q</i></dt>", "<dt><i>V</i></dt>"] {
        assert!(before.contains(symbol), "{symbol} is explained");
    }
}
