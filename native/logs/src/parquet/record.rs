//! Record assembly: rows of nested values from the levels of their columns, as objects of JSON.

use std::ops::Range;

use ::parquet::basic::{ConvertedType, LogicalType, Repetition};
use ::parquet::schema::types::Type;

use super::column::{Column, Levels};
use super::{Result, damaged};

/// How deep values may be nested.
const DEEPEST: i16 = 64;

/// A value of a row, by its type.
pub(super) struct Node {
    /// The columns that it is made of.
    columns: Range<usize>,
    /// From which definition level on it is there, if it may be null.
    there_from: Option<i16>,
    shape: Shape,
}

enum Shape {
    Scalar,
    /// Fields, with their names as JSON.
    Struct(Vec<(Vec<u8>, Node)>),
    List(Repeated, Box<Node>),
    /// Keys and values.
    Map(Repeated, Box<Node>, Box<Node>),
}

/// The levels from which on there is an element of a list, and another one of the same list.
#[derive(Clone, Copy)]
struct Repeated {
    definition: i16,
    repetition: i16,
}

type Columns = [Box<dyn Column>];

impl Node {
    /// The rows of a table.
    ///
    /// # Errors
    /// Two fields of the same name, a field without columns, or types nested too deep.
    pub(super) fn of_rows(schema: &Type) -> Result<Self> {
        let outside = Levels { definition: 0, repetition: 0 };
        let mut columns = 0;
        let shape = fields(schema, outside, &mut columns)?;
        Ok(Self { columns: 0..columns, there_from: None, shape })
    }

    fn new(of: &Type, outer: Levels, next: &mut usize) -> Result<Self> {
        match of.get_basic_info().repetition() {
            Repetition::REQUIRED => Self::there(of, outer, next),
            Repetition::OPTIONAL => {
                let levels = Levels { definition: outer.definition + 1, ..outer };
                let node = Self::there(of, levels, next)?;
                Ok(Self { there_from: Some(levels.definition), ..node })
            }
            // A list that is not called one.
            Repetition::REPEATED => {
                let first = *next;
                let repeated = inside(outer);
                let element = Self::there(of, repeated.levels(), next)?;
                let shape = Shape::List(repeated, Box::new(element));
                Ok(Self { columns: first..*next, there_from: None, shape })
            }
        }
    }

    /// A value that is there at these levels.
    fn there(of: &Type, levels: Levels, next: &mut usize) -> Result<Self> {
        let first = *next;
        if levels.definition > DEEPEST {
            return Err(format!("column `{}` is nested too deep", of.name()));
        }
        let shape = if of.is_primitive() {
            *next += 1;
            Shape::Scalar
        } else {
            match (repeated_child(of), kind(of)) {
                (Some(child), Some(ConvertedType::LIST)) => {
                    let repeated = inside(levels);
                    let element = if is_element(of, child) {
                        Self::there(child, repeated.levels(), next)?
                    } else {
                        Self::new(&child.get_fields()[0], repeated.levels(), next)?
                    };
                    Shape::List(repeated, Box::new(element))
                }
                (Some(child), Some(ConvertedType::MAP))
                    if child.is_group() && child.get_fields().len() == 2 =>
                {
                    let repeated = inside(levels);
                    let [key, value] = [0, 1].map(|field| &child.get_fields()[field]);
                    let key = Self::new(key, repeated.levels(), next)?;
                    let value = Self::new(value, repeated.levels(), next)?;
                    Shape::Map(repeated, Box::new(key), Box::new(value))
                }
                _ => fields(of, levels, next)?,
            }
        };
        if first == *next {
            return Err(format!("column `{}` has no values", of.name()));
        }
        Ok(Self { columns: first..*next, there_from: None, shape })
    }

    /// Writes the value at hand, and goes on to the next one.
    pub(super) fn write(&self, columns: &mut Columns, json: &mut Vec<u8>) -> Result<()> {
        if let Some(level) = self.there_from
            && !self.is_defined(columns, level)?
        {
            json.extend(b"null");
            return self.skip(columns);
        }
        match &self.shape {
            Shape::Scalar => {
                let column = &mut columns[self.columns.start];
                column.write(json)?;
                column.advance()
            }
            Shape::Struct(fields) => {
                json.push(b'{');
                for (place, (name, field)) in fields.iter().enumerate() {
                    if place > 0 {
                        json.push(b',');
                    }
                    json.extend(name);
                    json.push(b':');
                    field.write(columns, json)?;
                }
                json.push(b'}');
                Ok(())
            }
            Shape::List(repeated, element) => {
                json.push(b'[');
                self.each(*repeated, columns, json, |columns, json| element.write(columns, json))?;
                json.push(b']');
                Ok(())
            }
            Shape::Map(repeated, key, value) => {
                json.push(b'{');
                self.each(*repeated, columns, json, |columns, json| {
                    let begin = json.len();
                    key.write(columns, json)?;
                    quote(begin, json);
                    json.push(b':');
                    value.write(columns, json)
                })?;
                json.push(b'}');
                Ok(())
            }
        }
    }

