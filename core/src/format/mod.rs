//! Rollout files: reading, writing, and the foreign formats that are read too.
//!
//! **Rollouts** (`*.rollouts.jsonl`): JSON Lines, one trajectory a line.
//! ```text
//! {"task":"g00","trajectory":"g00t3","success":true,
//!  "steps":[{"state":"You are in the hall.","action":"go to kitchen","reward":0.0,"valid":true}, ...]}
//! ```
//! (on one line). Required: `task`, `trajectory`, `steps`; in a step `state` and `reward`. Optional:
//! `success`, `seed`, `environment`; in a step `action`, `valid` (default true), `context` (a summary
//! of the past), `embedding` (a list of numbers), `agent`, `observation`, `prompt`, `response`.
//! Unknown fields are kept on rewrite. [`Columns`] names fields of a line and of its steps that are called otherwise, and
//! the list of steps itself.
//!
//! A first line that has none of the fields of rollouts, and one of these, says how the file was made
//! ([`Provenance`]); it is no trajectory.
//! ```text
//! {"environment":"chores","seed":1,"iteration":10,
//!  "discount":0.95,"invalid_penalty":0.1,"estimator":{"name":"hgpo","context_length":2, ...}}
//! ```
//!
//! **Rows**: JSON Lines, one step a line, with `task`, `trajectory`, `state`, `reward`, or verl-agent's names for them
//! (`uid`, `traj_uid`, `anchor_obs`, `rewards`, `is_action_valid`), or those that [`Columns`] says; other optional fields
//! have the names they have above.
//!
//! **Conversations**: JSON Lines, one trajectory a line, with `messages` as OpenAI's interface writes them, or `prompt` and
//! `completion` that are lists of them. A turn of the assistant is a step: its action what it says, or the tools that
//! it calls; its state, by [`StateOf`], what was said since its last turn. Rewards stand in its messages, in a list with
//! one a step, or in a `reward` of the line, which the last step gets. Without `task`, what the first user asks is the
//! task; without `trajectory`, the number of the line is its name. What an assistant says in `prompt` is no step. Where
//! messages have an `id` and a `parent_id`, they may branch: a turn is a step once, in their order, after what is on its
//! own path. A turn that was cut off is a step as others, and counted ([`RolloutWarnings::cut_off`]).
//!
//! **Dumps**: JSON Lines that trainers write of an attempt a line, or of several: of verl and RAGEN, TRL, verifiers and
//! prime-rl, open-instruct. Each is told by the fields of its first line. Those that hold a prompt and a response are one
//! step ([`RolloutWarnings::one_step`]), those that hold messages are read as conversations.
//!
//! **CSV** with a header, before which Excel's line `sep=,` may stand: `task,trajectory,state,reward` in
//! any order, and a step's optional fields if there are such columns.
//!
//! In the latter two, rows with the same task and trajectory are one trajectory, in file order, and what they say of
//! it (`success`, `seed`, `environment`) they say alike. They stand together, or have a number `step`. If steps have
//! that number, in any format, it goes up one by one in the trajectory, except for agents acting at the same time. Else
//! they may be episodes of the same name, as when files were put together, and are refused.
//!
//! Rows whose `active_masks` is false are left out: verl-agent pads episodes with them that have ended.
//! How many there were, and how many rows repeat the one before, [`RolloutWarnings`] tells to who asks.
//!
//! A field that an object has twice is refused in all of them.
//! Text is UTF-8; a byte order mark, CRLF and blank lines are accepted. Every error names the line,
//! from 1, and the trajectory and step if they are known, and says what to do.

mod annotate;
mod cell;
mod columns;
mod csv;
mod csv_records;
mod dump_layouts;
mod dumps;
mod file_signature;
mod json_spans;
mod jsonl;
mod line_diagnosis;
mod line_notes;
mod log;
mod messages;
mod nested;
mod provenance;
mod read_own;
mod rows;
mod text_lines;
mod traces;
mod trajectory_builder;
mod turn_rewards;
mod turns;
mod warnings;
mod write;

use std::io::BufRead;

