//! Mean and deviation of an agent's rows or of all: Dr. MAS, its ablation, and its theorem.

use super::*;
use hgpo_core::STD_EPSILON;
use proptest::prelude::*;

/// Agents by number and the score of each of some episodes; equal scores are common.
fn any_episodes() -> impl Strategy<Value = Vec<(Vec<u8>, f64)>> {
    let score = prop_oneof![Just(0.0), Just(1.0), -5.0..5.0];
    (1_u8..=5).prop_flat_map(move |agents| {
        let turns = prop::collection::vec(0..agents, 1..12);
        prop::collection::vec((turns, score.clone()), 1..10)
    })
}

fn batch_of(task: &str, all: &[(Vec<u8>, f64)]) -> Vec<Trajectory> {
    let turn = |agent: &u8| Step { agent: Some(agent.to_string()), ..Step::new("s", 0.0) };
    let episode = |(index, (agents, score)): (usize, &(Vec<u8>, f64))| {
        let mut steps: Vec<Step> = agents.iter().map(turn).collect();
        steps.last_mut().expect("turns").reward = *score;
        Trajectory::new(task, format!("{task}{index}"), steps)
    };
    all.iter().enumerate().map(episode).collect()
}

/// Mean, sum of squares around it, and number, in two passes.
fn moments(values: &[f64]) -> (f64, f64, f64) {
    let size = values.len() as f64;
    let mean = values.iter().sum::<f64>() / size;
    (mean, values.iter().map(|value| (value - mean).powi(2)).sum(), size)
}

