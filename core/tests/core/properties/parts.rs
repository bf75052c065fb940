//! Laws of the parts that estimators of steps are made of.

use super::*;
use hgpo_core::Factor;

fn gae(lambda: f64) -> Estimator {
    Estimator::Composed(Composed {
        credit: Credit::Gae,
        lambda,
        among: Among::Nothing,
        episode_weight: 0.0,
        ..Composed::default()
    })
}

fn bits(values: PerStep) -> Vec<u64> {
    values.into_values().into_iter().map(f64::to_bits).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_later_differences_are_the_return_less_the_value(trajectories in trajectories()) {
        // γ = 0.9 and the penalty as by default; λ = 0 is one difference.
        let level_0 = Hgpo { context_length: 0, scale: Scale::Mean, ..Hgpo::default() };
        let expected = advantages(&trajectories, Estimator::Hgpo(level_0)).into_values();
        let found = advantages(&trajectories, gae(1.0)).into_values();
        prop_assert!(found.iter().zip(&expected).all(|(found, expected)| (found - expected).abs() < 1e-12 * 100.0));
        let one = Composed { credit: Credit::Difference, among: Among::Nothing, episode_weight: 0.0, ..Composed::default() };
        prop_assert_eq!(bits(advantages(&trajectories, gae(0.0))), bits(advantages(&trajectories, Estimator::Composed(one))));
    }

    #[test]
    fn the_parts_by_default_are_gigpo(trajectories in trajectories(), scale in one_of(Scale::ALL), step_weight in 0.0..2.0, context_length in 0_usize..4) {
        let gigpo = Estimator::Gigpo(Gigpo { scale, step_weight, ..Gigpo::default() });
        let parts = Composed { scale, step_weight, ..Composed::default() };
        prop_assert_eq!(bits(advantages(&trajectories, gigpo)), bits(advantages(&trajectories, Estimator::Composed(parts.clone()))));
        // With contexts, and without the episode: HGPO.
        let parts = Composed { context_length, step_weight: 1.0, episode_weight: 0.0, step_std: StdRule::Population, ..parts };
        let hgpo = Estimator::Hgpo(Hgpo { scale, context_length, ..Hgpo::default() });
        prop_assert_eq!(bits(advantages(&trajectories, hgpo)), bits(advantages(&trajectories, Estimator::Composed(parts))));
    }

    #[test]
    fn depth_zero_is_the_mean_of_what_was_done(trajectories in trajectories()) {
        // If the reward is that of the end, the returns are the discounted successes, but for one
        // factor of the discount.
        let mut trajectories = trajectories;
        for trajectory in &mut trajectories {
            let success = trajectory.succeeded();
            for step in &mut trajectory.steps {
                (step.reward, step.valid) = (0.0, true);
            }
            trajectory.steps.last_mut().expect("a step").reward = f64::from(u8::from(success));
            trajectory.success = Some(success);
        }
        let returns = Composed { credit: Credit::Action, scale: Scale::Mean, episode_weight: 0.0, ..Composed::default() };
        let value_discount = Discount::new(0.9).expect("valid");
        let process = Composed { state_value: Worth::Process, depth: Depth::Zero, value_discount, ..returns.clone() };
        let of_returns = advantages(&trajectories, Estimator::Composed(returns)).into_values();
        let of_process = advantages(&trajectories, Estimator::Composed(process)).into_values();
        prop_assert!(of_returns.iter().zip(&of_process).all(|(returns, process)| close(0.9 * returns, *process)));
    }

    #[test]
    fn explained_shares_are_shares(trajectories in trajectories()) {
        let batch = batch(&trajectories);
        let of = |estimator| options(estimator);
        let adastep = of(Estimator::AdaStep(AdaStep::default()));
        let ecpo = of(Estimator::Ecpo(Ecpo { saturation: 0.0, variance_epsilon: 0.0, ..Ecpo::default() }));
        for row in 0..batch.step_count() {
            let factors = |options| {
                let why = hgpo_core::explain_row(&batch, options, row).expect("there");
                why.terms.last().expect("the credit's").factors.clone()
            };
            let (known, always) = (factors(&adastep), factors(&ecpo));
            let shares = known.iter().chain(&always).map(Factor::number);
            prop_assert!(shares.clone().all(|share| (0.0..=1.0).contains(&share)), "{:?}", shares);
            // If AdaStep's share is known, it is that of ECPO.
            prop_assert!(known.is_empty() || known == always, "{:?} {:?}", known, always);
        }
    }

    #[test]
    fn rewards_on_another_scale_teach_the_same(trajectories in trajectories(), scale in 0.5..8.0) {
        // Without division, what is of returns grows with them; what is of success alone does not.
        let grown: Vec<Trajectory> = trajectories.iter().map(|trajectory| {
            let mut grown = trajectory.clone();
            grown.success = Some(trajectory.succeeded());
            grown.steps.iter_mut().for_each(|step| step.reward *= scale);
            grown
        }).collect();
        let how = |estimator, invalid_penalty| Options { invalid_penalty, ..options(estimator) };
        let grows = |estimator: Estimator, factor: f64| {
            let before = estimate(&batch(&trajectories), &how(estimator.clone(), 0.1)).expect("valid");
            let after = estimate(&batch(&grown), &how(estimator, 0.1 * scale)).expect("valid");
            let pairs = before.advantages.into_values().into_iter().zip(after.advantages.into_values());
            pairs.map(|(before, after)| (factor * before, after)).all(|(before, after)| close(before, after))
        };
        let mean = Scale::Mean;
        let of_returns = [
            Estimator::Pgpo(Pgpo { scale: mean, ..Pgpo::default() }),
            Estimator::Gagpo(Gagpo { scale: mean, ..Gagpo::default() }),
            Estimator::AdaStep(AdaStep { scale: mean, ..AdaStep::default() }),
            Estimator::Ecpo(Ecpo { scale: mean, variance_epsilon: 0.0, ..Ecpo::default() }),
        ];
        for estimator in of_returns {
            prop_assert!(grows(estimator.clone(), scale), "{:?}", estimator);
        }
        let of_success = Estimator::Crbc(Crbc { episode_weight: 0.0, ..Crbc::default() });
        prop_assert!(grows(of_success, 1.0));
    }

    #[test]
    fn who_is_alone_everywhere_is_told_nothing(steps in steps()) {
        // One attempt whose states are all different: nobody to compare with in any state.
        let mut steps = steps;
        for (place, step) in steps.iter_mut().enumerate() {
            step.state = format!("{place}");
        }
        let alone = [Trajectory::new("g", "only", steps)];
        let silent = [
            Estimator::Crbc(Crbc { episode_weight: 0.0, context_length: 2, ..Crbc::default() }),
            Estimator::Pgpo(Pgpo::default()),
            Estimator::Composed(Composed { episode_weight: 0.0, credit: Credit::Action, ..Composed::default() }),
            Estimator::Composed(Composed { episode_weight: 0.0, trust: Trust::Variance, ..Composed::default() }),
        ];
        for estimator in silent {
            let found = advantages(&alone, estimator);
            prop_assert!(found.values().iter().all(|&advantage| advantage == 0.0), "{:?}", found);
        }
        // Every value is a return of its own, so that nothing is gained.
        let found = advantages(&alone, Estimator::Gagpo(Gagpo { lambda: 1.0, ..Gagpo::default() }));
        prop_assert!(found.values().iter().all(|&advantage| advantage.abs() < 1e-6), "{:?}", found);
    }
}
