//! File signatures: files of other kinds, by their first bytes, and how to convert them.

/// First bytes of a kind of file, its name, and how its rollouts can be read.
type Kind = (&'static [u8], &'static str, &'static str);

/// How pandas writes what it has read.
const BY_PANDAS: &str = "convert it to JSON Lines first, in Python with pandas: \
    read_parquet(FILE), or read_feather for Arrow, then to_json(NEW, orient='records', lines=True)";
const BY_EXCEL: &str = "save it as CSV (UTF-8) first";
const BY_SQL: &str =
    "export its table as CSV first: sqlite3 -header -csv FILE 'SELECT * FROM TABLE'";
const UNPACK: &str = "unpack it first";
const AS_UTF_8: &str = "save it as UTF-8 first";

const KINDS: [Kind; 12] = [
    (b"PAR1", "a Parquet file", BY_PANDAS),
    (b"ARROW1", "an Arrow file", BY_PANDAS),
    (b"\x1f\x8b", "a file compressed with gzip", UNPACK),
    (b"\x28\xb5\x2f\xfd", "a file compressed with zstd", UNPACK),
    (b"\xfd7zXZ\0", "a file compressed with xz", UNPACK),
    (b"BZh", "a file compressed with bzip2", UNPACK),
    (b"PK\x03\x04", "a zip archive", UNPACK),
    (b"SQLite format 3\0", "an SQLite database", BY_SQL),
    (b"\xd0\xcf\x11\xe0", "an Excel workbook", BY_EXCEL),
    (b"version https://git-lfs", "a Git LFS pointer", "fetch the file first: git lfs pull"),
    (b"\xff\xfe", "text in UTF-16", AS_UTF_8),
    (b"\xfe\xff", "text in UTF-16", AS_UTF_8),
];

/// Parts of a workbook, one of which is at the beginning of the zip archive that it is.
const WORKBOOK: [&[u8]; 2] = [b"[Content_Types].xml", b"xl/"];
/// How far they are looked for.
const BEGINNING: usize = 1 << 12;

/// What the bytes of a file that is no text are, and what to do.
pub(super) fn kind(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let &(magic, name, remedy) = KINDS.iter().find(|(magic, ..)| bytes.starts_with(magic))?;
    let begin = &bytes[..bytes.len().min(BEGINNING)];
    let has = |part: &&[u8]| begin.windows(part.len()).any(|it| it == *part);
    let is_workbook = magic.starts_with(b"PK") && WORKBOOK.iter().any(has);
    Some(if is_workbook { ("an Excel workbook", BY_EXCEL) } else { (name, remedy) })
}
