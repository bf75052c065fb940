//! `hgpo advantages --into FILE`: a log with its advantages, which has its name once it is whole.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::Value;

use crate::language_model::files;
use crate::support::{fails, lines, numbers, run, run_with_input, stderr, succeeds};

/// Conversations of two tasks.
fn conversations() -> String {
    let line = |question: &str, answers: &[&str], reward: u32| {
        let turns = answers.iter().map(|answer| {
            format!(
                r#"{{"role":"assistant","content":"{answer}"}},{{"role":"tool","content":"got {answer}"}}"#
            )
        });
        let turns = turns.collect::<Vec<_>>().join(",");
        format!(
            r#"{{"messages":[{{"role":"user","content":"{question}"}},{turns}],"reward":{reward}}}"#
        ) + "\n"
    };
    [
        line("Which road?", &["left", "left"], 1),
        line("Which road?", &["left", "right"], 0),
        line("Which door?", &["open"], 1),
        line("Which door?", &["wait"], 0),
    ]
    .concat()
}

#[test]
fn copies_of_logs_hold_what_would_be_printed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("log.jsonl"), conversations()).unwrap();
    let table = "task,trajectory,state,reward\ng,a,s,1\ng,b,s,0\nh,a,s,3\nh,b,s,4\n";
    fs::write(folder.path().join("log.csv"), table).unwrap();
    let printed = lines(&succeeds(&run(folder.path(), &["advantages", "log.jsonl"])));
    let into = run(folder.path(), &["advantages", "log.jsonl", "--into", "with.jsonl"]);
    assert_eq!((succeeds(&into), stderr(&into)), (String::new(), String::new()));
    let written = lines(&fs::read_to_string(folder.path().join("with.jsonl")).unwrap());
    for (line, printed) in written.iter().zip(&printed) {
        let messages = line["messages"].as_array().unwrap();
        let found: Vec<f64> =
            messages.iter().filter_map(|message| message["advantage"].as_f64()).collect();
        assert_eq!(found, numbers(printed, "advantages"));
    }
    succeeds(&run(folder.path(), &["advantages", "log.csv", "--into", "with.csv"]));
    let written = fs::read_to_string(folder.path().join("with.csv")).unwrap();
    assert_eq!(written.lines().next(), Some("task,trajectory,state,reward,advantage"));
    let printed = lines(&succeeds(&run(folder.path(), &["advantages", "log.csv"])));
    let printed: Vec<f64> = printed.iter().flat_map(|line| numbers(line, "advantages")).collect();
    let column = written.lines().skip(1).map(|row| row.rsplit(',').next().unwrap());
    assert_eq!(column.map(|text| text.parse::<f64>().unwrap()).collect::<Vec<_>>(), printed);
    // A copy is a log as well.
    succeeds(&run(folder.path(), &["advantages", "with.csv", "--into", "again.csv"]));
    assert_eq!(fs::read_to_string(folder.path().join("again.csv")).unwrap(), written);
    assert_eq!(
        files(folder.path()),
        ["again.csv", "log.csv", "log.jsonl", "with.csv", "with.jsonl"]
    );
}

#[test]
fn a_copy_that_cannot_be_whole_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let log = conversations();
    fs::write(folder.path().join("log.jsonl"), &log).unwrap();
    fs::write(folder.path().join("damaged.jsonl"), &log[..log.len() - 4]).unwrap();
    let into = |log: &str, copy: &str| run(folder.path(), &["advantages", log, "--into", copy]);
    fails(
        &into("log.jsonl", "log.jsonl"),
        &["log.jsonl already exists: choose another name with --into"],
    );
    fails(&into("damaged.jsonl", "copy.jsonl"), &["damaged.jsonl: line 4"]);
    fails(&into("log.jsonl", "none/copy.jsonl"), &["cannot write none/copy.jsonl"]);
    fails(&into("log.jsonl", "/"), &["/ already exists"]);
    fails(&into("-", "copy.jsonl"), &["the log is read twice, which needs a file, not -"]);
    assert_eq!(files(folder.path()), ["damaged.jsonl", "log.jsonl"]);
    assert_eq!(fs::read_to_string(folder.path().join("log.jsonl")).unwrap(), log);
}

#[test]
fn turns_of_conversations_are_explained_by_their_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("log.jsonl"), conversations()).unwrap();
    let explain = |step: &str| {
        run(folder.path(), &["advantages", "log.jsonl", "--format", "json", "--explain", step])
    };
    let explained: Value = serde_json::from_str(&succeeds(&explain("2/1"))).unwrap();
    assert_eq!(explained["address"]["task"], "Which road?");
    assert_eq!(explained["address"]["step"], 1);
    fails(&explain("9/0"), &["9/0: no such trajectory; the first are 1, 2, 3, 4"]);
    let same = "task,trajectory,state,reward\ng,a,s,1\ng,b,s,0\nh,a,s,3\nh,b,s,4\n";
    fs::write(folder.path().join("log.jsonl"), same).unwrap();
    fails(&explain("a/0"), &["a/0: ambiguous: write '[\"g\",\"a\",0]' or '[\"h\",\"a\",0]'"]);
}

