//! Scalars of Parquet as JSON.

use ::parquet::basic::{ConvertedType, LogicalType, TimeUnit};
use ::parquet::data_type::{ByteArray, FixedLenByteArray, Int96};
use ::parquet::schema::types::ColumnDescriptor;
use chrono::{DateTime, NaiveTime};
use serde::Serialize;
use serde::de::IgnoredAny;

use super::Result;

/// Writes a value as JSON.
pub(super) type Render<T> = Box<dyn Fn(&T, &mut Vec<u8>) -> Result<()>>;

const NANOSECONDS: i64 = 1_000_000_000;
const SECONDS_OF_A_DAY: i64 = 86_400;
/// Longest decimal, in bytes: 38 digits.
const LONGEST_DECIMAL: usize = 16;

pub(super) fn boolean() -> Render<bool> {
    Box::new(write)
}

pub(super) fn float() -> Render<f32> {
    Box::new(|value, json| finite(*value, f64::from(*value), json))
}

pub(super) fn double() -> Render<f64> {
    Box::new(|value, json| finite(*value, *value, json))
}

pub(super) fn int32(about: &ColumnDescriptor) -> Result<Render<i32>> {
    Ok(match meaning(about)? {
        Meaning::Date => Box::new(|&days, json| {
            let date = DateTime::from_timestamp(i64::from(days) * SECONDS_OF_A_DAY, 0);
            let date = date.ok_or_else(|| format!("no date is {days} days after 1970-01-01"))?;
            write(&date.date_naive().to_string(), json)
        }),
        Meaning::Unsigned => Box::new(|&value, json| write(&value.cast_unsigned(), json)),
        Meaning::Number => Box::new(write),
        other => {
            let wide = other.of_int64();
            Box::new(move |&value, json| wide(&i64::from(value), json))
        }
    })
}

pub(super) fn int64(about: &ColumnDescriptor) -> Result<Render<i64>> {
    Ok(meaning(about)?.of_int64())
}

/// Nanoseconds of a day, and the day, counted from 4714 BC: how timestamps were once written.
pub(super) fn int96() -> Render<Int96> {
    const DAY_OF_1970: i64 = 2_440_588;
    Box::new(|value, json| {
        let &[low, high, day] = value.data() else { return Err("no timestamp".to_owned()) };
        let nanoseconds = i64::from(high) << 32 | i64::from(low);
        let seconds = (i64::from(day) - DAY_OF_1970) * SECONDS_OF_A_DAY;
        let seconds = seconds.saturating_add(nanoseconds.div_euclid(NANOSECONDS));
        timestamp(seconds, nanoseconds.rem_euclid(NANOSECONDS) as u32, false, json)
    })
}

pub(super) fn bytes(about: &ColumnDescriptor) -> Result<Render<ByteArray>> {
    let render = of_bytes(about)?;
    Ok(Box::new(move |value, json| render(value.data(), json)))
}

pub(super) fn fixed_bytes(about: &ColumnDescriptor) -> Result<Render<FixedLenByteArray>> {
    let render = of_bytes(about)?;
    Ok(Box::new(move |value, json| render(value.data(), json)))
}

/// What a column of bytes holds.
fn of_bytes(about: &ColumnDescriptor) -> Result<Render<[u8]>> {
    Ok(match (about.logical_type_ref(), about.converted_type()) {
        (Some(LogicalType::Decimal(_)), _) | (None, ConvertedType::DECIMAL) => {
            let scale = scale(about)?;
            Box::new(move |bytes, json| {
                json.extend(decimal(big_endian(bytes)?, scale).bytes());
                Ok(())
            })
        }
        (Some(LogicalType::Json), _) | (None, ConvertedType::JSON) => Box::new(document),
        (Some(LogicalType::Uuid), _) => Box::new(uuid),
        (Some(LogicalType::Float16), _) => Box::new(|bytes, json| {
            let bits = bytes.try_into().map_err(|_| "a half-precision number has 2 bytes")?;
            let value = half::f16::from_le_bytes(bits).to_f32();
            finite(value, f64::from(value), json)
        }),
        (Some(LogicalType::String | LogicalType::Enum | LogicalType::Unknown), _)
        | (None, ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::NONE) => {
            Box::new(|bytes, json| {
                let read = std::str::from_utf8(bytes);
                write(read.map_err(|_| "the bytes are no UTF-8 text: write them as text")?, json)
            })
        }
        (logical, converted) => {
            let kind = logical.map_or_else(|| converted.to_string(), |kind| format!("{kind:?}"));
            Box::new(move |_, _| Err(format!("{kind} is not read: write it as text")))
        }
    })
}

/// What the whole numbers of a column stand for.
#[derive(Clone, Copy)]
enum Meaning {
    Number,
    Unsigned,
    Date,
    /// How many of them a second has.
    Time(i64),
    Timestamp {
        a_second: i64,
        is_utc: bool,
    },
    Decimal {
        scale: usize,
    },
}

