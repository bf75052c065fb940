//! Text columns, interned: a number for every row, equal for equal texts.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyList, PyString, PyTuple};
use rapidhash::v3::rapidhash_v3;

use crate::exceptions::Failure;

/// A column of texts.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    /// The number of each row's text, in order of first appearance; [`MISSING`] if there is none.
    pub(crate) numbers: Vec<u32>,
    /// The text of each number.
    pub(crate) distinct: Vec<String>,
}

/// The number of no text.
pub(crate) const MISSING: u32 = u32::MAX;

impl Texts {
    /// The text of a row, if it has one.
    pub(crate) fn get(&self, row: usize) -> Option<&str> {
        self.distinct.get(self.numbers[row] as usize).map(String::as_str)
    }

    /// Reads a column in one of the forms that the package's Python part passes: a list of objects, an
    /// array of whole numbers, a matrix of the characters of fixed-width texts, or a pair of numbers and
    /// the list of what they stand for.
    ///
    /// # Errors
    /// The first row without a text, if `may_miss` is false; the first that is neither text nor a
    /// whole number, or is text although the rows before are numbers.
    pub(crate) fn read(name: &str, column: &Bound<'_, PyAny>, may_miss: bool) -> PyResult<Self> {
        if let Ok(list) = column.cast::<PyList>() {
            return Ok(of_objects(name, list, may_miss)?);
        }
        if let Ok(integers) = column.cast::<PyArray1<i64>>() {
            return Ok(of_integers(integers.try_readonly()?.as_slice()?));
        }
        if let Ok(characters) = column.cast::<PyArray2<u32>>() {
            return Ok(of_characters(name, &characters.try_readonly()?)?);
        }
        let pair = column.cast::<PyTuple>()?;
        let (codes, list) = pair.extract::<(Bound<'_, PyArray1<i64>>, Bound<'_, PyList>)>()?;
        let meant = of_objects(name, &list, may_miss)?;
        Ok(of_codes(name, codes.try_readonly()?.as_slice()?, meant, may_miss)?)
    }
}

/// Tells texts apart. A text is hashed once and compared with one other of the same hash, if there is
/// one.
#[derive(Default)]
struct Interner {
    table: HashTable<(u64, u32)>,
    distinct: Vec<String>,
}

impl Interner {
    fn number(&mut self, text: &str) -> u32 {
        let hash = rapidhash_v3(text.as_bytes());
        let distinct = &self.distinct;
        let same = |&(of, number): &(u64, u32)| of == hash && distinct[number as usize] == text;
        match self.table.entry(hash, same, |&(hash, _)| hash) {
            Entry::Occupied(known) => known.get().1,
            Entry::Vacant(place) => {
                let number = self.distinct.len() as u32;
                place.insert((hash, number));
                self.distinct.push(text.to_owned());
                number
            }
        }
    }
}

/// Numbers that were given to other numbers: addresses of objects, or whole numbers.
#[derive(Default)]
struct Known(HashTable<(u64, u32)>);

impl Known {
    /// The number of `key`, or what `new` gives it.
    fn number<E>(&mut self, key: u64, new: impl FnOnce() -> Result<u32, E>) -> Result<u32, E> {
        // Fibonacci hashing, with the upper half folded in: addresses end in zeros.
        let hash = |key: u64| {
            let product = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            product ^ product >> 32
        };
        match self.0.entry(hash(key), |&(other, _)| other == key, |&(other, _)| hash(other)) {
            Entry::Occupied(known) => Ok(known.get().1),
            Entry::Vacant(place) => {
                let number = new()?;
                place.insert((key, number));
                Ok(number)
            }
        }
    }
}

/// Whether the rows so far hold text, and else whole numbers, and the first of them; none so far.
type Held = Option<(bool, usize)>;

/// Objects are told apart by their address first: rows of one group mostly share them.
fn of_objects(name: &str, list: &Bound<'_, PyList>, may_miss: bool) -> Result<Texts, Failure> {
    let (mut known, mut interner) = (Known::default(), Interner::default());
    let mut numbers = Vec::with_capacity(list.len());
    let mut held = None;
    let mut before = (0, MISSING);
    for (row, object) in list.iter().enumerate() {
        // The list keeps every object alive, so that no two have the same address.
        let address = object.as_ptr() as u64;
        if address != before.0 {
            let number = known.number(address, || {
                number_of(name, row, &object, may_miss, &mut held, &mut interner)
            })?;
            before = (address, number);
        }
        numbers.push(before.1);
    }
    Ok(Texts { numbers, distinct: interner.distinct })
}

