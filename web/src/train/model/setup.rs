//! Everything that the reader sets, and the settings of a run that it stands for.

use super::dial::{Dial, Dials};
use super::team::TEAM;
use super::{INSIDE, Key};
use crate::model::controls::{shown, with as options_with};
use hgpo_core::{Estimator, Options};
use hgpo_env::gridworld::{Map, ObservationMode, World};
use hgpo_worker::training::message::Settings;
use serde_json::{Value, json};

/// The world of a setup that names none.
const UNNAMED: &str = "switchback";

/// The world that is shown first, one in which histories help, and what differs there from other worlds: a reward far
/// away is worth little, so that places that look alike are worth different things.
const FIRST: &str = "toll";
const OF_FIRST: [(Dial, f64); 2] = [(Dial::Discount, 0.75), (Dial::Cost, 2.0)];

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
        World::named(FIRST).map_or_else(Self::plain, Self::as_shown)
    }
}

impl Setup {
    /// What is set where nothing is said of it.
    pub(crate) fn plain() -> Self {
        let lane = |name| Estimator::default_named(name).ok();
        let setup = Self {
            world: "",
            map: None,
            sight: ObservationMode::default(),
            dials: Dials::default(),
            lanes: ["grpo", "gigpo", "hgpo"].into_iter().filter_map(lane).collect(),
        };
        match World::named(UNNAMED) {
            Some(world) => setup.in_world(world),
            None => setup,
        }
    }

    /// A world as it is there to be seen.
    pub(crate) fn as_shown(world: &'static World) -> Self {
        let mut setup = Self::plain().in_world(world);
        if world.name == FIRST {
            for (dial, value) in OF_FIRST {
                setup.dials.turn(dial, value);
            }
        }
        setup
    }

    /// Another world as it is there to be seen, but for what was set otherwise in this one.
    pub(crate) fn moved_to(&self, world: &'static World) -> Self {
        let mut setup = Self::as_shown(world);
        let Some(here) = World::named(self.world) else { return setup };
        let before = Self::as_shown(here);
        let is_other =
            |dial: &Dial| (self.dials.get(*dial) - before.dials.get(*dial)).abs() > 1e-12;
        // How much slips is the world's own.
        for dial in Dial::ALL.into_iter().filter(|dial| *dial != Dial::Slip).filter(is_other) {
            setup.dials.turn(dial, self.dials.get(dial));
        }
        if self.lanes != before.lanes {
            setup.lanes.clone_from(&self.lanes);
        }
        setup
    }

    /// This setup in another world, in which it sees and slips as is there to be seen; what is set where nothing is said of
    /// it, if it is a team's.
    pub(crate) fn in_world(mut self, world: &'static World) -> Self {
        if self.is_team() {
            self = Self::plain();
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

#[cfg(test)]
mod tests {
    use super::{Setup, value, with};
    use crate::train::model::Dial;
    use hgpo_core::Estimator;
    use hgpo_env::gridworld::{Map, ObservationMode, World};

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
        assert_eq!(settings[0]["environment"]["gridworld"]["world"], "toll");
        assert_eq!(settings[0]["learn"]["discount"], 0.75);
    }

    #[test]
    fn another_world_is_as_it_is_there_to_be_seen_but_for_what_was_set_otherwise() {
        let [toll, hall] = ["toll", "hall"].map(|name| World::named(name).expect("a world"));
        let first = Setup::default();
        assert_eq!(first.moved_to(hall), Setup::plain().in_world(hall));
        assert_eq!(first.moved_to(hall).moved_to(toll), first);
        let mut other = first.clone();
        other.dials.turn(Dial::Group, 4.0);
        other.dials.turn(Dial::Slip, 0.9);
        other.lanes.pop();
        let moved = other.moved_to(hall);
        assert_eq!((moved.whole(Dial::Group), moved.lanes.len()), (4, 2));
        let own = Setup::as_shown(hall);
        for dial in [Dial::Slip, Dial::Discount, Dial::Cost] {
            assert!((moved.dials.get(dial) - own.dials.get(dial)).abs() < 1e-12, "{dial:?}");
        }
        assert_eq!(Setup::of_team().moved_to(hall), own);
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