/// What the squares are divided by.
fn divisor(std: StdRule, size: f64) -> f64 {
    if std == StdRule::Sample { size - 1.0 } else { size }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The mean of A² over an agent's rows, in all four combinations; with the sample deviation
    /// s_k² (n_k − 1)/n_k takes the place of s_k² above the line, and 1e-6 is added below it.
    #[test]
    fn second_moments_of_an_agent_follow_the_theorem(all in any_episodes()) {
        let batch = Batch::new(batch_of("e", &all)).expect("valid");
        // With each row, whose it is, the score, and whether it is the first of its agent or episode.
        let mut rows = Vec::new();
        for (agents, score) in &all {
            for (turn, agent) in agents.iter().enumerate() {
                rows.push((*agent, *score, !agents[..turn].contains(agent), turn == 0));
            }
        }
        let combinations = AgentStatistics::ALL.iter().flat_map(|&mean| {
            AgentStatistics::ALL.iter().map(move |&deviation| (mean, deviation))
        });
        for (mean, deviation) in combinations {
            for (std, counted) in [
                (StdRule::Population, EpisodeStatistics::Steps),
                (StdRule::Sample, EpisodeStatistics::Steps),
                (StdRule::Sample, EpisodeStatistics::Trajectories),
            ] {
                let inside = Grpo { std, episode_statistics: counted, ..Grpo::default() };
                let inside = Box::new(Estimator::Grpo(inside));
                let team = DrMas { estimator: inside, mean, deviation, ..DrMas::default() };
                let options = Options { estimator: Estimator::DrMas(team), ..Options::default() };
                let found = advantages(&batch, &options).into_values();
                let every = counted == EpisodeStatistics::Steps;
                let scores: Vec<f64> =
                    rows.iter().filter(|row| every || row.3).map(|row| row.1).collect();
                let (center, squares, size) = moments(&scores);
                for agent in 0..5 {
                    let own = || rows.iter().zip(&found).filter(|(row, _)| row.0 == agent && (every || row.2));
                    let own_scores: Vec<f64> = own().map(|(row, _)| row.1).collect();
                    if own_scores.len() < 2 || scores.len() < 2 {
                        continue; // a group of one has rules of its own
                    }
                    let (own_center, own_squares, own_size) = moments(&own_scores);
                    let shift = match mean {
                        AgentStatistics::All => own_center - center,
                        AgentStatistics::Agent => 0.0,
                    };
                    let variance = match deviation {
                        AgentStatistics::All => squares / divisor(std, size),
                        AgentStatistics::Agent => own_squares / divisor(std, own_size),
                    };
                    let divided_by = variance.sqrt() + STD_EPSILON;
                    let expected = (own_squares / own_size + shift * shift) / divided_by.powi(2);
                    let moment = own().map(|(_, advantage)| advantage * advantage).sum::<f64>() / own_size;
                    // A deviation of 0 is one of some rounded scores, and 1e-6 is not much more than that.
                    let largest = scores.iter().fold(0.0_f64, |most, score| most.max(score.abs()));
                    let allowed = 1e-9 + 16.0 * f64::EPSILON * largest / divided_by;
                    let is_close = (moment - expected).abs() <= allowed * expected.max(1e-6);
                    prop_assert!(is_close, "{moment} {expected} {mean} {deviation} {std} {counted}");
                }
            }
        }
    }

    /// The public code's `group_by_agent_id`, in its float32: rows of a task and agent, sample deviation,
    /// 1e-6; a single row counts as mean 0 and deviation 1. Scores are halves, whose sums float32 has.
    #[test]
    fn agents_are_normalised_as_by_the_public_code(
        tasks in prop::collection::vec(prop::collection::vec((prop::collection::vec(0_u8..5, 1..12), 0_u8..20), 1..9), 1..4),
    ) {
        let halves = |all: &Vec<(Vec<u8>, u8)>| -> Vec<(Vec<u8>, f64)> {
            all.iter().map(|(agents, score)| (agents.clone(), f64::from(*score) / 2.0)).collect()
        };
        let tasks: Vec<Vec<(Vec<u8>, f64)>> = tasks.iter().map(halves).collect();
        let batch = tasks.iter().enumerate().flat_map(|(task, all)| batch_of(&task.to_string(), all));
        let batch = Batch::new(batch.collect()).expect("valid");
        let options = Options { estimator: Estimator::DrMas(DrMas::default()), ..Options::default() };
        let mut found = advantages(&batch, &options).into_values().into_iter();
        for all in &tasks {
            let rows: Vec<(u8, f32)> = all
                .iter()
                .flat_map(|(agents, score)| agents.iter().map(|&agent| (agent, *score as f32)))
                .collect();
            for (agent, score) in &rows {
                let own: Vec<f32> = rows.iter().filter(|row| row.0 == *agent).map(|row| row.1).collect();
                let size = own.len() as f32;
                let (mean, std) = if own.len() == 1 {
                    (0.0, 1.0)
                } else {
                    let mean = own.iter().sum::<f32>() / size;
                    let squares: f32 = own.iter().map(|value| (value - mean) * (value - mean)).sum();
                    (mean, (squares / (size - 1.0)).sqrt())
                };
                let expected = (score - mean) / (std + 1e-6);
                let found = found.next().expect("a row");
                // Rounding of the mean, relative to scores of at most 10, over deviations from 0.1 on.
                prop_assert!((found - f64::from(expected)).abs() <= 1e-4, "{found} {expected}");
            }
        }
    }
}

#[test]
fn mean_and_deviation_are_of_the_agent_or_of_all() {
    // p: 4, 4, 0, 0 around 2; q: 4 twice around 4. All: 4 four times and 0 twice around 8/3.
    let batch = episodes(&[("ppqq", 4.0), ("pp", 0.0)]);
    let with = |mean, deviation| {
        let inside = r#""estimator":{"name":"grpo","std":"population"}"#;
        let options = team(&format!(r#""mean":"{mean}","deviation":"{deviation}",{inside}"#));
        explained(&batch, &options);
        (advantages(&batch, &options).into_values(), options)
    };
    let all = (2.0 * 16.0 / 9.0 * 2.0 + 64.0 / 9.0 * 2.0) / 6.0;
    let all = f64::sqrt(all) + 1e-6;
    let close = |found: &[f64], expected: [f64; 6]| {
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found - expected).abs() <= 1e-9 * (1.0 + expected.abs()),
                "{found} {expected}"
            );
        }
    };
    let (found, options) = with("agent", "all");
    close(&found, [2.0 / all, 2.0 / all, 0.0, 0.0, -2.0 / all, -2.0 / all]);
    let why = explain_row(&batch, &options, 0).expect("there");
    assert_eq!((why.terms[0].members.len(), why.terms[0].spread.len()), (4, 6));
    assert!((why.terms[0].mean, why.terms[0].std) == (2.0, all - 1e-6));
    let text = why.to_string();
    assert!(text.contains("\n  std of  0/0 4.000000, 0/1 4.000000, 0/2 4.000000"), "{text}");
    assert!(text.contains("options  inside grpo, deviation all, std population"), "{text}");
    // q's deviation is 0: its distance from the mean of all is divided by 1e-6.
    let (found, _) = with("all", "agent");
    let (own, other) = ((4.0 / 3.0) / 2.000_001, (-8.0 / 3.0) / 2.000_001);
    close(&found, [own, own, 4.0 / 3.0 / 1e-6, 4.0 / 3.0 / 1e-6, other, other]);
    // Each episode once: p 4, 0; q 4; all 4, 0.
    let once = team(
        r#""deviation":"all","estimator":{"name":"grpo","episode_statistics":"trajectories"}"#,
    );
    let why = explain_row(&batch, &once, 1).expect("there");
    assert_eq!((why.terms[0].size, why.terms[0].spread.len()), (2, 2));
    let firsts: Vec<usize> = why.terms[0].members.iter().map(|member| member.step).collect();
    assert_eq!(firsts, [0, 0]);
}

