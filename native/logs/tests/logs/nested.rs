//! Lists, structs and maps in tables, and rollouts in them.

use hgpo_core::{Trajectory, format};
use parquet::data_type::{BoolType, DoubleType, Int64Type};

use crate::tables::{fill, table, texts};
use crate::{file, read};

/// Conversations as Python writes them: the role and the content of each message, a list a row.
const MESSAGES: &str =
    "OPTIONAL group messages (LIST) { REPEATED group list { OPTIONAL group element {
    OPTIONAL BYTE_ARRAY role (UTF8); OPTIONAL BYTE_ARRAY content (UTF8); } } }";

#[test]
fn lists_of_structs_keep_their_nulls() {
    let roles = texts(&["user", "assistant", "user"], &[4, 4, 1, 0, 2, 4], &[0, 1, 0, 0, 0, 1]);
    let contents = texts(&["hi", "no"], &[4, 3, 1, 0, 2, 4], &[0, 1, 0, 0, 0, 1]);
    let lines = r#"{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":null}]}
{"messages":[]}
{"messages":null}
{"messages":[null,{"role":"user","content":"no"}]}
"#;
    assert_eq!(read(&table(MESSAGES, 1, &[roles, contents])).unwrap(), lines);
}

#[test]
fn lists_of_lists_are_told_apart() {
    let fields = "OPTIONAL group x (LIST) { REPEATED group list {
        OPTIONAL group element (LIST) { REPEATED group list { OPTIONAL INT64 element; } } } }";
    let numbers =
        fill::<Int64Type>(vec![1, 2, 3], &[5, 5, 3, 5, 1, 0, 2, 4], &[0, 2, 1, 1, 0, 0, 0, 1]);
    let lines = "{\"x\":[[1,2],[],[3]]}\n{\"x\":[]}\n{\"x\":null}\n{\"x\":[null,[null]]}\n";
    assert_eq!(read(&table(fields, 1, &[numbers])).unwrap(), lines);
}

#[test]
fn lists_of_old_writers_are_lists() {
    let numbers = || fill::<Int64Type>(vec![1, 2], &[1, 1, 0], &[0, 1, 0]);
    let without_name = table("REPEATED INT64 x;", 1, &[numbers()]);
    assert_eq!(read(&without_name).unwrap(), "{\"x\":[1,2]}\n{\"x\":[]}\n");
    let elements = "REQUIRED group x (LIST) { REPEATED INT64 element; }";
    assert_eq!(read(&table(elements, 1, &[numbers()])).unwrap(), "{\"x\":[1,2]}\n{\"x\":[]}\n");
    for (name, lines) in [
        ("array", "{\"x\":[{\"y\":1},{\"y\":2}]}\n{\"x\":[]}\n"),
        ("x_tuple", "{\"x\":[{\"y\":1},{\"y\":2}]}\n{\"x\":[]}\n"),
        ("bag", "{\"x\":[1,2]}\n{\"x\":[]}\n"),
    ] {
        let fields =
            format!("REQUIRED group x (LIST) {{ REPEATED group {name} {{ REQUIRED INT64 y; }} }}");
        assert_eq!(read(&table(&fields, 1, &[numbers()])).unwrap(), lines);
    }
}

#[test]
fn maps_are_objects() {
    let fields = "OPTIONAL group x (MAP) { REPEATED group key_value {
        REQUIRED INT64 key; OPTIONAL BOOLEAN value; } }";
    let keys = fill::<Int64Type>(vec![1, -2], &[2, 2, 1, 0], &[0, 1, 0, 0]);
    let values = fill::<BoolType>(vec![true], &[3, 2, 1, 0], &[0, 1, 0, 0]);
    let lines = "{\"x\":{\"1\":true,\"-2\":null}}\n{\"x\":{}}\n{\"x\":null}\n";
    assert_eq!(read(&table(fields, 1, &[keys, values])).unwrap(), lines);
}

fn trajectories(log: &[u8]) -> Result<Vec<Trajectory>, String> {
    format::read(hgpo_logs::open(file(log).path()).unwrap()).map_err(|error| error.to_string())
}

/// A table of steps, with these rewards.
fn steps(rewards: Vec<f64>) -> Vec<u8> {
    let fields = "OPTIONAL BYTE_ARRAY task (UTF8); OPTIONAL BYTE_ARRAY trajectory (UTF8);
        OPTIONAL BYTE_ARRAY state (UTF8); OPTIONAL BYTE_ARRAY action (UTF8); REQUIRED DOUBLE reward;";
    let columns = [
        texts(&["g", "g", "g"], &[1; 3], &[]),
        texts(&["a", "a", "b"], &[1; 3], &[]),
        texts(&["hall", "door, \"red\"", "hall"], &[1; 3], &[]),
        texts(&["go"], &[1, 0, 0], &[]),
        fill::<DoubleType>(rewards, &[], &[]),
    ];
    table(fields, 1, &columns)
}

#[test]
fn a_table_of_steps_is_what_its_csv_is() {
    let csv = "task,trajectory,state,action,reward\ng,a,hall,go,0.1\n\
               g,a,\"door, \"\"red\"\"\",,1\ng,b,hall,,-1e-3\n";
    assert_eq!(trajectories(&steps(vec![0.1, 1.0, -1e-3])), trajectories(csv.as_bytes()));
}

#[test]
fn a_number_that_is_not_finite_is_refused_with_its_row() {
    let error = trajectories(&steps(vec![0.0, f64::NAN, 0.0])).unwrap_err();
    let expected = "line 2, task \"g\", trajectory \"a\", step 1: `reward` is NaN, not a finite number: correct it, or remove the trajectory";
    assert_eq!(error, expected);
}

#[test]
fn a_table_of_trajectories_is_what_its_json_is() {
    let fields = "OPTIONAL BYTE_ARRAY task (UTF8); OPTIONAL BYTE_ARRAY trajectory (UTF8);
        OPTIONAL BOOLEAN success; OPTIONAL group steps (LIST) { REPEATED group list {
            OPTIONAL group element { OPTIONAL BYTE_ARRAY state (UTF8); OPTIONAL DOUBLE reward;
                OPTIONAL group embedding (LIST) { REPEATED group list { OPTIONAL DOUBLE element; } }
        } } }";
    let columns = [
        texts(&["g", "g"], &[1; 2], &[]),
        texts(&["a", "b"], &[1; 2], &[]),
        fill::<BoolType>(vec![true], &[1, 0], &[]),
        texts(&["hall", "door", "hall"], &[4; 3], &[0, 1, 0]),
        fill::<DoubleType>(vec![0.0, 1.0, 0.5], &[4; 3], &[0, 1, 0]),
        fill::<DoubleType>(vec![0.5, 1.5, 2.5, 3.5, 1.0, 2.0], &[6; 6], &[0, 2, 1, 2, 0, 2]),
    ];
    let json = r#"{"task":"g","trajectory":"a","success":true,"steps":[{"state":"hall","reward":0,"embedding":[0.5,1.5]},{"state":"door","reward":1,"embedding":[2.5,3.5]}]}
{"task":"g","trajectory":"b","steps":[{"state":"hall","reward":0.5,"embedding":[1,2]}]}"#;
    let read = trajectories(&table(fields, 1, &columns));
    assert_eq!(read, trajectories(json.as_bytes()));
    assert_eq!(read.unwrap().len(), 2);
}
