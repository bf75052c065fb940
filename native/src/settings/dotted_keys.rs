//! Dotted keys of TOML tables, such as `learn.alpha`.

use toml::{Table, Value};

/// The dotted names of all leaves, in order.
pub(crate) fn leaf_names(table: &Table) -> Vec<String> {
    let mut names = Vec::new();
    for (key, value) in table {
        match value {
            Value::Table(inner) => {
                names.extend(leaf_names(inner).into_iter().map(|name| format!("{key}.{name}")));
            }
            _ => names.push(key.clone()),
        }
    }
    names
}

/// The leaf at a dotted name.
pub(crate) fn lookup<'a>(table: &'a Table, field: &str) -> Option<&'a Value> {
    match field.split_once('.') {
        Some((section, rest)) => lookup(table.get(section)?.as_table()?, rest),
        None => table.get(field).filter(|value| !value.is_table()),
    }
}

/// Puts a value at a dotted name; false if a part of the name is a value. A section that is not
/// there is made: some are optional.
pub(crate) fn insert(table: &mut Table, field: &str, value: Value) -> bool {
    match field.split_once('.') {
        Some((section, rest)) => table
            .entry(section)
            .or_insert_with(|| Value::Table(Table::new()))
            .as_table_mut()
            .is_some_and(|inner| insert(inner, rest, value)),
        None if table.get(field).is_some_and(Value::is_table) => false,
        None => {
            table.insert(field.into(), value);
            true
        }
    }
}
