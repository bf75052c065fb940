//! Tables in Parquet, made column by column, and what of them scalars become.

use std::fmt::Write as _;
use std::sync::Arc;

use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type, Int96, Int96Type,
};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;

use crate::{read, refusal};

/// Writes a column.
pub(crate) type Fill = Box<dyn Fn(&mut SerializedColumnWriter<'_>)>;

/// Values that are there, with definition and repetition levels.
pub(crate) fn fill<T: DataType>(
    values: Vec<T::T>,
    definitions: &'static [i16],
    repetitions: &'static [i16],
) -> Fill {
    let levels = |levels: &'static [i16]| Some(levels).filter(|levels| !levels.is_empty());
    Box::new(move |column| {
        let writer = column.typed::<T>();
        writer.write_batch(&values, levels(definitions), levels(repetitions)).unwrap();
    })
}

pub(crate) fn texts(
    values: &[&str],
    definitions: &'static [i16],
    repetitions: &'static [i16],
) -> Fill {
    let values = values.iter().map(|&text| ByteArray::from(text)).collect();
    fill::<ByteArrayType>(values, definitions, repetitions)
}

/// A table whose fields are those of a schema, with so many row groups that hold the same.
pub(crate) fn table(fields: &str, groups: usize, columns: &[Fill]) -> Vec<u8> {
    let schema = parse_message_type(&format!("message rows {{ {fields} }}")).unwrap();
    let about = KeyValue::new("about".to_owned(), "this table".to_owned());
    let options = WriterProperties::builder().set_key_value_metadata(Some(vec![about])).build();
    let mut writer =
        SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(options)).unwrap();
    for _ in 0..groups {
        let mut group = writer.next_row_group().unwrap();
        for fill in columns {
            let mut column = group.next_column().unwrap().unwrap();
            fill(&mut column);
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

/// The only value of a table with one required field, which is called `x`.
fn scalar<T: DataType>(kind: &str, annotation: &str, value: T::T) -> String {
    let fields = format!("REQUIRED {kind} x {annotation};");
    match read(&table(&fields, 1, &[fill::<T>(vec![value], &[], &[])])) {
        Ok(line) => line.trim_end().replace(r#"{"x":"#, "").trim_end_matches('}').to_owned(),
        error => refusal(error),
    }
}

#[test]
fn scalars_keep_their_digits() {
    let int64 = |annotation, value| scalar::<Int64Type>("INT64", annotation, value);
    let int32 = |annotation, value| scalar::<Int32Type>("INT32", annotation, value);
    assert_eq!(int64("", i64::MIN), "-9223372036854775808");
    assert_eq!(int64("(INTEGER(64,false))", -1), "18446744073709551615");
    assert_eq!(int32("(UINT_8)", 255), "255");
    assert_eq!(int32("(INTEGER(32,false))", -1), "4294967295");
    assert_eq!(int32("(DECIMAL(5,2))", -5), "-0.05");
    assert_eq!(int64("(DECIMAL(18,0))", -5), "-5");
    assert_eq!(scalar::<BoolType>("BOOLEAN", "", true), "true");
    assert_eq!(scalar::<FloatType>("FLOAT", "", 0.1), "0.1");
    assert_eq!(scalar::<DoubleType>("DOUBLE", "", 0.1 + 0.2), "0.30000000000000004");
    let not_finite = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    let written = not_finite.map(|value| scalar::<DoubleType>("DOUBLE", "", value));
    assert_eq!(written, ["NaN", "Infinity", "-Infinity"]);
    let bytes = |kind, annotation, bytes: &[u8]| {
        scalar::<FixedLenByteArrayType>(kind, annotation, ByteArray::from(bytes.to_vec()).into())
    };
    let largest = i128::MAX.to_be_bytes();
    let decimal = bytes("FIXED_LEN_BYTE_ARRAY (16)", "(DECIMAL(38,10))", &largest);
    assert_eq!(decimal, "17014118346046923173168730371.5884105727");
    let wide = bytes("FIXED_LEN_BYTE_ARRAY (17)", "(DECIMAL(40,0))", &[0; 17]);
    assert!(wide.starts_with("row 1 of 1: column `x`: decimals of 17 bytes"), "{wide}");
    assert_eq!(bytes("FIXED_LEN_BYTE_ARRAY (2)", "(FLOAT16)", &[0, 0x38]), "0.5");
}

#[test]
fn dates_and_names_are_text() {
    let int64 = |annotation, value| scalar::<Int64Type>("INT64", annotation, value);
    let int32 = |annotation, value| scalar::<Int32Type>("INT32", annotation, value);
    assert_eq!(int32("(DATE)", -1), r#""1969-12-31""#);
    assert!(int32("(DATE)", i32::MAX).contains("no date is 2147483647 days after"));
    assert_eq!(int64("(TIMESTAMP(NANOS,false))", -1), r#""1969-12-31T23:59:59.999999999""#);
    assert_eq!(int64("(TIMESTAMP_MILLIS)", 1), r#""1970-01-01T00:00:00.001Z""#);
    assert_eq!(int32("(TIME_MILLIS)", 1_001), r#""00:00:01.001""#);
    assert!(int64("(TIME_MICROS)", -1).contains("no time of a day"));
    let mut long_ago = Int96::new();
    long_ago.set_data(5, 0, 2_440_588);
    assert_eq!(scalar::<Int96Type>("INT96", "", long_ago), r#""1970-01-01T00:00:00.000000005""#);
    let bytes = |annotation, value: &[u8]| {
        scalar::<ByteArrayType>("BYTE_ARRAY", annotation, ByteArray::from(value.to_vec()))
    };
    assert_eq!(bytes("", "é\n".as_bytes()), r#""é\n""#);
    assert_eq!(bytes("(UTF8)", b"a"), r#""a""#);
    let no_text = bytes("", b"\xff");
    assert!(no_text.starts_with("row 1 of 1: column `x`: the bytes are no UTF-8"), "{no_text}");
    assert!(bytes("(BSON)", b"a").contains("is not read"));
    assert_eq!(bytes("(JSON)", b"{\"a\":\n[1e999]}"), r#"{"a": [1e999]"#);
    assert!(bytes("(JSON)", b"{").contains("this is none"));
    let id: [u8; 16] = std::array::from_fn(|place| place as u8);
    let id = ByteArray::from(id.to_vec()).into();
    let id = scalar::<FixedLenByteArrayType>("FIXED_LEN_BYTE_ARRAY (16)", "(UUID)", id);
    assert_eq!(id, r#""00010203-0405-0607-0809-0a0b0c0d0e0f""#);
}

#[test]
fn columns_of_one_name_are_refused() {
    let numbers = || fill::<DoubleType>(vec![1.0], &[], &[]);
    let twice = table("REQUIRED DOUBLE x; REQUIRED DOUBLE x;", 1, &[numbers(), numbers()]);
    assert_eq!(refusal(read(&twice)), "two columns are called `x`: rename one of them");
}

#[test]
fn rows_of_all_groups_come_in_order() {
    let count = 10_000;
    let numbers = fill::<Int64Type>((0..count).collect(), &[], &[]);
    let mut lines = String::new();
    for number in (0..count).chain(0..count) {
        writeln!(lines, r#"{{"x":{number}}}"#).unwrap();
    }
    assert_eq!(read(&table("REQUIRED INT64 x;", 2, &[numbers])).unwrap(), lines);
    let none = table("REQUIRED INT64 x;", 0, &[]);
    assert_eq!(read(&none).unwrap(), "");
}
