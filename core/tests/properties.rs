//! Laws that hold for every batch.
#![allow(clippy::float_cmp, reason = "exact zeros and hand-derived numbers are what is tested")]

use hgpo_core::{
    Baseline, Batch, Discount, DrMas, EpisodeStatistics, Estimator, G2po, Gigpo, GraphGpo, Grpo,
    Hgpo, Hierarchy, History, Level, Linkage, Metric, Options, PerStep, ReinforcePlusPlus, Rloo,
    Scale, Scores, Similarity, StateMetric, StdRule, Step, StepAddress, Trajectory, Weights,
    clusters, diagnostics, edit_similarity, estimate, explain, format,
};
use proptest::prelude::*;

/// Rewards that make equal returns common, and some that do not.
fn reward() -> impl Strategy<Value = f64> {
    prop_oneof![4 => Just(0.0), 2 => Just(10.0), 1 => Just(0.1), 1 => -5.0..5.0]
}

fn step() -> impl Strategy<Value = Step> {
    let summary = prop::option::of("[uv]");
    let agent = prop::option::of("[pq]");
    let embedding = prop::collection::vec(-1.0..1.0_f64, 2);
    ("[abc]", reward(), prop::bool::weighted(0.9), summary, agent, embedding).prop_map(
        |(state, reward, valid, context, agent, embedding)| Step {
            context,
            agent,
            embedding: Some(embedding),
            ..Step::new(state, reward).with_valid(valid)
        },
    )
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 1..8)
}

/// Up to 12 trajectories of up to 3 tasks, in any order.
fn trajectories() -> impl Strategy<Value = Vec<Trajectory>> {
    let named = |walks: Vec<(u8, Vec<Step>)>| {
        let name = |(index, (task, steps)): (usize, (u8, Vec<Step>))| {
            Trajectory::new(format!("g{task}"), format!("t{index}"), steps)
        };
        walks.into_iter().enumerate().map(name).collect()
    };
    prop::collection::vec((0_u8..3, steps()), 1..12).prop_map(named)
}

fn batch(trajectories: &[Trajectory]) -> Batch {
    Batch::new(trajectories.to_vec()).expect("valid")
}

fn options(estimator: Estimator) -> Options {
    Options { discount: Discount::new(0.9).expect("valid"), estimator, ..Options::default() }
}

fn one_of<T: Copy + std::fmt::Debug + 'static>(values: &'static [T]) -> impl Strategy<Value = T> {
    prop::sample::select(values)
}

fn similarity() -> impl Strategy<Value = Similarity> {
    (one_of(Metric::ALL), one_of(Linkage::ALL), 0.0..=1.0)
        .prop_map(|(metric, linkage, threshold)| Similarity { metric, linkage, threshold })
}

fn any_hgpo() -> impl Strategy<Value = Hgpo> {
    let how = (one_of(Scale::ALL), one_of(Weights::ALL), one_of(Baseline::ALL));
    let past = (one_of(History::ALL), prop::option::weighted(0.2, similarity()));
    (0_usize..5, 0.0..3.0, any::<bool>(), how, past).prop_map(
        |(context_length, alpha, base, (scale, weights, baseline), (history, similarity))| Hgpo {
            context_length,
            alpha,
            scale,
            weights,
            base_group: base && weights == Weights::Verl,
            baseline,
            history,
            similarity,
            ..Hgpo::default()
        },
    )
}

