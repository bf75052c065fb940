use super::same_prompt::same_prompt;
use super::update::{PolicyUpdate, actions};
use super::{Response, has_tokens};
use crate::model::{Cell, Rollouts};
use hgpo_core::{Objective, Step};

/// Two iterations of one prompt: at r = 1.5 the clip holds what was praised, at r = 0.5 it lets go of it.
const FILE: &str = r#"{"environment":"chores","objective":{"clip_high":0.28,"kl_coefficient":0.5}}
{"task":"1","trajectory":"a","steps":[{"state":"s","action":"x","reward":1,"prompt":"p","prompt_ids":[1,2],"response_ids":[7,8,9],"response_tokens":["go"," é",""],"response_mask":[1,1,0],"rollout_log_probs":[-1.0,-2.0,-0.5],"new_log_probs":[-0.5945348918918356,-2.693147180559945,-0.1],"ref_log_probs":[-0.5945348918918356,-2.0,-0.5],"token_advantages":[2.0,2.0,2.0]},{"state":"t","reward":0}]}
{"task":"2","trajectory":"a","steps":[{"state":"s","action":"y","reward":0,"prompt_ids":[1,2],"response_ids":[7],"rollout_log_probs":[-1.0],"token_advantages":[-4.0]}]}
{"task":"2","trajectory":"b","steps":[{"state":"s","action":"z","reward":0,"prompt_ids":[1,3],"response_tokens":"[\"go\"]"}]}"#;

fn rollouts() -> Rollouts {
    Rollouts::read(FILE).expect("rollouts")
}