pub use annotate::{Annotator, annotate_csv};
pub use columns::Columns;
pub use csv::read_csv;
pub use csv_records::csv_value;
pub use jsonl::{Reader, read_jsonl};
pub use log::{LogReader, read_log};
pub use messages::{StateOf, first_question};
pub use provenance::Provenance;
pub use read_own::read_written;
pub use warnings::{IncompleteTasks, RolloutWarnings};
pub use write::{write_advantages, write_jsonl, write_provenance};

use jsonl::Records;
use trajectory_builder::{Record, TrajectoryBuilder};

use crate::batch::address::StepAddress;
use crate::error::Error;
use crate::rollout::Trajectory;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reads a rollouts file of any of the formats, told apart by its first characters.
///
/// ```
/// use hgpo_core::format;
/// let csv = format::read("task,trajectory,state,reward\ng,g0,hall,1\n".as_bytes())?;
/// let json = format::read(r#"{"task":"g","trajectory":"g0","steps":[{"state":"hall","reward":1}]}"#.as_bytes())?;
/// assert_eq!(csv, json);
/// # Ok::<(), hgpo_core::Error>(())
/// ```
///
/// # Errors
/// A source that fails, an unknown format, and those of [`read_jsonl`] and [`read_csv`].
pub fn read(source: impl BufRead) -> Result<Vec<Trajectory>, Error> {
    read_with_warnings(source).map(|(trajectories, _)| trajectories)
}

/// Reads as [`read`] does, with warnings.
///
/// # Errors
/// [`read`]'s.
pub fn read_with_warnings(
    source: impl BufRead,
) -> Result<(Vec<Trajectory>, RolloutWarnings), Error> {
    read_with(source, &Layout::default())
}

/// How a log says what rollouts hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// What its columns, or the fields of its lines, are called.
    pub columns: Columns,
    /// What of a conversation is the state of a step.
    pub state_of: StateOf,
    /// How many trajectories each task should have, if that is known: another number is a warning.
    pub group_size: Option<usize>,
}

/// Reads as [`read`] does a log of this layout, with warnings.
///
/// # Errors
/// [`read`]'s, and a column that is named and not there.
pub fn read_with(
    mut source: impl BufRead,
    layout: &Layout,
) -> Result<(Vec<Trajectory>, RolloutWarnings), Error> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes).map_err(Error::Read)?;
    LogReader::new(&bytes, layout)?.finish()
}

/// The line that a step stands on in a rollouts file of any of the formats: that of its trajectory,
/// or of its own row. None if the file does not have the step.
///
/// What is wrong between trajectories, as embeddings of different lengths, is found when they have
/// been read, and lines are not kept: the file is read again, JSON Lines without holding it.
///
/// ```
/// use hgpo_core::{format, StepAddress};
/// let rows = "task,trajectory,state,reward\ng,t,hall,0\ng,t,hall,1\n";
/// let step = StepAddress::new("g", "t", 1);
/// assert_eq!(format::line_of(rows.as_bytes(), &format::Layout::default(), &step)?, Some(3));
/// # Ok::<(), hgpo_core::Error>(())
/// ```
///
/// # Errors
/// Those of [`read`] that are before that line.
pub fn line_of(
    mut source: impl BufRead,
    layout: &Layout,
    step: &StepAddress,
) -> Result<Option<usize>, Error> {
    let start = source.fill_buf().map_err(Error::Read)?;
    let mut text = start.iter().filter(|byte| byte.is_ascii_graphic());
    if text.next() != Some(&b'{') {
        return csv::line_of(source, &layout.columns, step);
    }
    let mut records = Records::new(source, layout.clone());
    let is_named = |task: &str, name: &str| task == step.task && name == step.trajectory;
    let mut rows = 0;
    while let Some((record, line)) = records.next(&TrajectoryBuilder::default())? {
        let is_there = match record {
            Record::Trajectory(found) => {
                is_named(&found.task, &found.trajectory) && step.step < found.steps.len()
            }
            Record::Step(row) => {
                let is_own = is_named(&row.task, &row.trajectory);
                rows += usize::from(is_own);
                is_own && rows > step.step
            }
        };
        if is_there {
            return Ok(Some(line));
        }
    }
    Ok(None)
}
