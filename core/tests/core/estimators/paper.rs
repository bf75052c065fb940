//! The paper's estimator and its options, errors, diagnostics and texts.

use super::*;

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
        assert!(
            advantages.iter().all(|&advantage| advantage == 0.0),
            "{name} pays identical winners"
        );
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
            .starts_with("option base_group: only `weights = verl`")
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
            .starts_with("option context_length")
    );
    let penalty = Options { invalid_penalty: f64::INFINITY, ..Options::default() };
    assert!(refuse(&penalty).starts_with("option invalid_penalty: inf"));
    let weight = Estimator::Gigpo(Gigpo { step_weight: f64::NAN, ..Gigpo::default() });
    assert!(
        refuse(&Options { estimator: weight, ..Options::default() })
            .starts_with("option step_weight")
    );
    let unknown = Estimator::default_named("ppo").expect_err("unknown").to_string();
    let known = Estimator::NAMES.join(", ");
    assert_eq!(unknown, format!("option estimator: unknown name `ppo`: use one of {known}"));
    let nested =
        DrMas { estimator: Box::new(Estimator::DrMas(DrMas::default())), ..DrMas::default() };
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
         needs one for every step; or use `similarity = edit`"
    );
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
            .contains("1.5 is not a number from 0 to 1")
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
    let locate = |task, trajectory, step| batch.locate(&StepAddress::new(task, trajectory, step));
    let refused =
        |task, trajectory, step| locate(task, trajectory, step).expect_err("absent").to_string();
    assert_eq!(locate("games/pick", "0", 0).expect("there"), (0, 0));
    assert_eq!(locate("games", "pick/1", 0).expect("there"), (1, 0));
    // Two steps with the same text are told apart by their parts.
    assert_eq!(locate("x", "y/z", 0).expect("there"), (2, 0));
    assert_eq!(locate("x/y", "z", 0).expect("there"), (3, 0));
    assert!(refused("games", "pick/0", 0).contains("no such trajectory"));
    assert!(refused("x", "y/z", 7).contains("choose a step from 0 to 0"));
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
         rule  (value - mean) / (std + 1e-6), std over n  weight (level + 1)^1 / sum  options  default\n\
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
