//! Advantages: who is compared with whom, and what changes nothing.

use std::collections::BTreeMap;

use super::*;

fn of(inside: Estimator) -> DrMas {
    DrMas { estimator: Box::new(inside), ..DrMas::default() }
}

fn team(inside: Estimator) -> Estimator {
    Estimator::DrMas(of(inside))
}

/// Whose mean and whose deviation.
fn of_each() -> impl Iterator<Item = (AgentStatistics, AgentStatistics)> {
    let all = AgentStatistics::ALL.iter();
    all.flat_map(|&mean| AgentStatistics::ALL.iter().map(move |&deviation| (mean, deviation)))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

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
    fn options_without_effect_have_none(trajectories in trajectories(), estimator in any_estimator()) {
        let before = advantages(&trajectories, estimator.clone());
        for name in estimator.without_effect() {
            let option = *estimator.declarations().iter().find(|it| it.name == name).expect("its own");
            let others = match option.kind {
                Kind::Choice(names) => names.iter().map(|&name| name.into()).collect(),
                Kind::Number { .. } => vec![0.25.into(), 1.0.into()],
                _ => vec![0.into(), 1.into(), 3.into()],
            };
            for other in others {
                let mut changed = estimator.clone();
                changed.set(name, other).expect("in its range");
                // Some choices exclude others.
                let changed = Options { estimator: changed, ..options(estimator.clone()) };
                if changed.validate().is_ok() {
                    prop_assert_eq!(&before, &advantages(&trajectories, changed.estimator), "{}", name);
                }
            }
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
        prop_assume!(!compares_states(&estimator) && !keeps_lone_steps(&estimator));
        // γ = 0: every return is the reward; scores are equal if lengths are.
        let mut trajectories = trajectories;
        // A task of one episode would keep its score.
        trajectories.push(Trajectory::new("g", "one more", Vec::new()));
        for trajectory in &mut trajectories {
            trajectory.task = "g".to_owned();
            trajectory.steps.resize(4, Step::new("a", reward).with_action("n"));
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
        let dr_mas = team(inside.clone());
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
        let expected = advantages(&trajectories, inside.clone());
        prop_assert_eq!(&advantages(&trajectories, team(inside.clone())), &expected);
        // All rows are the one agent's.
        for (mean, deviation) in of_each() {
            let mixed = DrMas { mean, deviation, ..of(inside.clone()) };
            let mixed = options(Estimator::DrMas(mixed));
            if mixed.validate().is_ok() {
                let found = estimate(&batch(&trajectories), &mixed).expect("valid").advantages;
                prop_assert_eq!(&found, &expected);
            }
        }
    }

    #[test]
    fn statistics_over_all_are_grpos_bit_for_bit(trajectories in trajectories(), grpo in any_of(vec!["grpo"])) {
        let all = DrMas { mean: AgentStatistics::All, deviation: AgentStatistics::All, ..of(grpo.clone()) };
        prop_assert_eq!(advantages(&trajectories, Estimator::DrMas(all)), advantages(&trajectories, grpo));
    }

    #[test]
    fn nth_turns_are_compared_like_steps_of_a_task_of_their_own(
        trajectories in trajectories(),
        inside in any_of(vec!["grpo", "rloo"]),
        is_without in any::<bool>(),
    ) {
        let mut trajectories = trajectories;
        if is_without {
            let steps = trajectories.iter_mut().flat_map(|each| &mut each.steps);
            steps.for_each(|step| step.agent = None);
        }
        let by = |turns| {
            let team = DrMas { turns, ..of(inside.clone()) };
            advantages(&trajectories, Estimator::DrMas(team)).into_values()
        };
        // An episode of one step for every turn, with the score of the whole one, in a task of its own.
        let mut turns = Vec::new();
        let mut lengths = BTreeMap::new();
        for trajectory in &trajectories {
            let score: f64 = trajectory.steps.iter().map(|step| step.reward).sum();
            let mut counts = BTreeMap::new();
            for step in &trajectory.steps {
                let count = counts.entry(&step.agent).or_insert(0);
                let step = Step { reward: score, ..step.clone() };
                let task = format!("{} {:?} {count}", trajectory.task, step.agent);
                turns.push(Trajectory::new(task, &trajectory.trajectory, vec![step]));
                *count += 1;
            }
            for (agent, count) in counts {
                let shortest = lengths.entry((&trajectory.task, agent)).or_insert(count);
                *shortest = count.min(*shortest);
            }
        }
        let apart = advantages(&turns, inside.clone()).into_values();
        prop_assert_eq!(&by(TurnGroups::Apart), &apart);
        let mut place = 0;
        let truncated = by(TurnGroups::Truncated);
        for trajectory in &trajectories {
            let mut counts = BTreeMap::new();
            for step in &trajectory.steps {
                let count = counts.entry(&step.agent).or_insert(0);
                let is_in = *count < lengths[&(&trajectory.task, &step.agent)];
                let expected = if is_in { apart[place] } else { 0.0 };
                prop_assert_eq!(truncated[place], expected);
                (*count, place) = (*count + 1, place + 1);
            }
        }
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
}
