//! Copies of tables with one more column.

use hgpo_logs::parquet::{NewColumn, with_column};
use parquet::data_type::DoubleType;
use parquet::file::reader::{FileReader as _, SerializedFileReader};

use crate::tables::{fill, table, texts};
use crate::{file, read};

/// Two row groups of three rows each.
fn source(fields: &str) -> Vec<u8> {
    let names = texts(&["a", "b"], &[3, 3, 1, 0], &[0, 1, 0, 0]);
    let numbers = fill::<DoubleType>(vec![0.5, 1.5, 2.5], &[], &[]);
    table(fields, 2, &[names, numbers])
}

const FIELDS: &str =
    "OPTIONAL group x (LIST) { REPEATED group list { OPTIONAL BYTE_ARRAY element (UTF8); } }
    REQUIRED DOUBLE y;";

fn copy(source: &[u8], column: NewColumn<'_>) -> std::io::Result<Vec<u8>> {
    with_column(file(source).path(), Vec::new(), "advantage", column)
}

const NUMBERS: [Option<f64>; 6] = [Some(0.1), None, Some(-1.0), None, Some(f64::MAX), Some(0.0)];

#[test]
fn a_copy_has_one_more_column() {
    let source = source(FIELDS);
    let copied = copy(&source, NewColumn::Numbers(&NUMBERS)).unwrap();
    let lines = r#"{"x":["a","b"],"y":0.5,"advantage":0.1}
{"x":[],"y":1.5,"advantage":null}
{"x":null,"y":2.5,"advantage":-1.0}
{"x":["a","b"],"y":0.5,"advantage":null}
{"x":[],"y":1.5,"advantage":1.7976931348623157e+308}
{"x":null,"y":2.5,"advantage":0.0}
"#;
    assert_eq!(read(&copied).unwrap(), lines);
    let about = |bytes: &[u8]| {
        let table = SerializedFileReader::new(file(bytes).reopen().unwrap()).unwrap();
        let about = table.metadata().clone();
        let sizes: Vec<i64> =
            about.row_groups().iter().map(|group| group.column(0).compressed_size()).collect();
        (about.file_metadata().key_value_metadata().cloned(), sizes)
    };
    assert_eq!(about(&source), about(&copied));
}

#[test]
fn a_column_of_the_name_is_replaced_where_it_is() {
    let source = source(&FIELDS.replace(" x (LIST)", " advantage (LIST)"));
    let copied = copy(&source, NewColumn::Numbers(&NUMBERS)).unwrap();
    let read = read(&copied).unwrap();
    assert!(
        read.starts_with("{\"advantage\":0.1,\"y\":0.5}\n{\"advantage\":null,\"y\":1.5}\n"),
        "{read}"
    );
    let again = copy(&copied, NewColumn::Numbers(&NUMBERS)).unwrap();
    assert_eq!(crate::read(&again).unwrap(), read);
}

#[test]
fn rows_can_hold_lists() {
    let lists = [None, Some(vec![]), Some(vec![1.0, 2.0]), Some(vec![3.0]), None, Some(vec![])];
    let copied = copy(&source(FIELDS), NewColumn::Lists(&lists)).unwrap();
    let read = read(&copied).unwrap();
    let written: Vec<&str> =
        read.lines().map(|line| line.split_once("\"advantage\":").unwrap().1).collect();
    assert_eq!(written, ["null}", "[]}", "[1.0,2.0]}", "[3.0]}", "null}", "[]}"]);
}

#[test]
fn another_number_of_values_is_refused() {
    let error = copy(&source(FIELDS), NewColumn::Numbers(&NUMBERS[1..])).unwrap_err();
    assert_eq!(error.to_string(), "5 values for a table of 6 rows");
    let error = copy(b"task,reward\n", NewColumn::Numbers(&[])).unwrap_err();
    assert!(error.to_string().contains("the Parquet file is damaged"), "{error}");
}
