//! Damaged tables: an error, whatever is wrong with them.

use std::io::{Seek as _, Write as _};

use parquet::data_type::{DoubleType, FixedLenByteArrayType, Int32Type};

use crate::tables::{Fill, fill, table, texts};
use crate::{file, read, read_file, refusal};

fn small() -> Vec<u8> {
    let fields =
        "OPTIONAL BYTE_ARRAY task (UTF8); REQUIRED DOUBLE reward; OPTIONAL INT32 day (DATE);
        REQUIRED FIXED_LEN_BYTE_ARRAY (2) half (FLOAT16);
        OPTIONAL group x (LIST) { REPEATED group list { OPTIONAL BYTE_ARRAY element (UTF8); } }";
    let halves = [[0, 1], [2, 3], [4, 5]];
    let halves = halves.map(|it: [u8; 2]| parquet::data_type::ByteArray::from(it.to_vec()).into());
    let columns: [Fill; 5] = [
        texts(&["g", "g"], &[1, 0, 1], &[]),
        fill::<DoubleType>(vec![0.0, 1.0, 2.0], &[], &[]),
        fill::<Int32Type>(vec![1, 2], &[1, 1, 0], &[]),
        fill::<FixedLenByteArrayType>(halves.to_vec(), &[], &[]),
        texts(&["a", "b"], &[3, 3, 1, 0], &[0, 1, 0, 0]),
    ];
    table(fields, 1, &columns)
}

#[test]
fn tables_that_are_cut_off_are_refused() {
    let whole = small();
    assert_eq!(read(&whole).unwrap().lines().count(), 3);
    for end in 4..whole.len() {
        let said = refusal(read(&whole[..end]));
        assert!(said.contains("the Parquet file is damaged"), "{end}: {said}");
    }
}

/// No byte of a table, whatever stands there, makes more than an error: no panic, no memory without bounds.
#[test]
fn changed_bytes_are_an_error_at_most() {
    let whole = small();
    let mut file = file(&whole);
    let mut refused = 0;
    for (place, &byte) in whole.iter().enumerate().skip(4) {
        let mut put = |byte: u8| {
            file.seek(std::io::SeekFrom::Start(place as u64)).unwrap();
            file.write_all(&[byte]).unwrap();
            read_file(file.path())
        };
        for other in (0..8).map(|bit| byte ^ (1 << bit)).chain([0, 0x7f, 0x80, 0xff]) {
            if let read @ Err(_) = put(other) {
                refusal(read);
                refused += 1;
            }
        }
        put(byte).unwrap();
    }
    assert!(refused > whole.len(), "{refused}");
}
