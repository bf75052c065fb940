//! Hostile names and messages are no markup; studies of odd sizes.

use hgpo_study::summary::{RunSummary, Status};
use serde_json::json;

use super::fixture::{arm, render_of, report, run, study, text_of, written};
use super::markup;

const MARKUP: &str =
    "</title></style><script>alert(1)</script><img src=x onerror=alert(1)> \"&'\u{202e}\u{0}";

#[test]
fn markup_in_texts_is_shown_as_text() {
    let mut all = study(vec![arm(MARKUP, &[0.1, 0.2]), arm(&"long ".repeat(2048), &[0.3, 0.4])]);
    all.study = MARKUP.to_owned();
    all.command = MARKUP.to_owned();
    all.base = json!({ MARKUP: MARKUP, "environment": { "name": MARKUP } });
    all.arms[0].settings.insert(MARKUP.to_owned(), json!(MARKUP));
    all.arms[0].runs[0].device = MARKUP.to_owned();
    all.arms[0].runs[0].metrics.insert(format!("{MARKUP}/level_0/{MARKUP}"), 0.5);
    let failed = RunSummary {
        status: Status::Failed,
        error: Some(MARKUP.repeat(50)),
        ..RunSummary::missing(3, MARKUP.to_owned())
    };
    all.arms[1].runs.push(failed);
    let report = report(&all);
    markup::check(&report);
    assert!(report.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(!report.contains('\u{202e}') && !report.contains('\0'));
    assert!(report.contains("… (10,239 characters)"), "the long name is cut");
    assert!(report.len() < 400_000, "{}", report.len());
}

#[test]
fn traces_are_shown_of_the_study_s_own_folder_alone() {
    const LINE: &str =
        r#"{"task":"e","trajectory":"a","success":true,"steps":[{"state":"home","reward":1}]}"#;
    let all = study(vec![arm("grpo", &[0.4])]);
    let (folder, _) = written(&all);
    let traces = folder.path().join("arm/1/traces");
    std::fs::create_dir_all(&traces).unwrap();
    std::fs::write(traces.join("iteration_000001.rollouts.jsonl"), LINE).unwrap();
    let without = "There are no traces";
    assert!(!text_of(&render_of(folder.path())).contains(without));
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    for named in ["../arm/1".to_owned(), folder.path().join("arm/1").display().to_string()] {
        let mut all = all.clone();
        all.arms[0].runs[0].folder = named;
        std::fs::write(inner.join("summary.json"), serde_json::to_string(&all).unwrap()).unwrap();
        assert!(text_of(&render_of(&inner)).contains(without));
    }
}

#[test]
fn a_study_without_arms_or_runs_says_so() {
    for arms in [Vec::new(), vec![arm("grpo", &[])]] {
        let report = report(&study(arms));
        markup::check(&report);
        let text = text_of(&report);
        assert!(
            text.contains("No run is finished, so that there is nothing to compare yet."),
            "{text}"
        );
    }
}

#[test]
fn one_seed_has_no_interval_that_means_something() {
    let report = report(&study(vec![arm("grpo", &[0.4]), arm("hgpo", &[0.5])]));
    markup::check(&report);
    let text = text_of(&report);
    assert!(text.contains("Of a single run there is no interval"), "{text}");
    assert!(!text.contains("paired difference"), "{text}");
}

#[test]
fn runs_that_are_not_finished_are_named_and_not_counted() {
    let mut all = study(vec![arm("grpo", &[0.4, 0.5]), arm("hgpo", &[])]);
    let failed = |seed| RunSummary {
        status: Status::Failed,
        error: Some("error: no space left".to_owned()),
        ..run(seed, 0.9)
    };
    all.arms[1].runs = vec![
        failed(7),
        RunSummary { status: Status::Stopped, ..run(8, 0.9) },
        RunSummary::missing(9, String::new()),
    ];
    let report = report(&all);
    markup::check(&report);
    let text = text_of(&report);
    assert!(
        text.contains("5 runs, of which 3 not counted (named below); seeds 1, 2, 7–9"),
        "{text}"
    );
    assert!(
        text.contains("3 runs of 5: 1 failed, 1 in training or stopped, 1 not begun."),
        "{text}"
    );
    assert!(text.contains("hgpo 7 failed 2 error: no space left"), "{text}");
    // Nothing of theirs is in the statistics.
    assert!(text.contains("grpo has the largest area under the success curve: 45.0 %"), "{text}");
    assert!(!text.contains("90.0 %"), "{text}");
    let mut none = study(vec![arm("grpo", &[])]);
    none.arms[0].runs = vec![failed(1)];
    markup::check(&super::fixture::report(&none));
}

#[test]
fn two_hundred_arms_stay_readable() {
    let arms = (0..200)
        .map(|at| arm(&format!("arm{at:03}"), &[0.1 + 0.004 * f64::from(at), 0.1, 0.5]))
        .collect();
    let report = report(&study(arms));
    markup::check(&report);
    let text = text_of(&report);
    assert!(
        text.contains("Of 200 arms, 8 are drawn: the first and those with the largest areas."),
        "{text}"
    );
    assert!(text.contains("The 40 best of 200 arms are drawn; the table has all."), "{text}");
    assert!((0..200).all(|at| report.contains(&format!("arm{at:03}"))));
    assert!(report.len() < 1_500_000, "{}", report.len());
}

#[test]
fn what_a_run_does_not_tell_is_left_out() {
    let mut bare = study(vec![arm("grpo", &[0.4, 0.5])]);
    for run in &mut bare.arms[0].runs {
        (run.curve, run.evaluations, run.group_sizes) = (Vec::new(), Vec::new(), Vec::new());
        run.metrics.clear();
        run.seconds.clear();
        run.peak_memory_bytes = None;
    }
    bare.environment_steps = 0;
    let report = report(&bare);
    markup::check(&report);
    let text = text_of(&report);
    for told in [
        "No finished run has a curve.",
        "No finished run was evaluated",
        "No finished run holds metrics.",
        "No finished run tells its times.",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
}
