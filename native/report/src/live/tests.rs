//! Tests of the live pages: what they hold, and that nothing foreign gets out of its place.

use super::*;

fn run(name: &str) -> LiveRun {
    LiveRun {
        name: name.to_owned(),
        environment: "chores".to_owned(),
        estimator: "hgpo".to_owned(),
        seed: Some(1),
        iterations: 12,
        asked_iterations: Some(1000),
        success_rate: Some(0.25),
        held_out: [Some(0.5), None],
        ..LiveRun::default()
    }
}

fn curves(name: &str, traces: &[u64]) -> LiveCurves {
    let point =
        |at: u32| CurvePoint { iteration: at.into(), mean: 0.1 * f64::from(at), deviation: 0.05 };
    let points: Vec<_> = (1..=9).map(point).collect();
    let metrics = [("success_rate", points.clone()), ("tokens", points)];
    let metrics = metrics.into_iter().map(|(name, it)| (name.to_owned(), it)).collect();
    LiveCurves { run: run(name), metrics, traces: traces.to_vec(), ..LiveCurves::default() }
}

/// What a page shows, without styles.
fn body(page: &str) -> &str {
    page.split_once("</head>").unwrap().1
}

fn html_text(text: &str) -> String {
    maud::html! { (text) }.into_string()
}

#[test]
fn runs_of_a_study_stand_together_below_its_name() {
    let of_study = |seed| LiveRun { study: Some("s".to_owned()), seed: Some(seed), ..run("s/a/1") };
    let training = LiveRun { state: RunState::Training, seconds_ago: Some(7230.0), ..of_study(2) };
    let page = list_page("runs", &[of_study(1), run("alone"), training]);
    assert_eq!(page.matches("<h2>").count(), 1);
    assert!(
        page.contains("1 in training, 1 stopped.") && page.contains("report?study=s"),
        "{}",
        body(&page)
    );
    assert!(
        page.contains("12 of 1,000") && page.contains("written 2\u{a0}h ago"),
        "{}",
        body(&page)
    );
    assert!(list_page("runs", &[]).contains("There are no runs in <code>runs</code> yet."));
}

#[test]
fn curves_are_drawn_of_what_is_there_and_of_what_is_asked_for() {
    let charts = |asked: &[String]| {
        let page = curves_page(&[curves("a", &[])], asked).unwrap();
        (page.matches("<figure>").count(), page)
    };
    let (count, page) = charts(&[]);
    assert_eq!(count, 1, "success alone is there");
    assert!(
        page.contains("runs?run=a&amp;metric=tokens") && page.contains("90.0\u{a0}%"),
        "{}",
        body(&page)
    );
    let (count, page) = charts(&["tokens".to_owned(), "nothing".to_owned()]);
    assert_eq!(count, 2);
    assert!(
        page.contains("− tokens") && page.contains("href=\"runs?run=a&amp;metric=nothing\""),
        "{}",
        body(&page)
    );
}

#[test]
fn stages_show_iterations_that_all_runs_have_traces_of() {
    let runs = [curves("a", &[1, 2, 4]), curves("b", &[1, 4, 5])];
    let page = curves_page(&runs, &[]).unwrap();
    assert!(
        page.contains("run=a&amp;run=b&amp;iteration=4") && !page.contains("iteration=5"),
        "{}",
        body(&page)
    );
    let runs = runs.map(|it| (it.run.name, it.traces));
    let page = stage_page(&runs, 2, true);
    // The second run has none of iteration 2, and shows the last one before.
    assert_eq!(page.matches("<iframe").count(), 2);
    assert!(
        page.contains("iteration_000002") && page.contains("b%2Fiteration_000001"),
        "{}",
        body(&page)
    );
    assert!(page.contains("← iteration 1") && page.contains("iteration 4 →"), "{}", body(&page));
    let page = stage_page(&runs, 0, false);
    assert!(
        !page.contains("<iframe") && page.contains("--page DIR") && page.contains("No trace"),
        "{}",
        body(&page)
    );
}

#[test]
fn foreign_names_and_numbers_stay_text() {
    let name = "<script>alert(1)</script>\u{202e}";
    let mut hostile = curves(name, &[1]);
    let metric = "\"><img src=x>".to_owned();
    let point = |mean| CurvePoint { iteration: 1.0, mean, deviation: f64::INFINITY };
    hostile.metrics.insert(metric.clone(), vec![point(f64::NAN), point(1e300), point(-1e-300)]);
    hostile.run.environment = name.to_owned();
    for page in [
        list_page(name, &[hostile.run.clone()]),
        curves_page(&[hostile.clone(), hostile.clone()], &[metric]).unwrap(),
        stage_page(&[(hostile.run.name, hostile.traces)], u64::MAX, true),
        message_page(name, name),
    ] {
        assert!(!page.contains("<script>alert") && !page.contains("<img"), "{}", body(&page));
        // The value of a box is what addresses call the run.
        let shown = page.replace(&format!("value=\"{}\"", html_text(name)), "");
        assert!(!shown.contains('\u{202e}'), "{}", body(&page));
    }
}
