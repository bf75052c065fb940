//! Task order of JSON Lines: a pass over the names alone, which tells whether the lines of each task are consecutive.
//!
//! Advantages of a task are printed when the next one begins. A task that comes again further down
//! was not whole then; so this is looked for first.

use std::collections::HashMap;
use std::io::BufRead;

use hgpo_core::format::{Columns, first_question};
use hgpo_core::{Error, Place, Problem};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

/// Finds which task a line belongs to.
#[derive(Clone, Copy)]
struct TaskField<'a>(&'a Columns);

impl<'de> DeserializeSeed<'de> for TaskField<'_> {
    type Value = Option<(String, Value)>;

    fn deserialize<D: Deserializer<'de>>(self, line: D) -> Result<Self::Value, D::Error> {
        line.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for TaskField<'_> {
    type Value = Option<(String, Value)>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an object")
    }

    /// The field of the task, and its value: that of a trajectory, or the one that a row has for it.
    fn visit_map<A: MapAccess<'de>>(self, mut line: A) -> Result<Self::Value, A::Error> {
        // Of all others, the name is enough.
        let mut fields: HashMap<String, Option<Value>> = HashMap::new();
        while let Some(name) = line.next_key::<String>()? {
            let only = |own: &str| own == name;
            let is_task = self.0.of("task", &only).is_some() || name == "task";
            let value = if is_task {
                Some(line.next_value()?)
            } else {
                line.next_value::<IgnoredAny>().map(|_| None)?
            };
            fields.insert(name, value);
        }
        let has = |name: &str| fields.contains_key(name);
        let is_own = self.0.is_empty() && has("steps");
        let field = if is_own { Some("task") } else { self.0.of("task", &has) };
        let Some(field) = field.map(str::to_owned) else { return Ok(None) };
        let value = fields.remove(&field).flatten();
        Ok(value.map(|value| (field, value)))
    }
}

impl TaskField<'_> {
    fn of(self, line: &[u8]) -> Option<(String, String)> {
        let mut line = serde_json::Deserializer::from_slice(line);
        let (field, value) = self.deserialize(&mut line).ok()??;
        let task = match value {
            Value::String(name) => name,
            other => other.to_string(),
        };
        Some((field, task))
    }
}

/// Refuses lines of a task after those of another one. What is no line of rollouts is passed over: it
/// is told when it is read.
///
/// # Errors
/// A task that comes again; a source that fails.
pub(crate) fn check(mut source: impl BufRead, columns: &Columns) -> anyhow::Result<()> {
    let mut tasks = Tasks::default();
    let (mut field, mut bytes) = (None::<String>, Vec::new());
    for line in 1_usize.. {
        let begin = source.fill_buf().map_err(Error::Read)?;
        if begin.is_empty() {
            break;
        }
        if let Some(task) = field.as_ref().and_then(|field| first_value(begin, field)) {
            tasks.add_task(task, line)?;
            source.skip_until(b'\n').map_err(Error::Read)?;
            continue;
        }
        bytes.clear();
        source.read_until(b'\n', &mut bytes).map_err(Error::Read)?;
        let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
        if let Some((of_line, task)) = TaskField(columns).of(text) {
            field = field.or(Some(of_line));
            tasks.add_task(&task, line)?;
        } else if let Some(question) = std::str::from_utf8(text).ok().and_then(first_question) {
            tasks.add_task(&question, line)?;
        }
    }
    Ok(())
}

/// The value of a line that begins with this field, if it is text as it is written: the rest of
/// such a line need not be read.
fn first_value<'a>(line: &'a [u8], field: &str) -> Option<&'a str> {
    let after = line.strip_prefix(b"{\"")?.strip_prefix(field.as_bytes())?.strip_prefix(b"\":")?;
    let value = after.trim_ascii_start().strip_prefix(b"\"")?;
    let value = &value[..value.iter().position(|&byte| byte == b'"')?];
    if value.contains(&b'\\') { None } else { std::str::from_utf8(value).ok() }
}

/// The tasks that were met, each with its first line.
#[derive(Default)]
struct Tasks {
    first_lines: HashMap<String, usize>,
    current: Option<String>,
}

impl Tasks {
    fn add_task(&mut self, task: &str, line: usize) -> Result<(), Error> {
        if self.current.as_deref() == Some(task) {
            return Ok(());
        }
        let task = task.to_owned();
        if let Some(&first_line) = self.first_lines.get(&task) {
            let place = Place { line: Some(line), task: Some(task), ..Place::default() };
            let problem = Problem::ScatteredTask { first_line };
            return Err(Error::Rollouts { place: Box::new(place), problem });
        }
        self.current = Some(task.clone());
        self.first_lines.insert(task, line);
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]
mod tests {
    use super::{Columns, check, first_value};

    fn refused(lines: &[&str]) -> Option<String> {
        check(lines.join("\n").as_bytes(), &Columns::default()).err().map(|error| error.to_string())
    }

    #[test]
    fn scattered_tasks_are_found_however_they_are_written() {
        let lines = |third: &str| {
            let first = r#"{"task":"g\u0041","trajectory":"a","steps":[]}"#;
            let last = r#"{"steps":[{"task":"x"}],"trajectory":"b","task":"gA"}"#;
            [r#"{"seed":1}"#, first, "", r#"{"task": "h","steps":[]}"#, third, last]
                .map(str::to_owned)
        };
        let scattered = lines(r#"{"task":"h","uid":"gA","traj_uid":"a","steps":[]}"#);
        let error = refused(&scattered.each_ref().map(String::as_str)).unwrap();
        assert!(
            error.starts_with("line 6, task \"gA\": the lines of the task are not consecutive"),
            "{error}"
        );
        assert!(error.contains("(it began on line 2)"), "{error}");
        // Rows may have a field `task` of their own.
        let row = |uid: &str| format!(r#"{{"uid":{uid},"task":"t{uid}","traj_uid":"a","x":1}}"#);
        let rows = ["1", "1", "2"].map(row);
        assert_eq!(refused(&rows.each_ref().map(String::as_str)), None);
        let rows = ["1", "2", "1"].map(row);
        assert!(refused(&rows.each_ref().map(String::as_str)).is_some());
        let rows = [0, 1, 0]
            .map(|group| format!(r#"{{"id":"a","group":{group},"task":{group}}}"#))
            .join("\n");
        let columns = |text: &str| text.parse::<Columns>().unwrap();
        assert!(check(rows.as_bytes(), &columns("task=group")).is_err());
        assert!(check(rows.as_bytes(), &columns("task=id,state=task")).is_ok());
    }

    #[test]
    fn plain_first_values_are_read_without_parsing_the_line() {
        assert_eq!(first_value(b"{\"task\": \"a b\", ...", "task"), Some("a b"));
        for line in ["{\"task\":\"a\\u0041\"", "{\"task\":\"a", "{\"task\":1", "{ \"task\":\"a\""] {
            assert_eq!(first_value(line.as_bytes(), "task"), None, "{line}");
        }
    }
}
