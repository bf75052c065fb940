//! Folding bytes to raw deflate (RFC 1951), with the fixed code: links are too short to be worth a
//! code of their own, and what repeats in rollouts are whole lines.

use super::inflate::{LONGEST_RUN, fixed_length, range};

/// How far back a repetition may begin.
const WINDOW: usize = 1 << 15;

/// How many earlier places are looked at for the longest repetition.
const TRIES: usize = 96;

/// No place.
const NONE: usize = usize::MAX;

/// Bits as bytes, the lowest first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits {
    fn put(&mut self, value: usize, count: u32) {
        self.held |= (value as u64) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    /// The bits of a code, which begin with the highest.
    fn put_code(&mut self, code: usize, count: usize) {
        let reversed = (code as u16).reverse_bits() >> (16 - count);
        self.put(usize::from(reversed), count as u32);
    }

    /// A literal, an end or a length, in the fixed code.
    fn put_symbol(&mut self, symbol: usize) {
        let code = match symbol {
            0..=143 => 0x30 + symbol,
            144..=255 => 0x190 + symbol - 144,
            256..=279 => symbol - 256,
            _ => 0xC0 + symbol - 280,
        };
        self.put_code(code, fixed_length(symbol));
    }

    /// The symbol of a value, and the bits that tell it from others of the symbol.
    fn split(value: usize, every: usize, symbols: usize) -> (usize, usize, u32) {
        let symbol =
            (0..symbols).rev().find(|symbol| range(*symbol, every).0 <= value).unwrap_or(0);
        let (base, extra) = range(symbol, every);
        (symbol, value - base, extra)
    }

    fn put_repetition(&mut self, length: usize, distance: usize) {
        if length == LONGEST_RUN {
            self.put_symbol(285);
        } else {
            let (symbol, rest, extra) = Self::split(length - 3, 4, 28);
            self.put_symbol(257 + symbol);
            self.put(rest, extra);
        }
        let (symbol, rest, extra) = Self::split(distance - 1, 2, 30);
        self.put_code(symbol, 5);
        self.put(rest, extra);
    }
}

/// Where the bytes at every place were seen before.
struct Seen {
    /// The last place of three bytes, by their hash.
    last: Vec<usize>,
    /// The place before each place, with the same hash.
    before: Vec<usize>,
}

impl Seen {
    fn add(&mut self, bytes: &[u8], at: usize) {
        let last = bytes.get(at..at + 3).map(|three| &mut self.last[hash(three)]);
        self.before.push(last.map_or(NONE, |last| std::mem::replace(last, at)));
    }

    /// The longest repetition that may stand at a place: its length, and how far back it begins.
    fn longest(&self, bytes: &[u8], at: usize) -> Option<(usize, usize)> {
        let mut best = None;
        let mut place = self.last[hash(bytes.get(at..at + 3)?)];
        for _ in 0..TRIES {
            if place == NONE || at - place > WINDOW {
                break;
            }
            let pairs = bytes[at..].iter().zip(&bytes[place..]).take(LONGEST_RUN);
            let length = pairs.take_while(|(here, there)| here == there).count();
            if length >= 3 && best.is_none_or(|(longest, _)| length > longest) {
                best = Some((length, at - place));
            }
            place = self.before[place];
        }
        best
    }
}

fn hash(three: &[u8]) -> usize {
    let bits = three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
    (bits.wrapping_mul(0x9E37_79B1) >> 17) as usize
}

/// Folds bytes.
pub(super) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut seen = Seen { last: vec![NONE; 1 << 15], before: Vec::with_capacity(bytes.len()) };
    let mut bits = Bits::default();
    bits.put(0b011, 3); // the last block, in the fixed code
    let mut at = 0;
    while at < bytes.len() {
        let found = seen.longest(bytes, at);
        seen.add(bytes, at);
        let next = seen.longest(bytes, at + 1);
        // A longer repetition that begins one byte later is worth waiting for.
        let waits = next.zip(found).is_some_and(|(next, found)| next.0 > found.0);
        if let Some((length, distance)) = found.filter(|_| !waits) {
            bits.put_repetition(length, distance);
            (at + 1..at + length).for_each(|at| seen.add(bytes, at));
            at += length;
        } else {
            bits.put_symbol(usize::from(bytes[at]));
            at += 1;
        }
    }
    bits.put_symbol(256);
    bits.put(0, 7); // the rest of the last byte
    bits.bytes
}

#[cfg(test)]
mod tests {
    use super::{
        super::inflate::{Refused, inflate},
        deflate,
    };
    use miniz_oxide::{deflate::compress_to_vec, inflate::decompress_to_vec};

    /// Texts of many kinds: short, repetitive, of every byte, longer than the window.
    fn texts() -> Vec<Vec<u8>> {
        let mut state = 1_u32;
        let mut noise = |count: usize, mask: u32| -> Vec<u8> {
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24 & mask) as u8
            };
            (0..count).map(|_| next()).collect()
        };
        let mut far = noise(70_000, 3);
        far.extend_from_within(20_000..40_000);
        let line = b"{\"state\":\"You are in the hall.\",\"reward\":0.0}";
        vec![
            Vec::new(),
            b"a".to_vec(),
            vec![b'z'; 1000],
            (0..=255).collect(),
            line.repeat(300),
            noise(5000, 255),
            noise(40_000, 31),
            far,
        ]
    }

    #[test]
    fn another_implementation_reads_what_is_folded() {
        for text in texts() {
            assert_eq!(decompress_to_vec(&deflate(&text)).ok(), Some(text));
        }
        let line = &texts()[4];
        assert!(deflate(line).len() < line.len() / 50);
    }

    #[test]
    fn what_anybody_folds_is_unfolded() {
        for text in texts() {
            assert_eq!(inflate(&deflate(&text), text.len()).as_deref(), Ok(&text[..]));
            for level in [0, 1, 6, 9] {
                let folded = compress_to_vec(&text, level);
                assert_eq!(inflate(&folded, text.len()).as_deref(), Ok(&text[..]), "{level}");
                if !text.is_empty() {
                    assert_eq!(inflate(&folded, text.len() - 1), Err(Refused::TooLarge));
                    assert_eq!(
                        inflate(&folded[..folded.len() / 2], 1 << 20),
                        Err(Refused::Damaged)
                    );
                }
            }
        }
    }

    #[test]
    fn what_the_other_refuses_is_refused() {
        let mut state = 7_u32;
        let good = compress_to_vec(&texts()[4], 9);
        for round in 0..3_000 {
            let mut bytes = good.clone();
            for _ in 0..=round % 3 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = (state >> 16) as usize % bytes.len();
                bytes[at] ^= 1 << (state >> 13 & 7);
            }
            let expected = decompress_to_vec(&bytes).ok();
            // The other one asks for more of a code than the standard does; it never admits more.
            if let Some(expected) = expected {
                assert_eq!(inflate(&bytes, 1 << 26).ok(), Some(expected), "{bytes:?}");
            } else {
                let _ = inflate(&bytes, 1 << 20);
            }
        }
    }
}
