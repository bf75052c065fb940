//! Bytes as letters that addresses leave alone: base64url without padding (RFC 4648, section 5).

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Bytes as letters.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - chunk.len()));
        for place in 0..=chunk.len() {
            let letter = bits >> (18 - 6 * place) & 63;
            text.push(char::from(LETTERS[letter as usize]));
        }
    }
    text
}

/// Letters as bytes; none if they stand for none.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for chunk in text.as_bytes().chunks(4) {
        let mut bits = 0;
        for letter in chunk {
            bits = bits << 6 | value(*letter)?;
        }
        let bits = bits << (6 * (4 - chunk.len()));
        let whole = [(bits >> 16) as u8, (bits >> 8) as u8, bits as u8];
        // One letter alone is not enough for a byte.
        bytes.extend_from_slice(&whole[..chunk.len().checked_sub(1).filter(|count| *count > 0)?]);
    }
    Some(bytes)
}

fn value(letter: u8) -> Option<u32> {
    let value = match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn the_examples_of_the_standard_hold() {
        // RFC 4648, section 10, without padding; and the two letters that base64url has of its own.
        let examples: [(&[u8], &str); 8] = [
            (b"", ""),
            (b"f", "Zg"),
            (b"fo", "Zm8"),
            (b"foo", "Zm9v"),
            (b"foob", "Zm9vYg"),
            (b"fooba", "Zm9vYmE"),
            (b"foobar", "Zm9vYmFy"),
            (b"\xfb\xff", "-_8"),
        ];
        for (bytes, text) in examples {
            assert_eq!(encode(bytes), text);
            assert_eq!(decode(text).as_deref(), Some(bytes));
        }
    }

    #[test]
    fn other_letters_are_refused() {
        for wrong in ["Zg==", "Zm9v!", "Z", "Zm9vY", "+/+/", "Zm 9v", "한국어"] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }
}
