//! Numbers of a report, against those that were worked out by hand.

use super::fixture::{arm, report, run, study, text_of, written};
use super::markup;
use hgpo_report::render;
use hgpo_study::summary::StudySummary;

fn two() -> StudySummary {
    study(vec![arm("grpo", &[0.1, 0.2, 0.3, 0.6]), arm("hgpo", &[0.65, 0.62, 0.64, 0.63])])
}

#[test]
fn the_headline_has_every_arm() {
    let report = report(&two());
    markup::check(&report);
    let text = text_of(&report);
    // A run is dropped at either end: (0.2 + 0.3) / 2 and (0.63 + 0.64) / 2. All pairs are won.
    assert!(text.contains("hgpo has the largest area under the success curve: 63.5 % ("), "{text}");
    assert!(
        text.contains(
            "grpo, the first arm, is 1.00 (1.00 to 1.00); the interval is above one half."
        ),
        "{text}"
    );
    // Mean 0.3; (0.04 + 0.01 + 0 + 0.09) / 3 = 0.0467, root 0.216.
    assert!(text.contains("30.0 % ± 21.6"), "{text}");
    // Middle of hgpo less that of grpo, 0.635 - 0.25, over four seeds that both have.
    assert!(
        text.contains("+38.5 (") && text.contains("4 pairs") && text.contains("not rliable’s"),
        "{text}"
    );
    assert!(text.contains("With 4 runs an arm, intervals are too short"), "{text}");
}

#[test]
fn success_steps_and_cost_are_told() {
    let text = text_of(&report(&two()));
    assert!(
        text.contains("25.0 % ± 0.0 75.0 % ± 0.0 75.0 % (75.0 to 75.0) 12.5 % ± 0.0 50.0 % ± 0.0"),
        "{text}"
    );
    // Of grpo, 0.3 and 0.6 reach one half: of four, the second is at 600 and the third never.
    assert!(text.contains("grpo 4 2 – 0 –"), "{text}");
    assert!(text.contains("hgpo 4 4 600 0 –"), "{text}");
    assert!(text.contains("First at 50 %: hgpo, median 600 environment steps; first at 80 %: no arm with half of its runs."), "{text}");
    // 1 of 6 + 1 + 3 seconds; 1,000 steps in ten seconds.
    assert!(text.contains("grpo 10.0 s 10.0 % 100 90 MB 6.00 s 1.00 s 3.00 s"), "{text}");
}

#[test]
fn group_sizes_are_shares_of_steps() {
    // 4 groups of 1, 8 of 2 and 2 of 40: 4 + 16 + 80 = 100 steps; mean (4 + 32 + 3200) / 100.
    let text = text_of(&report(&two()));
    assert!(text.contains("grpo 0 4.0 % 16.0 % 0.0 % 0.0 % 0.0 % 0.0 % 80.0 %"), "{text}");
    assert!(text.contains("32.4"), "{text}");
    // Groups of equal states are of level 0, whether they split is of level 1.
    assert!(text.contains("grpo 0 5.00 4.0 % – 33.0 %"), "{text}");
    assert!(text.contains("grpo 1 – – – \u{2212}1.5 %"), "{text}");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let (folder, path) = written(&two());
    let of = |input: &std::path::Path| {
        render(&[input.to_owned()], &super::fixture::options()).unwrap().0
    };
    assert_eq!(of(folder.path()), of(folder.path()));
    assert_eq!(of(folder.path()), of(&path));
}

#[test]
fn worlds_are_parts_of_their_own() {
    let mut all = two();
    let world = |world: &str, suffix: &str| {
        all.arms
            .clone()
            .into_iter()
            .map(move |mut arm| {
                arm.name += suffix;
                arm.settings.insert("environment.gridworld.world".to_owned(), world.into());
                arm
            })
            .collect::<Vec<_>>()
    };
    let arms = [world("comb", ",world=comb"), world("hall", ",world=hall")].concat();
    all.arms = arms;
    let report = report(&all);
    markup::check(&report);
    let text = text_of(&report);
    assert!(text.contains("first: world comb") && text.contains("first: world hall"), "{text}");
    // Together: eight areas a method, of which two are dropped at either end; both worlds are alike.
    assert!(text.contains("first: 2 tasks together hgpo has the largest area under the success curve over all tasks: 63.5 % ("), "{text}");
    assert!(text.contains("does better than one of grpo is 1.00 (1.00 to 1.00)."), "{text}");
    // Arms are held against the first one in the same world.
    assert!(text.contains("hgpo has the largest area under the success curve: 63.5 %"), "{text}");
    assert!(text.contains("one of grpo, the first arm, is 1.00"), "{text}");
}

#[test]
fn seeds_that_only_one_arm_has_are_not_paired() {
    let mut both = two();
    both.arms[1].runs = vec![run(3, 0.5), run(4, 0.7), run(9, 0.6)];
    // Seeds 3 and 4: (0.5 + 0.7) / 2 - (0.3 + 0.6) / 2; two runs have nothing to drop.
    let text = text_of(&report(&both));
    assert!(text.contains("+15.0 (") && text.contains("2 pairs"), "{text}");
}
