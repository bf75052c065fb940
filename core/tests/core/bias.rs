//! Bias and variance against truths that are known: by hand, and by simulation.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]
#![allow(clippy::float_cmp, reason = "hand-derived numbers that are exact in binary")]

use hgpo_core::{
    Baseline, Batch, BiasReport, BiasRow, BiasStudy, Discount, Estimator, Gigpo, Grpo, Hgpo, Level,
    Options, Quantity, ReinforcePlusPlus, Scale, Step, Trajectory, TrueAdvantage, Weights,
};

fn options(estimator: Estimator) -> Options {
    Options { estimator, invalid_penalty: 0.0, ..Options::default() }
}

fn hgpo(context_length: usize, baseline: Baseline) -> Hgpo {
    Hgpo { context_length, baseline, scale: Scale::Mean, ..Hgpo::default() }
}

fn row(rows: &[BiasRow], quantity: Quantity) -> &BiasRow {
    rows.iter().find(|row| row.quantity == quantity).unwrap()
}

fn exact(values: impl IntoIterator<Item = f64>) -> Vec<Option<TrueAdvantage>> {
    values.into_iter().map(|value| Some(TrueAdvantage { value, variance: 0.0 })).collect()
}

/// One-step episodes: action `a` pays 2, `b` nothing, and a policy takes either as often: A* = ±1.
fn coin(actions: &str) -> (Batch, Vec<Option<TrueAdvantage>>) {
    let pays = |action| if action == 'a' { 2.0 } else { 0.0 };
    let episode = |(index, action): (usize, char)| {
        let step = Step::new("s", pays(action)).with_action(action);
        Trajectory::new("g", index.to_string(), vec![step])
    };
    let batch = Batch::new(actions.chars().enumerate().map(episode).collect()).unwrap();
    (batch, exact(actions.chars().map(|action| pays(action) - 1.0)))
}

fn coins(baseline: Baseline, times: usize) -> BiasReport {
    let mut study = BiasStudy::new(&options(Estimator::Hgpo(hgpo(0, baseline))), 0).unwrap();
    for _ in 0..times {
        for actions in ["aa", "ab", "ba", "bb"] {
            let (batch, truth) = coin(actions);
            study.add(&batch, &truth).unwrap();
        }
    }
    study.report()
}

/// A group mean that holds the step itself takes 1/n of the advantage away: half of ±1 in groups
/// of two, whereas the steps of the other trajectory leave it whole.
#[test]
fn a_baseline_with_the_step_in_it_shrinks_the_advantage() {
    // A at `a`: 0, 0 in aa and 1 in ab and ba: errors S_g = −2, 0, 0 with n_g = 2, 1, 1, r times:
    // bias² = (4r² − 4r) / (16r² − 6r), 1/4 for many; Σ e² / n = 2/4. `b` is its mirror.
    let r = 500.0;
    let found = coins(Baseline::Group, 500);
    let level = row(&found.all_steps, Quantity::Level(Level(0)));
    let squared_bias = (4.0 * r * r - 4.0 * r) / (16.0 * r * r - 6.0 * r);
    assert!((level.squared_bias.value - squared_bias).abs() < 1e-12);
    assert_eq!(level.mean_squared_error.value, 0.5);
    assert!((level.variance.value - (0.5 - squared_bias)).abs() < 1e-12);
    assert_eq!((level.keys, level.observations, level.coverage), (2, 4000, 1.0));

    // Against the other: 0, 0 and 2, 2 at `a`: S_g = −2, 1, 1: bias² = −6r / (16r² − 6r), none.
    let found = coins(Baseline::Others, 500);
    let level = row(&found.all_steps, Quantity::Level(Level(0)));
    assert!((level.squared_bias.value + 6.0 * r / (16.0 * r * r - 6.0 * r)).abs() < 1e-12);
    assert_eq!(level.mean_squared_error.value, 1.0);
}

/// A step at `s` came from `x` or `y`, which are worth ±2; its action adds ±1 and chance ±3. So
/// A* is 0 at the first step and ±1 at the second. γ = 1.
struct TwoHistories(u64);

impl TwoHistories {
    /// splitmix64's top bit.
    fn coin(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        if (mixed ^ (mixed >> 31)) >> 63 == 0 { 1.0 } else { -1.0 }
    }

    fn group(&mut self, size: usize) -> (Batch, Vec<Option<TrueAdvantage>>) {
        let mut truth = Vec::new();
        let episode = |index: usize| {
            let (history, action, chance) = (self.coin(), self.coin(), self.coin());
            truth.extend([0.0, action]);
            let first = Step::new(if history > 0.0 { "x" } else { "y" }, 0.0).with_action("go");
            let second = Step::new("s", 2.0 * history + action + 3.0 * chance)
                .with_action(if action > 0.0 { "left" } else { "right" });
            Trajectory::new("g", index.to_string(), vec![first, second])
        };
        let batch = Batch::new((0..size).map(episode).collect()).unwrap();
        (batch, exact(truth))
    }

    fn study(estimator: Hgpo) -> BiasReport {
        let options = Options {
            discount: Discount::new(1.0).unwrap(),
            ..options(Estimator::Hgpo(estimator))
        };
        let mut study = BiasStudy::new(&options, 1).unwrap();
        let mut world = Self(7);
        for _ in 0..4000 {
            let (batch, truth) = world.group(8);
            study.add(&batch, &truth).unwrap();
        }
        study.report()
    }
}