fn response(rollouts: &Rollouts, task: usize, row: usize) -> Response {
    let task = &rollouts.tasks[task];
    Response::new(rollouts, task, task.step(Cell { row, step: 0 }), 0.25)
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

#[test]
fn tokens_weigh_what_the_clip_leaves_of_them() {
    let rollouts = rollouts();
    let found = response(&rollouts, 0, 0);
    assert!(found.is_stated && found.has_advantages && found.has_new());
    assert_eq!((found.objective.clip_high, found.prompt_length, found.peak), (0.28, Some(2), 2.0));
    let [go, rest, outside] = &found.tokens[..] else { panic!("three tokens") };
    assert_eq!((go.text.as_deref(), go.id.as_deref()), (Some("go"), Some("7")));
    near(go.ratio, 1.5);
    near(go.term.value, -2.0 * 1.28);
    assert!(go.is_clipped() && go.weight() == 0.0 && go.term.clipped_high);
    near(rest.ratio, 0.5);
    near(rest.weight(), 1.0);
    assert!(!rest.is_clipped());
    // r - 1 - log r.
    near(rest.change().expect("known"), 0.5 - 1.0 + 2f64.ln());
    // From the reference: d = log 2, e^d - d - 1, derivative 1 - e^d.
    let (value, derivative) = rest.divergence(&found.objective).expect("in the loss");
    near(value, 2.0 - 2f64.ln() - 1.0);
    near(derivative, -1.0);
    near(go.divergence(&found.objective).expect("in the loss").0, 0.0);
    assert!(!outside.counts && outside.weight() == 0.0 && !outside.is_clipped());
}

#[test]
fn the_entropy_bonus_pulls_on_the_logit_where_the_file_has_entropies() {
    let text = FILE.replace(r#""objective""#, r#""entropy_coefficient":0.25,"objective""#);
    let with =
        text.replace(r#""ref_log_probs""#, r#""new_entropies":[0.75,1.5,0.1],"ref_log_probs""#);
    let rollouts = Rollouts::read(&with).expect("rollouts");
    let found = response(&rollouts, 0, 0);
    assert_eq!(found.entropy_coefficient, Some(0.25));
    let rest = &found.tokens[1];
    let [policy, bonus] = rest.pulls_on_logit(0.25).expect("known");
    let log = 0.5f64.ln() - 2.0;
    near(policy, 1.0 - log.exp());
    near(bonus, -0.25 * log.exp() * (log + 1.5));
    let without = Rollouts::read(&text).expect("rollouts");
    let found = response(&without, 0, 0);
    assert_eq!((found.tokens[1].entropy, found.tokens[1].pulls_on_logit(0.25)), (None, None));
    assert_eq!(response(&self::rollouts(), 0, 0).entropy_coefficient, None);
}

#[test]
fn what_a_file_lacks_is_as_the_update_begins() {
    let rollouts = rollouts();
    let found = response(&rollouts, 1, 0);
    let [token] = &found.tokens[..] else { panic!("one token") };
    assert!(!found.has_new() && token.change().is_none() && token.text.is_none());
    assert_eq!((token.ratio, token.weight(), found.peak), (1.0, -4.0, 4.0));
    let found = response(&rollouts, 1, 1);
    let [token] = &found.tokens[..] else { panic!("one token") };
    assert!(!found.has_advantages && token.text.as_deref() == Some("go"));
    assert_eq!((token.advantage, token.old), (0.25, None));
    let plain = rollouts.tasks[0].step(Cell { row: 0, step: 1 });
    assert!(!has_tokens(plain) && has_tokens(rollouts.tasks[1].step(Cell { row: 1, step: 0 })));
}

#[test]
fn the_ratio_of_a_sequence_is_that_of_the_tokens_that_count() {
    let sequence = FILE.replace(r#""clip_high":0.28"#, r#""ratio":"sequence""#);
    let rollouts = Rollouts::read(&sequence).expect("rollouts");
    let found = response(&rollouts, 0, 0);
    // The mean of log 1.5 and log 0.5.
    for token in &found.tokens[..2] {
        near(token.ratio, 0.75f64.sqrt());
    }
    near(found.tokens[2].ratio, 1.0);
}

#[test]
fn one_prompt_is_followed_through_the_tasks_of_a_file() {
    let rollouts = rollouts();
    let step = rollouts.tasks[1].step(Cell { row: 0, step: 0 });
    let (found, more) = same_prompt(&rollouts, step);
    let places: Vec<_> = found.iter().map(|it| (it.task, it.cell.row, it.cell.step)).collect();
    assert_eq!((places, more), (vec![(0, 0, 0), (1, 0, 0)], 0));
    near(found[0].probability[0].expect("known"), (-3.5f64).exp());
    assert_eq!(found[1].probability[1], None);
    let other = rollouts.tasks[1].step(Cell { row: 1, step: 0 });
    assert_eq!(same_prompt(&rollouts, other), (Vec::new(), 0), "it is the only one");
    let none = rollouts.tasks[0].step(Cell { row: 0, step: 1 });
    assert_eq!(same_prompt(&rollouts, none), (Vec::new(), 0));
}

#[test]
fn the_first_update_is_what_the_lesson_says_and_the_clip_ends_them() {
    let update = |updates| PolicyUpdate::new(2, 0, 5.0, 0.1, updates, &Objective::default());
    let first = update(1);
    near(first.logits[0], 0.1 * 5.0 * 0.5);
    near(first.logits[1], -0.25);
    near(first.after[0], 1.0 / (1.0 + (-0.5f64).exp()));
    // r = 1.245, above 1.2: nothing more is learned of it.
    assert!(first.ratio(0) > 1.2);
    let third = update(3);
    assert_eq!((third.weights.as_slice(), &third.after), (&[5.0, 0.0, 0.0][..], &first.after));
    let blamed = PolicyUpdate::new(3, 1, -1.0, 0.1, 2, &Objective::default());
    near(blamed.after.iter().sum(), 1.0);
    assert!(blamed.after[1] < 1.0 / 3.0 && blamed.weights[1] > -1.0 && blamed.weights[1] < 0.0);
}

#[test]
fn a_state_with_one_action_gets_another() {
    let step = |action: &str| Step { action: Some(action.to_owned()), ..Step::new("s", 0.0) };
    let steps = [step("left"), step("right"), step("left")];
    assert_eq!(actions(steps.iter()), ["left", "right"]);
    assert_eq!(actions(steps[..1].iter()), ["left", ""]);
    assert!(actions([Step::new("s", 0.0)].iter()).is_empty());
}

#[test]
fn the_recorded_example_follows_one_prompt_through_three_updates() {
    let text = include_str!("../../../../assets/recorded/updates.rollouts.jsonl");
    assert!(text.len() <= 150_000, "{} bytes", text.len());
    let rollouts = Rollouts::read(text).expect("rollouts");
    let names: Vec<&str> = rollouts.tasks.iter().map(|task| &*task.name).collect();
    assert_eq!(names, ["iteration 1", "iteration 2", "iteration 3"]);
    let step = rollouts.tasks[0].step(Cell::default());
    let (same, _) = same_prompt(&rollouts, step);
    let attempts: usize = rollouts.tasks.iter().map(|task| task.rows().len()).sum();
    let first = same.iter().filter(|one| one.cell.step == 0).count();
    assert_eq!(first, attempts, "every attempt begins with it");
    let (mut clipped, mut tokens) = (0, 0);
    for task in &rollouts.tasks {
        for step in task.rows().iter().flat_map(|row| &row.steps) {
            let found = Response::new(&rollouts, task, step, 0.0);
            assert!(found.is_stated && found.has_advantages && found.has_new());
            assert_eq!(found.entropy_coefficient, Some(0.001));
            let texts = found.tokens.iter().filter_map(|token| token.text.as_deref());
            assert_eq!(Some(texts.collect::<String>()), step.response);
            tokens += found.tokens.len();
            clipped += found.tokens.iter().filter(|token| token.is_clipped()).count();
        }
    }
    assert!(tokens > 200 && clipped * 20 > tokens && clipped * 2 < tokens, "{clipped} of {tokens}");
}
