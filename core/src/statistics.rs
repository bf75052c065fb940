//! Mean and standard deviation of a group, and how a value is standardised by them.

use crate::option::choice::choice;

/// Added to the standard deviation before dividing by it (the paper's and the reference code's).
pub const STD_EPSILON: f64 = 1e-6;

/// Deviations below this fraction of the group's magnitude are rounding, not signal.
///
/// A level is dropped if its advantage is *exactly* zero. 4.9 is the mean of 9.9, 4.9 and
/// -0.1, yet `f64` says otherwise by one unit in the last place: without this bound the order of
/// additions would decide about weights. 4096 units in the last place, 9e-13, cover the sums of
/// any group that fits in memory, and no difference of returns that matters.
pub const ROUNDING: f64 = 4096.0 * f64::EPSILON;

choice! {
    /// What a deviation from the group's mean is divided by.
    pub enum Scale {
        /// (x − mean) / (σ + 1e-6).
        #[default]
        MeanStd => "mean-std",
        /// x − mean.
        Mean => "mean",
    }
}

choice! {
    /// Divisor of the variance.
    pub enum StdRule {
        /// n: the paper's in step groups.
        #[default]
        Population => "population",
        /// n − 1: the reference code's in episode groups, `GiGPO` and `GRPO`.
        Sample => "sample",
    }
}

choice! {
    /// The value of a step that is alone in its group.
    pub enum SingletonRule {
        /// 0: nothing to compare with, no signal.
        #[default]
        Zero => "zero",
        /// The value itself, as with mean 0 and divisor 1.
        Keep => "keep",
    }
}

/// How a value is standardised within its group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Standardise {
    pub(crate) scale: Scale,
    pub(crate) std: StdRule,
    pub(crate) singleton: SingletonRule,
    /// The least that the standard deviation counts as; 0 adds [`STD_EPSILON`] to it in place of that.
    pub(crate) floor: f64,
}

impl Standardise {
    /// Without a floor.
    pub(crate) const fn new(scale: Scale, std: StdRule, singleton: SingletonRule) -> Self {
        Self { scale, std, singleton, floor: 0.0 }
    }

    /// What deviations are divided by with `scale = mean-std`.
    fn divisor(self, std: f64) -> f64 {
        if self.floor > 0.0 { std.max(self.floor) } else { std + STD_EPSILON }
    }
}

/// Size, mean and standard deviation of a group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistics {
    /// Number of members that were averaged.
    pub size: usize,
    /// Mean of the members; the common value itself if all are equal.
    pub mean: f64,
    /// Standard deviation; exactly 0 if all members are equal, and for one member.
    pub std: f64,
    /// Members besides the one that is compared.
    peers: usize,
    /// No member is larger than this.
    largest: f64,
}

impl Statistics {
    /// One value, and nobody to compare it with.
    pub(crate) fn alone(value: f64) -> Self {
        Self { size: 1, mean: value, std: 0.0, peers: 0, largest: value.abs() }
    }

    /// What no value differs from.
    pub(crate) const NO_SIGNAL: Self = Self { largest: f64::INFINITY, ..Self::NONE };

    /// Nobody to compare with.
    pub(crate) const NONE: Self = Self { size: 0, mean: 0.0, std: 0.0, peers: 0, largest: 0.0 };

    /// The group without `count` members of this sum, one of whom is compared with the rest: the
    /// mean is that of the rest, the standard deviation stays that of the whole group.
    pub(crate) fn without(&self, count: usize, sum: f64) -> Self {
        let size = self.size - count;
        if size == 0 {
            return Self::NO_SIGNAL;
        }
        let rest = (self.mean * self.size as f64 - sum) / size as f64;
        let mean = if self.std == 0.0 { self.mean } else { rest };
        Self { size, mean, peers: size, ..*self }
    }

    /// Statistics of every group: `values[i]` belongs to group `group_of[i]`, or to none if that
    /// is the number of groups. One more, at the end, is what such a value does not differ from.
    pub(crate) fn by_group(
        values: &[f64],
        group_of: impl Iterator<Item = usize>,
        groups: usize,
        rule: StdRule,
    ) -> Vec<Self> {
        let mut sums = vec![Sum::default(); groups + 1];
        for (&value, group) in values.iter().zip(group_of) {
            sums[group].add(value);
        }
        let mut statistics: Vec<Self> = sums.iter().map(|sum| sum.finish(rule)).collect();
        statistics[groups] = Self::NO_SIGNAL;
        statistics
    }

    /// Statistics of one group; an empty one has size, mean and deviation 0.
    ///
    /// ```
    /// use hgpo_core::{Statistics, StdRule};
    /// // 1, 2, 3: mean 2; squares 1 + 0 + 1 = 2, divided by n − 1 = 2.
    /// let group = Statistics::of(&[1.0, 2.0, 3.0], StdRule::Sample);
    /// assert_eq!((group.size, group.mean, group.std), (3, 2.0, 1.0));
    /// ```
    #[must_use]
    pub fn of(values: &[f64], rule: StdRule) -> Self {
        let mut sum = Sum::default();
        for &value in values {
            sum.add(value);
        }
        sum.finish(rule)
    }

