//! Everything that the reader sets, with dials for numbers, and the settings of a run that it stands for.

use super::team::TEAM;
use super::{INSIDE, Key};
use crate::model::controls::{shown, with as options_with};
use crate::model::{named, number};
use hgpo_core::{Discount, Estimator, Options};
use hgpo_env::gridworld::{Map, ObservationMode, World};
use hgpo_worker::training::message::Settings;
use serde_json::{Value, json};

/// The world that is shown first: one in which histories help.
const FIRST: &str = "switchback";

/// Most lanes.
pub(crate) const LANES: usize = 3;

/// More iterations than anybody waits for; learning does not slow down towards them.
pub(crate) const ITERATIONS: u64 = 10_000;

/// Steps of an update, and of a part of it: more than an iteration has, but in the largest setups.
const BATCH: u64 = 4096;

/// Everything that the reader sets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setup {
    /// The name of the world, or of the team in its place.
    pub(crate) world: &'static str,
    /// A map in place of the world's.
    pub(crate) map: Option<Map>,
    /// How much is seen.
    pub(crate) sight: ObservationMode,
    /// The dials that are numbers.
    pub(crate) dials: Dials,
    /// The estimator of every lane.
    pub(crate) lanes: Vec<Estimator>,
}

impl Default for Setup {
    fn default() -> Self {
        let lane = |name| Estimator::default_named(name).ok();
        let setup = Self {
            world: "",
            map: None,
            sight: ObservationMode::default(),
            dials: Dials::default(),
            lanes: ["grpo", "gigpo", "hgpo"].into_iter().filter_map(lane).collect(),
        };
        match World::named(FIRST) {
            Some(world) => setup.in_world(world),
            None => setup,
        }
    }
}

impl Setup {
    /// This setup in another world, as it is there to be seen; the first one there, if it is a team's.
    pub(crate) fn in_world(mut self, world: &'static World) -> Self {
        if self.is_team() {
            self = Self::default();
        }
        self.world = world.name;
        self.map = None;
        self.sight = world.sight;
        self.dials.turn(Dial::Slip, world.slip);
        self
    }

    /// The map that is played.
    pub(crate) fn played(&self) -> Option<Map> {
        self.map.clone().or_else(|| Map::parse(World::named(self.world)?.map).ok())
    }

    /// A dial's number, if it is a whole one.
    pub(crate) fn whole(&self, dial: Dial) -> u64 {
        self.dials.get(dial) as u64
    }

    /// The seeds of every lane.
    pub(crate) fn seeds(&self) -> Vec<u64> {
        let first = self.whole(Dial::Seed);
        (first..first + self.whole(Dial::Seeds)).collect()
    }

    /// The settings of a lane.
    pub(crate) fn settings(&self, lane: usize) -> Settings {
        let number = |dial| self.dials.get(dial);
        let estimator = self.lanes.get(lane).map(Estimator::flat).unwrap_or_default();
        let (name, table, own) = if self.is_team() {
            (TEAM, "guide", json!({ "layouts": 1 }))
        } else {
            ("gridworld", "gridworld", self.maze())
        };
        let settings = json!({
            "environment": {
                "name": name,
                "max_steps": self.whole(Dial::Steps),
                "success_reward": number(Dial::Reward),
                (table): own,
            },
            "policy": { "kind": "table" },
            "rollout": {
                "tasks": self.whole(Dial::Tasks),
                "group_size": self.whole(Dial::Group),
                "history_length": self.whole(Dial::Memory),
            },
            "warm_start": { "episodes": 0 },
            "estimator": estimator,
            "learn": {
                "iterations": ITERATIONS,
                "discount": number(Dial::Discount),
                "learning_rate": number(Dial::Rate),
                "warmup_iterations": 0,
                "final_learning_rate_fraction": 1.0,
                // One update an iteration, of all its steps at once, as in the preset.
                "mini_batch_size": BATCH,
                "micro_batch_size": BATCH,
                "micro_batch_tokens": 16 * BATCH,
                "normalize_advantages": true,
            },
        });
        settings.as_object().cloned().unwrap_or_default()
    }

    /// The settings of a world.
    fn maze(&self) -> Value {
        json!({
            "world": self.world,
            "map": self.map.as_ref().map(ToString::to_string).unwrap_or_default(),
            "sight": self.sight,
            "slip": self.dials.get(Dial::Slip),
            "cost": self.dials.get(Dial::Cost),
        })
    }

