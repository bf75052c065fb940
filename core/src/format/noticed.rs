//! What there is to say of rollouts that can be read.

/// What was noticed in rollouts: nothing that makes them wrong, but what whoever wrote them may not know of.
///
/// ```
/// use hgpo_core::format;
/// let rows = "task,trajectory,state,reward,active_masks\ng,t,hall,0,1\ng,t,hall,0,1\ng,t,hall,0,0\n";
/// let (read, noticed) = format::read_noticing(rows.as_bytes())?;
/// assert_eq!(read[0].steps.len(), 2);
/// assert_eq!((noticed.inactive, noticed.repeated), (1, 1));
/// # Ok::<(), hgpo_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Noticed {
    /// Rows whose `active_masks` is false. verl-agent pads episodes with them that have ended; they
    /// are left out.
    pub inactive: usize,
    /// Rows without a number `step` that equal the row before them in every field. They are steps of
    /// their own, which is wrong of copies.
    pub repeated: usize,
    /// Steps whose state is empty, in any format. They are compared with each other, which is wrong of states that are
    /// missing.
    pub empty_states: usize,
}

impl Noticed {
    /// A sentence for each kind of rows that there are.
    pub fn remarks(self) -> impl Iterator<Item = String> {
        let Self { inactive, repeated, empty_states } = self;
        let inactive = (inactive > 0).then(|| {
            let (rows, were) = if inactive == 1 { ("row", "was") } else { ("rows", "were") };
            format!(
                "{inactive} {rows} with `active_masks` false (padding after the end of an episode) \
                 {were} left out"
            )
        });
        let repeated = (repeated > 0).then(|| {
            let (rows, is) = if repeated == 1 {
                ("row repeats", "is a step of its own; if it is a copy, remove it")
            } else {
                ("rows repeat", "are steps of their own; if they are copies, remove them")
            };
            format!(
                "{repeated} {rows} the row before and {is} (rows with a number `step` are checked \
                 for copies)"
            )
        });
        let empty_states = (empty_states > 0).then(|| {
            let steps = if empty_states == 1 { "step has" } else { "steps have" };
            format!(
                "{empty_states} {steps} an empty `state`; empty states are compared with each other as one state; if \
                 they are missing, write them"
            )
        });
        inactive.into_iter().chain(repeated).chain(empty_states)
    }
}
