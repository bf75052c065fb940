//! Task order of JSON Lines: a pass over the names alone, which tells whether the lines of each task are consecutive.
//!
//! Advantages of a task are printed when the next one begins. A task that comes again further down
//! was not whole then; so this is looked for first.

use std::collections::HashMap;
use std::io::BufRead;

use hgpo_core::{Error, Place, Problem};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

/// Fields that say which task a line belongs to.
#[derive(Deserialize)]
struct Line {
    task: Option<Value>,
    uid: Option<Value>,
    traj_uid: Option<IgnoredAny>,
    steps: Option<IgnoredAny>,
}

impl Line {
    /// The field of the task: that of a trajectory, or of a row of verl-agent.
    fn field(&self) -> &'static str {
        if self.traj_uid.is_some() && self.steps.is_none() { "uid" } else { "task" }
    }

    fn task(self) -> Option<String> {
        match if self.field() == "uid" { self.uid } else { self.task }? {
            Value::String(name) => Some(name),
            other => Some(other.to_string()),
        }
    }
}

/// Refuses lines of a task after those of another one. What is no line of rollouts is passed over: it
/// is told when it is read.
///
/// # Errors
/// A task that comes again; a source that fails.
pub(crate) fn check(mut source: impl BufRead) -> anyhow::Result<()> {
    let mut tasks = Tasks::default();
    let (mut field, mut bytes) = (None, Vec::new());
    for line in 1_usize.. {
        let begin = source.fill_buf().map_err(Error::Read)?;
        if begin.is_empty() {
            break;
        }
        if let Some(task) = field.and_then(|field| first_value(begin, field)) {
            tasks.add_task(task, line)?;
            source.skip_until(b'\n').map_err(Error::Read)?;
            continue;
        }
        bytes.clear();
        source.read_until(b'\n', &mut bytes).map_err(Error::Read)?;
        let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
        let Ok(read) = serde_json::from_slice::<Line>(text) else { continue };
        let of_line = read.field();
        if let Some(task) = read.task() {
            field = field.or(Some(of_line));
            tasks.add_task(&task, line)?;
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
    use super::{check, first_value};

    fn refused(lines: &[&str]) -> Option<String> {
        check(lines.join("\n").as_bytes()).err().map(|error| error.to_string())
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
    }

    #[test]
    fn plain_first_values_are_read_without_parsing_the_line() {
        assert_eq!(first_value(b"{\"task\": \"a b\", ...", "task"), Some("a b"));
        for line in ["{\"task\":\"a\\u0041\"", "{\"task\":\"a", "{\"task\":1", "{ \"task\":\"a\""] {
            assert_eq!(first_value(line.as_bytes(), "task"), None, "{line}");
        }
    }
}
