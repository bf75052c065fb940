//! Options, PerStep, PerStep, explanations and diagnostics on batches small enough for a pencil.
#![allow(clippy::float_cmp, reason = "exact zeros and hand-derived numbers are what is tested")]

use hgpo_core::{
    Baseline, Batch, Comparison, DrMas, Estimator, G2po, Gigpo, GraphGpo, Grpo, Hgpo, History,
    Level, Linkage, Metric, Options, PerStep, ReinforcePlusPlus, Scale, Similarity, SingletonRule,
    Skipped, Step, StepAddress, Trajectory, Weights, diagnostics, estimate, explain,
};

fn walk(task: &str, name: &str, states: &str, reward: f64) -> Trajectory {
    let mut steps: Vec<Step> = states.chars().map(|state| Step::new(state, 0.0)).collect();
    steps.last_mut().expect("states").reward = reward;
    Trajectory::new(task, name, steps)
}

/// The paper's overview figure: `s` from `r` three times, twice with `h` before.
fn overview() -> Batch {
    Batch::new(vec![
        walk("e", "a", "hrs", 10.0),
        walk("e", "b", "hrs", 0.0),
        walk("e", "c", "hprs", 10.0),
        walk("e", "d", "hls", 0.0),
    ])
    .expect("valid")
}

fn hgpo(options: Hgpo) -> Options {
    Options { estimator: Estimator::Hgpo(options), ..Options::default() }
}

#[test]
fn overview_figure_with_deviations() {
    let why = explain(&overview(), &hgpo(Hgpo::default()), &StepAddress::new("e", "a", 2))
        .expect("there");
    // G_0 = {10,0,10,0}: σ 5. G_1 = {10,0,10}: σ = √(200/9). G_2 = {10,0}: σ 5.
    let expected =
        [5.0 / 5.000_001, (10.0 / 3.0) / ((200.0_f64 / 9.0).sqrt() + 1e-6), 5.0 / 5.000_001];
    for (k, level) in why.levels().enumerate() {
        assert_eq!(
            (level.comparison, level.context.len(), level.skipped),
            (Comparison::Level(Level(k)), k + 1, None)
        );
        assert!((level.advantage - expected[k]).abs() < 1e-15);
        assert!((level.weight - (k as f64 + 1.0) / 6.0).abs() < 1e-15);
    }
    let sum = (expected[0] + 2.0 * expected[1] + 3.0 * expected[2]) / 6.0;
    assert!((why.advantage - sum).abs() < 1e-15);
    assert_eq!(why.terms[2].context, ["h", "r", "s"]);
    let members: Vec<_> =
        why.terms[1].members.iter().map(|m| (m.trajectory.as_str(), m.step, m.value)).collect();
    assert_eq!(members, [("a", 2, 10.0), ("b", 2, 0.0), ("c", 3, 10.0)]);
}

#[test]
fn skipped_levels_say_why() {
    let mean = hgpo(Hgpo { scale: Scale::Mean, context_length: 3, ..Hgpo::default() });
    let why = explain(&overview(), &mean, &StepAddress::new("e", "d", 2)).expect("there");
    let skipped: Vec<_> = why.levels().map(|level| level.skipped).collect();
    let alone = Some(Skipped::Singleton);
    assert_eq!((skipped, &why.missing[..]), (vec![None, alone, alone], &[Level(3)][..]));
    // Level 0 alone: 0 − 5, with the whole weight.
    assert_eq!((why.advantage, why.terms[0].weight), (-5.0, 1.0));
    // Two equal episodes: every group is constant.
    let losers =
        Batch::new(vec![walk("e", "a", "hs", 0.0), walk("e", "b", "hs", 0.0)]).expect("valid");
    let why = explain(&losers, &mean, &StepAddress::new("e", "a", 1)).expect("there");
    assert_eq!(why.terms[0].skipped, Some(Skipped::Zero));
    assert_eq!(why.advantage, 0.0);
}