fn number_of(
    name: &str,
    row: usize,
    object: &Bound<'_, PyAny>,
    may_miss: bool,
    held: &mut Held,
    interner: &mut Interner,
) -> Result<u32, Failure> {
    let mut agree = |is_text: bool| {
        let (was_text, first) = *held.get_or_insert((is_text, row));
        if is_text == was_text {
            return Ok(());
        }
        let [is, was] = [is_text, was_text].map(|it| if it { "text" } else { "a whole number" });
        let remedy = format!("give all rows the one or the other, for instance by str({name})");
        Err(Failure::at(row, format!("`{name}` is {is}, but {was} in row {first}: {remedy}")))
    };
    if let Ok(text) = object.cast::<PyString>() {
        agree(true)?;
        let text = text.to_str().map_err(|_| {
            let remedy = "replace it, for instance by text.encode('utf-8', 'replace').decode()";
            let what = format!("`{name}` holds half a character (a lone surrogate)");
            Failure::at(row, format!("{what}: {remedy}"))
        })?;
        return Ok(interner.number(text));
    }
    if let Some(whole) = whole(object) {
        agree(false)?;
        let text = whole.str().map_err(|error| Failure::at(row, format!("`{name}`: {error}")))?;
        return Ok(interner.number(&text.to_string_lossy()));
    }
    if object.is_none() && may_miss {
        return Ok(MISSING);
    }
    let kind = object.get_type().name().map_or_else(|_| "object".to_owned(), |it| it.to_string());
    let remedy = "pass text, or whole numbers";
    Err(Failure::at(row, format!("`{name}` is of type {kind}: {remedy}")))
}

/// The whole number that an object is, of Python or of numpy; truth values are none.
fn whole<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    if object.is_instance_of::<PyInt>() {
        return (!object.is_instance_of::<PyBool>()).then(|| object.clone());
    }
    // An array of one number has the method, too.
    let single = !object.hasattr("__len__").unwrap_or(true);
    single.then(|| object.call_method0("__index__").ok()).flatten()
}

fn of_integers(integers: &[i64]) -> Texts {
    let (mut known, mut distinct) = (Known::default(), Vec::new());
    let mut number = |&integer: &i64| {
        let number = known.number(integer as u64, || {
            distinct.push(integer.to_string());
            Ok::<_, std::convert::Infallible>(distinct.len() as u32 - 1)
        });
        number.unwrap_or_else(|never| match never {})
    };
    let numbers = integers.iter().map(&mut number).collect();
    Texts { numbers, distinct }
}

/// A row is the characters of a text and zeros after them, as numpy has it.
fn of_characters(name: &str, matrix: &PyReadonlyArray2<'_, u32>) -> Result<Texts, Failure> {
    let mut interner = Interner::default();
    let mut numbers = Vec::with_capacity(matrix.as_array().nrows());
    let mut text = String::new();
    for (row, characters) in matrix.as_array().rows().into_iter().enumerate() {
        let length = characters.iter().rposition(|&it| it != 0).map_or(0, |last| last + 1);
        text.clear();
        for &character in characters.iter().take(length) {
            let remedy = "replace it before it comes into the array";
            text.push(char::from_u32(character).ok_or_else(|| {
                let what = format!("`{name}` holds U+{character:04X}, which is no character");
                Failure::at(row, format!("{what}: {remedy}"))
            })?);
        }
        numbers.push(interner.number(&text));
    }
    Ok(Texts { numbers, distinct: interner.distinct })
}

/// Numbers of texts, which may stand in the list more than once; below 0 there is none.
fn of_codes(name: &str, codes: &[i64], meant: Texts, may_miss: bool) -> Result<Texts, Failure> {
    let number = |(row, &code): (usize, &i64)| match usize::try_from(code) {
        Ok(code) if code < meant.numbers.len() => Ok(meant.numbers[code]),
        Err(_) if may_miss => Ok(MISSING),
        Err(_) => {
            let remedy = "give every row one, or leave the row out";
            Err(Failure::at(row, format!("`{name}` is missing: {remedy}")))
        }
        Ok(code) => {
            let known = meant.numbers.len();
            let what = format!("`{name}` has the code {code} of {known} texts");
            Err(Failure::at(row, format!("{what}: encode it anew")))
        }
    };
    let numbers = codes.iter().enumerate().map(number).collect::<Result<_, _>>()?;
    Ok(Texts { numbers, distinct: meant.distinct })
}
