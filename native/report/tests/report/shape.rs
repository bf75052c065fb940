//! Structure of a report: what a reader finds, and where.

use super::fixture::{arm, report, study};
use super::markup;

/// The titles of sections in their order.
const TITLES: [&str; 10] = [
    "Area under the success curve",
    "Success on held-out tasks",
    "Learning curves",
    "Steps to 50 and 80 %",
    "Why: groups and signal",
    "Settings",
    "Commands and seeds",
    "Runs that are not counted",
    "Cost",
    "Sample trajectories",
];

#[test]
fn sections_stand_in_their_order_and_in_the_contents() {
    let report = report(&study(vec![arm("grpo", &[0.1, 0.2]), arm("hgpo", &[0.3, 0.4])]));
    markup::check(&report);
    let (contents, body) = report.split_once("<main").unwrap();
    let mut at = 0;
    for title in TITLES {
        assert!(contents.contains(&format!(">{title}</a>")), "{title}");
        let found = body[at..].find(&format!(">{title}</h2>"));
        at += found.unwrap_or_else(|| panic!("{title} after the one before"));
    }
    for landmark in ["<header>", "<nav aria-label=\"Contents\">", "<main id=\"report\"", "<footer>"]
    {
        assert_eq!(report.matches(landmark).count(), 1, "{landmark}");
    }
}

#[test]
fn figures_have_classes_in_place_of_colours() {
    let report = report(&study(vec![arm("grpo", &[0.1, 0.2]), arm("hgpo", &[0.3, 0.4])]));
    let body = &report[report.find("<body>").unwrap()..];
    assert!(!body.contains("#F7") && !body.contains("stroke=\"#") && !body.contains("fill=\"#"));
    for class in ["fs0", "ls0", "fs1", "ls1", "lg0", "fh0"] {
        assert!(body.contains(&format!("class=\"{class}\"")), "{class}");
        assert!(report.contains(&format!(".{class} {{")), "{class} has a style");
    }
    // Each is drawn for wide and for narrow windows.
    let count = |class: &str| body.matches(&format!("<svg class=\"{class}\"")).count();
    assert_eq!(count("wide"), count("narrow"));
    // Area, improvement, seen, unseen, curve, efficiency, profile, steps to 50 % (none gets to 80 %), groups,
    // time.
    assert_eq!(count("wide"), 10);
}