    /// Whether two or more members are all equal.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.peers > 0 && self.std == 0.0
    }

    /// Whether there is nobody to compare a member with.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.peers == 0
    }

    /// x − mean; exactly 0 within [`ROUNDING`].
    #[must_use]
    pub fn deviation(&self, value: f64) -> f64 {
        let deviation = value - self.mean;
        if deviation.abs() <= ROUNDING * self.largest { 0.0 } else { deviation }
    }

    pub(crate) fn standardise(&self, value: f64, how: Standardise) -> f64 {
        match (self.is_alone(), how.singleton, how.scale) {
            (true, SingletonRule::Zero, _) => 0.0,
            (true, SingletonRule::Keep, _) => value,
            (_, _, Scale::Mean) => self.deviation(value),
            (_, _, Scale::MeanStd) => self.deviation(value) / how.divisor(self.std),
        }
    }

    /// The mean of this group, of several members, and the deviation of another one: of one member it counts as
    /// divisor 1, or with `singleton = zero` makes it 0.
    pub(crate) fn standardise_over(&self, spread: &Self, value: f64, how: Standardise) -> f64 {
        match (spread.is_alone(), how.singleton) {
            (false, _) => self.deviation(value) / how.divisor(spread.std),
            (true, SingletonRule::Zero) => 0.0,
            (true, SingletonRule::Keep) => self.deviation(value),
        }
    }
}

/// Sums of the differences to the first member: one pass gives mean and variance, without the
/// cancellation of plain sums of squares, and a group of equal values has exactly its mean.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sum {
    size: usize,
    first: f64,
    total: f64,
    squares: f64,
    /// Largest difference to the first member.
    reach: f64,
}

impl Sum {
    pub(crate) fn add(&mut self, value: f64) {
        // Selections instead of branches: which group comes next cannot be foreseen.
        self.first = if self.size == 0 { value } else { self.first };
        let difference = value - self.first;
        let distance = difference.abs();
        self.size += 1;
        self.total += difference;
        self.squares += difference * difference;
        self.reach = if distance > self.reach { distance } else { self.reach };
    }

    pub(crate) fn finish(&self, rule: StdRule) -> Statistics {
        if self.size == 0 {
            return Statistics::NONE;
        }
        let size = self.size as f64;
        let largest = self.first.abs() + self.reach;
        let divisor = match rule {
            StdRule::Population => size,
            StdRule::Sample => size - 1.0,
        };
        let constant = self.reach <= ROUNDING * largest;
        let squares = (self.squares - self.total * self.total / size).max(0.0);
        let std = if constant { 0.0 } else { (squares / divisor).sqrt() };
        let mean = self.first + self.total / size;
        Statistics { size: self.size, mean, std, peers: self.size - 1, largest }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "exact zeros and hand-derived numbers are what is tested")]
mod tests {
    use super::*;

    const HOW: Standardise =
        Standardise::new(Scale::MeanStd, StdRule::Population, SingletonRule::Zero);

    #[test]
    fn population_and_sample() {
        // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squares 9+1+1+1+0+0+4+16 = 32; 32/8 = 4, 32/7.
        let values = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
        let population = Statistics::of(&values, StdRule::Population);
        assert_eq!((population.mean, population.std), (5.0, 2.0));
        let sample = Statistics::of(&values, StdRule::Sample);
        assert!((sample.std - (32.0_f64 / 7.0).sqrt()).abs() < 1e-15);
        // (9 − 5) / (2 + 1e-6)
        assert_eq!(population.standardise(9.0, HOW), 4.0 / 2.000_001);
    }

    #[test]
    fn constant_groups_are_exactly_zero() {
        for value in [0.1, 8.573_749_999_999_999, -1e99, 5e-324] {
            for size in [2, 3, 7, 8, 49] {
                let group = Statistics::of(&vec![value; size], StdRule::Population);
                assert!(group.is_constant());
                assert_eq!((group.mean, group.std), (value, 0.0));
                assert_eq!(group.standardise(value, HOW), 0.0);
            }
        }
    }

    #[test]
    fn the_mean_itself_is_exactly_zero_in_any_order() {
        // 9.9 + 4.9 − 0.1 = 14.7 = 3 · 4.9, which plain f64 addition misses.
        for values in [[9.9, 4.9, -0.1], [-0.1, 9.9, 4.9], [4.9, -0.1, 9.9]] {
            let group = Statistics::of(&values, StdRule::Population);
            assert_eq!(group.standardise(4.9, HOW), 0.0);
            assert!(group.standardise(9.9, HOW) > 1.0);
        }
    }

    #[test]
    fn one_member() {
        let group = Statistics::of(&[3.0], StdRule::Sample);
        assert_eq!((group.size, group.mean, group.std, group.is_constant()), (1, 3.0, 0.0, false));
        assert_eq!(group.standardise(3.0, HOW), 0.0);
        assert_eq!(
            group.standardise(3.0, Standardise { singleton: SingletonRule::Keep, ..HOW }),
            3.0
        );
    }

    #[test]
    fn a_floor_takes_the_place_of_epsilon() {
        // 4 and 6: mean 5, deviation 1.
        let group = Statistics::of(&[4.0, 6.0], StdRule::Population);
        let at_least = |floor| group.standardise(6.0, Standardise { floor, ..HOW });
        assert_eq!([0.5, 4.0].map(at_least), [1.0, 0.25]);
    }

    #[test]
    fn empty_group() {
        let group = Statistics::of(&[], StdRule::Sample);
        assert_eq!((group.size, group.mean, group.std), (0, 0.0, 0.0));
    }
}
