//! Warnings on rollouts that can be read.

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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
}

impl RolloutWarnings {
    /// A sentence for each kind of rows that there are.
    pub fn remarks(self) -> impl Iterator<Item = String> {
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
        ];
        let counted = counted.into_iter().filter(|(count, ..)| *count > 0);
        let remarks = counted.map(|(count, one, several, both)| {
            format!("{count} {} {both}", if count == 1 { one } else { several })
        });
        let cut = "the last line does not end with a line break; if the file was cut off, write the line again, else \
                   end it";
        remarks.chain(self.may_be_cut.then(|| cut.to_owned()))
    }
}

/// Counts, of which those of several tasks add up.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WarningCounter {
    /// What is counted as it is told.
    pub(super) told: RolloutWarnings,
    /// Rows without a flag, and with one.
    pub(super) flagged: [usize; 2],
    /// Trajectories whose first number is 0, is 1, is higher.
    pub(super) begins: [usize; 3],
}

impl WarningCounter {
    pub(super) fn add(&mut self, other: Self) {
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
    }

    /// What it comes to in a whole file.
    pub(super) fn warnings(self, inactive: usize, may_be_cut: bool) -> RolloutWarnings {
        let Self { told, flagged, begins } = self;
        let unflagged = if flagged[1] > 0 { flagged[0] } else { 0 };
        let late = match begins {
            [0, 0, _] => 0,
            [0, _, later] => later,
            [_, one, later] => one + later,
        };
        RolloutWarnings { inactive, unflagged, late, may_be_cut, ..told }
    }
}
