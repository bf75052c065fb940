//! A first line that says how a file was made: written, told, skipped, and refused elsewhere.

use hgpo_core::format::{self, Provenance, Reader};
use hgpo_core::{Discount, Error, Estimator, Gigpo, Grpo, Objective, Options, Problem, Trajectory};

const MADE: &str = r#"{"environment":"chores","seed":7,"iteration":3,"estimator":{"name":"grpo"}}"#;

fn line(task: &str, name: &str) -> String {
    format!(r#"{{"task":"{task}","trajectory":"{name}","steps":[{{"state":"s","reward":1.0}}]}}"#)
}

fn told(text: &str) -> Result<Option<Provenance>, Error> {
    Reader::new(text.as_bytes()).provenance()
}

fn read(text: &str) -> Vec<Trajectory> {
    format::read(text.as_bytes()).expect("good")
}

fn refuse(text: &str) -> String {
    format::read(text.as_bytes()).expect_err("refused").to_string()
}

#[test]
fn what_is_written_is_told() {
    let estimator = Gigpo { step_weight: 0.1 + 0.2, ..Gigpo::default() };
    let options = Options {
        discount: Discount::new(0.85).expect("a discount"),
        invalid_penalty: 1.0 / 3.0,
        estimator: Estimator::Gigpo(estimator),
    };
    let made = Provenance {
        environment: Some("chores".to_owned()),
        seed: Some(u64::MAX),
        iteration: Some(10),
        objective: serde_json::from_str(r#"{"clip_high":0.28}"#).expect("an object"),
        entropy_coefficient: Some(0.001),
        options: Some(options),
    };
    let trajectories = read(&line("g", "a"));
    let mut file = Vec::new();
    format::write_provenance(&mut file, &made).expect("written");
    format::write_jsonl(&mut file, &trajectories).expect("written");
    let text = String::from_utf8(file).expect("text");
    let start = r#"{"environment":"chores","seed":18446744073709551615,"iteration":10,"objective":{"clip_high":0.28},"entropy_coefficient":0.001,"discount":0.85,"invalid_penalty":0.3333333333333333,"estimator":{"name":"gigpo","#;
    assert!(text.starts_with(start), "{text}");
    assert_eq!(told(&text).expect("good"), Some(made));
    assert_eq!(read(&text), trajectories);
}

#[test]
fn objectives_are_read_by_who_needs_them() {
    let said = |text: &str| {
        let text = format!(r#"{{"seed":1,"objective":{text}}}"#);
        told(&text).expect("good").expect("a first line")
    };
    assert_eq!(said("null"), Provenance { seed: Some(1), ..Provenance::default() });
    let dapo = said(r#"{"clip_high":0.28,"divergence":"none"}"#);
    let found = dapo.objective().expect("known").expect("there is one");
    let expected = Objective {
        clip_high: 0.28,
        divergence: hgpo_core::Divergence::None,
        ..Objective::default()
    };
    assert_eq!(found, expected);
    for (text, problem) in [
        (r#"{"clips":1}"#, "unknown field `clips`"),
        (r#"{"ratio":"word"}"#, "word"),
        (r#"{"dual_clip":0.5}"#, "0.5 is not 0 (none) and not at least 1"),
    ] {
        let error = said(text).objective().expect_err(text).to_string();
        assert!(error.contains(problem), "{text}: {error}");
    }
    assert!(told(r#"{"seed":1,"objective":"win"}"#).is_err());
    let mut alone = Vec::new();
    let made = Provenance { seed: None, ..dapo };
    format::write_provenance(&mut alone, &made).expect("written");
    assert_eq!(told(&String::from_utf8(alone).expect("text")).expect("good"), Some(made));
    // A record with an objective says nothing of others.
    let record = r#"{"objective":"win","obs":"hall"}"#;
    assert!(refuse(record).contains("`task` is missing"));
}

#[test]
fn what_is_left_out_is_not_told_and_other_fields_mean_nothing() {
    let nothing = Provenance::default();
    let mut empty = Vec::new();
    format::write_provenance(&mut empty, &nothing).expect("written");
    assert_eq!(empty, b"{}\n");
    for text in ["{}", r#"{"seed":null,"commit":7}"#, r#"{"seed":null,"estimator":null}"#] {
        assert_eq!(told(text).expect("good"), Some(nothing.clone()), "{text}");
    }
    let made = told(MADE).expect("good").expect("a first line");
    assert_eq!((made.seed, made.iteration), (Some(7), Some(3)));
    // The other options have their defaults.
    let expected = Options { estimator: Estimator::Grpo(Grpo::default()), ..Options::default() };
    assert_eq!(made.options, Some(expected));
}

#[test]
fn every_reader_skips_it() {
    let rollouts = [line("g", "a"), line("g", "b"), line("h", "a")].join("\n");
    let plain = read(&rollouts);
    for text in [
        format!("{MADE}\n{rollouts}"),
        format!("\u{feff}{MADE}\r\n{rollouts}\r\n"),
        format!("\n\n{MADE}\n\n{rollouts}\n"),
    ] {
        assert_eq!(read(&text), plain);
        assert_eq!(format::read_jsonl(text.as_bytes()).expect("good"), plain);
        let tasks: Vec<Vec<Trajectory>> =
            Reader::new(text.as_bytes()).collect::<Result<_, _>>().expect("good");
        assert_eq!(tasks.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(tasks.concat(), plain);

        let mut reader = Reader::new(text.as_bytes());
        let first = reader.provenance().expect("good");
        assert_eq!(reader.next().expect("a task").expect("good"), plain[..2]);
        assert_eq!((reader.provenance().expect("good"), first.is_some()), (first, true));
        // The next task has begun: none of it is lost.
        assert_eq!(reader.read_whole().expect("good"), plain[2..]);
    }
    // Lines are counted from the first.
    let error = refuse(&format!("{MADE}\n{}\n{}", line("g", "a"), line("g", "a")));
    assert!(error.starts_with("line 3, task \"g\"") && error.contains("(line 2)"), "{error}");
}

#[test]
fn a_file_without_it_says_nothing() {
    let rows = r#"{"uid":"u","traj_uid":"a","anchor_obs":"hall","rewards":1}"#;
    for text in ["", "\n", &line("g", "a"), rows, "task,trajectory,state,reward\nu,a,hall,1"] {
        assert_eq!(told(text).expect("good"), None, "{text}");
    }
    let mut reader = Reader::new(rows.as_bytes());
    assert_eq!(reader.provenance().expect("good"), None);
    assert_eq!(reader.read_whole().expect("good"), read(rows));
    // Rows may have one, and CSV has a header of its own.
    assert_eq!(read(&format!("{MADE}\n{rows}")), read(rows));
    assert_eq!(read("task,trajectory,state,reward\nu,a,hall,1").len(), 1);
}

#[test]
fn rollouts_that_are_broken_are_not_taken_for_it() {
    for (text, problem) in [
        (r#"{"task":"g","trajectory":"t","seed":1}"#, "`steps` is missing"),
        (r#"{"trajectory":"t","environment":"chores"}"#, "`task` is missing"),
        (r#"{"traj_uid":"t","rewards":1,"environment":"e"}"#, "`uid` is missing"),
        (r#"{"environment":"e","steps":[]}"#, "`task` is missing"),
        (r#"{"environment":"e""#, "the JSON does not end on its line"),
        (r#"{"discount":NaN}"#, "`discount` is NaN"),
        // Of other programs: their first line is no header, and the second not to blame.
        (r#"{"model":"m","commit":7}"#, "`task` is missing"),
        (r#"{"input":"i","output":"o","score":1.0}"#, "`task` is missing"),
        (r#"{"prompt":"p","responses":["r"],"seed":1}"#, "`task` is missing"),
        (r#"{"messages":[],"environment":"e"}"#, "`task` is missing"),
    ] {
        let error = refuse(&format!("{text}\n{}", line("g", "a")));
        assert!(error.starts_with("line 1") && error.contains(problem), "{error}");
    }
    // Nor is what it says of returns alone an estimator.
    let alone = told(&format!("{{\"discount\":0.9}}\n{}", line("g", "a"))).expect_err("refused");
    let expected =
        "line 1: invalid provenance (`discount` without `estimator`: which one is not said)";
    assert!(alone.to_string().starts_with(expected), "{alone}");
    // It alone is no rollouts.
    assert!(refuse(MADE).starts_with("no trajectories"));
    assert!(Reader::new(MADE.as_bytes()).next().is_none());
}

#[test]
fn files_that_were_put_together_are_refused() {
    let file = |task: &str| format!("{MADE}\n{}\n", line(task, "a"));
    let expected = "line 3: only the first line may say this: split the rollouts here";
    let both = file("g") + &file("h");
    assert!(refuse(&both).starts_with(expected), "{}", refuse(&both));
    let rows = format!(
        "{MADE}\n{}\n{MADE}\n",
        r#"{"uid":"u","traj_uid":"a","anchor_obs":"hall","rewards":1}"#
    );
    assert!(refuse(&rows).starts_with(expected), "{}", refuse(&rows));
    let error = Reader::new(both.as_bytes()).find_map(Result::err).expect("refused");
    assert!(matches!(error, Error::Rollouts { problem: Problem::MisplacedFirstLine, .. }));
    // Twice at the start, and behind a file that has none.
    assert!(
        refuse(&format!("{MADE}\n{}", file("g")))
            .starts_with("line 2: only the first line may say this")
    );
    assert!(
        refuse(&(line("g", "a") + "\n" + &file("h")))
            .starts_with("line 2: only the first line may say this")
    );
    // Another object is no such line.
    assert!(refuse(&(line("g", "a") + "\n{\"a\":1}")).contains("line 2: `task` is missing"));
}

#[test]
fn what_it_cannot_mean_is_told_to_who_asks() {
    for (text, problem) in [
        (r#"{"seed":-1}"#, "`seed`: invalid value"),
        (r#"{"environment":7}"#, "`environment`: invalid type"),
        (r#"{"estimator":"grpo"}"#, "invalid type"),
        (r#"{"estimator":{"name":"best"}}"#, "best"),
        (r#"{"estimator":{"name":"grpo","alpha":2}}"#, "alpha"),
        (r#"{"discount":2}"#, "discount"),
        (r#"{"invalid_penalty":-1}"#, "invalid_penalty"),
    ] {
        let text = format!("{text}\n{}", line("g", "a"));
        let mut reader = Reader::new(text.as_bytes());
        let error = reader.provenance().expect_err("refused").to_string();
        let start = "line 1: invalid provenance (";
        assert!(error.starts_with(start) && error.contains(problem), "{error}");
        assert!(!error.contains('\n'), "{error}");
        // Who does not need it reads on.
        assert_eq!(reader.next().expect("a task").expect("good").len(), 1);
    }
    let options = Options { invalid_penalty: f64::NAN, ..Options::default() };
    let bad = Provenance { options: Some(options), ..Provenance::default() };
    let mut sink = Vec::new();
    assert!(format::write_provenance(&mut sink, &bad).is_err() && sink.is_empty());
}
