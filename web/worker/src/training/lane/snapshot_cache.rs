//! Snapshots of a lane after earlier iterations: few of them, so that memory does not grow with iterations.

use std::rc::Rc;

use hgpo_train::policy::table::TablePolicy;
use hgpo_train::trainer::TrainerSnapshot;

/// Most iterations that are kept.
const MOST: usize = 64;
/// Most entries of all tables that are kept. An entry takes some 100 bytes.
const ENTRIES: usize = 1_500_000;

/// What a lane came to after an iteration.
#[derive(Clone)]
pub(crate) struct Snapshot {
    /// The iteration; 0 is the start.
    pub(crate) iteration: u64,
    /// Of every seed.
    pub(crate) seeds: Vec<Rc<TrainerSnapshot<TablePolicy>>>,
}

/// Snapshots in the order of their iterations: the first and the newest, and between them the fewer the longer
/// ago they are.
#[derive(Clone, Default)]
pub(crate) struct SnapshotCache {
    snapshots: Vec<Snapshot>,
}

impl Snapshot {
    fn entries(&self) -> usize {
        self.seeds.iter().map(|progress| progress.policy().len()).sum()
    }
}

impl SnapshotCache {
    /// Keeps another one, which is newer than all others, and drops others for it.
    pub(crate) fn add(&mut self, snapshot: Snapshot) {
        self.snapshots.push(snapshot);
        while self.snapshots.len() > 2 && (self.snapshots.len() > MOST || self.entries() > ENTRIES)
        {
            let dropped = self.least_missed();
            self.snapshots.remove(dropped);
        }
    }

    /// The newest of those before an iteration; for the start, the start.
    pub(crate) fn before(&self, iteration: u64) -> Option<&Snapshot> {
        let is_before = |it: &&Snapshot| it.iteration < iteration.max(1);
        self.snapshots.iter().rev().find(is_before)
    }

    /// Drops those of an iteration and of later ones.
    pub(crate) fn forget_from(&mut self, iteration: u64) {
        self.snapshots.retain(|it| it.iteration < iteration);
    }

    /// Entries of all tables that are kept.
    pub(crate) fn entries(&self) -> usize {
        self.snapshots.iter().map(Snapshot::entries).sum()
    }

    /// The place of the one in between whose neighbours are closest together, measured by the square root of
    /// their age: gaps grow with the root of the age, so that to go back far takes longer, but not much.
    fn least_missed(&self) -> usize {
        let at = |place: usize| u128::from(self.snapshots[place].iteration);
        let newest = at(self.snapshots.len() - 1);
        // gap² / age, compared without dividing.
        let measure = |place: usize| {
            let gap = at(place + 1) - at(place - 1);
            (gap * gap, newest - at(place))
        };
        let inner = 1..self.snapshots.len() - 1;
        let closest = inner.min_by(|&one, &other| {
            let ((gap, age), (other_gap, other_age)) = (measure(one), measure(other));
            (gap * other_age).cmp(&(other_gap * age))
        });
        closest.unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The iterations that are kept after so many were added, with nothing learned.
    fn after(iterations: u64) -> Vec<u64> {
        let mut cache = SnapshotCache::default();
        for iteration in 0..iterations {
            cache.add(Snapshot { iteration, seeds: Vec::new() });
        }
        cache.snapshots.iter().map(|it| it.iteration).collect()
    }

    #[test]
    fn few_are_kept_and_fewer_of_those_long_ago() {
        assert_eq!(after(64), (0..64).collect::<Vec<_>>());
        let kept = after(10_000);
        assert_eq!((kept.len(), kept[0], kept[63]), (64, 0, 9_999));
        for pair in kept.windows(2) {
            let (gap, age) = ((pair[1] - pair[0]) as f64, (10_000 - pair[0]) as f64);
            // Gaps of g √age are 2 √10000 / g = 64 in number for g = 3.1; at least a third more than fit.
            assert!(gap <= 6.0 * age.sqrt(), "{gap} {age}");
        }
        assert!(kept[62] >= 9_990);
    }

    #[test]
    fn the_nearest_before_is_found_and_later_ones_can_be_forgotten() {
        let mut cache = SnapshotCache::default();
        for iteration in [0, 3, 5] {
            cache.add(Snapshot { iteration, seeds: Vec::new() });
        }
        let before =
            |cache: &SnapshotCache, iteration| cache.before(iteration).map(|it| it.iteration);
        let found = [0, 1, 3, 4, 5, 6].map(|iteration| before(&cache, iteration));
        assert_eq!(found, [0, 0, 0, 3, 3, 5].map(Some));
        cache.forget_from(3);
        assert_eq!(before(&cache, 9), Some(0));
        cache.forget_from(0);
        assert_eq!(before(&cache, 9), None);
    }
}
