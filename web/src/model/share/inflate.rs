//! Unfolding raw deflate (RFC 1951): in little code rather than in little time, as links are short.

/// Why bytes cannot be unfolded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// They are no deflate, or cut off.
    Damaged,
    /// They unfold to more than is admitted.
    TooLarge,
}

use Refused::{Damaged, TooLarge};

/// Bits of bytes, the lowest first.
struct Bits<'a> {
    bytes: &'a [u8],
    held: u32,
    count: u32,
}

impl Bits<'_> {
    fn byte(&mut self) -> Result<u8, Refused> {
        let (first, rest) = self.bytes.split_first().ok_or(Damaged)?;
        self.bytes = rest;
        Ok(*first)
    }

    fn take(&mut self, count: u32) -> Result<usize, Refused> {
        while self.count < count {
            self.held |= u32::from(self.byte()?) << self.count;
            self.count += 8;
        }
        let taken = self.held & ((1 << count) - 1);
        self.held >>= count;
        self.count -= count;
        Ok(taken as usize)
    }

    /// The next symbol of a code.
    fn symbol(&mut self, code: &Code) -> Result<usize, Refused> {
        let (mut bits, mut first, mut index) = (0, 0, 0);
        for count in &code.counts[1..] {
            bits |= self.take(1)?;
            if bits < first + count {
                return code.symbols.get(index + bits - first).copied().ok_or(Damaged);
            }
            index += count;
            first = (first + count) << 1;
            bits <<= 1;
        }
        Err(Damaged)
    }
}

/// A canonical Huffman code.
struct Code {
    /// How many symbols there are of every length in bits.
    counts: [usize; 16],
    /// The symbols, by length and then by value.
    symbols: Vec<usize>,
}

impl Code {
    fn new(lengths: &[usize]) -> Result<Self, Refused> {
        let mut counts = [0; 16];
        let mut symbols = Vec::new();
        for bits in 1..16 {
            let own = (0..lengths.len()).filter(|symbol| lengths[*symbol] == bits);
            symbols.extend(own);
        }
        for length in lengths.iter().filter(|length| **length > 0) {
            counts[*length] += 1;
        }
        // Of 2^15 words of 15 bits, a symbol takes all that begin with its own.
        let taken: usize = (1..16).map(|bits| counts[bits] << (15 - bits)).sum();
        if taken > 1 << 15 { Err(Damaged) } else { Ok(Self { counts, symbols }) }
    }
}

/// The least value of a symbol that stands for a range, and how many bits tell which of it.
///
/// Ranges double in width every `every` symbols, from the second such set on.
pub(super) fn range(symbol: usize, every: usize) -> (usize, u32) {
    let extra = (symbol / every).saturating_sub(1);
    let base = if symbol < every { symbol } else { (every + symbol % every) << extra };
    (base, extra as u32)
}

/// The longest run that a symbol of its own stands for.
pub(super) const LONGEST_RUN: usize = 258;

/// Unfolds bytes to at most `limit`.
///
/// # Errors
/// Why that cannot be done.
pub(super) fn inflate(bytes: &[u8], limit: usize) -> Result<Vec<u8>, Refused> {
    let mut bits = Bits { bytes, held: 0, count: 0 };
    let mut out = Vec::new();
    loop {
        let last = bits.take(1)? == 1;
        match bits.take(2)? {
            0 => stored(&mut bits, &mut out, limit)?,
            1 => {
                let lengths: Vec<usize> = (0..288).map(fixed_length).collect();
                block(&mut bits, &Code::new(&lengths)?, &Code::new(&[5; 30])?, &mut out, limit)?;
            }
            2 => {
                let (literals, distances) = codes(&mut bits)?;
                block(&mut bits, &literals, &distances, &mut out, limit)?;
            }
            _ => return Err(Damaged),
        }
        if last {
            return Ok(out);
        }
    }
}

/// The length of a symbol of the fixed code, in bits.
pub(super) fn fixed_length(symbol: usize) -> usize {
    match symbol {
        144..=255 => 9,
        256..=279 => 7,
        _ => 8,
    }
}

fn stored(bits: &mut Bits<'_>, out: &mut Vec<u8>, limit: usize) -> Result<(), Refused> {
    (bits.held, bits.count) = (0, 0);
    let mut word = || Ok(u16::from_le_bytes([bits.byte()?, bits.byte()?]));
    let (length, check) = (word()?, word()?);
    if length != !check {
        return Err(Damaged);
    }
    let (own, rest) = bits.bytes.split_at_checked(usize::from(length)).ok_or(Damaged)?;
    bits.bytes = rest;
    out.extend_from_slice(own);
    if out.len() > limit { Err(TooLarge) } else { Ok(()) }
}

/// The codes of a block that brings its own.
fn codes(bits: &mut Bits<'_>) -> Result<(Code, Code), Refused> {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let literals = bits.take(5)? + 257;
    let all = literals + bits.take(5)? + 1;
    let mut own = [0; 19];
    for place in &ORDER[..bits.take(4)? + 4] {
        own[*place] = bits.take(3)?;
    }
    let code = Code::new(&own)?;
    let mut lengths: Vec<usize> = Vec::new();
    while lengths.len() < all {
        let (value, times) = match bits.symbol(&code)? {
            16 => (*lengths.last().ok_or(Damaged)?, 3 + bits.take(2)?),
            17 => (0, 3 + bits.take(3)?),
            18 => (0, 11 + bits.take(7)?),
            length => (length, 1),
        };
        lengths.extend((0..times).map(|_| value));
    }
    if lengths.len() > all {
        return Err(Damaged);
    }
    Ok((Code::new(&lengths[..literals])?, Code::new(&lengths[literals..])?))
}

fn block(
    bits: &mut Bits<'_>,
    literals: &Code,
    distances: &Code,
    out: &mut Vec<u8>,
    limit: usize,
) -> Result<(), Refused> {
    loop {
        let length = match bits.symbol(literals)? {
            256 => return Ok(()),
            symbol @ 257..=284 => {
                let (base, extra) = range(symbol - 257, 4);
                3 + base + bits.take(extra)?
            }
            285 => LONGEST_RUN,
            literal @ 0..=255 => {
                out.push(literal as u8);
                0
            }
            _ => return Err(Damaged),
        };
        if length > 0 {
            let (base, extra) = range(bits.symbol(distances)?, 2);
            let distance = 1 + base + bits.take(extra)?;
            let start = out.len().checked_sub(distance).ok_or(Damaged)?;
            // A run may begin before it ends: its own bytes are repeated.
            for at in start..start + length {
                out.push(out[at]);
            }
        }
        if out.len() > limit {
            return Err(TooLarge);
        }
    }
}
