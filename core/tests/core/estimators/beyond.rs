//! What goes beyond the paper: other baselines, weights, contexts and estimators.

use super::*;

#[test]
fn others_leave_the_own_trajectory_out() {
    // State s: a twice (returns 0.95 · 6 = 5.7 and 6), b once (3), c once (0).
    let batch = Batch::new(vec![
        walk("e", "a", "ss", 6.0),
        walk("e", "b", "s", 3.0),
        walk("e", "c", "s", 0.0),
    ])
    .expect("valid");
    let others = Hgpo { context_length: 0, baseline: Baseline::Others, ..Hgpo::default() };
    let found = advantages(&batch, &mean(others.clone()));
    // a: less (3 + 0)/2. b: less (5.7 + 6 + 0)/3. c: less (5.7 + 6 + 3)/3.
    for (found, expected) in found.into_values().into_iter().zip([4.2, 4.5, -0.9, -4.9]) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
    let why =
        explain(&batch, &mean(others.clone()), &StepAddress::new("e", "a", 0)).expect("there");
    let members: Vec<_> = why.terms[0].members.iter().map(|m| m.trajectory.as_str()).collect();
    assert_eq!((members, why.terms[0].size), (vec!["b", "c"], 2));
    // Nobody else: no signal, whereas the group would give its visits ±0.15.
    let alone = Batch::new(vec![walk("e", "a", "ss", 6.0)]).expect("valid");
    assert_eq!(advantages(&alone, &mean(others.clone())), [[0.0, 0.0]]);
    let health = diagnostics(&alone, &mean(others)).expect("valid");
    assert_eq!(health.levels[0].singleton_fraction, 1.0);
}

