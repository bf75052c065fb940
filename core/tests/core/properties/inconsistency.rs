//! The inconsistency of contexts, from its definition.

use std::collections::BTreeMap;

use super::*;

/// Per task and state: past and return of the steps with so many states before.
type Pasts = BTreeMap<(String, String), Vec<(Vec<String>, f64)>>;

fn pasts(batch: &Batch, scores: &Scores, level: usize) -> Pasts {
    let mut pasts = Pasts::new();
    for (trajectory, rows) in batch.trajectories().iter().zip(batch.rows()) {
        for (step, row) in rows.enumerate().skip(level) {
            let context = hgpo_core::context(trajectory, step, Level(level)).expect("there");
            let past = context.iter().map(|step| step.state.clone()).collect();
            let key = (trajectory.task.clone(), trajectory.steps[step].state.clone());
            pasts.entry(key).or_default().push((past, scores.step_rewards[row]));
        }
    }
    pasts
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn squares(values: &[f64], from: f64) -> f64 {
    values.iter().map(|value| (value - from).powi(2)).sum()
}

proptest! {
    #[test]
    fn inconsistency_is_what_it_is_defined_as(trajectories in trajectories()) {
        let options = options(Estimator::Hgpo(Hgpo { context_length: 3, ..Hgpo::default() }));
        let batch = batch(&trajectories);
        let scores = Scores::of(&batch, options.discount, options.invalid_penalty);
        let health = diagnostics(&batch, &options).expect("valid");
        for (level, groups) in health.levels.iter().enumerate().skip(1) {
            let (mut count, mut split) = (0, 0);
            let (mut between, mut total, mut chance) = (0.0, 0.0, 0.0);
            for members in pasts(&batch, &scores, level).into_values().filter(|it| it.len() > 1) {
                let mut parts = BTreeMap::<_, Vec<f64>>::new();
                for (past, value) in &members {
                    parts.entry(past).or_default().push(*value);
                }
                count += 1;
                if parts.len() > 1 {
                    split += 1;
                    let values: Vec<f64> = members.iter().map(|it| it.1).collect();
                    let all = squares(&values, mean(&values));
                    total += all;
                    between += parts.values().map(|part| part.len() as f64 * (mean(part) - mean(&values)).powi(2)).sum::<f64>();
                    chance += all * (parts.len() - 1) as f64 / (members.len() - 1) as f64;
                }
            }
            let found = groups.inconsistency.expect("level 1 or deeper");
            prop_assert_eq!((found.groups, found.split), (count, split));
            let Some(explained) = found.explained else {
                prop_assert!(total < 1e-9);
                continue;
            };
            let by_chance = found.by_chance.expect("with the other");
            prop_assert!((explained - between / total).abs() < 1e-9);
            prop_assert!((by_chance - chance / total).abs() < 1e-9);
            prop_assert!((-1e-12..=1.0 + 1e-12).contains(&explained) && by_chance <= 1.0);
            if let Some(beyond) = found.beyond_chance {
                let scale = total / (total - chance);
                prop_assert!((beyond - (between - chance) / (total - chance)).abs() < 1e-9 * scale);
                prop_assert!(beyond <= 1.0 + 1e-9);
            }
        }
    }
}
