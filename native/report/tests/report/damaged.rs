//! Damaged input files are refused, each with its place.

use hgpo_report::render;
use hgpo_study::summary::StudySummary;

use super::fixture::{arm, options, study, written};

/// The message for a study whose text is changed.
fn refused(change: impl FnOnce(String) -> String) -> String {
    let (folder, path) = written(&study(vec![arm("grpo", &[0.4])]));
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, change(text)).unwrap();
    let error = render(&[folder.path().to_owned()], &options()).unwrap_err().to_string();
    error.replace(&path.display().to_string(), "FILE")
}

#[test]
fn a_damaged_summary_is_named_with_its_line_and_what_to_do() {
    let cut = refused(|text| text[..text.find("\"seconds\"").unwrap()].to_owned());
    assert!(
        cut.starts_with("FILE, line ")
            && cut.ends_with("write the summary anew with 'hgpo compare'"),
        "{cut}"
    );
    let odd = refused(|text| text.replacen("\"seed\": 1", "\"seed\": \"one\"", 1));
    let line = study_line("\"seed\": 1");
    assert!(
        odd.starts_with(&format!("FILE, line {line}: invalid type: string \"one\", expected u64")),
        "{odd}"
    );
    let unknown = refused(|text| text.replacen("\"device\"", "\"gadget\"", 1));
    assert!(unknown.contains("unknown field `gadget`"), "{unknown}");
    assert!(refused(|_| String::new()).starts_with("FILE, line 1: "), "an empty file");
    assert!(refused(|_| "\u{0}\u{1}".to_owned()).starts_with("FILE, line 1: "), "a file of zeros");
}

/// The line of the study's file that holds a text.
fn study_line(text: &str) -> usize {
    let whole = serde_json::to_string_pretty(&study(vec![arm("grpo", &[0.4])])).unwrap();
    whole.lines().position(|line| line.contains(text)).unwrap() + 1
}

#[test]
fn another_version_is_told_from_damage() {
    let newer = refused(|text| text.replacen("\"version\": 1", "\"version\": 2", 1));
    let known = StudySummary::VERSION;
    assert_eq!(
        newer,
        format!(
            "FILE: version 2 of the format, this program reads version {known}; use the program that wrote it, or write it anew with 'hgpo compare'"
        )
    );
}

#[test]
fn a_field_that_is_none_is_told_on_one_line() {
    let odd = refused(|text| {
        text.replacen("\"area\"", "\"\\nare\u{1b}a\"", 1).replace('\u{1b}', "\\u001b")
    });
    assert!(odd.contains("unknown field `\\nare\\u{1b}a`"), "{odd}");
    assert!(!odd.contains(char::is_control), "{odd}");
}

#[test]
fn numbers_that_cannot_be_are_refused() {
    let area = refused(|text| text.replacen("\"area\": 0.4", "\"area\": 1.4", 1));
    assert_eq!(
        area,
        "FILE: arm 'grpo', seed 1: the area is 1.4, not between 0 and 1; write the summary anew with 'hgpo compare'"
    );
    let back = refused(|text| {
        text.replacen("\"environment_steps\": 500,", "\"environment_steps\": 5000,", 1)
    });
    assert!(back.contains("the steps of the curve do not rise"), "{back}");
}

#[test]
fn names_of_nothing_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let of =
        |path: &std::path::Path| render(&[path.to_owned()], &options()).unwrap_err().to_string();
    assert!(
        of(&folder.path().join("none"))
            .contains("neither a study (a folder with summary.json) nor a run")
    );
    std::fs::write(folder.path().join("study.toml"), "").unwrap();
    assert!(of(folder.path()).contains("has no summary.json yet"));
    assert!(
        render(&[], &options()).unwrap_err().to_string().contains("name at least one run or study")
    );
    let script = hgpo_report::Options { page: "javascript:alert(1)".to_owned(), ..options() };
    assert!(
        render(&[folder.path().to_owned()], &script)
            .unwrap_err()
            .to_string()
            .contains("is no address")
    );
}
