//! Text, as it is and compressed, from files and from pipes.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::tables::{fill, table};
use crate::{read, read_pipe, refusal};

const LINES: &str = "{\"task\":\"g\"}\n{\"task\":\"h\"}\n";

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn text_is_passed_on_as_it_is() {
    for text in [LINES, "", "P", "PARTS,task\n1,2\n", "\n\n{}", "\u{feff}{}"] {
        assert_eq!(read(text.as_bytes()).unwrap(), text);
        assert_eq!(read_pipe(text.as_bytes()).unwrap(), text);
    }
}

#[test]
fn all_members_of_gzip_are_read() {
    let several = [gzip(LINES), gzip(""), gzip("{}\n")].concat();
    let text = [LINES, "{}\n"].concat();
    assert_eq!(read(&several).unwrap(), text);
    assert_eq!(read_pipe(&several).unwrap(), text);
}

#[test]
fn gzip_that_is_cut_off_is_refused() {
    let whole = [gzip(LINES), gzip(LINES)].concat();
    let member = whole.len() / 2;
    // Files that begin like gzip, up to the last byte that is missing; one member is a whole file.
    for end in (2..whole.len()).filter(|&end| end != member) {
        let said = refusal(read(&whole[..end]));
        assert!(said.starts_with("the gzip data is cut off"), "{end}: {said}");
    }
}

#[test]
fn damaged_gzip_is_refused() {
    let mut damaged = gzip(LINES);
    let sum = damaged.len() - 8;
    damaged[sum] ^= 1;
    let said = refusal(read(&damaged));
    assert!(said.starts_with("the gzip data is damaged"), "{said}");
    let mut followed = gzip(LINES);
    followed.extend(b"task,trajectory");
    assert!(refusal(read(&followed)).starts_with("the gzip data is damaged"));
}

#[test]
fn tables_from_pipes_and_encrypted_ones_are_refused() {
    let table =
        table("REQUIRED INT64 x;", 1, &[fill::<parquet::data_type::Int64Type>(vec![1], &[], &[])]);
    assert!(refusal(read_pipe(&table)).contains("cannot be read from a pipe"));
    let packed = {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&table).unwrap();
        encoder.finish().unwrap()
    };
    assert!(refusal(read(&packed)).contains("inside of gzip"));
    assert!(refusal(read(b"PARE....PARE")).contains("is encrypted"));
}