    /// How a lane's rewards become advantages.
    pub(crate) fn options(&self, lane: usize) -> Options {
        Options {
            discount: Discount::new(self.dials.get(Dial::Discount)).unwrap_or_default(),
            estimator: self.lanes.get(lane).cloned().unwrap_or_default(),
            ..Options::default()
        }
    }

    /// Whether lanes that learned with `before` go on with what they learned.
    pub(crate) fn keeps_weights(&self, before: &Self) -> bool {
        let same = |dial: Dial| (self.dials.get(dial) - before.dials.get(dial)).abs() < 1e-12;
        let dials = Dial::ALL.into_iter().filter(|dial| !dial.keeps_weights()).all(same);
        dials
            && self.sight == before.sight
            && self.played() == before.played()
            && self.lanes.len() == before.lanes.len()
    }
}

/// The value of an option of a lane as text; none if its estimator does not have it.
pub(crate) fn value(estimator: &Estimator, key: Key) -> Option<String> {
    shown(estimator.get(key)?)
}

/// The estimator as it is to begin with; one of agents with the same estimator inside.
pub(crate) fn unchanged(estimator: &Estimator) -> Estimator {
    let own = Estimator::default_named(estimator.name()).unwrap_or_default();
    let inside = value(estimator, INSIDE).and_then(|inside| with(&own, INSIDE, &inside));
    inside.unwrap_or(own)
}

/// The estimator with an option set to a typed or chosen text; none if it does not admit it.
pub(crate) fn with(estimator: &Estimator, key: Key, text: &str) -> Option<Estimator> {
    let options = Options { estimator: estimator.clone(), ..Options::default() };
    Some(options_with(options, key, text)?.estimator)
}

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
mod dial_tests {
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

#[cfg(test)]
mod tests {
    use super::{Setup, value, with};
    use crate::train::model::setup::Dial;
    use hgpo_core::Estimator;
    use hgpo_env::gridworld::{Map, ObservationMode};

    #[test]
    fn lanes_differ_in_the_estimator_alone() {
        let setup = Setup::default();
        assert_eq!(setup.seeds(), (1..=8).collect::<Vec<u64>>());
        let mut settings = [0, 1, 2].map(|lane| setup.settings(lane));
        let names = settings.each_ref().map(|one| one["estimator"]["name"].clone());
        assert_eq!(names, ["grpo", "gigpo", "hgpo"]);
        for one in &mut settings {
            one.remove("estimator");
        }
        assert!(settings[0] == settings[1] && settings[1] == settings[2]);
        assert_eq!(settings[0]["learn"]["normalize_advantages"], true);
        assert_eq!(settings[0]["environment"]["gridworld"]["world"], "switchback");
    }

    #[test]
    fn what_is_seen_starts_again_and_what_is_rewarded_goes_on() {
        let setup = Setup::default();
        let with = |change: &dyn Fn(&mut Setup)| {
            let mut changed = setup.clone();
            change(&mut changed);
            changed.keeps_weights(&setup)
        };
        let dial = |dial, value| with(&|it| it.dials.turn(dial, value));
        assert!(dial(Dial::Slip, 0.3) && dial(Dial::Reward, 1.0) && dial(Dial::Group, 16.0));
        assert!(with(&|it| it.lanes[0] = Estimator::default()));
        assert!(!dial(Dial::Memory, 0.0) && !dial(Dial::Seeds, 2.0) && !dial(Dial::Seed, 2.0));
        assert!(!with(&|it| it.sight = ObservationMode::Place));
        assert!(!with(&|it| it.map = Map::parse("SG").ok()));
        let same = setup.played();
        assert!(with(&|it| it.map.clone_from(&same)), "the same map, written out");
    }

    #[test]
    fn what_is_typed_is_checked() {
        let hgpo = Estimator::default();
        let set = |key, text| with(&hgpo, key, text).and_then(|changed| value(&changed, key));
        assert_eq!(set("context_length", " 4 ").as_deref(), Some("4"));
        for wrong in ["-1", "17", "", "1.5", "many"] {
            assert_eq!(set("context_length", wrong), None, "{wrong}");
        }
        assert_eq!(set("step_weight", "1"), None, "HGPO has none");
        // Only the reference code's weights have a place for the base group.
        assert_eq!(set("base_group", "true"), None);
    }
}
