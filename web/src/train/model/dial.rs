//! Dials of a setup that are numbers: what each is to begin with, and what it can be.

use crate::model::{named, number};

named! {
    /// A dial that is a number.
    Dial {
        /// Chance that a move goes to one of its two sides.
        Slip = "slip",
        /// What the goal is worth.
        Reward = "reward",
        /// What entering a cost cell costs.
        Cost = "cost",
        /// Steps after which an attempt ends.
        Steps = "steps",
        /// Past pairs of observation and action that the policy sees.
        Memory = "memory",
        /// Attempts at a task.
        Group = "group",
        /// Tasks of an iteration.
        Tasks = "tasks",
        /// γ of the returns.
        Discount = "discount",
        /// The learning rate.
        Rate = "rate",
        /// Seeds of a lane.
        Seeds = "seeds",
        /// The first of them; the others follow.
        Seed = "seed",
    }
}

/// What a dial can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    /// The least.
    pub(crate) least: f64,
    /// The most.
    pub(crate) most: f64,
    /// What one notch changes.
    pub(crate) notch: f64,
    /// Digits after the point.
    pub(crate) digits: usize,
}

const fn whole(least: u32, most: u32) -> Range {
    Range { least: least as f64, most: most as f64, notch: 1.0, digits: 0 }
}

/// What each dial is to begin with, and what it can be.
const DIALS: [(f64, Range); Dial::ALL.len()] = [
    (0.0, Range { least: 0.0, most: 0.9, notch: 0.05, digits: 2 }),
    (10.0, whole(1, 100)),
    (1.0, Range { least: 0.0, most: 10.0, notch: 0.5, digits: 1 }),
    (30.0, whole(4, 60)),
    (2.0, whole(0, 8)),
    (8.0, whole(2, 32)),
    (8.0, whole(1, 16)),
    (0.95, Range { least: 0.5, most: 1.0, notch: 0.01, digits: 2 }),
    (0.1, Range { least: 0.01, most: 1.0, notch: 0.01, digits: 2 }),
    (8.0, whole(1, 16)),
    (1.0, whole(1, 9999)),
];

impl Dial {
    /// What it can be.
    pub(crate) fn range(self) -> Range {
        DIALS[self as usize].1
    }

    /// Whether it means something on a map alone.
    pub(super) fn is_of_map(self) -> bool {
        matches!(self, Self::Slip | Self::Cost)
    }

    /// Whether what was learned goes on when it is changed: not if the policy sees something else
    /// afterwards, nor if other seeds learn.
    pub(crate) fn keeps_weights(self) -> bool {
        !matches!(self, Self::Memory | Self::Seeds | Self::Seed)
    }

    /// A number that it can be; none for others.
    pub(crate) fn admit(self, value: f64) -> Option<f64> {
        let Range { least, most, digits, .. } = self.range();
        if !(least..=most).contains(&value) {
            return None;
        }
        let unit = 10_f64.powi(digits as i32);
        let rounded = (value * unit).round() / unit;
        ((rounded - value).abs() < 1e-9).then_some(rounded)
    }

    /// A typed text as a number that it can be.
    pub(crate) fn parse(self, text: &str) -> Option<f64> {
        self.admit(text.trim().parse().ok()?)
    }

    /// A number of it as setups and fields write it.
    pub(crate) fn written(self, value: f64) -> String {
        number::short(value, self.range().digits)
    }
}

/// The numbers of all dials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dials([f64; Dial::ALL.len()]);

impl Default for Dials {
    fn default() -> Self {
        Self(DIALS.map(|(default, _)| default))
    }
}

impl Dials {
    /// The number of a dial.
    pub(crate) fn get(&self, dial: Dial) -> f64 {
        self.0[dial as usize]
    }

    /// Turns one of them to a number, if it can be that.
    pub(crate) fn turn(&mut self, dial: Dial, value: f64) {
        self.0[dial as usize] = dial.admit(value).unwrap_or(self.get(dial));
    }
}

#[cfg(test)]
mod tests {
    use super::{Dial, Dials};

    #[test]
    fn dials_admit_what_they_can_be_and_write_it_back() {
        for dial in Dial::ALL {
            let (range, default) = (dial.range(), Dials::default().get(dial));
            assert_eq!(Dial::of_name(dial.name()), Some(dial));
            for value in [range.least, range.most, default] {
                let text = dial.written(value);
                assert_eq!(dial.parse(&text), dial.admit(value), "{text}");
                assert!(dial.parse(&text).is_some(), "{text}");
            }
            for wrong in [range.least - 1.0, range.most + 1.0, f64::NAN, f64::INFINITY] {
                assert_eq!(dial.admit(wrong), None, "{dial:?} {wrong}");
            }
        }
        assert_eq!(Dial::Slip.parse(" 0.15 "), Some(0.15));
        for wrong in ["", "x", "0.123", "-0.1", "1e9", "0x1"] {
            assert_eq!(Dial::Slip.parse(wrong), None, "{wrong}");
        }
        assert_eq!(Dial::Group.parse("2.5"), None);
    }

    #[test]
    fn each_dial_has_its_own_place() {
        let mut dials = Dials::default();
        dials.turn(Dial::Group, 16.0);
        assert!((dials.get(Dial::Group) - 16.0).abs() < 1e-12);
        let others = Dial::ALL.into_iter().filter(|dial| *dial != Dial::Group);
        for dial in others {
            assert!((dials.get(dial) - Dials::default().get(dial)).abs() < 1e-12, "{dial:?}");
        }
        let before = dials;
        dials.turn(Dial::Group, 33.0);
        assert_eq!(dials, before);
    }
}
