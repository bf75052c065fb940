//! Groups, levels and clusters.

use super::*;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

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
    fn complete_clusters_hold_similar_states_only(points in prop::collection::vec(0.0..1.0_f64, 0..12), threshold in 0.0..1.0_f64) {
        struct Line<'a>(&'a [f64]);
        impl StateMetric for Line<'_> {
            fn similarity(&self, left: usize, right: usize) -> f64 {
                1.0 - (self.0[left] - self.0[right]).abs()
            }
        }
        let line = Line(&points);
        let complete = clusters(&line, points.len(), threshold, Linkage::Complete);
        prop_assert_eq!(&complete, &merged_one_by_one(&line, points.len(), threshold));
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
}

/// Complete linkage as it is defined: every pair is looked at before each merge.
fn merged_one_by_one(metric: &dyn StateMetric, count: usize, threshold: f64) -> Vec<usize> {
    let mut clusters: Vec<Vec<usize>> = (0..count).map(|state| vec![state]).collect();
    loop {
        let mut best: Option<(f64, usize, usize)> = None;
        for left in 0..clusters.len() {
            for right in 0..left {
                let pairs = clusters[left]
                    .iter()
                    .flat_map(|&a| clusters[right].iter().map(move |&b| (a, b)));
                let least = pairs
                    .map(|(a, b)| metric.similarity(a.max(b), a.min(b)))
                    .fold(f64::INFINITY, f64::min);
                if least >= threshold && best.is_none_or(|(most, _, _)| least > most) {
                    best = Some((least, right, left));
                }
            }
        }
        let Some((_, kept, merged)) = best else { break };
        let states = clusters.remove(merged);
        clusters[kept].extend(states);
    }
    (0..count)
        .map(|state| clusters.iter().position(|of| of.contains(&state)).expect("in one"))
        .collect()
}
