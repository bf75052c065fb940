use super::{Comparison, differences};
use crate::model::Cell;
use hgpo_core::{Batch, Estimator, Options, format};

const OVERVIEW: &str = include_str!("../../../../assets/presets/overview.rollouts.jsonl");

/// The attempts of rollouts.
pub(crate) fn batch(rollouts: &str) -> Batch {
    Batch::new(format::read_written(rollouts).expect("rollouts").1).expect("attempts")
}

/// Every estimator with the scale `mean`, if it has one, and a discount.
pub(crate) fn methods(discount: f64) -> Vec<Options> {
    let of = |name: &&str| {
        let estimator = Estimator::default_named(name).expect("known");
        let mut options = Options { estimator, ..Options::default() };
        options.set("discount", discount.into()).expect("admitted");
        // Some have none.
        let _ = options.set("scale", "mean".into());
        options
    };
    Estimator::NAMES.iter().map(of).collect()
}

#[test]
fn each_estimator_is_as_it_is_set() {
    let of = |discount| {
        let found =
            Comparison::new(&batch(OVERVIEW), &methods(discount), "hgpo", &["grpo", "gigpo"]);
        found.expect("taken")
    };
    let found = of(0.95);
    let column = |found: &Comparison, name: &str| {
        found.columns.iter().position(|column| column.name == name).expect("there")
    };
    let [grpo, gigpo, hgpo] = ["grpo", "gigpo", "hgpo"].map(|name| column(&found, name));
    assert_eq!((found.columns.len(), found.chosen), (3, hgpo));
    let counts = [grpo, gigpo, hgpo].map(|place| found.columns[place].counts_steps);
    assert_eq!(counts, [true, true, false], "HGPO compares no attempts");
    // t1 of 4 + 5 + 6 + 4 steps: S = 10 at 10 of the 19 rows, so A = 10 − 100/19 at every step.
    let (first, at_s2) = (Cell::default(), Cell { row: 0, step: 2 });
    let episode = 10.0 - 100.0 / 19.0;
    assert!((found.columns[grpo].at(first) - episode).abs() < 1e-12);
    // GiGPO adds the centred return at s2: 9.5 of 9.5, 0, 9.025 and 0.
    let anchor = 9.5 - (9.5 + 9.025) / 4.0;
    assert!((found.columns[gigpo].at(at_s2) - episode - anchor).abs() < 1e-12);
    let halved = of(0.5);
    // Returns at s2 are then 5, 0, 2.5 and 0.
    assert!((halved.columns[gigpo].at(at_s2) - episode - (5.0 - 7.5 / 4.0)).abs() < 1e-12);
}

#[test]
fn the_chosen_one_is_always_there() {
    let batch = batch(OVERVIEW);
    for name in Estimator::NAMES {
        let found = Comparison::new(&batch, &methods(0.95), name, &[]).expect(name);
        assert_eq!((found.columns.len(), found.of_chosen().name), (1, *name));
    }
    let found = Comparison::new(&batch, &methods(0.95), "hgpo", Estimator::NAMES).expect("taken");
    assert_eq!(found.columns.len(), Estimator::NAMES.len());
    assert_eq!(found.of_chosen().diagnostics.levels.len(), 3, "K = 2");
    assert!(
        Comparison::new(&batch, &[], "hgpo", Estimator::NAMES).is_none(),
        "settings of nothing"
    );
}

#[test]
fn the_largest_difference_comes_first_and_ties_keep_their_order() {
    // Centred over rows, S = 4, 4, 1 has the mean 3. GiGPO adds R minus the mean of the state:
    // a: 4 and 1, mean 2.5, so +1.5 and −1.5; b is alone, 0. With HGPO a gives ±1.5, b 0.
    let batch = batch(
        r#"{"task":"g","trajectory":"x","steps":[{"state":"a","reward":0},{"state":"b","reward":4}]}
{"task":"g","trajectory":"y","steps":[{"state":"a","reward":1}]}"#,
    );
    let of = |chosen, ticks: &[&str], most| {
        let compared = Comparison::new(&batch, &methods(1.0), chosen, ticks).expect("taken");
        let found = differences(&compared, most);
        found.iter().map(|cell| (cell.row, cell.step)).collect::<Vec<_>>()
    };
    // GiGPO against GRPO: the step term, 1.5, 0 and 1.5.
    assert_eq!(of("gigpo", &["grpo"], 9), [(0, 0), (1, 0), (0, 1)]);
    assert_eq!(of("gigpo", &["grpo"], 1), [(0, 0)]);
    // HGPO against GiGPO: the episode term, 1, 1 and −2.
    assert_eq!(of("hgpo", &["grpo", "gigpo"], 9), [(1, 0), (0, 0), (0, 1)]);
}
