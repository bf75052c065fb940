//! Numbers that add up.

use super::*;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn numbers_are_those_of_the_standard_library(
        text in "[-+]?[0-9]{0,20}([.][0-9]{0,20})?([eE][-+]?[0-9]{0,3})?|[-+]?(inf|Infinity)|.{0,4}"
    ) {
        let (ours, theirs) = (hgpo_core::number(&text), text.parse::<f64>().ok());
        prop_assert_eq!(ours.map(f64::to_bits), theirs.map(f64::to_bits), "{}", text);
    }

    #[test]
    fn an_explanation_sums_to_the_estimate(trajectories in trajectories(), estimator in any_estimator()) {
        let batch = batch(&trajectories);
        let options = options(estimator);
        let estimate = estimate(&batch, &options).expect("valid");
        for (index, trajectory) in trajectories.iter().enumerate() {
            for step in 0..trajectory.steps.len() {
                let address = StepAddress::new(&trajectory.task, &trajectory.trajectory, step);
                let why = explain(&batch, &options, &address).expect("there");
                let sum = why.terms.iter().fold(0.0, |sum, term| sum + term.contribution);
                prop_assert_eq!(why.sum.to_bits(), sum.to_bits());
                let sum = why.whitening.map_or(sum, |whitening| (sum - whitening.mean) / whitening.std);
                prop_assert_eq!(why.advantage.to_bits(), estimate.advantages[index][step].to_bits());
                // Whitening rounds what is below rounding to 0.
                let same = why.advantage.to_bits() == sum.to_bits();
                prop_assert!(same || why.whitening.is_some() && close(why.advantage, sum), "{} {}", why.advantage, sum);
                prop_assert_eq!(why.step_reward.to_bits(), estimate.step_rewards[index][step].to_bits());
                for term in why.terms.iter().filter(|term| term.size > 0) {
                    prop_assert_eq!(term.members.len(), term.size);
                    let mean = term.members.iter().map(|member| member.value).sum::<f64>() / term.size as f64;
                    prop_assert!(close(mean, term.mean));
                }
            }
        }
    }

    #[test]
    fn rloo_compares_with_the_mean_of_the_others(scores in prop::collection::vec(reward(), 2..9)) {
        let episode = |(name, &score): (usize, &f64)| {
            Trajectory::new("g", name.to_string(), vec![Step::new("s", score)])
        };
        let trajectories: Vec<Trajectory> = scores.iter().enumerate().map(episode).collect();
        let found = advantages(&trajectories, Estimator::Rloo(Rloo::default())).into_values();
        let (sum, others) = (scores.iter().sum::<f64>(), scores.len() as f64 - 1.0);
        for (score, found) in scores.iter().zip(found) {
            prop_assert!(close(score - (sum - score) / others, found));
        }
    }

    #[test]
    fn whitened_advantages_have_mean_zero_and_variance_one(trajectories in trajectories(), task_baseline in any::<bool>()) {
        let estimator = ReinforcePlusPlus { task_baseline, ..ReinforcePlusPlus::default() };
        let estimator = Estimator::ReinforcePlusPlus(estimator);
        let found = advantages(&trajectories, estimator.clone()).into_values();
        let count = found.len() as f64;
        let mean = found.iter().sum::<f64>() / count;
        let variance = found.iter().map(|a| a * a).sum::<f64>() / (count - 1.0);
        prop_assert!(mean.abs() < 1e-9, "{}", mean);
        // But for the 1e-8 that is added to the variance.
        let first = StepAddress::new(&trajectories[0].task, &trajectories[0].trajectory, 0);
        let why = explain(&batch(&trajectories), &options(estimator), &first).expect("there");
        let divisor = why.whitening.expect("whitened").std.powi(2);
        let silent = found.iter().all(|&advantage| advantage == 0.0);
        prop_assert!(silent || (variance - (1.0 - 1e-8 / divisor)).abs() < 1e-6, "{}", variance);
    }

    #[test]
    fn edit_similarity_is_a_share(left in "[ab ]{0,12}", right in "[ab ]{0,12}") {
        let ratio = edit_similarity(&left, &right);
        prop_assert!((0.0..=1.0).contains(&ratio));
        prop_assert_eq!(edit_similarity(&left, &left), 1.0);
        prop_assert_eq!(ratio == 1.0, left == right);
    }

    #[test]
    fn returns_are_the_discounted_sums(steps in steps(), discount in 0.0..=1.0) {
        let discount = Discount::new(discount).expect("valid");
        let batch = batch(&[Trajectory::new("g", "t", steps.clone())]);
        let scores = Scores::of(&batch, discount, 0.1);
        for (t, value) in scores.returns.iter().enumerate() {
            let later = steps[t..].iter().enumerate();
            let sum: f64 = later.map(|(j, step)| power(discount, j) * step.reward).sum();
            prop_assert!((value - sum).abs() < 1e-12);
        }
    }

    #[test]
    fn estimate_and_diagnostics_at_once_are_those_apart(
        trajectories in trajectories(), estimator in any_estimator()
    ) {
        let (batch, options) = (batch(&trajectories), options(estimator));
        let (together, health) = estimate_with_diagnostics(&batch, &options).expect("valid");
        prop_assert_eq!(together, estimate(&batch, &options).expect("valid"));
        prop_assert_eq!(health, diagnostics(&batch, &options).expect("valid"));
    }

    #[test]
    fn diagnostics_add_up(trajectories in trajectories(), estimator in any_estimator()) {
        let leaves_out = leaves_out(&estimator);
        let health = diagnostics(&batch(&trajectories), &options(estimator)).expect("valid");
        for groups in &health.levels {
            prop_assert_eq!(groups.sizes.iter().map(|size| size.steps).sum::<usize>(), groups.steps);
            let whole = groups.sizes.iter().map(|size| size.steps / size.size.max(1)).sum::<usize>();
            prop_assert!(leaves_out || whole == groups.groups);
            let bars = groups.group_sizes.iter();
            let (steps, count) = bars.fold((0, 0), |(steps, count), it| {
                (steps + it.size * it.groups, count + it.groups)
            });
            prop_assert_eq!((steps, count), (groups.steps, groups.groups));
            prop_assert!(groups.group_sizes.is_sorted_by_key(|it| it.size));
            prop_assert!(groups.singleton_fraction + groups.zero_std_fraction <= 1.0 + 1e-12);
        }
        prop_assert!(health.advantage.min <= health.advantage.mean + 1e-12);
        prop_assert!(health.advantage.mean <= health.advantage.max + 1e-12);
    }
}
