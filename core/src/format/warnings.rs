//! Warnings on rollouts that can be read.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::listed;
use crate::rollout::token_fields::TOKEN_FIELDS;
use crate::signal::is_nearly_all;
use crate::text::escape::{quoted, shortened};

/// The most names of unread fields that are counted.
const MOST_NAMES: usize = 32;

/// What is odd in rollouts without making them wrong, and what whoever wrote them may not know of.
///
/// ```
/// use hgpo_core::format;
/// let rows = "task,trajectory,state,reward,active_masks\ng,t,hall,0,1\ng,t,hall,0,1\ng,t,hall,0,0\n";
/// let (read, warnings) = format::read_with_warnings(rows.as_bytes())?;
/// assert_eq!(read[0].steps.len(), 2);
/// assert_eq!((warnings.inactive, warnings.repeated), (1, 1));
/// # Ok::<(), hgpo_core::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RolloutWarnings {
    /// Rows whose `active_masks` is false. verl-agent pads episodes with them that have ended; they
    /// are left out.
    pub inactive: usize,
    /// Rows without a number `step` that equal the row before them in every field. They are steps of
    /// their own, which is wrong of copies.
    pub repeated: usize,
    /// Steps whose state is empty, in any format. They are compared with each other, which is wrong of states that are
    /// missing.
    pub empty_states: usize,
    /// Steps whose state, task or trajectory is a text that programs write for a missing value, such as `nan` and
    /// `None`. Those that have the same one are taken for one, which is wrong if values are missing.
    pub missing: usize,
    /// Steps whose state holds U+FFFD, which programs write for bytes that they cannot read. Different states may have
    /// become equal by it.
    pub replaced: usize,
    /// Rows that do not say whether they are valid, when others do. They count as valid, which is wrong for invalid ones
    /// whose flag is missing.
    pub unflagged: usize,
    /// Trajectories whose first number `step` is higher than 0 or 1, from which others count. Rows before it may be missing.
    pub late: usize,
    /// Whether the last line of CSV has no line break, and ends with a value that may be the beginning of another one:
    /// of a file that was cut off.
    pub may_be_cut: bool,
    /// Lines of trainers' dumps that hold a prompt and a response, of whatever turns, and are read as one step.
    pub one_step: usize,
    /// Attempts in dumps that were left out: they failed (`ok` is false, or no turn), or are of an agent that is not
    /// trained.
    pub omitted: usize,
    /// Turns of an assistant that were cut off: `finish_reason` is `length`, `truncated` is true, or nothing is said in the
    /// last one. They are steps as others, and valid unless they say otherwise.
    pub cut_off: usize,
    /// Tasks with another number of trajectories than they should have ([`Layout::group_size`](super::Layout)), or than
    /// at least nine in ten tasks have; some may be missing.
    pub incomplete: Option<IncompleteTasks>,
    /// Fields of rows and conversations that are kept and not read. One of them may hold what should be.
    pub unread: BTreeSet<String>,
    /// Fields of the first line, taken for how the file was made, that mean nothing there. It may be a record.
    pub unread_first_line: BTreeSet<String>,
}

/// Tasks that do not have as many trajectories as they should.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncompleteTasks {
    /// How many there are.
    pub tasks: usize,
    /// How many tasks there are in all.
    pub of: usize,
    /// How many trajectories a task should have.
    pub group_size: usize,
    /// The first one by the number of its trajectories.
    pub example: String,
    /// How many trajectories that one has.
    pub size: usize,
}

impl RolloutWarnings {
    /// Takes names of fields that are not read.
    pub(super) fn note_unread(&mut self, names: impl IntoIterator<Item = impl AsRef<str>>) {
        for name in names {
            let name = name.as_ref();
            let is_known = TOKEN_FIELDS.contains(&name) || self.unread.contains(name);
            if self.unread.len() < MOST_NAMES && !is_known {
                self.unread.insert(name.to_owned());
            }
        }
    }

