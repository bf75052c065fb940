//! What there is to say of rows that can be read.

/// What was noticed in verl-agent's rows or those of CSV: nothing that makes them wrong, but what
/// whoever wrote them may not know of.
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
}
