//! A column of numbers added to a table: all others are copied as they are encoded.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::column::writer::ColumnCloseResult;
use ::parquet::data_type::DoubleType;
use ::parquet::errors::{ParquetError, Result as Encoded};
use ::parquet::file::metadata::{KeyValue, ParquetMetaData, RowGroupMetaData};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::reader::{FileReader as _, SerializedFileReader};
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::{Type, TypePtr};

use super::arrow_schema::{self, Field};
use super::{guarded, undecodable};
use crate::refused;

/// A column with a value a row; none is null.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NewColumn<'a> {
    /// A number a row, as for rows that are steps.
    Numbers(&'a [Option<f64>]),
    /// A list of numbers a row, as for rows that are trajectories.
    Lists(&'a [Option<Vec<f64>>]),
}

/// How many rows a Parquet file has.
///
/// # Errors
/// A file that cannot be read.
pub fn row_count(source: &Path) -> io::Result<usize> {
    let rows = open(source)?.metadata().file_metadata().num_rows();
    usize::try_from(rows).map_err(|_| refused(format!("a table of {rows} rows")))
}

fn open(source: &Path) -> io::Result<SerializedFileReader<File>> {
    let file = File::open(source)?;
    let table = guarded(|| SerializedFileReader::new(file).map_err(|it| undecodable(&it)));
    table.map_err(refused)
}

/// Writes a copy of a Parquet file with one more column, or another one in place of that of its name. All others are
/// copied as they are, compressed and encoded, with the file's own metadata. The target must not be the source.
///
/// # Errors
/// A file that cannot be read or decoded, another number of values than of rows, a target that cannot be written.
pub fn with_column<W: Write + Send>(
    source: &Path,
    target: W,
    name: &str,
    column: NewColumn<'_>,
) -> io::Result<W> {
    let table = open(source)?;
    let rows = table.metadata().file_metadata().num_rows();
    if usize::try_from(rows) != Ok(column.len()) {
        let values = column.len();
        return Err(refused(format!("{values} values for a table of {rows} rows")));
    }
    // A second handle: the first is the reader's.
    let chunks = File::open(source)?;
    let copied = guarded(|| Ok(copy(table.metadata(), &chunks, target, name, column)));
    copied.map_err(refused)?.map_err(|error| match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        error => refused(undecodable(&error)),
    })
}

/// What a column of the copy is made of.
enum Source {
    /// A field of the source by its number, with its columns.
    Field(usize, Range<usize>),
    /// The new values.
    New,
}

fn copy<W: Write + Send>(
    about: &ParquetMetaData,
    chunks: &File,
    target: W,
    name: &str,
    column: NewColumn<'_>,
) -> Encoded<W> {
    let of = about.file_metadata();
    let (schema, sources) = schema(of.schema(), name, column)?;
    let own = of.key_value_metadata().map(|own| {
        own.iter().filter_map(|entry| metadata(entry, of.schema(), &schema, &sources)).collect()
    });
    let options = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .set_key_value_metadata(own)
        .build();
    let mut writer = SerializedFileWriter::new(target, Arc::new(schema), Arc::new(options))?;
    let mut begin = 0;
    for group in about.row_groups() {
        let rows = begin..begin + usize::try_from(group.num_rows())?;
        begin = rows.end;
        let mut copy = writer.next_row_group()?;
        for source in &sources {
            match source {
                Source::Field(_, leaves) => copy_chunks(&mut copy, chunks, group, leaves.clone())?,
                Source::New => write_chunk(&mut copy, column, rows.clone())?,
            }
        }
        copy.close()?;
    }
    writer.into_inner()
}

/// The schema of the copy, with what each of its fields is made of.
fn schema(of: &Type, name: &str, column: NewColumn<'_>) -> Encoded<(Type, Vec<Source>)> {
    let mut fields = Vec::new();
    let mut sources = Vec::new();
    let mut leaf = 0;
    let mut is_new_there = false;
    for (number, field) in of.get_fields().iter().enumerate() {
        let leaves = leaf..leaf + count_leaves(field);
        leaf = leaves.end;
        if field.name() == name {
            is_new_there = true;
            fields.push(column.field(name)?);
            sources.push(Source::New);
        } else {
            fields.push(Arc::clone(field));
            sources.push(Source::Field(number, leaves));
        }
    }
    if !is_new_there {
        fields.push(column.field(name)?);
        sources.push(Source::New);
    }
    Ok((Type::group_type_builder(of.name()).with_fields(fields).build()?, sources))
}