#[test]
fn one_level_alone_is_a_choice() {
    // Level 1 of s after r: 10, 0, 10 around 20/3. d came another way and is alone there; first steps
    // have no such level.
    let only = |level| mean(Hgpo { only_level: Some(level), ..Hgpo::default() });
    let found = advantages(&overview(), &only(1));
    for (found, expected) in [
        (found[0][2], 10.0 - 20.0 / 3.0),
        (found[1][2], 0.0 - 20.0 / 3.0),
        (found[2][3], 10.0 - 20.0 / 3.0),
        (found[3][2], 0.0),
        (found[0][0], 0.0),
    ] {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
    // Level 0: 10, 0, 10, 0 around 5, as with K = 0.
    let zero = Hgpo { context_length: 0, ..Hgpo::default() };
    assert_eq!(advantages(&overview(), &only(0)), advantages(&overview(), &mean(zero)));
    let why = explain(&overview(), &only(1), &StepAddress::new("e", "a", 2)).expect("there");
    let weights: Vec<_> = why.terms.iter().map(|term| (term.weight, &term.weighting)).collect();
    let out = (0.0, &Weighting::LeftOut);
    assert_eq!(weights, [out, (1.0, &Weighting::One), out]);
    let text = why.to_string();
    assert!(text.contains("weight 0 and 1  options  scale mean, only_level 1"), "{text}");
    let health = diagnostics(&overview(), &only(1)).expect("valid");
    let weights: Vec<f64> = health.levels.iter().map(|level| level.mean_weight).collect();
    // 9 of 13 steps have a state before.
    assert_eq!(weights, [0.0, 9.0 / 13.0, 0.0]);
}

#[test]
fn adaptive_weights_follow_the_variances() {
    // State s after x: 10, 8; after y: 2, 0; after z: 4 alone. All returns are last rewards.
    let batch = Batch::new(vec![
        walk("e", "a", "xs", 10.0),
        walk("e", "b", "xs", 8.0),
        walk("e", "c", "ys", 2.0),
        walk("e", "d", "ys", 0.0),
        walk("e", "f", "zs", 4.0),
    ])
    .expect("valid");
    let options = mean(Hgpo { context_length: 1, weights: Weights::Adaptive, ..Hgpo::default() });
    // Level 1 of s: means 9, 1, 4 of 2, 2, 1 steps around 24/5. Level 0 is shared by five more
    // steps (x, x, y, y, z), of whom level 1 knows nothing.
    // Within: (1 + 1 + 1 + 1) / (5 − 3) = 2.
    // Between: 2·4.2² + 2·3.8² + 0.8² = 64.8; less (3 − 1)·2 = 60.8; over 5 − (4 + 4 + 1)/5 = 3.2.
    let tau = 60.8 / 3.2;
    let trust = tau / (tau + 2.0 / 2.0);
    let why = |name| explain(&batch, &options, &StepAddress::new("e", name, 1)).expect("there");
    let a = why("a");
    assert!((a.terms[1].weight - trust).abs() < 1e-12, "{}", a.terms[1].weight);
    assert!((a.terms[0].weight - (1.0 - trust)).abs() < 1e-12);
    assert!((a.advantage - (trust * 1.0 + (1.0 - trust) * 5.2)).abs() < 1e-12);
    // Alone after z: the level above has the whole weight.
    let f = why("f");
    assert_eq!((f.terms[1].weight, f.terms[1].skipped), (0.0, Some(Skipped::Singleton)));
    assert!((f.terms[0].weight, f.advantage) == (1.0, 4.0 - 4.8));
    // If the past says nothing, it has no weight: both groups 10, 0.
    let same = ["xs", "xs", "ys", "ys"].into_iter().zip([10.0, 0.0, 10.0, 0.0]).enumerate();
    let same = same.map(|(name, (states, reward))| walk("e", &name.to_string(), states, reward));
    let same = Batch::new(same.collect()).expect("valid");
    let why = explain(&same, &options, &StepAddress::new("e", "0", 1)).expect("there");
    assert_eq!((why.terms[1].weight, why.terms[0].weight, why.advantage), (0.0, 1.0, 5.0));
}

#[test]
fn summaries_take_the_place_of_the_past() {
    let walk = |name, summary: Option<&str>, reward| {
        let step = Step { context: summary.map(str::to_owned), ..Step::new("s", reward) };
        Trajectory::new("e", name, vec![step])
    };
    let batch = Batch::new(vec![
        walk("a", Some("has the key"), 6.0),
        walk("b", Some("has the key"), 2.0),
        walk("c", Some("lost it"), 4.0),
        walk("d", None, 0.0),
    ])
    .expect("valid");
    let options = mean(Hgpo { history: History::Summary, ..Hgpo::default() });
    // Level 0: 6, 2, 4, 0 around 3. Level 1: 6, 2 around 4. Weights 1 : 2.
    let expected = [(3.0 + 2.0 * 2.0) / 3.0, (-1.0 - 2.0 * 2.0) / 3.0, 1.0, -3.0];
    for (found, expected) in advantages(&batch, &options).into_values().into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
    let why = explain(&batch, &options, &StepAddress::new("e", "d", 0)).expect("there");
    assert_eq!((why.terms.len(), &why.missing[..]), (1, &[Level(1)][..]));
    let why = explain(&batch, &options, &StepAddress::new("e", "b", 0)).expect("there");
    assert_eq!(
        (&why.terms[0].context, &why.terms[1].context[..]),
        (&vec!["s".to_owned()], &["has the key".to_owned(), "s".to_owned()][..],)
    );
}

#[test]
fn states_that_are_alike_count_as_one() {
    // "door 1" and "door 2": 2 · 5 / 12 = 0.83.
    let walk = |name, state, reward| Trajectory::new("e", name, vec![Step::new(state, reward)]);
    let batch = Batch::new(vec![
        walk("a", "door 1", 6.0),
        walk("b", "door 2", 2.0),
        walk("c", "hall", 0.0),
    ])
    .expect("valid");
    let alike = |threshold| Some(Similarity { threshold, ..Similarity::default() });
    let hgpo = |threshold| mean(Hgpo { similarity: alike(threshold), ..Hgpo::default() });
    assert_eq!(advantages(&batch, &hgpo(0.8)), [[2.0], [-2.0], [0.0]]);
    assert_eq!(advantages(&batch, &hgpo(0.9)), [[0.0], [0.0], [0.0]]);
    let gigpo = Gigpo { scale: Scale::Mean, similarity: alike(0.8), ..Gigpo::default() };
    let gigpo = Options { estimator: Estimator::Gigpo(gigpo), ..Options::default() };
    // Episodes 6, 2, 0 around 8/3.
    let found = advantages(&batch, &gigpo).into_values();
    for (found, expected) in
        found.into_iter().zip([6.0 - 8.0 / 3.0 + 2.0, -2.0 / 3.0 - 2.0, -8.0 / 3.0])
    {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}

#[test]
fn embeddings_may_stand_for_states() {
    let walk = |name, embedding: [f64; 2], reward| {
        let step = Step { embedding: Some(embedding.to_vec()), ..Step::new(name, reward) };
        Trajectory::new("e", name, vec![step])
    };
    // Directions 0°, 30°, 60°: neighbours have the cosine 0.87, the ends 0.5.
    let (near, far) = (3.0_f64.sqrt() / 2.0, 0.5);
    let batch = Batch::new(vec![
        walk("b", [near, far], 3.0),
        walk("a", [1.0, 0.0], 6.0),
        walk("c", [far, near], 0.0),
    ])
    .expect("valid");
    let options = |linkage| {
        let similarity = Similarity { metric: Metric::Embedding, linkage, threshold: 0.8 };
        mean(Hgpo { similarity: Some(similarity), ..Hgpo::default() })
    };
    // Greedily all are like the first one; completely the first pair is one, and c is alone.
    assert_eq!(advantages(&batch, &options(Linkage::Greedy)), [[0.0], [3.0], [-3.0]]);
    assert_eq!(advantages(&batch, &options(Linkage::Complete)), [[-1.5], [1.5], [0.0]]);
}

#[test]
fn embeddings_that_cannot_be_compared_are_named_with_their_step() {
    let refused = |embeddings: &[&[f64]]| {
        let step = |own: &&[f64]| Step { embedding: Some(own.to_vec()), ..Step::new("s", 0.0) };
        let batch =
            Batch::new(vec![Trajectory::new("e", "a", embeddings.iter().map(step).collect())]);
        let similarity = Some(Similarity { metric: Metric::Embedding, ..Similarity::default() });
        let options = mean(Hgpo { similarity, ..Hgpo::default() });
        estimate(&batch.expect("valid"), &options).expect_err("must be refused").to_string()
    };
    let place = "task \"e\", trajectory \"a\", step 1: `embedding` must be a list of numbers";
    let length = refused(&[&[1.0, 0.0], &[1.0]]);
    assert!(
        length.starts_with(&format!("{place} as long as the first step's, not one of 1")),
        "{length}"
    );
    // The cosine to a vector without a direction is no number.
    let zeros = refused(&[&[1.0, 0.0], &[0.0, -0.0]]);
    assert!(zeros.starts_with(&format!("{place} that are not all 0, not zeros")), "{zeros}");
}

#[test]
fn the_graph_of_all_attempts_shows_the_way() {
    // a: s x goal. b: s y x goal. c: s z, and no further.
    let batch = Batch::new(vec![
        walk("e", "a", "sx", 1.0),
        walk("e", "b", "syx", 1.0),
        walk("e", "c", "sz", 0.0),
    ])
    .expect("valid");
    let graph = GraphGpo { scale: Scale::Mean, ..GraphGpo::default() };
    let options = Options { estimator: Estimator::GraphGpo(graph), ..Options::default() };
    let why =
        |name, step| explain(&batch, &options, &StepAddress::new("e", name, step)).expect("there");
    // d: x 1, s and y 2; z and the dead end do not reach the goal: 2 + 1.
    // From s to x, y, z: 10 · 0.1, 10 · 0.01, 10 · 0.001.
    let values: Vec<f64> = why("a", 0).terms[1].members.iter().map(|m| m.value).collect();
    for (found, expected) in values.iter().zip([1.0, 0.1, 0.01]) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
    // A success leads to the goal itself: 10 · 0.1^0.
    assert_eq!(why("b", 2).terms[1].members[0].value, 10.0);
    assert!((why("c", 1).terms[1].members[0].value - 0.01).abs() < 1e-12);
    // Nobody succeeds: everything is equally far.
    let lost =
        Batch::new(vec![walk("e", "a", "sx", 0.0), walk("e", "b", "sy", 0.0)]).expect("valid");
    assert_eq!(advantages(&lost, &options), [[0.0, 0.0], [0.0, 0.0]]);
    // What a trajectory says of its success counts more than its rewards.
    let mut said = vec![walk("e", "a", "s", 0.0), walk("e", "b", "s", 0.0)];
    said[0].success = Some(true);
    let said = Batch::new(said).expect("valid");
    assert!(advantages(&said, &options)[0][0] > 0.0);
    let g2po = Options { estimator: Estimator::G2po(G2po::default()), ..Options::default() };
    assert!(advantages(&said, &g2po)[0][0] > 0.0);
}

#[test]
fn agents_are_compared_with_themselves() {
    let turn =
        |agent: &str, reward| Step { agent: Some(agent.to_owned()), ..Step::new("s", reward) };
    let team = |name, planner, coder| {
        Trajectory::new("e", name, vec![turn("planner", planner), turn("coder", coder)])
    };
    let batch = Batch::new(vec![team("a", 4.0, 1.0), team("b", 0.0, 3.0)]).expect("valid");
    let inside = |estimator| {
        let dr_mas = DrMas { estimator: Box::new(estimator), ..DrMas::default() };
        let discount = hgpo_core::Discount::new(0.0).expect("valid");
        Options { discount, estimator: Estimator::DrMas(dr_mas), ..Options::default() }
    };
    // γ = 0: planner 4, 0 around 2; coder 1, 3 around 2. One state for both, two groups.
    let hgpo = inside(Estimator::Hgpo(Hgpo { scale: Scale::Mean, ..Hgpo::default() }));
    assert_eq!(advantages(&batch, &hgpo), [[2.0, -1.0], [-2.0, 1.0]]);
    let why = explain(&batch, &hgpo, &StepAddress::new("e", "b", 1)).expect("there");
    assert_eq!(why.terms[0].members.len(), 2);
    // The coder's own first step: its context holds no state of the planner.
    assert_eq!((why.terms.len(), why.missing[0]), (1, Level(1)));
    let health = diagnostics(&batch, &hgpo).expect("valid");
    assert_eq!((health.levels[0].groups, health.levels[0].steps), (2, 4));
    // Two turns each, in turn: what a planner saw is no context of the coder's.
    let turns = ["p0", "c0", "p1", "c1"]
        .map(|state| Step { agent: Some(state[..1].to_owned()), ..Step::new(state, 0.0) });
    let batch = Batch::new(vec![Trajectory::new("e", "a", turns.to_vec())]).expect("valid");
    let why = explain(&batch, &hgpo, &StepAddress::new("e", "a", 3)).expect("there");
    assert_eq!(why.terms[1].context, ["c0", "c1"]);
}

#[test]
fn whitening_is_explained() {
    let batch =
        Batch::new(vec![walk("e", "a", "s", 6.0), walk("h", "b", "s", 2.0)]).expect("valid");
    let options = Options {
        estimator: Estimator::ReinforcePlusPlus(ReinforcePlusPlus::default()),
        ..Options::default()
    };
    let why = explain(&batch, &options, &StepAddress::new("e", "a", 0)).expect("there");
    // 6 and 2: mean 4, sample variance 8.
    let whitening = why.whitening.expect("whitened");
    assert_eq!(whitening.mean, 4.0);
    assert!((why.advantage - 2.0 / (8.0_f64 + 1e-8).sqrt()).abs() < 1e-12);
    let text = why.to_string();
    assert!(text.contains("whitened: less 4.000000, over 2.828427"), "{text}");
}

#[test]
fn every_term_of_g2po_is_explained() {
    let batch = overview();
    let options = Options { estimator: Estimator::G2po(G2po::default()), ..Options::default() };
    let why = explain(&batch, &options, &StepAddress::new("e", "a", 2)).expect("there");
    let progress = why.terms.last().expect("A_2");
    assert_eq!((progress.size, progress.comparison), (13, Comparison::Steps));
    let text = why.to_string();
    assert!(text.contains("\nall steps  size 13"), "{text}");
}