fn meaning(about: &ColumnDescriptor) -> Result<Meaning> {
    let a_second = |unit: &TimeUnit| match unit {
        TimeUnit::MILLIS => 1_000,
        TimeUnit::MICROS => 1_000_000,
        TimeUnit::NANOS => NANOSECONDS,
    };
    let timestamp = |a_second| Meaning::Timestamp { a_second, is_utc: true };
    Ok(match (about.logical_type_ref(), about.converted_type()) {
        (Some(LogicalType::Integer(of)), _) if !of.is_signed => Meaning::Unsigned,
        (Some(LogicalType::Date), _) | (None, ConvertedType::DATE) => Meaning::Date,
        (Some(LogicalType::Time(of)), _) => Meaning::Time(a_second(&of.unit)),
        (Some(LogicalType::Timestamp(of)), _) => {
            Meaning::Timestamp { a_second: a_second(&of.unit), is_utc: of.is_adjusted_to_u_t_c }
        }
        (Some(LogicalType::Decimal(_)), _) | (None, ConvertedType::DECIMAL) => {
            Meaning::Decimal { scale: scale(about)? }
        }
        (None, ConvertedType::TIME_MILLIS) => Meaning::Time(1_000),
        (None, ConvertedType::TIME_MICROS) => Meaning::Time(1_000_000),
        (None, ConvertedType::TIMESTAMP_MILLIS) => timestamp(1_000),
        (None, ConvertedType::TIMESTAMP_MICROS) => timestamp(1_000_000),
        (
            None,
            ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64,
        ) => Meaning::Unsigned,
        _ => Meaning::Number,
    })
}

impl Meaning {
    fn of_int64(self) -> Render<i64> {
        match self {
            Self::Number | Self::Date => Box::new(write),
            Self::Unsigned => Box::new(|&value, json| write(&value.cast_unsigned(), json)),
            Self::Time(a_second) => Box::new(move |&value, json| {
                let (seconds, rest) = split(value, a_second);
                let seconds = u32::try_from(seconds).ok();
                let time =
                    seconds.and_then(|it| NaiveTime::from_num_seconds_from_midnight_opt(it, rest));
                write(&time.ok_or("no time of a day")?.to_string(), json)
            }),
            Self::Timestamp { a_second, is_utc } => Box::new(move |&value, json| {
                let (seconds, rest) = split(value, a_second);
                timestamp(seconds, rest, is_utc, json)
            }),
            Self::Decimal { scale } => Box::new(move |&value, json| {
                json.extend(decimal(i128::from(value), scale).bytes());
                Ok(())
            }),
        }
    }
}

/// Seconds, and the nanoseconds beyond them.
fn split(value: i64, a_second: i64) -> (i64, u32) {
    let rest = value.rem_euclid(a_second) * (NANOSECONDS / a_second);
    (value.div_euclid(a_second), rest as u32)
}

fn timestamp(seconds: i64, nanoseconds: u32, is_utc: bool, json: &mut Vec<u8>) -> Result<()> {
    let time = DateTime::from_timestamp(seconds, nanoseconds);
    let time = time.ok_or_else(|| format!("no date is {seconds} seconds after 1970-01-01"))?;
    let written = if is_utc { format!("{time:?}") } else { format!("{:?}", time.naive_utc()) };
    write(&written, json)
}

fn scale(about: &ColumnDescriptor) -> Result<usize> {
    let of_logical = match about.logical_type_ref() {
        Some(LogicalType::Decimal(of)) => Some(of.scale),
        _ => None,
    };
    let scale = of_logical.unwrap_or_else(|| about.type_scale());
    usize::try_from(scale).map_err(|_| format!("a decimal cannot have the scale {scale}"))
}

/// A whole number in two's complement.
fn big_endian(bytes: &[u8]) -> Result<i128> {
    let Some(&first) = bytes.first().filter(|_| bytes.len() <= LONGEST_DECIMAL) else {
        let length = bytes.len();
        return Err(format!("decimals of {length} bytes are not read: write them as text"));
    };
    let sign = i128::from(first.cast_signed() >> 7);
    Ok(bytes.iter().fold(sign, |value, &byte| value << 8 | i128::from(byte)))
}

/// A number of JSON with all its digits.
fn decimal(value: i128, scale: usize) -> String {
    let digits = format!("{:0>1$}", value.unsigned_abs(), scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let (sign, point) = (if value < 0 { "-" } else { "" }, if scale > 0 { "." } else { "" });
    [sign, whole, point, fraction].concat()
}

/// JSON as it is, on one line: outside of its texts, a line break is a space.
fn document(bytes: &[u8], json: &mut Vec<u8>) -> Result<()> {
    serde_json::from_slice::<IgnoredAny>(bytes)
        .map_err(|error| format!("the column is of JSON, and this is none ({error})"))?;
    json.extend(bytes.iter().map(|&byte| if byte < b' ' { b' ' } else { byte }));
    Ok(())
}

fn uuid(bytes: &[u8], json: &mut Vec<u8>) -> Result<()> {
    let value = bytes.try_into().map(u128::from_be_bytes).map_err(|_| "a UUID has 16 bytes")?;
    let mut digits = format!("{value:032x}");
    for place in [20, 16, 12, 8] {
        digits.insert(place, '-');
    }
    write(&digits, json)
}

fn write<T: Serialize + ?Sized>(value: &T, json: &mut Vec<u8>) -> Result<()> {
    serde_json::to_writer(json, value).map_err(|error| error.to_string())
}

/// The shortest text of a number, which JSON has if it is finite, or Python's for those that are not.
fn finite(shortest: impl Serialize, value: f64, json: &mut Vec<u8>) -> Result<()> {
    if value.is_finite() {
        return write(&shortest, json);
    }
    let text: &[u8] = match value {
        f64::INFINITY => b"Infinity",
        f64::NEG_INFINITY => b"-Infinity",
        _ => b"NaN",
    };
    json.extend(text);
    Ok(())
}