/// Estimators of a whole team.
fn team_estimator() -> impl Strategy<Value = Estimator> {
    let how = || (0.0..2.0, one_of(Scale::ALL), one_of(EpisodeStatistics::ALL));
    let gigpo = (how(), prop::option::weighted(0.2, similarity()));
    prop_oneof![
        4 => any_hgpo().prop_map(Estimator::Hgpo),
        1 => gigpo.prop_map(|((step_weight, scale, episode_statistics), similarity)| {
            Estimator::Gigpo(Gigpo { step_weight, scale, episode_statistics, similarity, ..Gigpo::default() })
        }),
        1 => how().prop_map(|(_, scale, episode_statistics)| {
            Estimator::Grpo(Grpo { scale, episode_statistics, ..Grpo::default() })
        }),
        1 => how().prop_map(|(_, _, episode_statistics)| {
            Estimator::Rloo(Rloo { episode_statistics, ..Rloo::default() })
        }),
        1 => (any::<bool>(), how()).prop_map(|(task_baseline, (_, _, episode_statistics))| {
            Estimator::ReinforcePlusPlus(ReinforcePlusPlus { task_baseline, episode_statistics })
        }),
        1 => how().prop_map(|(_, scale, episode_statistics)| {
            Estimator::GraphGpo(GraphGpo { scale, episode_statistics, ..GraphGpo::default() })
        }),
        1 => how().prop_map(|(step_weight, scale, episode_statistics)| {
            Estimator::G2po(G2po { step_weight, scale, episode_statistics, ..G2po::default() })
        }),
    ]
}

fn any_estimator() -> impl Strategy<Value = Estimator> {
    prop_oneof![
        4 => team_estimator(),
        1 => team_estimator().prop_map(|inside| Estimator::DrMas(DrMas { estimator: Box::new(inside) })),
    ]
}

/// The estimator itself, or the one inside.
fn inside(estimator: &Estimator) -> &Estimator {
    match estimator {
        Estimator::DrMas(options) => &options.estimator,
        other => other,
    }
}

/// Clusters depend on the order of appearance, which the others do not.
fn clusters_states(estimator: &Estimator) -> bool {
    match inside(estimator) {
        Estimator::Hgpo(options) => options.similarity.is_some(),
        Estimator::Gigpo(options) => options.similarity.is_some(),
        _ => false,
    }
}

/// The graph estimators compare states with each other, however equal the rewards are.
fn compares_states(estimator: &Estimator) -> bool {
    matches!(inside(estimator), Estimator::GraphGpo(_) | Estimator::G2po(_))
}

fn leaves_out(estimator: &Estimator) -> bool {
    matches!(inside(estimator), Estimator::Hgpo(Hgpo { baseline: Baseline::Others, .. }))
}

fn advantages(trajectories: &[Trajectory], estimator: Estimator) -> PerStep {
    estimate(&batch(trajectories), &options(estimator)).expect("valid").advantages
}

/// γ^j by repeated multiplication.
fn power(discount: Discount, exponent: usize) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * discount.get())
}

