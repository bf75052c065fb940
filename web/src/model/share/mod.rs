//! The work of the reader as a short text, for links and for the browser's storage:
//! `1.` and then base64url without padding (RFC 4648, section 5) of raw deflate (RFC 1951) of what `wire` writes.
//!
//! Version 1 is frozen: whatever the page becomes, it reads such links as they were meant.

mod offer;
#[cfg(test)]
mod tests;
mod wire;

pub(crate) use offer::{Offer, escaped};

use super::{Document, PRESETS, Phase, Rollouts, Source};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hgpo_core::{Error, Options};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};

/// The version that is written.
const VERSION: &str = "1";

/// The most bytes that a link may unfold to.
const LIMIT: usize = 64 << 20;

/// The longest link that mail programs, chats and servers are trusted to carry.
pub(crate) const LONGEST: usize = 8000;

/// What a link holds: the document, and where the reader looks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Work {
    /// The document.
    pub(crate) document: Document,
    /// The level that the reader looks at; none for all together.
    pub(crate) level: Option<usize>,
    /// The part of the arithmetic that is shown last; none for the whole.
    pub(crate) phase: Option<Phase>,
}

/// What is wrong with a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Its version is none that the page knows.
    Version(String),
    /// It is cut off or garbled.
    Damaged,
    /// It would unfold to more than a page can hold.
    TooLarge,
    /// The page has no such example.
    Example(String),
    /// The page has no such lesson.
    Lesson(String),
    /// The rollouts or the options in it are refused: why.
    Content(String),
}

/// Work as text.
pub(crate) fn encode(work: &Work) -> String {
    let packed = compress_to_vec(wire::write(work).as_bytes(), 9);
    [VERSION, &BASE64_URL_SAFE_NO_PAD.encode(packed)].join(".")
}

/// The work that a text stands for.
///
/// # Errors
/// What is wrong with the text.
pub(crate) fn decode(text: &str) -> Result<Work, Fault> {
    let (version, letters) = text.trim().split_once('.').ok_or(Fault::Damaged)?;
    if version != VERSION {
        let is_number = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
        return Err(if is_number { Fault::Version(version.to_owned()) } else { Fault::Damaged });
    }
    let packed = BASE64_URL_SAFE_NO_PAD.decode(letters).map_err(|_| Fault::Damaged)?;
    let bytes =
        decompress_to_vec_with_limit(&packed, LIMIT).map_err(|error| match error.status {
            TINFLStatus::HasMoreOutput => Fault::TooLarge,
            _ => Fault::Damaged,
        })?;
    let work = wire::read(str::from_utf8(&bytes).map_err(|_| Fault::Damaged)?)?;
    check(&work.document.rollouts, &work.document.controls.options)
        .map_err(|error| Fault::Content(error.to_string()))?;
    Ok(work)
}

/// Whether the rollouts are those of an example, as it is.
pub(crate) fn is_example(document: &Document) -> bool {
    match document.source {
        Source::Preset(index) => PRESETS[index].load().0.all().eq(document.rollouts.all()),
        Source::File(_) => false,
    }
}

/// Whether core takes rollouts with options, which the page relies on when it draws.
///
/// # Errors
/// Why not.
pub(crate) fn check(rollouts: &Rollouts, options: &Options) -> Result<(), Error> {
    rollouts.tasks.iter().try_for_each(|task| options.check(&task.batch))
}
