//! Row reader: a Parquet file as JSON Lines, a few rows at a time.

use std::fs::File;
use std::io::{self, BufRead, Read};

use ::parquet::basic::Compression;
use ::parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use ::parquet::file::reader::{FileReader as _, SerializedFileReader};

use super::column::{self, Column};
use super::record::Node;
use super::{Result, damaged, guarded, single_line, undecodable};
use crate::refused;

/// How many bytes of lines are made ready at least, if there are as many.
const LINES: usize = 64 * 1024;

/// The rows of a file.
pub(crate) struct RowReader {
    table: SerializedFileReader<File>,
    record: Node,
    /// Those of the row group at hand.
    columns: Vec<Box<dyn Column>>,
    next_group: usize,
    /// Rows that the row group at hand still has.
    left: u64,
    /// Rows that were read.
    row: u64,
    lines: Vec<u8>,
    position: usize,
    /// Why there are no more lines than those.
    problem: Option<String>,
}

impl RowReader {
    /// The rows of a file on disk.
    ///
    /// # Errors
    /// A file that cannot be decoded, or whose columns cannot be told apart.
    pub(crate) fn open(file: File) -> io::Result<Self> {
        guarded(|| {
            let table = SerializedFileReader::new(file).map_err(|error| undecodable(&error))?;
            check(table.metadata())?;
            let record = Node::of_rows(table.metadata().file_metadata().schema())?;
            Ok(Self {
                table,
                record,
                columns: Vec::new(),
                next_group: 0,
                left: 0,
                row: 0,
                lines: Vec::new(),
                position: 0,
                problem: None,
            })
        })
        .map_err(refused)
    }

    /// Appends the line of the next row; false after the last one.
    fn write_next(&mut self) -> Result<bool> {
        while self.left == 0 {
            if self.columns.iter().any(|column| column.levels().is_some()) {
                return Err(damaged("a row group has more rows than it says"));
            }
            if self.next_group == self.table.num_row_groups() {
                return Ok(false);
            }
            self.open_group()?;
        }
        self.record.write(&mut self.columns, &mut self.lines)?;
        self.lines.push(b'\n');
        self.left -= 1;
        self.row += 1;
        Ok(true)
    }

    fn open_group(&mut self) -> Result<()> {
        let group = self.table.get_row_group(self.next_group).map_err(|it| undecodable(&it))?;
        let open = |at| {
            let about = group.metadata().column(at).column_descr();
            let reader = group.get_column_reader(at).map_err(|error| undecodable(&error))?;
            column::open(reader, about)
        };
        self.columns = (0..group.num_columns()).map(open).collect::<Result<_>>()?;
        self.left = group.metadata().num_rows().try_into().unwrap_or(0);
        self.next_group += 1;
        Ok(())
    }

    /// Makes lines ready, up to one that cannot be.
    fn fill(&mut self) {
        self.lines.clear();
        self.position = 0;
        let mut begin = 0;
        let written = guarded(|| {
            while self.lines.len() < LINES && self.write_next()? {
                begin = self.lines.len();
            }
            Ok(())
        });
        if let Err(problem) = written {
            let rows = self.table.metadata().file_metadata().num_rows();
            self.lines.truncate(begin);
            self.problem = Some(format!("row {} of {rows}: {problem}", self.row + 1));
        }
    }
}

/// Refuses what would fail, or mislead, further on.
fn check(about: &ParquetMetaData) -> Result<()> {
    let groups = about.row_groups();
    let rows: i64 = groups.iter().map(RowGroupMetaData::num_rows).sum();
    if rows != about.file_metadata().num_rows() || groups.iter().any(|group| group.num_rows() < 0) {
        return Err(damaged("its row groups have another number of rows than it says"));
    }
    if rows > 0 && about.file_metadata().schema_descr().num_columns() == 0 {
        return Err(damaged("it has rows and no columns"));
    }
    let mut columns = groups.iter().flat_map(RowGroupMetaData::columns);
    let unread = |codec| matches!(codec, Compression::BROTLI(_) | Compression::LZO);
    match columns.find(|column| unread(column.compression())) {
        Some(column) => Err(format!(
            "column `{}` is compressed with {}, which is not read: write the file with snappy or zstd",
            single_line(&column.column_path().string()),
            if column.compression() == Compression::LZO { "LZO" } else { "Brotli" },
        )),
        None => Ok(()),
    }
}

impl BufRead for RowReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.position == self.lines.len() && self.problem.is_none() {
            self.fill();
        }
        match (&self.lines[self.position..], &self.problem) {
            ([], Some(problem)) => Err(refused(problem)),
            (lines, _) => Ok(lines),
        }
    }

    fn consume(&mut self, count: usize) {
        self.position += count;
    }
}

impl Read for RowReader {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(bytes)?;
        self.consume(count);
        Ok(count)
    }
}
