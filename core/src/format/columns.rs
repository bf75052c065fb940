//! Columns: which column of a table, or field of a row, holds what.

use std::collections::BTreeMap;

use crate::error::Problem;
use crate::rollout::fields::{STEP, TRAJECTORY, VALID};
use crate::text::escape::single_line;

/// Whether a row is a step; else it pads an episode that has ended.
pub(super) const ACTIVE: &str = "active_masks";

/// The number of a step in its trajectory.
pub(super) const NUMBER: &str = "step";

/// The list of a trajectory's steps, in a line that holds it whole.
pub(super) const STEPS: &str = "steps";

/// What a row has to say.
pub(super) const REQUIRED: [&str; 4] = ["task", "trajectory", "state", "reward"];

/// Fields that have a name in verl-agent too.
const FOREIGN: [(&str, &str); 5] = [
    ("task", "uid"),
    ("trajectory", "traj_uid"),
    ("state", "anchor_obs"),
    ("reward", "rewards"),
    (VALID, "is_action_valid"),
];

/// Names of the columns that hold fields of rollouts, where they are not called as the fields are.
///
/// Without any, a field is looked for by its own name (`task`, `trajectory`, `state`, `reward`, `valid`, `step`, …) and
/// by verl-agent's (`uid`, `traj_uid`, `anchor_obs`, `rewards`, `is_action_valid`, `active_masks`). Where a table has
/// both, its own name counts, unless there is `traj_uid` and no `trajectory`: such rows are verl-agent's. In JSON Lines
/// with a trajectory a line, fields of the line and of its steps are named alike, and `steps` is the list of these.
///
/// ```
/// use hgpo_core::format::{Layout, read_with};
/// let columns = "task=group,trajectory=id,state=obs,reward=score".parse()?;
/// let table = "group,id,obs,score\ng,t,hall,1\n";
/// let (read, _) = read_with(table.as_bytes(), &Layout { columns, ..Layout::default() })?;
/// assert_eq!(read[0].steps[0].state, "hall");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns(BTreeMap<&'static str, String>);

impl std::str::FromStr for Columns {
    type Err = Problem;

    /// Reads `field=column`, several with commas between them.
    fn from_str(text: &str) -> Result<Self, Problem> {
        let mut columns = Self::default();
        for pair in text.split(',').map(str::trim) {
            let (field, column) = pair.split_once('=').ok_or_else(|| {
                Problem::Layout(format!("`{}` is not FIELD=COLUMN", single_line(pair)))
            })?;
            columns.set(field.trim(), column.trim())?;
        }
        Ok(columns)
    }
}

impl Columns {
    /// Says which column holds a field.
    ///
    /// # Errors
    /// [`Problem::Layout`]: a field that rows do not have, or that has a column already; an empty name of a column.
    pub fn set(&mut self, field: &str, column: &str) -> Result<(), Problem> {
        let refused = |why: String| Err(Problem::Layout(why));
        let Some(known) = field_of(field).or_else(|| Some(STEPS).filter(|steps| *steps == field))
        else {
            let all: Vec<&str> = fields().chain([STEPS]).collect();
            return refused(format!(
                "no field `{}`: there are {}",
                single_line(field),
                all.join(", ")
            ));
        };
        if column.is_empty() {
            return refused(format!("`{known}` needs the name of a column"));
        }
        match self.0.insert(known, column.to_owned()) {
            Some(before) if before != column => refused(format!(
                "`{known}` cannot be both `{}` and `{}`",
                single_line(&before),
                single_line(column)
            )),
            _ => Ok(()),
        }
    }

    /// Whether no column is named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The column that is named for a field.
    pub(super) fn named(&self, field: &str) -> Option<&str> {
        self.0.get(field).map(String::as_str)
    }

