//! Files that are not rollouts by their kind, and CSV as Excel writes it.

use hgpo_core::format::Layout;
use hgpo_core::{StepAddress, format};

fn message(bytes: &[u8]) -> String {
    format::read(bytes).expect_err("refused").to_string()
}

#[test]
fn files_of_other_kinds_are_named_with_a_remedy() {
    let cases: [(&[u8], &str, &str); 14] = [
        (b"PAR1\x15\x04\x15\x10\xff", "a Parquet file", "read_parquet"),
        (b"PAR1\x15\x04\x15\x10", "a Parquet file", "to_json"),
        (b"ARROW1\0\0\xff\xff", "an Arrow file", "read_feather"),
        (b"\x1f\x8b\x08\x00\xa1", "a file compressed with gzip", "unpack it first"),
        (b"\x28\xb5\x2f\xfd\x04", "a file compressed with zstd", "unpack it first"),
        (b"\xfd7zXZ\0\0\x04", "a file compressed with xz", "unpack it first"),
        (b"BZh91AY&SY\xff", "a file compressed with bzip2", "unpack it first"),
        (b"PK\x03\x04\x14\0a.jsonl\xff", "a zip archive", "unpack it first"),
        (b"PK\x03\x04\x14\0[Content_Types].xml\xff", "an Excel workbook", "save it as CSV"),
        (b"SQLite format 3\0\x10\0\x01", "an SQLite database", "sqlite3 -header -csv"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "an Excel workbook", "save it as CSV"),
        (b"version https://git-lfs.github.com/spec/v1\noid", "a Git LFS pointer", "git lfs pull"),
        (b"\xff\xfet\0a\0", "text in UTF-16", "save it as UTF-8"),
        (b"\xfe\xff\0t\0a", "text in UTF-16", "save it as UTF-8"),
    ];
    for (bytes, kind, remedy) in cases {
        let said = message(bytes);
        let begin = format!("{kind}, not rollouts in JSON Lines or CSV: ");
        assert!(said.starts_with(&begin) && said.contains(remedy), "{said}");
    }
    // Texts that begin like one of these.
    let csv = "PAR1,task,trajectory,state,reward\nx,g,t,hall,1\n";
    assert_eq!(format::read(csv.as_bytes()).expect("rollouts").len(), 1);
}

#[test]
fn excels_line_of_the_separator_is_passed_over() {
    let rows = "task,trajectory,state,reward\ng,t,hall,0\ng,t,hall,1\n";
    let expected = format::read(rows.as_bytes()).expect("rollouts");
    for first in ["sep=,\r\n", "\u{feff}sep=,\n", "\"sep=,\"\r\n\n", "SEP=,\n"] {
        let text = format!("{first}{rows}");
        assert_eq!(format::read(text.as_bytes()).expect("rollouts"), expected, "{first:?}");
        assert_eq!(format::read_csv(text.as_bytes()).expect("rollouts"), expected, "{first:?}");
        let line =
            format::line_of(text.as_bytes(), &Layout::default(), &StepAddress::new("g", "t", 1))
                .expect("text");
        assert_eq!(line, Some(3 + first.matches('\n').count()), "{first:?}");
    }
    let missing = "sep=,\ntask,trajectory,reward\ng,t,0\n";
    assert!(message(missing.as_bytes()).starts_with("line 2: `state` is missing"));
    let other = format!("sep=;\n{}", rows.replace(',', ";"));
    let said = message(other.as_bytes());
    assert!(said.contains("`task;trajectory;state;reward` must be separated by commas"), "{said}");
}