    /// A sentence for each kind of rows that there are.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        // How many, what is said of one and of several, and of both.
        let counted = [
            (
                self.inactive,
                "row with `active_masks` false (padding after the end of an episode) was",
                "rows with `active_masks` false (padding after the end of an episode) were",
                "left out",
            ),
            (
                self.repeated,
                "row repeats the row before and is a step of its own; if it is a copy, remove it",
                "rows repeat the row before and are steps of their own; if they are copies, remove them",
                "(rows with a number `step` are checked for copies)",
            ),
            (
                self.empty_states,
                "step has",
                "steps have",
                "an empty `state`; empty states are compared with each other as one state; if they are missing, write \
                 them",
            ),
            (
                self.missing,
                "step has",
                "steps have",
                "a `state`, `task` or `trajectory` that stands for a missing value (nan, None, null); equal ones are \
                 taken for the same; if they are missing, write them",
            ),
            (
                self.replaced,
                "step has",
                "steps have",
                "a `state` with U+FFFD in place of letters that were lost; states that differed in them are equal now; \
                 write them again as UTF-8",
            ),
            (
                self.unflagged,
                "row does",
                "rows do",
                "not say whether the action was valid, as others do, and count as valid; if some are not, write it",
            ),
            (
                self.late,
                "trajectory begins",
                "trajectories begin",
                "with a later `step` than the first one; if rows before it are missing, add them",
            ),
            (
                self.one_step,
                "line of a trainer's dump is",
                "lines of a trainer's dump are",
                "one step each: the prompt is the state and the response the action, however many turns it holds",
            ),
            (
                self.omitted,
                "attempt was",
                "attempts were",
                "left out, as failed (`ok` is false, or there is no turn) or as one of an agent that is not trained",
            ),
            (
                self.cut_off,
                "turn was",
                "turns were",
                "cut off, or empty at the end; such turns are steps, and valid unless they say `valid` false",
            ),
        ];
        let counted = counted.into_iter().filter(|(count, ..)| *count > 0);
        let remarks = counted.map(|(count, one, several, both)| {
            format!("{count} {} {both}", if count == 1 { one } else { several })
        });
        let cut = "the last line does not end with a line break; if the file was cut off, write the line again, else \
                   end it";
        let incomplete = self.incomplete.as_ref().map(|found| {
            let IncompleteTasks { tasks, of, group_size, example, size } = found;
            let do_not = if *tasks == 1 { "does" } else { "do" };
            format!(
                "{tasks} of {of} tasks {do_not} not have {group_size} trajectories (task {} has {size}); if some are \
                 missing, add them",
                quoted(&shortened(example))
            )
        });
        let told = |names: &BTreeSet<String>| listed(names.iter().map(String::as_str));
        let unread = (!self.unread.is_empty()).then(|| {
            format!(
                "not read, but kept: {}; if one of these holds a field, name it (FIELD=COLUMN)",
                told(&self.unread)
            )
        });
        let first = (!self.unread_first_line.is_empty()).then(|| {
            format!(
                "the first line is taken for how the file was made, where {} mean nothing; if it is a record, give it \
                 the fields of the others",
                told(&self.unread_first_line)
            )
        });
        let cut = self.may_be_cut.then(|| cut.to_owned());
        remarks.chain(incomplete).chain(unread).chain(first).chain(cut)
    }
}

/// Counts, of which those of several tasks add up.
#[derive(Debug, Clone, Default)]
pub(super) struct WarningCounter {
    /// What is counted as it is told.
    pub(super) told: RolloutWarnings,
    /// Rows without a flag, and with one.
    pub(super) flagged: [usize; 2],
    /// Trajectories whose first number is 0, is 1, is higher.
    pub(super) begins: [usize; 3],
    /// By the number of trajectories, how many tasks have it, and the first of them.
    pub(super) sizes: BTreeMap<usize, (usize, String)>,
}

impl From<RolloutWarnings> for WarningCounter {
    fn from(told: RolloutWarnings) -> Self {
        Self { told, ..Self::default() }
    }
}

impl WarningCounter {
    pub(super) fn add(&mut self, other: Self) {
        self.told.inactive += other.told.inactive;
        self.told.unread_first_line.extend(other.told.unread_first_line);
        self.told.note_unread(&other.told.unread);
        self.told.one_step += other.told.one_step;
        self.told.omitted += other.told.omitted;
        self.told.cut_off += other.told.cut_off;
        self.told.repeated += other.told.repeated;
        self.told.empty_states += other.told.empty_states;
        self.told.missing += other.told.missing;
        self.told.replaced += other.told.replaced;
        for (own, others) in self.flagged.iter_mut().zip(other.flagged) {
            *own += others;
        }
        for (own, others) in self.begins.iter_mut().zip(other.begins) {
            *own += others;
        }
        for (size, (tasks, example)) in other.sizes {
            self.sizes.entry(size).or_insert((0, example)).0 += tasks;
        }
    }

    /// What it comes to in a whole file, whose tasks should have as many trajectories.
    pub(super) fn warnings(self, group_size: Option<usize>) -> RolloutWarnings {
        let incomplete = self.incomplete(group_size);
        let Self { told, flagged, begins, .. } = self;
        let unflagged = if flagged[1] > 0 { flagged[0] } else { 0 };
        let late = match begins {
            [0, 0, _] => 0,
            [0, _, later] => later,
            [_, one, later] => one + later,
        };
        RolloutWarnings { unflagged, late, incomplete, ..told }
    }

    /// The tasks that do not have as many trajectories as they should, or as nearly all have.
    fn incomplete(&self, group_size: Option<usize>) -> Option<IncompleteTasks> {
        let of = self.sizes.values().map(|(tasks, _)| tasks).sum();
        let is_usual = |&&size: &&usize| is_nearly_all(self.sizes[&size].0, of);
        let group_size = group_size.or_else(|| self.sizes.keys().find(is_usual).copied())?;
        let mut others = self.sizes.iter().filter(|&(&size, _)| size != group_size);
        let tasks = others.clone().map(|(_, (tasks, _))| tasks).sum();
        let (&size, (_, example)) = others.next()?;
        Some(IncompleteTasks { tasks, of, group_size, example: example.clone(), size })
    }
}
