//! Digests as hexadecimal text.

use std::fmt::Write as _;

use sha2::Digest;

/// A digest in hexadecimal digits, as everybody writes it.
pub(crate) fn hexadecimal(digest: impl Digest) -> String {
    digest.finalize().iter().fold(String::new(), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