    /// The fields that columns are named for, with these.
    pub(super) fn all_named(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(field, column)| (*field, column.as_str()))
    }

    /// The column of a field, by its own name, among those that there are.
    pub fn of<'a>(&'a self, field: &'a str, has: &impl Fn(&str) -> bool) -> Option<&'a str> {
        if let Some(named) = self.0.get(field) {
            return Some(named.as_str()).filter(|named| has(named));
        }
        let is_free = |name: &&str| has(name) && self.0.values().all(|column| column != name);
        let own = Some(field).filter(|name| is_free(name));
        let other = foreign(field).filter(|name| is_free(name));
        let is_foreign = has("traj_uid") && !has("trajectory");
        if is_foreign { other.or(own) } else { own.or(other) }
    }

    /// Refuses columns that are named and not there.
    pub(super) fn check<'a>(
        &self,
        there: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<(), Problem> {
        self.check_of(there, |_| true)
    }

    /// Refuses columns that are named for one of some fields, and not there.
    pub(super) fn check_of<'a>(
        &self,
        there: impl Iterator<Item = &'a str> + Clone,
        is_one: impl Fn(&str) -> bool,
    ) -> Result<(), Problem> {
        let is_missing = |column: &str| there.clone().all(|name| name != column);
        match self.0.iter().find(|(field, column)| is_one(field) && is_missing(column)) {
            Some((field, column)) => Err(Problem::MissingColumn {
                field,
                column: single_line(column),
                there: listed(there),
            }),
            None => Ok(()),
        }
    }
}

/// The fields of a step: of a row, or of an object in the list of a trajectory's steps.
pub(super) fn step_fields() -> impl Iterator<Item = &'static str> + Clone {
    [ACTIVE].into_iter().chain(STEP.names()).chain([NUMBER])
}

/// The fields of a trajectory, but for its steps.
pub(super) fn trajectory_fields() -> impl Iterator<Item = &'static str> + Clone {
    TRAJECTORY.names().filter(|name| *name != STEPS)
}

/// The fields that a row can have: whose step it is and whether it is one, then what it says.
pub(super) fn fields() -> impl Iterator<Item = &'static str> + Clone {
    let [task, trajectory, ..] = REQUIRED;
    let first = [task, trajectory, ACTIVE];
    let rest = TRAJECTORY.names().chain(STEP.names()).chain([NUMBER]);
    first.into_iter().chain(rest.filter(move |name| *name != STEPS && !first.contains(name)))
}

/// What verl-agent calls a field.
pub(super) fn foreign(field: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(own, _)| *own == field).map(|(_, other)| *other)
}

/// The field of a row that a name may be meant for.
pub(super) fn field_of(name: &str) -> Option<&'static str> {
    fields().find(|field| *field == name || foreign(field) == Some(name))
}

/// The columns that there are, as they are told.
pub(super) fn listed<'a>(there: impl Iterator<Item = &'a str>) -> String {
    /// The most that are told.
    const TOLD: usize = 20;
    let mut names: Vec<String> =
        there.take(TOLD + 1).map(|name| format!("`{}`", single_line(name))).collect();
    if names.len() > TOLD {
        names.truncate(TOLD);
        names.push("others".to_owned());
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::Columns;

    #[test]
    fn fields_are_named_by_either_name_and_once() {
        let columns: Columns =
            "task=group, reward = score,anchor_obs=obs".parse().expect("columns");
        let has = |name: &str| ["group", "score", "obs", "state", "valid"].contains(&name);
        assert_eq!(columns.of("task", &has), Some("group"));
        assert_eq!(columns.of("state", &has), Some("obs"));
        assert_eq!(columns.of("valid", &has), Some("valid"));
        assert_eq!(columns.of("trajectory", &has), None);
        for (text, told) in [
            ("task", "`task` is not FIELD=COLUMN"),
            ("group=task", "no field `group`: there are task, trajectory, "),
            ("task=", "`task` needs the name of a column"),
            ("task=a,uid=b", "`task` cannot be both `a` and `b`"),
            ("", "`` is not FIELD=COLUMN"),
        ] {
            let why = text.parse::<Columns>().expect_err(text).to_string();
            assert!(why.contains(told), "{why}");
        }
    }

    #[test]
    fn a_column_that_is_taken_is_not_found_again_by_its_name() {
        let columns: Columns = "state=task,task=group".parse().expect("columns");
        let has = |name: &str| ["group", "task"].contains(&name);
        assert_eq!(
            (columns.of("state", &has), columns.of("task", &has)),
            (Some("task"), Some("group"))
        );
        let columns: Columns = "state=task".parse().expect("columns");
        assert_eq!(columns.of("task", &has), None);
    }
}