/// An entry of the table's own metadata, for the copy: Arrow's schema has its fields too, or is left out.
fn metadata(entry: &KeyValue, old: &Type, new: &Type, sources: &[Source]) -> Option<KeyValue> {
    if entry.key != arrow_schema::KEY {
        return Some(entry.clone());
    }
    let fields = new.get_fields().iter().zip(sources).map(|(field, source)| match source {
        Source::Field(number, _) => Field::Old(*number, field.name()),
        Source::New => Field::New { name: field.name(), is_list: field.is_group() },
    });
    let fields: Vec<Field<'_>> = fields.collect();
    let schema = entry.value.as_ref()?;
    let schema = arrow_schema::with_fields(schema, old.get_fields().len(), &fields)?;
    Some(KeyValue::new(entry.key.clone(), schema))
}

fn count_leaves(of: &Type) -> usize {
    if of.is_primitive() { 1 } else { of.get_fields().iter().map(|it| count_leaves(it)).sum() }
}

fn copy_chunks<W: Write + Send>(
    copy: &mut SerializedRowGroupWriter<'_, W>,
    chunks: &File,
    group: &RowGroupMetaData,
    leaves: Range<usize>,
) -> Encoded<()> {
    for chunk in &group.columns()[leaves] {
        let whole = ColumnCloseResult {
            bytes_written: u64::try_from(chunk.compressed_size())?,
            rows_written: u64::try_from(group.num_rows())?,
            metadata: chunk.clone(),
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        copy.append_column(chunks, whole)?;
    }
    Ok(())
}

fn write_chunk<W: Write + Send>(
    copy: &mut SerializedRowGroupWriter<'_, W>,
    column: NewColumn<'_>,
    rows: Range<usize>,
) -> Encoded<()> {
    let missing = || ParquetError::General("no column is left to write".to_owned());
    let mut chunk = copy.next_column()?.ok_or_else(missing)?;
    let writer = chunk.typed::<DoubleType>();
    match column {
        NewColumn::Numbers(all) => {
            let values: Vec<f64> = all[rows.clone()].iter().flatten().copied().collect();
            let there: Vec<i16> = all[rows].iter().map(|it| i16::from(it.is_some())).collect();
            writer.write_batch(&values, Some(&there), None)?;
        }
        NewColumn::Lists(all) => {
            let (mut values, mut there, mut goes_on) = (Vec::new(), Vec::new(), Vec::new());
            for list in &all[rows] {
                let numbers = list.as_deref().unwrap_or_default();
                values.extend_from_slice(numbers);
                if numbers.is_empty() {
                    there.push(i16::from(list.is_some()));
                } else {
                    there.resize(there.len() + numbers.len(), EVERY);
                }
                goes_on.push(0);
                goes_on.resize(there.len(), 1);
            }
            writer.write_batch(&values, Some(&there), Some(&goes_on))?;
        }
    }
    chunk.close()
}

/// The definition level of a number in a list: the list, its elements and the number are there.
const EVERY: i16 = 3;

impl NewColumn<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Numbers(all) => all.len(),
            Self::Lists(all) => all.len(),
        }
    }

    fn field(&self, name: &str) -> Encoded<TypePtr> {
        let number = |name| {
            let number = Type::primitive_type_builder(name, Physical::DOUBLE);
            number.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
        };
        if let Self::Numbers(_) = self {
            return number(name);
        }
        let elements = Type::group_type_builder("list").with_repetition(Repetition::REPEATED);
        let elements = elements.with_fields(vec![number("element")?]).build()?;
        let list = Type::group_type_builder(name).with_repetition(Repetition::OPTIONAL);
        let list = list.with_logical_type(Some(LogicalType::List));
        list.with_fields(vec![Arc::new(elements)]).build().map(Arc::new)
    }
}
