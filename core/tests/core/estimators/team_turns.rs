//! An agent's turns by their number: apart, truncated, filled; and teams at their edges.

use super::*;
use hgpo_core::Factor;

/// p acts three times, once and twice; q once, never and twice.
fn uneven() -> Batch {
    episodes(&[("pqpp", 6.0), ("p", 0.0), ("pqqp", 3.0)])
}

fn by(turns: &str, inside: &str) -> Options {
    team(&format!(r#""turns":"{turns}","estimator":{inside}"#))
}

const MEAN: &str = r#"{"name":"grpo","scale":"mean"}"#;

#[test]
fn nth_turns_are_groups() {
    // p: 6, 0, 3; 6, 3; 6 alone, which keeps its score. q: 6, 3; 3 alone.
    let found = advantages(&uneven(), &by("apart", MEAN));
    assert_eq!(found, [vec![3.0, 1.5, 1.5, 6.0], vec![-3.0], vec![0.0, -1.5, 3.0, -1.5]]);
    // Less the mean of the others: p's second turns 6 − 3 and 3 − 6.
    let found = advantages(&uneven(), &by("apart", r#"{"name":"rloo"}"#));
    assert_eq!([found[0][2], found[2][3]], [3.0, -3.0]);
    let health = diagnostics(&uneven(), &by("apart", MEAN)).expect("valid");
    let episode = health.episode.expect("episodes are compared");
    assert_eq!((episode.groups, episode.steps), (5, 9));
}

#[test]
fn later_turns_than_all_have_say_nothing() {
    // Every episode has a first turn of p, not a second; both episodes of q have its first.
    let found = advantages(&uneven(), &by("truncated", MEAN));
    assert_eq!(found, [vec![3.0, 1.5, 0.0, 0.0], vec![-3.0], vec![0.0, -1.5, 0.0, 0.0]]);
    let why = explain_row(&uneven(), &by("truncated", MEAN), 2).expect("there");
    assert_eq!(why.terms[0].factors, [Factor::Gate { count: 2, needed: 3 }]);
    assert_eq!((why.terms[0].size, why.terms[0].skipped), (2, Some(Skipped::Zero)));
    let text = why.to_string();
    assert!(text.contains("\n  factor 0.000000  gate: 2 of 3 needed\n"), "{text}");
    // Not even a turn that is alone keeps its score.
    let why = explain_row(&uneven(), &by("truncated", MEAN), 3).expect("there");
    assert_eq!((why.terms[0].alone, why.advantage), (true, 0.0));
}

#[test]
fn last_turns_fill_later_groups() {
    // p: 6, 0, 3 around 3 in all three groups; q: 6, 3 around 4.5 in both.
    let found = advantages(&uneven(), &by("filled", MEAN));
    assert_eq!(found, [vec![3.0, 1.5, 3.0, 3.0], vec![-3.0], vec![0.0, -1.5, -1.5, 0.0]]);
    let why = explain_row(&uneven(), &by("filled", MEAN), 3).expect("there");
    let members: Vec<_> =
        why.terms[0].members.iter().map(|of| (of.trajectory_index, of.step, of.value)).collect();
    assert_eq!(members, [(0, 3, 6.0), (1, 0, 0.0), (2, 3, 3.0)]);
    // A penalty is that of the turn that takes part.
    let mut walks = uneven().into_trajectories();
    walks[2].steps[3].valid = false;
    let batch = Batch::new(walks).expect("valid");
    let options = Options { invalid_penalty: 3.0, ..by("filled", MEAN) };
    assert_eq!(advantages(&batch, &options)[0], [3.0, 1.5, 4.0, 4.0]);
}

#[test]
fn teams_at_their_edges_are_estimated_and_explained() {
    let many: String = (0..50).map(|agent| char::from(b'A' + agent)).collect();
    let crowds = [
        // q never acts in the second, is the last in the first, and breaks off in the third.
        episodes(&[("ppq", 2.0), ("pp", 0.0), ("pqpqp", 1.0)]),
        // One turn each, of one agent or of several; one episode in all.
        episodes(&[("p", 1.0), ("p", 0.0)]),
        episodes(&[("p", 1.0), ("q", 0.0), (".", 3.0)]),
        episodes(&[("p", 1.0)]),
        // Turns of nobody among those of agents, and nothing else.
        episodes(&[("p.p.", 1.0), ("..", 0.0), ("pp", 0.5)]),
        episodes(&[("..", 1.0), ("....", 0.0)]),
        episodes(&[(&many, 1.0), (&many[..25], 0.0), (&many[25..], 0.5)]),
    ];
    let choices = [
        r#""mean":"all""#,
        r#""deviation":"all""#,
        r#""mean":"all","deviation":"all""#,
        r#""turns":"apart""#,
        r#""turns":"truncated""#,
        r#""turns":"filled""#,
    ];
    for (batch, choice) in crowds.iter().flat_map(|batch| choices.map(|choice| (batch, choice))) {
        for inside in [
            r#"{"name":"grpo"}"#,
            r#"{"name":"grpo","singleton":"zero"}"#,
            r#"{"name":"grpo","episode_statistics":"trajectories"}"#,
        ] {
            explained(batch, &team(&format!(r#"{choice},"estimator":{inside}"#)));
        }
    }
    // 50 agents of whom every episode but the first has half: two turns of each.
    let found = advantages(&crowds[6], &by("apart", MEAN));
    assert_eq!((found[0][0], found[0][49], found[1][0], found[2][24]), (0.5, 0.25, -0.5, -0.25));
    // Without agents, the nth steps are compared: 1 and 0 twice, then 0 alone.
    assert_eq!(
        advantages(&crowds[5], &by("apart", MEAN)),
        [vec![0.5, 0.5], vec![-0.5, -0.5, 0.0, 0.0]]
    );
}

#[test]
fn the_four_arms_are_grpo_and_dr_mas_over_rows_or_trajectories() {
    // p: 4 twice, 0; q: 4. All rows: 4 three times, 0; each episode once: 4, 0.
    let batch = episodes(&[("ppq", 4.0), ("p", 0.0)]);
    let scores = |options: Options, row| {
        let why = explain_row(&batch, &options, row).expect("there");
        why.terms[0].members.iter().map(|member| member.value).collect::<Vec<f64>>()
    };
    let grpo = |rows: &str| format!(r#"{{"name":"grpo","episode_statistics":"{rows}"}}"#);
    let alone = |rows| Options {
        estimator: serde_json::from_str(&grpo(rows)).expect("an estimator"),
        ..Options::default()
    };
    let agent = |rows| team(&[r#""estimator":"#, &grpo(rows)].concat());
    assert_eq!(scores(alone("steps"), 1), [4.0, 4.0, 4.0, 0.0]);
    assert_eq!(scores(alone("trajectories"), 1), [4.0, 0.0]);
    assert_eq!(scores(agent("steps"), 1), [4.0, 4.0, 0.0]);
    assert_eq!(scores(agent("trajectories"), 1), [4.0, 0.0]);
    assert_eq!(scores(agent("trajectories"), 2), [4.0], "only where it acts");
}