#[test]
fn the_codes_weights_and_base_group() {
    let verl =
        Hgpo { weights: Weights::Verl, base_group: true, scale: Scale::Mean, ..Hgpo::default() };
    let why = explain(&overview(), &hgpo(verl), &StepAddress::new("e", "a", 2)).expect("there");
    // S over rows: 10 × 3, 0 × 3, 10 × 4, 0 × 3: mean 70 / 13. Weights 1 : 2 : 3 : 4 over 10 + 1e-6.
    let base = 10.0 - 70.0 / 13.0;
    let sum = (base + 2.0 * 5.0 + 3.0 * 10.0 / 3.0 + 4.0 * 5.0) / 10.000_001;
    let episode = &why.terms[0];
    assert_eq!((episode.comparison, &*episode.label), (Comparison::Episode, "E"));
    assert_eq!((episode.size, episode.raw_weight), (13, 1.0));
    assert!((why.advantage - sum).abs() < 1e-14);
}

#[test]
fn identical_winners_teach_nothing() {
    // 8 identical winning trajectories of 10 states: float32 gives up to 0.49 here.
    let winners = (0..8).map(|name| walk("e", &name.to_string(), "abcdefghij", 10.0)).collect();
    let batch = Batch::new(winners).expect("valid");
    // G2PO compares the gains of all steps with each other, which differ along the way.
    let silent = |estimator: &Estimator| !matches!(estimator, Estimator::G2po(_));
    for estimator in Estimator::all().into_iter().filter(silent) {
        let name = estimator.name();
        let options = Options { estimator, ..Options::default() };
        let advantages = estimate(&batch, &options).expect("valid").advantages.into_values();
        assert!(advantages.iter().all(|&advantage| advantage == 0.0), "{name}");
        assert_eq!(diagnostics(&batch, &options).expect("valid").no_signal_fraction, 1.0);
    }
}

#[test]
fn singletons_are_a_choice() {
    let batch = Batch::new(vec![walk("e", "a", "s", 4.0)]).expect("valid");
    let advantage = |estimator| {
        estimate(&batch, &Options { estimator, ..Options::default() }).expect("valid").advantages[0]
            [0]
    };
    assert_eq!(advantage(Estimator::Hgpo(Hgpo::default())), 0.0);
    assert_eq!(
        advantage(Estimator::Hgpo(Hgpo { singleton: SingletonRule::Keep, ..Hgpo::default() })),
        4.0
    );
    assert_eq!(advantage(Estimator::Grpo(Grpo::default())), 4.0);
    assert_eq!(
        advantage(Estimator::Grpo(Grpo { singleton: SingletonRule::Zero, ..Grpo::default() })),
        0.0
    );
    // A_E = S = 4, A_S = 0.
    assert_eq!(advantage(Estimator::Gigpo(Gigpo::default())), 4.0);
}

#[test]
fn options_that_cannot_be_are_refused() {
    let refuse =
        |options: &Options| estimate(&overview(), options).expect_err("refused").to_string();
    assert!(
        refuse(&hgpo(Hgpo { base_group: true, ..Hgpo::default() }))
            .starts_with("option base-group: only the reference code's weights")
    );
    assert!(
        refuse(&hgpo(Hgpo { alpha: -1.0, ..Hgpo::default() }))
            .starts_with("option alpha: -1 is not")
    );
    assert!(
        refuse(&hgpo(Hgpo { alpha: f64::NAN, ..Hgpo::default() })).starts_with("option alpha: NaN")
    );
    assert!(
        refuse(&hgpo(Hgpo { context_length: 1001, ..Hgpo::default() }))
            .starts_with("option context-length")
    );
    let penalty = Options { invalid_penalty: f64::INFINITY, ..Options::default() };
    assert!(refuse(&penalty).starts_with("option invalid-penalty: inf"));
    let weight = Estimator::Gigpo(Gigpo { step_weight: f64::NAN, ..Gigpo::default() });
    assert!(
        refuse(&Options { estimator: weight, ..Options::default() })
            .starts_with("option step-weight")
    );
    let unknown = Estimator::default_named("ppo").expect_err("unknown").to_string();
    let known = "option estimator: `ppo` is unknown: choose one of hgpo, gigpo, grpo, rloo, \
                 reinforce-plus-plus, graph-gpo, g2po, dr-mas";
    assert!(unknown.starts_with(known), "{unknown}");
    let nested = DrMas { estimator: Box::new(Estimator::DrMas(DrMas::default())) };
    let nested = Options { estimator: Estimator::DrMas(nested), ..Options::default() };
    assert!(refuse(&nested).starts_with("option estimator: dr-mas inside dr-mas"));
    let alike = |metric, threshold| {
        let similarity = Some(Similarity { metric, threshold, ..Similarity::default() });
        hgpo(Hgpo { similarity, ..Hgpo::default() })
    };
    assert!(refuse(&alike(Metric::Edit, 1.5)).starts_with("option threshold: 1.5"));
    assert_eq!(
        refuse(&alike(Metric::Embedding, 0.9)),
        "task \"e\", trajectory \"a\", step 0: `embedding` is missing: grouping by embeddings \
         needs one for every step, or choose `metric = edit`"
    );
    let scale = "std".parse::<Scale>().expect_err("unknown").to_string();
    assert_eq!(scale, "option scale: `std` is unknown: write one of mean-std, mean");
}

