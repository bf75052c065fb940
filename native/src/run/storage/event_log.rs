//! Event log: the metrics of a run as TensorBoard reads them.
//!
//! A file is a sequence of records (TensorFlow's TFRecord): length, its checksum, data, its checksum. The data are
//! messages of the protocol buffer `Event` (tensorflow/core/util/event.proto), of which this writes the fields that
//! scalars need.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use hgpo_train::trainer::Metrics;
use serde_json::Value;

use super::atomic_write;
use crate::run::progress::metrics_history::next_up_to;
use crate::run::{JsonlLog, RunError, if_exists};

/// The file that a process of a run writes, one after the other.
#[derive(Debug)]
pub(crate) struct EventLog {
    path: PathBuf,
    file: File,
}

impl EventLog {
    /// Begins a file in a folder, for a run that goes on after so many iterations. The first one of a run begins with what
    /// `metrics` has of these; a later one says that steps from there on take the place of those in earlier files.
    ///
    /// # Errors
    /// The folder cannot be written, the metrics cannot be read.
    pub(crate) fn open(folder: &Path, metrics: &Path, iteration: u64) -> Result<Self, RunError> {
        atomic_write::make_folder(folder)?;
        let there = if_exists(fs::read_dir(folder)).map_err(RunError::read(folder))?;
        let is_log = |name: &str| name.starts_with("events.out.tfevents.");
        let names = there.into_iter().flatten().flatten().map(|entry| entry.file_name());
        let earlier = names.filter(|name| name.to_str().is_some_and(is_log)).count();
        // Readers take them in the order of their names.
        let path = folder.join(format!("events.out.tfevents.{:010}.hgpo", earlier + 1));
        let file = OpenOptions::new().create_new(true).append(true).open(&path);
        let file = file.map_err(RunError::write(&path))?;
        let mut log = Self { path, file };
        let (mut lines, mut time) = (Vec::new(), 0.0);
        JsonlLog::count(
            metrics,
            next_up_to(iteration, |line| {
                time = number(&line, "time");
                if earlier == 0 {
                    lines.push(line);
                }
            }),
        )?;
        let began = lines.first().map_or(time, |line| number(line, "time"));
        log.write(&Event::new(began, 0).with_version())?;
        lines.iter().try_for_each(|line| log.append(line, |_| true))?;
        if earlier > 0 {
            log.write(&Event::new(time, iteration + 1).with_start())?;
        }
        Ok(log)
    }

    /// Adds the numbers of a line of the metrics whose names are wanted, at its iteration.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn append(
        &mut self,
        line: &Metrics,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<(), RunError> {
        let is_shown = |name: &str| name != "iteration" && name != "time" && is_wanted(name);
        let numbers = line.iter().filter(|(name, _)| is_shown(name));
        let numbers = numbers.filter_map(|(name, value)| Some((name.as_str(), value.as_f64()?)));
        let iteration = line.get("iteration").and_then(Value::as_u64).unwrap_or_default();
        let event = Event::new(number(line, "time"), iteration);
        self.write(&event.with_scalars(numbers))
    }

    fn write(&mut self, event: &Event) -> Result<(), RunError> {
        let record = record(&event.0);
        let written = self.file.write_all(&record).and_then(|()| self.file.flush());
        written.map_err(RunError::write(&self.path))
    }
}

fn number(line: &Metrics, name: &str) -> f64 {
    line.get(name).and_then(Value::as_f64).unwrap_or_default()
}

/// Bytes with their length and checksums, as TFRecord frames them.
fn record(data: &[u8]) -> Vec<u8> {
    // A checksum of data that holds checksums is a weak one: TFRecord turns and moves it.
    let masked = |bytes: &[u8]| {
        crc32c::crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes()
    };
    let length = (data.len() as u64).to_le_bytes();
    [&length[..], &masked(&length), data, &masked(data)].concat()
}

/// A message of the protocol buffer `Event`.
struct Event(Vec<u8>);

/// How a field is encoded, after its number.
const VARINT: u64 = 0;
const DOUBLE: u64 = 1;
const BYTES: u64 = 2;
const FLOAT: u64 = 5;

impl Event {
    /// `wall_time` (1), in seconds since 1970, and `step` (2).
    fn new(time: f64, step: u64) -> Self {
        let mut message = Vec::new();
        put_key(&mut message, 1, DOUBLE);
        message.extend(time.to_le_bytes());
        put_key(&mut message, 2, VARINT);
        put_varint(&mut message, step);
        Self(message)
    }

    /// `file_version` (3), which every file begins with.
    fn with_version(mut self) -> Self {
        put_bytes(&mut self.0, 3, b"brain.Event:2");
        self
    }

    /// `session_log` (7) with `status` (1) `START` (1): later steps of earlier files count no more.
    fn with_start(mut self) -> Self {
        let mut session = Vec::new();
        put_key(&mut session, 1, VARINT);
        put_varint(&mut session, 1);
        put_bytes(&mut self.0, 7, &session);
        self
    }

    /// `summary` (5) with a `value` (1) for each: `tag` (1) and `simple_value` (2).
    fn with_scalars<'a>(mut self, numbers: impl Iterator<Item = (&'a str, f64)>) -> Self {
        let mut summary = Vec::new();
        for (name, number) in numbers {
            let mut value = Vec::new();
            put_bytes(&mut value, 1, name.as_bytes());
            put_key(&mut value, 2, FLOAT);
            value.extend((number as f32).to_le_bytes());
            put_bytes(&mut summary, 1, &value);
        }
        put_bytes(&mut self.0, 5, &summary);
        self
    }
}

fn put_key(message: &mut Vec<u8>, field: u64, kind: u64) {
    put_varint(message, field << 3 | kind);
}

fn put_bytes(message: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    put_key(message, field, BYTES);
    put_varint(message, bytes.len() as u64);
    message.extend_from_slice(bytes);
}

/// Seven bits a byte, the lowest first; all but the last have their highest bit set.
fn put_varint(message: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        message.push(number as u8 | 0x80);
        number >>= 7;
    }
    message.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_and_messages_have_the_bytes_of_tensorflow() {
        // As TensorFlow's own writer begins a file: 18 hexadecimal, 24 bytes of data.
        let event = Event::new(0.0, 0).with_version();
        let version = event.0[event.0.len() - 15..].to_vec();
        assert_eq!(version, b"\x1a\x0dbrain.Event:2");
        assert_eq!(event.0[..9], [9, 0, 0, 0, 0, 0, 0, 0, 0]);
        let framed = record(b"");
        assert_eq!(framed.len(), 16);
        assert_eq!(framed[..8], [0; 8]);
        // Of no bytes at all the checksum is 0, so that the mask is left.
        assert_eq!(framed[12..], 0xa282_ead8_u32.to_le_bytes());
        let scalar = Event::new(1.5, 300).with_scalars([("a", 0.5)].into_iter());
        assert_eq!(
            scalar.0,
            [
                &[9, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f][..],
                &[0x10, 0xac, 0x02],
                &[0x2a, 10, 0x0a, 8, 0x0a, 1, b'a', 0x15, 0, 0, 0, 0x3f],
            ]
            .concat()
        );
        let start = Event::new(0.0, 7).with_start();
        assert_eq!(start.0[9..], [0x10, 7, 0x3a, 2, 0x08, 1]);
    }
}
