//! Column of one number a step, for a whole batch.

use std::fmt;
use std::ops::Index;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One number a step: a list a trajectory, in input order.
///
/// The lists stand one after the other in memory, in the order of the rows of the [`Batch`](crate::Batch); as JSON they
/// are a list of lists.
///
/// ```
/// use hgpo_core::{estimate, Batch, Options, Step, Trajectory};
/// let walk = |name, reward| Trajectory::new("g", name, vec![Step::new("s", reward); 2]);
/// let batch = Batch::new(vec![walk("a", 0.0), walk("b", 1.0)])?;
/// let returns = estimate(&batch, &Options::default())?.returns;
/// assert_eq!(returns, [[0.0, 0.0], [1.95, 1.0]]);
/// assert_eq!((&returns[1], returns.values()), (&[1.95, 1.0][..], &[0.0, 0.0, 1.95, 1.0][..]));
/// # Ok::<(), hgpo_core::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct PerStep {
    /// Where each list begins, and where the last one ends.
    pub(super) first_row: Arc<[usize]>,
    pub(super) values: Vec<f64>,
}

impl PerStep {
    /// All numbers, one a row of the batch.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// All numbers, one a row of the batch.
    #[must_use]
    pub fn into_values(self) -> Vec<f64> {
        self.values
    }

    /// The numbers of each trajectory.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> + '_ {
        self.first_row.windows(2).map(|ends| &self.values[ends[0]..ends[1]])
    }
}

impl Index<usize> for PerStep {
    type Output = [f64];

    /// The numbers of a trajectory.
    ///
    /// # Panics
    /// A trajectory beyond the last.
    fn index(&self, trajectory: usize) -> &[f64] {
        &self.values[self.first_row[trajectory]..self.first_row[trajectory + 1]]
    }
}

impl fmt::Debug for PerStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<List: AsRef<[f64]>, const TRAJECTORIES: usize> PartialEq<[List; TRAJECTORIES]> for PerStep {
    fn eq(&self, other: &[List; TRAJECTORIES]) -> bool {
        self.iter().eq(other.iter().map(AsRef::as_ref))
    }
}

impl Serialize for PerStep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for PerStep {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let lists = Vec::<Vec<f64>>::deserialize(deserializer)?;
        let end = |end: &mut usize, list: &Vec<f64>| {
            *end += list.len();
            Some(*end)
        };
        let first_row = std::iter::once(0).chain(lists.iter().scan(0, end)).collect();
        Ok(Self { first_row, values: lists.concat() })
    }
}