/// Equal but for the rounding of sums in another order.
fn close(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-9 * (1.0 + left.abs())
}

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
    fn centred_advantages_of_a_group_sum_to_zero(trajectories in trajectories()) {
        let batch = batch(&trajectories);
        let level_0 = Hgpo { context_length: 0, scale: Scale::Mean, ..Hgpo::default() };
        let of_steps = advantages(&trajectories, Estimator::Hgpo(level_0)).into_values();
        let groups = Hierarchy::new(&batch, 0);
        let mut sums = vec![0.0; groups.group_count(Level(0))];
        for (row, advantage) in of_steps.iter().enumerate() {
            sums[groups.group(Level(0), row).expect("level 0")] += advantage;
        }
        prop_assert!(sums.iter().all(|sum| sum.abs() < 1e-10), "{:?}", sums);

        let grpo = Grpo { scale: Scale::Mean, singleton: hgpo_core::SingletonRule::Zero, ..Grpo::default() };
        let of_episodes = advantages(&trajectories, Estimator::Grpo(grpo));
        for task in 0..batch.tasks().len() {
            let own = of_episodes.iter().zip(batch.task_of()).filter(|&(_, of)| *of == task);
            let sum: f64 = own.flat_map(|(advantages, _)| advantages).sum();
            prop_assert!(sum.abs() < 1e-10, "{}", sum);
        }
    }

    #[test]
    fn permuting_trajectories_permutes_advantages(
        (trajectories, order) in trajectories().prop_flat_map(|trajectories| {
            let order: Vec<usize> = (0..trajectories.len()).collect();
            (Just(trajectories), Just(order).prop_shuffle())
        }),
        estimator in any_estimator(),
    ) {
        prop_assume!(!clusters_states(&estimator));
        let permuted: Vec<Trajectory> = order.iter().map(|&index| trajectories[index].clone()).collect();
        let before = advantages(&trajectories, estimator.clone());
        let after = advantages(&permuted, estimator);
        for (place, &index) in order.iter().enumerate() {
            let pairs = before[index].iter().zip(&after[place]);
            prop_assert!(pairs.clone().all(|(&before, &after)| close(before, after)), "{:?}", pairs);
        }
    }

    #[test]
    fn longer_contexts_have_smaller_groups(trajectories in trajectories()) {
        let batch = batch(&trajectories);
        let groups = Hierarchy::new(&batch, 6);
        let same = |level, left, right| {
            groups.group(Level(level), left).is_some() && groups.group(Level(level), left) == groups.group(Level(level), right)
        };
        for left in 0..batch.step_count() {
            for right in 0..batch.step_count() {
                for level in 1..=6 {
                    prop_assert!(!same(level, left, right) || same(level - 1, left, right));
                }
            }
        }
    }

    #[test]
    fn groups_are_equal_contexts_of_a_task(trajectories in trajectories()) {
        let batch = batch(&trajectories);
        let groups = Hierarchy::new(&batch, 3);
        let key = |row, level| {
            let (trajectory, step) = batch.position(row);
            let states = hgpo_core::context(&trajectories[trajectory], step, Level(level))?;
            let states: Vec<&str> = states.iter().map(|step| step.state.as_str()).collect();
            Some((&trajectories[trajectory].task, states))
        };
        for level in 0..=3 {
            for left in 0..batch.step_count() {
                let group = groups.group(Level(level), left);
                prop_assert_eq!(group.is_some(), key(left, level).is_some());
                for right in 0..left {
                    let equal = group == groups.group(Level(level), right);
                    prop_assert_eq!(equal, key(left, level) == key(right, level));
                }
            }
        }
    }

    #[test]
    fn level_zero_is_the_step_term_of_gigpo(trajectories in trajectories()) {
        let level_0 = Hgpo { context_length: 0, ..Hgpo::default() };
        let hgpo = advantages(&trajectories, Estimator::Hgpo(level_0)).into_values();
        let batch = batch(&trajectories);
        let gigpo = options(Estimator::Gigpo(Gigpo { step_std: StdRule::Population, ..Gigpo::default() }));
        for (row, advantage) in hgpo.into_iter().enumerate() {
            let (index, step) = batch.position(row);
            let trajectory = &trajectories[index];
            let address = StepAddress::new(&trajectory.task, &trajectory.trajectory, step);
            let why = explain(&batch, &gigpo, &address).expect("there");
            let step_term = why.levels().next().expect("level 0");
            prop_assert_eq!(advantage.to_bits(), (step_term.contribution + 0.0).to_bits());
        }
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
    fn weights_sum_to_one_or_zero(trajectories in trajectories(), hgpo in any_hgpo()) {
        prop_assume!(hgpo.weights != Weights::Verl);
        let batch = batch(&trajectories);
        let options = options(Estimator::Hgpo(hgpo));
        for trajectory in &trajectories {
            for step in 0..trajectory.steps.len() {
                let address = StepAddress::new(&trajectory.task, &trajectory.trajectory, step);
                let terms = explain(&batch, &options, &address).expect("there").terms;
                let sum: f64 = terms.iter().map(|term| term.weight).sum();
                let any = terms.iter().any(|level| level.skipped.is_none());
                prop_assert!(close(sum, f64::from(u8::from(any))));
            }
        }
    }

    #[test]
    fn tasks_do_not_influence_each_other(trajectories in trajectories(), estimator in any_estimator()) {
        prop_assume!(!estimator.needs_whole_batch());
        let together = advantages(&trajectories, estimator.clone());
        for task in ["g0", "g1", "g2"] {
            let of_task = |trajectory: &&Trajectory| trajectory.task == task;
            let own: Vec<Trajectory> = trajectories.iter().filter(of_task).cloned().collect();
            if own.is_empty() {
                continue;
            }
            let pairs = trajectories.iter().zip(together.iter());
            let of_task = pairs.filter(|(trajectory, _)| trajectory.task == task);
            let expected: Vec<&[f64]> = of_task.map(|(_, own)| own).collect();
            let found = advantages(&own, estimator.clone());
            prop_assert_eq!(found.iter().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn equal_returns_teach_exactly_nothing(trajectories in trajectories(), reward in -10.0..10.0, estimator in any_estimator()) {
        prop_assume!(!compares_states(&estimator));
        // γ = 0: every return is the reward; scores are equal where lengths are.
        let mut trajectories = trajectories;
        // A task of one episode would keep its score.
        trajectories.push(Trajectory::new("g", "one more", Vec::new()));
        for trajectory in &mut trajectories {
            trajectory.task = "g".to_owned();
            trajectory.steps.resize(4, Step::new("a", reward));
            // One agent: a single row of another one would keep its score.
            for step in &mut trajectory.steps {
                (step.reward, step.valid, step.agent) = (reward, true, None);
                step.embedding = Some(vec![1.0]);
            }
        }
        let options = Options { discount: Discount::new(0.0).expect("valid"), ..options(estimator) };
        let advantages = estimate(&batch(&trajectories), &options).expect("valid").advantages;
        prop_assert!(advantages.values().iter().all(|&advantage| advantage == 0.0), "{:?}", advantages);
    }

    #[test]
    fn an_agent_is_compared_as_if_alone(trajectories in trajectories(), hgpo in any_hgpo()) {
        // γ = 0: what the others get does not matter.
        prop_assume!(!hgpo.base_group);
        let options = |estimator| Options {
            discount: Discount::new(0.0).expect("valid"),
            ..options(estimator)
        };
        let inside = Estimator::Hgpo(hgpo);
        let dr_mas = Estimator::DrMas(DrMas { estimator: Box::new(inside.clone()) });
        let together = estimate(&batch(&trajectories), &options(dr_mas)).expect("valid").advantages;
        for agent in [None, Some("p"), Some("q")] {
            let acts = |step: &Step| step.agent.as_deref() == agent;
            let own = trajectories.iter().map(|all| Trajectory {
                steps: all.steps.iter().filter(|step| acts(step)).cloned().collect(),
                ..all.clone()
            });
            let own: Vec<Trajectory> = own.filter(|own| !own.steps.is_empty()).collect();
            if own.is_empty() {
                continue;
            }
            let alone = estimate(&batch(&own), &options(inside.clone())).expect("valid").advantages;
            let of_agent = trajectories.iter().zip(together.iter()).flat_map(|(all, advantages)| {
                let pairs = all.steps.iter().zip(advantages);
                pairs.filter(|(step, _)| acts(step)).map(|(_, &advantage)| advantage)
            });
            prop_assert_eq!(alone.into_values(), of_agent.collect::<Vec<_>>());
        }
    }

    #[test]
    fn without_agents_dr_mas_changes_nothing(trajectories in trajectories(), inside in team_estimator()) {
        let mut trajectories = trajectories;
        trajectories.iter_mut().flat_map(|each| &mut each.steps).for_each(|step| step.agent = None);
        let dr_mas = Estimator::DrMas(DrMas { estimator: Box::new(inside.clone()) });
        prop_assert_eq!(advantages(&trajectories, dr_mas), advantages(&trajectories, inside));
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
    fn other_trajectories_alone_decide_the_baseline(trajectories in trajectories()) {
        // A step's advantage falls by what the others' returns rise.
        let hgpo = Hgpo { scale: Scale::Mean, baseline: Baseline::Others, ..Hgpo::default() };
        let batch = batch(&trajectories);
        let options = options(Estimator::Hgpo(hgpo));
        for trajectory in &trajectories {
            for step in 0..trajectory.steps.len() {
                let address = StepAddress::new(&trajectory.task, &trajectory.trajectory, step);
                let why = explain(&batch, &options, &address).expect("there");
                for level in &why.terms {
                    let strangers = level.members.iter().all(|m| m.trajectory != trajectory.trajectory);
                    prop_assert!(strangers);
                    let mean = level.members.iter().map(|m| m.value).sum::<f64>() / level.size as f64;
                    let expected = if level.size == 0 { 0.0 } else { why.step_reward - mean };
                    prop_assert!(close(level.advantage, expected));
                }
            }
        }
    }

    #[test]
    fn complete_clusters_hold_similar_states_only(points in prop::collection::vec(0.0..1.0_f64, 0..12), threshold in 0.0..1.0_f64) {
        struct Line<'a>(&'a [f64]);
        impl StateMetric for Line<'_> {
            fn similarity(&self, left: usize, right: usize) -> f64 {
                1.0 - (self.0[left] - self.0[right]).abs()
            }
        }
        let line = Line(&points);
        let complete = clusters(&line, points.len(), threshold, Linkage::Complete);
        let greedy = clusters(&line, points.len(), threshold, Linkage::Greedy);
        for left in 0..points.len() {
            for right in 0..left {
                let together = complete[left] == complete[right];
                prop_assert!(!together || line.similarity(left, right) >= threshold);
            }
            // Greedily: like the first of its cluster, and like the first of none before.
            for cluster in 0..=greedy[left] {
                let first = greedy.iter().position(|&of| of == cluster).expect("numbered in order");
                let alike = first == left || line.similarity(left, first) >= threshold;
                prop_assert_eq!(alike, cluster == greedy[left]);
            }
        }
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
    fn diagnostics_add_up(trajectories in trajectories(), estimator in any_estimator()) {
        let leaves_out = leaves_out(&estimator);
        let health = diagnostics(&batch(&trajectories), &options(estimator)).expect("valid");
        for groups in &health.levels {
            prop_assert_eq!(groups.sizes.iter().map(|size| size.steps).sum::<usize>(), groups.steps);
            let whole = groups.sizes.iter().map(|size| size.steps / size.size.max(1)).sum::<usize>();
            prop_assert!(leaves_out || whole == groups.groups);
            prop_assert!(groups.singleton_fraction + groups.zero_std_fraction <= 1.0 + 1e-12);
        }
        prop_assert!(health.advantage.min <= health.advantage.mean + 1e-12);
        prop_assert!(health.advantage.mean <= health.advantage.max + 1e-12);
    }

    #[test]
    fn what_is_written_is_read(
        trajectories in trajectories(),
        rewards in prop::collection::vec(-1e100..1e100_f64, 1..9),
        text in any::<String>(),
        seed in any::<Option<u64>>(),
    ) {
        let mut trajectories = trajectories;
        let steps = rewards.iter().map(|&reward| Step { prompt: Some(text.clone()), ..Step::new(&text, reward).with_action(&text) });
        let mut odd = Trajectory { seed, success: Some(true), ..Trajectory::new(&text, &text, steps.collect()) };
        odd.extra.insert(format!("my {text}"), serde_json::json!({"kept": [1, 2.5, text]}));
        odd.steps[0].extra.insert("logprob".to_owned(), serde_json::json!(-0.1));
        trajectories.push(odd);
        let mut file = Vec::new();
        format::write_jsonl(&mut file, &trajectories).expect("written");
        prop_assert_eq!(format::read_jsonl(&file[..]).expect("read"), trajectories);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = format::read(&bytes[..]);
        let _ = format::read_csv(&bytes[..]);
    }

    #[test]
    fn any_damage_is_refused_on_one_line(trajectories in trajectories(), cut in any::<prop::sample::Index>()) {
        let mut file = Vec::new();
        format::write_jsonl(&mut file, &trajectories).expect("written");
        file.truncate(cut.index(file.len()));
        if let Err(error) = format::read(&file[..]) {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }
}