#[test]
fn signs_that_something_is_wrong_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let told = |rows: &str, more: &[&str]| {
        let table = format!("task,trajectory,state,reward\n{rows}\n");
        fs::write(folder.path().join("log.csv"), table).unwrap();
        let output = run(folder.path(), &[&["advantages", "log.csv"], more].concat());
        succeeds(&output);
        stderr(&output)
    };
    let times = "g,a,10:01,0\ng,a,10:02,1\ng,b,10:05,0";
    let found = told(times, &[]);
    for part in ["warning: log.csv: 3 of 3 steps have no advantage", "`similarity`", "`grpo`"] {
        assert!(found.contains(part), "{found}");
    }
    assert_eq!(told("g,a,s,0\ng,b,s,1", &["--group-size", "2"]), "");
    let found = told("g,a,s,0\ng,b,s,1", &["--group-size", "8"]);
    assert!(
        found.contains("1 of 1 tasks does not have 8 trajectories (task \"g\" has 2)"),
        "{found}"
    );
}

#[test]
fn compressed_logs_and_tables_are_read_and_copied_in_their_form() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let log = conversations();
    fs::write(at("log.jsonl"), &log).unwrap();
    let mut packed = hgpo_logs::LogWriter::new(File::create(at("log.gz")).unwrap(), &at("log.gz"));
    packed.write_all(log.as_bytes()).unwrap();
    packed.finish().unwrap();
    let printed = succeeds(&run(folder.path(), &["advantages", "log.jsonl"]));
    assert_eq!(succeeds(&run(folder.path(), &["advantages", "log.gz"])), printed);
    let input = fs::read(at("log.gz")).unwrap();
    let piped = run_with_input(folder.path(), &["advantages", "-"], &input);
    assert_eq!(succeeds(&piped), printed);
    succeeds(&run(folder.path(), &["advantages", "log.jsonl", "--into", "plain.jsonl"]));
    succeeds(&run(folder.path(), &["advantages", "log.gz", "--into", "with.jsonl.gz"]));
    let mut text = String::new();
    hgpo_logs::open(&at("with.jsonl.gz")).unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, fs::read_to_string(at("plain.jsonl")).unwrap());
    fs::write(at("cut.gz"), &input[..input.len() - 9]).unwrap();
    fails(&run(folder.path(), &["advantages", "cut.gz"]), &["cut.gz", "the gzip data is cut off"]);
}

/// Writes a table of steps in two row groups.
fn write_table(path: &Path, rows: &[[&str; 3]], rewards: &[f64]) {
    let fields =
        ["task", "trajectory", "state"].map(|name| format!("REQUIRED BINARY {name} (STRING);"));
    let schema = format!("message rows {{ {} REQUIRED DOUBLE reward; }}", fields.concat());
    let schema = Arc::new(parse_message_type(&schema).unwrap());
    let mut writer =
        SerializedFileWriter::new(File::create(path).unwrap(), schema, Arc::default()).unwrap();
    for range in [0..rows.len() / 2, rows.len() / 2..rows.len()] {
        let mut group = writer.next_row_group().unwrap();
        for place in 0..3 {
            let mut column = group.next_column().unwrap().unwrap();
            let texts: Vec<ByteArray> =
                rows[range.clone()].iter().map(|row| ByteArray::from(row[place])).collect();
            column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
            column.close().unwrap();
        }
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&rewards[range], None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
}

#[test]
fn tables_in_parquet_are_read_and_copied_with_a_column_more() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let rows =
        [["g", "a", "s"], ["g", "a", "t"], ["g", "b", "s"], ["g", "b", "t"], ["h", "a", "s"]];
    let rewards = [0.0, 1.0, 0.5, -1.0, 2.0];
    write_table(&at("log.parquet"), &rows, &rewards);
    let row = |(row, reward): (&[&str; 3], &f64)| format!("{},{reward}\n", row.join(","));
    let csv: String = rows.iter().zip(&rewards).map(row).collect();
    fs::write(at("log.csv"), format!("task,trajectory,state,reward\n{csv}")).unwrap();
    let printed = succeeds(&run(folder.path(), &["advantages", "log.csv"]));
    assert_eq!(succeeds(&run(folder.path(), &["advantages", "log.parquet"])), printed);
    succeeds(&run(folder.path(), &["advantages", "log.parquet", "--into", "with.parquet"]));
    assert_eq!(succeeds(&run(folder.path(), &["advantages", "with.parquet"])), printed);
    let mut text = String::new();
    hgpo_logs::open(&at("with.parquet")).unwrap().read_to_string(&mut text).unwrap();
    let column: Vec<f64> =
        lines(&text).iter().map(|row| row["advantage"].as_f64().unwrap()).collect();
    let printed: Vec<f64> =
        lines(&printed).iter().flat_map(|line| numbers(line, "advantages")).collect();
    assert_eq!(column, printed);
    fails(
        &run_with_input(folder.path(), &["advantages", "-"], fs::read(at("log.parquet")).unwrap()),
        &["a Parquet file, which cannot be read from a pipe"],
    );
    write_table(&at("wrong.parquet"), &rows, &[0.0, 1.0, f64::NAN, 0.0, 0.0]);
    fails(
        &run(folder.path(), &["advantages", "wrong.parquet"]),
        &["wrong.parquet: line 3", "`reward`"],
    );
    let mut damaged = fs::read(at("log.parquet")).unwrap();
    damaged.truncate(damaged.len() - 1);
    fs::write(at("damaged.parquet"), damaged).unwrap();
    fails(
        &run(folder.path(), &["advantages", "damaged.parquet"]),
        &["the Parquet file is damaged"],
    );
}