/// Proposition 4.1 when its assumptions hold: bias does not grow with k, variance does not fall,
/// and the aggregate's bias lies between.
#[test]
fn longer_contexts_have_less_bias_and_more_variance() {
    let found = TwoHistories::study(hgpo(1, Baseline::Others));
    let [short, long, history, aggregate] = [
        Quantity::Level(Level(0)),
        Quantity::Level(Level(1)),
        Quantity::History,
        Quantity::Aggregate,
    ]
    .map(|quantity| row(&found.common_steps, quantity));
    // Level 0 is off by ±2, the value of the history, less the mean over the seven others: that is
    // 0, and ±2/127 if at least one of them shares it: (2 − 2/127)² = 3.94.
    assert!((short.squared_bias.value - 3.94).abs() < 0.3, "{found}");
    // A mean over 8,000 steps of a key with variance near 13 errs by 0.04: bias² by 2 · 2 · 0.04 at
    // level 0, by 0.0016 at level 1.
    assert!(long.squared_bias.value.abs() < 0.05, "{found}");
    assert!(long.variance.value > short.variance.value + 1.0, "{found}");
    assert!(short.squared_bias.value > aggregate.squared_bias.value + 1.0, "{found}");
    assert!(aggregate.squared_bias.value > long.squared_bias.value + 0.2, "{found}");
    let between = short.variance.value..long.variance.value;
    assert!(between.contains(&aggregate.variance.value), "{found}");
    // With one way to x and to y, the full history is the longest context.
    let mut expected = long.clone();
    expected.quantity = Quantity::History;
    assert_eq!(history, &expected);
    for row in found.all_steps.iter().chain(&found.common_steps) {
        let sum = row.squared_bias.value + row.variance.value;
        assert!((sum - row.mean_squared_error.value).abs() < 1e-9, "{found}");
    }
}

/// Weights from the data use the longer context more when it pays: less error than the paper's.
#[test]
fn adaptive_weights_err_less_where_histories_differ() {
    let error = |weights| {
        let found = TwoHistories::study(Hgpo { weights, ..hgpo(1, Baseline::Others) });
        row(&found.common_steps, Quantity::Aggregate).mean_squared_error.value
    };
    let [paper, adaptive] = [Weights::Paper, Weights::Adaptive].map(error);
    // Chance alone is 9.
    assert!(adaptive > 9.0 && adaptive + 0.5 < paper, "{paper} {adaptive}");
}

/// Steps of unknown worth are company, and are not measured.
#[test]
fn steps_without_a_truth_are_left_out_of_the_means() {
    let mut study = BiasStudy::new(&options(Estimator::Hgpo(hgpo(0, Baseline::Group))), 0).unwrap();
    let (batch, mut truth) = coin("ab");
    truth[1] = None;
    for _ in 0..2 {
        study.add(&batch, &truth).unwrap();
    }
    let report = study.report();
    let level = row(&report.all_steps, Quantity::Level(Level(0)));
    assert_eq!((level.keys, level.observations, level.coverage), (1, 2, 1.0));
    // 2 − 1 against A* = 1.
    assert_eq!(level.mean_squared_error.value, 0.0);
}

#[test]
fn only_what_can_be_compared_with_returns_is_taken() {
    let refused = |options: &Options| BiasStudy::new(options, 1).unwrap_err().to_string();
    let scaled = refused(&options(Estimator::Hgpo(Hgpo::default())));
    assert!(scaled.contains("scale") && scaled.contains("mean"), "{scaled}");
    let whitened = options(Estimator::ReinforcePlusPlus(ReinforcePlusPlus::default()));
    assert!(refused(&whitened).contains("whitens"));
    let penalised =
        Options { invalid_penalty: 0.1, ..options(Estimator::Hgpo(hgpo(1, Baseline::Group))) };
    assert!(refused(&penalised).contains("invalid_penalty"));

    let mut study = BiasStudy::new(&options(Estimator::Hgpo(hgpo(1, Baseline::Group))), 1).unwrap();
    let (batch, truth) = coin("ab");
    assert!(study.add(&batch, &truth[1..]).unwrap_err().to_string().contains("1 true advantages"));
    for wrong in [(f64::NAN, 0.0), (0.0, -1.0), (0.0, f64::INFINITY)] {
        let truth = vec![Some(TrueAdvantage { value: wrong.0, variance: wrong.1 }); 2];
        assert!(study.add(&batch, &truth).is_err());
    }
    assert_eq!(study.report().steps, 0);
}

#[test]
fn estimators_without_levels_have_the_reference_and_the_aggregate() {
    let grpo = Estimator::Grpo(Grpo { scale: Scale::Mean, ..Grpo::default() });
    let gigpo = Estimator::Gigpo(Gigpo { scale: Scale::Mean, ..Gigpo::default() });
    for (estimator, levels) in [(grpo, 0), (gigpo, 1)] {
        let mut study = BiasStudy::new(&options(estimator), 0).unwrap();
        let (batch, truth) = coin("ab");
        study.add(&batch, &truth).unwrap();
        study.add(&batch, &truth).unwrap();
        let report = study.report();
        assert_eq!(report.all_steps.len(), levels + 2);
        // GRPO: ±1, right; GiGPO: its two terms are ±1 each, off by 1.
        let aggregate = row(&report.all_steps, Quantity::Aggregate);
        assert_eq!(aggregate.squared_bias.value, levels as f64);
        assert_eq!(aggregate.correlation, Some(1.0));
        let text = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<BiasReport>(&text).unwrap(), report);
        assert_eq!(report.to_string().lines().count(), 5 + 2 * (levels + 2));
    }
}