#[test]
fn the_largest_options_stay_finite() {
    let extreme = hgpo(Hgpo { alpha: 100.0, context_length: 1000, ..Hgpo::default() });
    let walks = [("a", 1e100), ("b", -1e100)]
        .map(|(name, reward)| walk("e", name, &"s".repeat(1200), reward));
    let batch = Batch::new(walks.into()).expect("valid");
    let advantages = estimate(&batch, &extreme).expect("valid").advantages.into_values();
    assert!(advantages.iter().all(|advantage| advantage.is_finite()));
    assert!(advantages[1199] > 0.0);
}

#[test]
fn options_are_read_from_files() {
    let json =
        r#"{"name":"gigpo","step_weight":0.5,"scale":"mean","episode_statistics":"trajectories"}"#;
    let estimator: Estimator = serde_json::from_str(json).expect("options");
    assert_eq!(estimator.name(), "gigpo");
    let written = serde_json::to_string(&estimator).expect("written");
    assert_eq!(serde_json::from_str::<Estimator>(&written).expect("read"), estimator);
    for bad in [
        r#"{"name":"hgpo","step_weight":1}"#,
        r#"{"name":"grpo","scale":"median"}"#,
        r#"{"name":"ppo"}"#,
        r#"{"context_length":2}"#,
    ] {
        assert!(serde_json::from_str::<Estimator>(bad).is_err(), "{bad}");
    }
    assert!(
        serde_json::from_str::<Options>(r#"{"discount":1.5}"#)
            .expect_err("refused")
            .to_string()
            .contains("1.5 is not between")
    );
    assert!(serde_json::from_str::<Options>(r#"{"gamma":0.9}"#).is_err());
    assert_eq!(serde_json::from_str::<Options>("{}").expect("defaults"), Options::default());
}

#[test]
fn names_may_hold_slashes() {
    let batch = Batch::new(vec![
        walk("games/pick", "0", "s", 1.0),
        walk("games", "pick/1", "s", 0.0),
        walk("x", "y/z", "s", 0.0),
        walk("x/y", "z", "s", 0.0),
    ])
    .expect("valid");
    let locate = |text: &str| batch.locate(&text.parse::<StepAddress>().expect("an address"));
    assert_eq!(locate("games/pick/0/0").expect("there"), (0, 0));
    assert_eq!(locate("games/pick/1/0").expect("there"), (1, 0));
    // Written so, the first `/` ends the task; the other one is still reached by its parts.
    assert_eq!(locate("x/y/z/0").expect("there"), (2, 0));
    assert_eq!(batch.locate(&StepAddress::new("x/y", "z", 0)).expect("there"), (3, 0));
    assert!(
        locate("x/nobody/0").expect_err("absent").to_string().contains("the first ones are y/z")
    );
    assert!(locate("nowhere/0/0").expect_err("absent").to_string().contains("no such task"));
    assert!(locate("x/y/z/7").expect_err("absent").to_string().contains("the steps 0 to 0"));
    for bad in ["", "a", "a/1", "a/b/c", "a/b/-1"] {
        assert!(bad.parse::<StepAddress>().is_err(), "{bad}");
    }
}

#[test]
fn diagnostics_of_the_overview_figure() {
    let health = diagnostics(&overview(), &hgpo(Hgpo::default())).expect("valid");
    assert_eq!((health.tasks, health.trajectories, health.steps), (1, 4, 13));
    // Level 0: h × 4, r × 3, s × 4, p, l: 5 groups of 13 steps, two alone.
    let level = &health.levels[0];
    assert_eq!((level.steps, level.groups, level.mean_size), (13, 5, 2.6));
    let sizes: Vec<_> = level.sizes.iter().map(|size| (size.size, size.steps)).collect();
    assert_eq!(sizes, [(1, 2), (3, 3), (4, 8)]);
    assert_eq!(level.singleton_fraction, 2.0 / 13.0);
    assert_eq!(level.zero_std_fraction, 0.0);
    // Level 1: hr × 2, rs × 3, hp, pr, hl, ls. Level 2: hrs × 2, hpr, prs, hls.
    assert_eq!((health.levels[1].steps, health.levels[1].groups), (9, 6));
    assert_eq!((health.levels[2].steps, health.levels[2].groups), (5, 4));
    // p and l are alone at every level; all other steps have a signal.
    assert_eq!(health.no_signal_fraction, 2.0 / 13.0);
    let weights: f64 = health.levels.iter().map(|level| level.mean_weight).sum();
    assert!((weights - 11.0 / 13.0).abs() < 1e-12);
    assert!(health.episode.is_none());
}

#[test]
fn text_forms() {
    let why = explain(&overview(), &hgpo(Hgpo::default()), &StepAddress::new("e", "d", 2))
        .expect("there");
    assert_eq!(
        why.to_string(),
        "e/d/2  hgpo  \"s\"\n\
         reward 0.000000  return 0.000000  step reward 0.000000  episode score 0.000000\n\
         level 0  size 4  mean 5.000000  std 5.000000  advantage -1.000000  weight 1.000000  contribution -1.000000\n\
         \x20 context  \"s\"\n\
         \x20 members  a/2 10.000000, b/2 0.000000, c/3 10.000000, d/2 0.000000\n\
         level 1  size 1  mean 0.000000  std 0.000000  advantage 0.000000  weight 0.000000  contribution 0.000000  skipped: alone in its group\n\
         \x20 context  \"l\" > \"s\"\n\
         \x20 members  d/2 0.000000\n\
         level 2  size 1  mean 0.000000  std 0.000000  advantage 0.000000  weight 0.000000  contribution 0.000000  skipped: alone in its group\n\
         \x20 context  \"h\" > \"l\" > \"s\"\n\
         \x20 members  d/2 0.000000\n\
         advantage -1.000000"
    );
    let json = serde_json::to_value(&why).expect("json");
    assert_eq!(json["terms"][1]["skipped"], "singleton");
    assert_eq!(
        (&json["terms"][0]["comparison"]["level"], &json["return"]),
        (&0.into(), &0.0.into())
    );
    assert_eq!(json["values"][0]["source"]["kind"], "return");
    assert_eq!(json["options"]["estimator"]["name"], "hgpo");
    let health = diagnostics(&overview(), &hgpo(Hgpo::default())).expect("valid").to_string();
    assert!(health.starts_with("hgpo: tasks 1, trajectories 4, steps 13\n"), "{health}");
}

fn advantages(batch: &Batch, options: &Options) -> PerStep {
    estimate(batch, options).expect("valid").advantages
}

fn mean(hgpo: Hgpo) -> Options {
    let estimator = Estimator::Hgpo(Hgpo { scale: Scale::Mean, ..hgpo });
    Options { estimator, ..Options::default() }
}

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
    // Nobody else: no signal, where the group would give its visits ±0.15.
    let alone = Batch::new(vec![walk("e", "a", "ss", 6.0)]).expect("valid");
    assert_eq!(advantages(&alone, &mean(others.clone())), [[0.0, 0.0]]);
    let health = diagnostics(&alone, &mean(others)).expect("valid");
    assert_eq!(health.levels[0].singleton_fraction, 1.0);
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
    // Where the past says nothing, it has no weight: both groups 10, 0.
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
        let dr_mas = DrMas { estimator: Box::new(estimator) };
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