#[test]
fn a_group_of_one_keeps_its_score_or_is_not_divided() {
    // q has one row; all: 3, 3, 1 around 7/3.
    let batch = episodes(&[("pq", 3.0), ("p", 1.0)]);
    let of_q = |options: &str| {
        let options = team(options);
        explained(&batch, &options);
        (advantages(&batch, &options)[0][1], explain_row(&batch, &options, 1).expect("there"))
    };
    let (found, why) = of_q(r#""deviation":"all""#);
    assert!((found - 3.0).abs() < 1e-12, "its score: {found}");
    assert!(why.terms[0].alone && why.terms[0].spread.is_empty());
    let (found, why) = of_q(r#""mean":"all""#);
    assert!((found - 2.0 / 3.0).abs() < 1e-12, "divisor 1: {found}");
    assert!(!why.terms[0].alone && why.terms[0].spread.len() == 1);
    for choice in ["mean", "deviation"] {
        let zero = r#""estimator":{"name":"grpo","singleton":"zero"}"#;
        let (found, why) = of_q(&format!(r#""{choice}":"all",{zero}"#));
        assert_eq!((found, why.terms[0].skipped), (0.0, Some(Skipped::Singleton)), "{choice}");
    }
    // One row in all is mean 0 and divisor 1.
    let lone = episodes(&[("p", 3.0)]);
    assert_eq!(advantages(&lone, &team(r#""mean":"all""#)), [[3.0]]);
    assert_eq!(advantages(&lone, &team(r#""deviation":"all""#)), [[3.0]]);
}

#[test]
fn statistics_over_all_are_for_grpo() {
    let refused = |options: &str| {
        let text = [r#"{"name":"dr-mas","#, options, "}"].concat();
        serde_json::from_str::<Estimator>(&text).expect_err(options).to_string()
    };
    let gigpo = refused(r#""mean":"all","estimator":{"name":"gigpo"}"#);
    assert!(gigpo.starts_with("option mean: gigpo has no such choice: use grpo inside"), "{gigpo}");
    let rloo = refused(r#""deviation":"all","estimator":{"name":"rloo"}"#);
    assert!(rloo.starts_with("option deviation: rloo has no such choice"), "{rloo}");
    let turns = refused(r#""mean":"all","turns":"apart""#);
    assert!(turns.starts_with("option turns: not beside `mean = all`: choose"), "{turns}");
    let hgpo = refused(r#""turns":"filled","estimator":{"name":"hgpo"}"#);
    assert!(hgpo.starts_with("option turns: hgpo compares more than the scores"), "{hgpo}");
    let whitened = refused(r#""turns":"apart","estimator":{"name":"reinforce-plus-plus"}"#);
    assert!(whitened.starts_with("option turns: reinforce-plus-plus compares more"), "{whitened}");
    // What has no effect is told.
    let without = |options: &str| team(options).estimator.without_effect();
    let mean = r#""mean":"all","estimator":{"name":"grpo","scale":"mean"}"#;
    assert_eq!(without(mean)[0], "deviation");
    assert_eq!(without(r#""turns":"apart""#), ["episode_statistics"]);
    assert!(without(r#""mean":"all""#).is_empty());
}