    /// Writes the elements of a list.
    fn each(
        &self,
        repeated: Repeated,
        columns: &mut Columns,
        json: &mut Vec<u8>,
        mut write: impl FnMut(&mut Columns, &mut Vec<u8>) -> Result<()>,
    ) -> Result<()> {
        if !self.is_defined(columns, repeated.definition)? {
            return self.skip(columns);
        }
        loop {
            write(columns, json)?;
            let goes_on = |levels: Option<Levels>| {
                Ok(levels.is_some_and(|levels| levels.repetition >= repeated.repetition))
            };
            if !self.all(columns, goes_on)? {
                return Ok(());
            }
            json.push(b',');
        }
    }

    fn is_defined(&self, columns: &Columns, level: i16) -> Result<bool> {
        self.all(columns, |levels| match levels {
            Some(levels) => Ok(levels.definition >= level),
            None => Err(damaged("a column has fewer rows than others")),
        })
    }

    /// What all its columns say alike, or some of them are not of the same rows.
    fn all(
        &self,
        columns: &Columns,
        says: impl Fn(Option<Levels>) -> Result<bool>,
    ) -> Result<bool> {
        let own = &columns[self.columns.clone()];
        let first = &own[0];
        let said = says(first.levels())?;
        for column in &own[1..] {
            if says(column.levels())? != said {
                let names = (column.name(), first.name());
                return Err(damaged(format!("columns `{}` and `{}` differ", names.0, names.1)));
            }
        }
        Ok(said)
    }

    fn skip(&self, columns: &mut Columns) -> Result<()> {
        columns[self.columns.clone()].iter_mut().try_for_each(|column| column.advance())
    }
}

impl Repeated {
    fn levels(self) -> Levels {
        Levels { definition: self.definition, repetition: self.repetition }
    }
}

/// The elements of a list at these levels.
fn inside(list: Levels) -> Repeated {
    Repeated { definition: list.definition + 1, repetition: list.repetition + 1 }
}

fn fields(of: &Type, levels: Levels, next: &mut usize) -> Result<Shape> {
    let mut fields: Vec<(Vec<u8>, Node)> = Vec::new();
    for field in of.get_fields() {
        let name = serde_json::to_vec(field.name()).map_err(|error| error.to_string())?;
        if fields.iter().any(|(other, _)| *other == name) {
            return Err(format!("two columns are called `{}`: rename one of them", field.name()));
        }
        fields.push((name, Node::new(field, levels, next)?));
    }
    Ok(Shape::Struct(fields))
}

/// Whether a group is a list or a map.
fn kind(of: &Type) -> Option<ConvertedType> {
    let info = of.get_basic_info();
    match (info.logical_type_ref(), info.converted_type()) {
        (Some(LogicalType::List), _) | (None, ConvertedType::LIST) => Some(ConvertedType::LIST),
        (Some(LogicalType::Map), _) | (None, ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE) => {
            Some(ConvertedType::MAP)
        }
        _ => None,
    }
}

fn is_repeated(of: &Type) -> bool {
    of.get_basic_info().repetition() == Repetition::REPEATED
}

/// The only child of a group, if it is repeated.
fn repeated_child(of: &Type) -> Option<&Type> {
    match of.get_fields() {
        [only] if is_repeated(only) => Some(only),
        _ => None,
    }
}

/// Whether what is repeated in a list is the element itself, as old writers have it, and not a group around it: the rules
/// of the format for files from before them.
fn is_element(list: &Type, repeated: &Type) -> bool {
    if repeated.is_primitive() {
        return true;
    }
    let name = repeated.name();
    match repeated.get_fields() {
        [only] => {
            is_repeated(only)
                || name == "array"
                || name.strip_suffix("_tuple").is_some_and(|stem| stem == list.name())
        }
        _ => true,
    }
}

/// Makes a key that is no text one, as Python does.
fn quote(begin: usize, json: &mut Vec<u8>) {
    if json.get(begin) != Some(&b'"') {
        let key = json.split_off(begin);
        json.extend(serde_json::Value::from(String::from_utf8_lossy(&key)).to_string().bytes());
    }
}
