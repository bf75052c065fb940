//! Column chunk: the values of a column in a row group, one after the other, with their levels.
//!
//! The definition level of a value says how much of its path is there, the repetition level which list of its path goes
//! on with it (0: a new row begins).

use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::DataType;
use ::parquet::errors::ParquetError;
use ::parquet::schema::types::ColumnDescriptor;

use super::scalar::{self, Render};
use super::{Result, damaged, undecodable};

/// Rows decoded at once: few, as their texts may be long.
const BATCH: usize = 64;

/// Levels of a value.
#[derive(Clone, Copy)]
pub(super) struct Levels {
    pub(super) definition: i16,
    pub(super) repetition: i16,
}

/// A column of a row group, at one of its values.
pub(super) trait Column {
    fn name(&self) -> &str;
    /// Those of the value at hand; none after the last one.
    fn levels(&self) -> Option<Levels>;
    /// Writes the value at hand as JSON.
    fn write(&self, json: &mut Vec<u8>) -> Result<()>;
    /// Goes on to the next value.
    fn advance(&mut self) -> Result<()>;
}

/// A column at its first value.
pub(super) fn open(reader: ColumnReader, about: &ColumnDescriptor) -> Result<Box<dyn Column>> {
    use ColumnReader as Of;
    Ok(match reader {
        Of::BoolColumnReader(reader) => begin(reader, about, scalar::boolean())?,
        Of::Int32ColumnReader(reader) => begin(reader, about, scalar::int32(about)?)?,
        Of::Int64ColumnReader(reader) => begin(reader, about, scalar::int64(about)?)?,
        Of::Int96ColumnReader(reader) => begin(reader, about, scalar::int96())?,
        Of::FloatColumnReader(reader) => begin(reader, about, scalar::float())?,
        Of::DoubleColumnReader(reader) => begin(reader, about, scalar::double())?,
        Of::ByteArrayColumnReader(reader) => begin(reader, about, scalar::bytes(about)?)?,
        Of::FixedLenByteArrayColumnReader(reader) => {
            begin(reader, about, scalar::fixed_bytes(about)?)?
        }
    })
}

fn begin<T: DataType>(
    decoder: ColumnReaderImpl<T>,
    about: &ColumnDescriptor,
    render: Render<T::T>,
) -> Result<Box<dyn Column>> {
    let mut chunk = Chunk::<T> {
        name: about.path().string(),
        highest: Levels { definition: about.max_def_level(), repetition: about.max_rep_level() },
        decoder,
        render,
        definitions: Vec::new(),
        repetitions: Vec::new(),
        values: Vec::new(),
        decoded: 0,
        at: 0,
        value: 0,
    };
    chunk.decode()?;
    Ok(Box::new(chunk))
}

struct Chunk<T: DataType> {
    name: String,
    /// Levels of a value that is there, in the innermost list.
    highest: Levels,
    decoder: ColumnReaderImpl<T>,
    render: Render<T::T>,
    /// Of the batch at hand; without those levels that the column does not have.
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
    /// Those that are there.
    values: Vec<T::T>,
    /// How many values the batch has, with those that are not there.
    decoded: usize,
    at: usize,
    /// Where the value at hand is, or would be, among those that are there.
    value: usize,
}

impl<T: DataType> Chunk<T> {
    /// Decodes the next batch.
    fn decode(&mut self) -> Result<()> {
        self.definitions.clear();
        self.repetitions.clear();
        self.values.clear();
        (self.at, self.value) = (0, 0);
        let wrong =
            |name: &str, error: &ParquetError| format!("column `{name}`: {}", undecodable(error));
        loop {
            let (definitions, repetitions) = (&mut self.definitions, &mut self.repetitions);
            let read = self.decoder.read_records(
                BATCH,
                Some(definitions),
                Some(repetitions),
                &mut self.values,
            );
            let (rows, _, levels) = read.map_err(|error| wrong(&self.name, &error))?;
            self.decoded = levels;
            // Rows without levels: what is at hand was the last of its row.
            if levels > 0 || rows == 0 {
                break;
            }
        }
        let is_whole = |levels: &[i16], highest: i16| highest == 0 || levels.len() == self.decoded;
        let is_there = |&&level: &&i16| level == self.highest.definition;
        let there = if self.highest.definition == 0 {
            self.decoded
        } else {
            self.definitions.iter().filter(is_there).count()
        };
        let fits = is_whole(&self.definitions, self.highest.definition)
            && is_whole(&self.repetitions, self.highest.repetition)
            && self.values.len() == there;
        if fits { Ok(()) } else { Err(damaged(format!("column `{}` has gaps", self.name))) }
    }

    fn definition(&self) -> i16 {
        if self.highest.definition == 0 { 0 } else { self.definitions[self.at] }
    }
}

impl<T: DataType> Column for Chunk<T> {
    fn name(&self) -> &str {
        &self.name
    }

    fn levels(&self) -> Option<Levels> {
        let repetition =
            || if self.highest.repetition == 0 { 0 } else { self.repetitions[self.at] };
        (self.at < self.decoded)
            .then(|| Levels { definition: self.definition(), repetition: repetition() })
    }

    fn write(&self, json: &mut Vec<u8>) -> Result<()> {
        let is_there = self.at < self.decoded && self.definition() == self.highest.definition;
        match self.values.get(self.value).filter(|_| is_there) {
            Some(value) => (self.render)(value, json)
                .map_err(|problem| format!("column `{}`: {problem}", self.name)),
            None => Err(damaged(format!("column `{}` has a gap", self.name))),
        }
    }

    fn advance(&mut self) -> Result<()> {
        if self.at < self.decoded {
            self.value += usize::from(self.definition() == self.highest.definition);
            self.at += 1;
        }
        if self.at == self.decoded && self.decoded > 0 { self.decode() } else { Ok(()) }
    }
}
