//! Arrow's schema of a table, which its libraries write beside Parquet's own: a message of flatbuffers in base64. Where
//! it lacks a column, they ignore it or the column; so that of a copy names its new one.
//!
//! A reference in a flatbuffer points forwards. What is new stands before the message as it was, which is copied, and
//! refers to what it keeps of it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Under which name the schema is among a table's own metadata.
pub(super) const KEY: &str = "ARROW:schema";

/// A field of the new schema.
pub(super) enum Field<'a> {
    /// The one with this number, by this name, as it was.
    Old(usize, &'a str),
    /// A nullable one of numbers, or of lists of them.
    New { name: &'a str, is_list: bool },
}

// Places of what a table has, as Arrow's format numbers them.
const VERSION: usize = 0;
const HEADER_TYPE: usize = 1;
const HEADER: usize = 2;
const MESSAGE_METADATA: usize = 4;
const ENDIANNESS: usize = 0;
const FIELDS: usize = 1;
const SCHEMA_METADATA: usize = 2;
const FEATURES: usize = 3;
const NAME: usize = 0;

// What Arrow's format calls kinds of things.
const SCHEMA: u8 = 1;
const FLOATING_POINT: u8 = 3;
const DOUBLE: i16 = 2;
const LIST: u8 = 12;

/// What begins a message, before its length.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// The schema with these fields; none if it does not have the old ones by their names, and all of them but those left
/// out.
pub(super) fn with_fields(schema: &str, old: usize, fields: &[Field<'_>]) -> Option<String> {
    let whole = STANDARD.decode(schema).ok()?;
    let begun = whole.strip_prefix(&CONTINUATION).unwrap_or(&whole);
    let length = usize::try_from(number(begun, 0)?).ok()?;
    let message = begun.get(4..)?.get(..length)?;
    let rewritten = rewrite(message, old, fields)?;
    let length = u32::try_from(rewritten.len()).ok()?.to_le_bytes();
    Some(STANDARD.encode([&CONTINUATION[..], &length, &rewritten].concat()))
}

fn rewrite(message: &[u8], old: usize, fields: &[Field<'_>]) -> Option<Vec<u8>> {
    let top = Table { bytes: message, at: reference(message, 0)? };
    let schema = Table { bytes: message, at: top.refers(HEADER)? };
    let list = schema.refers(FIELDS)?;
    let is_schema = top.place(HEADER_TYPE).and_then(|at| message.get(at)) == Some(&SCHEMA);
    if !is_schema || number(message, list)? as usize != old {
        return None;
    }
    let mut front = Front::default();
    let root = front.word(0);
    let table = front.table(&[
        Slot::Short(top.short(VERSION)),
        Slot::Byte(SCHEMA),
        Slot::Reference,
        Slot::Absent,
        top.refers(MESSAGE_METADATA).map_or(Slot::Absent, Slot::Old),
    ]);
    front.refer(root, table.at);
    let own = front.table(&[
        Slot::Short(schema.short(ENDIANNESS)),
        Slot::Reference,
        schema.refers(SCHEMA_METADATA).map_or(Slot::Absent, Slot::Old),
        schema.refers(FEATURES).map_or(Slot::Absent, Slot::Old),
    ]);
    front.refer(table.slot(HEADER), own.at);
    let vector = front.vector(fields.len());
    front.refer(own.slot(FIELDS), vector);
    for (place, field) in fields.iter().enumerate() {
        let element = vector + 4 * (place + 1);
        match *field {
            Field::Old(number, name) => {
                let at = reference(message, list + 4 * (number + 1))?;
                if (Table { bytes: message, at }).text(NAME)? != name.as_bytes() {
                    return None;
                }
                front.old.push((element, at));
            }
            Field::New { name, is_list } => {
                let field = front.field(name, is_list);
                front.refer(element, field);
            }
        }
    }
    Some(front.before(message))
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Where the reference at a place points.
fn reference(bytes: &[u8], at: usize) -> Option<usize> {
    at.checked_add(number(bytes, at)? as usize)
}

/// A table that is read.
struct Table<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Table<'a> {
    /// Where a slot of it is, if it has that.
    fn place(&self, slot: usize) -> Option<usize> {
        let back = number(self.bytes, self.at)?.cast_signed() as isize;
        let layout = self.at.checked_add_signed(back.checked_neg()?)?;
        let has = usize::from(short(self.bytes, layout)?) >= 2 * slot + 6;
        let offset = has.then(|| short(self.bytes, layout + 2 * slot + 4)).flatten()?;
        (offset > 0).then(|| self.at + usize::from(offset))
    }

    fn refers(&self, slot: usize) -> Option<usize> {
        reference(self.bytes, self.place(slot)?)
    }

    /// A number, which is 0 where it is left out.
    fn short(&self, slot: usize) -> i16 {
        let value = self.place(slot).and_then(|at| short(self.bytes, at));
        value.unwrap_or_default().cast_signed()
    }

    fn text(&self, slot: usize) -> Option<&'a [u8]> {
        let at = self.refers(slot)?;
        self.bytes.get(at + 4..)?.get(..number(self.bytes, at)? as usize)
    }
}

/// What a table that is written has in a slot: four bytes at most.
enum Slot {
    Absent,
    Byte(u8),
    Short(i16),
    /// One that is set later.
    Reference,
    /// One to what is in the old message.
    Old(usize),
}

/// Where a table was written, each of whose slots is four bytes.
struct Written {
    at: usize,
}

impl Written {
    fn slot(&self, slot: usize) -> usize {
        self.at + 4 * (slot + 1)
    }
}

/// What stands before the old message.
#[derive(Default)]
struct Front {
    bytes: Vec<u8>,
    /// References into the old message.
    old: Vec<(usize, usize)>,
}

impl Front {
    fn word(&mut self, value: u32) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.bytes.extend(value.to_le_bytes());
        self.bytes.len() - 4
    }

    fn refer(&mut self, from: usize, to: usize) {
        self.bytes[from..from + 4].copy_from_slice(&((to - from) as u32).to_le_bytes());
    }

    fn table(&mut self, slots: &[Slot]) -> Written {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let layout = self.bytes.len();
        let offset = |slot: usize| 4 * (slot as u16 + 1);
        let there = slots.iter().enumerate().map(|(number, slot)| match slot {
            Slot::Absent => 0,
            _ => offset(number),
        });
        let sizes = [2 * slots.len() as u16 + 4, offset(slots.len())];
        for value in sizes.into_iter().chain(there) {
            self.bytes.extend(value.to_le_bytes());
        }
        let at = self.word(0);
        self.bytes[at..].copy_from_slice(&((at - layout) as u32).to_le_bytes());
        for slot in slots {
            let value = match *slot {
                Slot::Absent | Slot::Reference | Slot::Old(_) => 0,
                Slot::Byte(value) => u32::from(value),
                Slot::Short(value) => u32::from(value.cast_unsigned()),
            };
            let place = self.word(value);
            if let Slot::Old(target) = *slot {
                self.old.push((place, target));
            }
        }
        Written { at }
    }

    /// A vector of references that are set later.
    fn vector(&mut self, length: usize) -> usize {
        let at = self.word(length as u32);
        for _ in 0..length {
            self.word(0);
        }
        at
    }

    fn text(&mut self, text: &str) -> usize {
        let at = self.word(text.len() as u32);
        self.bytes.extend(text.bytes());
        self.bytes.push(0);
        at
    }

    /// A nullable field of numbers, or of lists of them.
    fn field(&mut self, name: &str, is_list: bool) -> usize {
        let kind = if is_list { LIST } else { FLOATING_POINT };
        let (kind, none) = (Slot::Byte(kind), Slot::Absent);
        let field = self.table(&[
            Slot::Reference,
            Slot::Byte(1),
            kind,
            Slot::Reference,
            none,
            Slot::Reference,
        ]);
        let name = self.text(name);
        self.refer(field.slot(NAME), name);
        let precision = [Slot::Short(DOUBLE)];
        let of = self.table(if is_list { &[] } else { &precision });
        self.refer(field.slot(3), of.at);
        let children = self.vector(usize::from(is_list));
        self.refer(field.slot(5), children);
        if is_list {
            let element = self.field("element", false);
            self.refer(children + 4, element);
        }
        field.at
    }

    /// The whole, in which the old message is aligned as it was.
    fn before(mut self, message: &[u8]) -> Vec<u8> {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let front = self.bytes.len();
        for (from, to) in std::mem::take(&mut self.old) {
            self.refer(from, front + to);
        }
        self.bytes.extend(message);
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        self.bytes
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]
mod tests {
    use base64::Engine as _;

    use super::{Field, STANDARD, with_fields};

    /// As pyarrow writes it: `advantage` of whole numbers, `took` of durations, `task` of text.
    const SCHEMA: &str = "/////+gAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAMAAAB4AAAANAA\
        AAAQAAACk////AAABBRAAAAAcAAAABAAAAAAAAAAEAAAAdGFzawAAAAAEAAQABAAAAND///8AAAESEAAAABwAAAAEAAAAAAAAAAQAAAB0b29rA\
        AAGAAgABgAGAAAAAAACABAAFAAIAAYABwAMAAAAEAAQAAAAAAABAhAAAAAkAAAABAAAAAAAAAAJAAAAYWR2YW50YWdlAAAACAAMAAgABwAIAAA\
        AAAAAAUAAAAAAAAAA";

    fn old(names: [&str; 3]) -> [Field<'_>; 3] {
        [0, 1, 2].map(|number| Field::Old(number, names[number]))
    }

    #[test]
    fn a_new_field_is_one_of_the_schema() {
        for is_list in [false, true] {
            let fields = [
                Field::New { name: "advantage", is_list },
                Field::Old(2, "task"),
                Field::Old(1, "took"),
            ];
            let new = with_fields(SCHEMA, 3, &fields).unwrap();
            let order = ["advantage", "task", "took"];
            assert!(with_fields(&new, 3, &old(order)).is_some());
            assert!(with_fields(&new, 2, &old(order)).is_none());
            assert!(with_fields(&new, 3, &old(["advantage", "took", "task"])).is_none());
        }
    }

    #[test]
    fn damaged_schemas_are_no_panic() {
        let whole = STANDARD.decode(SCHEMA).unwrap();
        let fields = old(["advantage", "took", "task"]);
        let rewrite = |bytes: &[u8]| with_fields(&STANDARD.encode(bytes), 3, &fields).is_some();
        assert!(rewrite(&whole));
        let mut refused = 0;
        for place in 0..whole.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut damaged = whole.clone();
                damaged[place] = byte;
                refused += usize::from(!rewrite(&damaged));
            }
        }
        assert!(refused > 100, "{refused}");
        assert!((0..whole.len() - 1).all(|end| !rewrite(&whole[..end])));
    }
}
