//! Setups as addresses hold them: `world.signpost_sight.labels_slip.0_…_lane.grpo_lane.hgpo*alpha.2`.
//!
//! Items between `_`, a name and a value around the first `.`; the options of a lane after `*`, as flags of
//! the command line are named. An address keeps every letter of it as it is. What is left out has its
//! default, but a text without any item is the world that is shown first. After `at.40` come the changes that were made after iteration 40. With `until.60` play stops at
//! iteration 60.

use super::dial::Dial;
use super::setup::{ITERATIONS, LANES, Setup, unchanged};
use super::team::TEAM;
use super::{INSIDE, map_text};
use hgpo_core::{Declaration, Estimator, Options};
use hgpo_env::gridworld::{ObservationMode, World};
use serde_json::{Map, Value};

/// The most letters of a setup, more than any that is written.
const LETTERS: usize = 4000;

/// The most changes of a setup.
pub(crate) const CHANGES: usize = 64;

/// Why a text is no setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Too many letters.
    TooLong,
    /// Nothing of this name is set.
    Unknown(String),
    /// No such world.
    World(String),
    /// No such sight.
    ObservationMode(String),
    /// Not what a dial can be.
    Dial(Dial, String),
    /// Not a map: why.
    Map(String),
    /// Not an estimator with its options: why.
    Lane(String),
    /// More lanes than there are, or more changes.
    TooMany,
    /// A change at an iteration that does not come after the one before.
    At(String),
}

/// A setup, and the changes that were made while its lanes learned.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Plan {
    /// What was set to begin with.
    pub(crate) first: Setup,
    /// What was set after an iteration, in the order of the iterations.
    pub(crate) later: Vec<(u64, Setup)>,
    /// The iteration at which play stops, to be played on from; none if it goes on and on.
    pub(crate) until: Option<u64>,
}

impl Plan {
    /// What is set in the end.
    pub(crate) fn last(&self) -> &Setup {
        self.later.last().map_or(&self.first, |(_, setup)| setup)
    }

    /// What is set once an iteration is done.
    pub(crate) fn at(&self, iteration: u64) -> &Setup {
        let later = self.later.iter().rev().find(|(at, _)| *at <= iteration);
        later.map_or(&self.first, |(_, setup)| setup)
    }

    /// The iteration of the first change after another one.
    pub(crate) fn next_change(&self, iteration: u64) -> Option<u64> {
        self.later.iter().map(|(at, _)| *at).find(|at| *at > iteration)
    }

    /// The plan as text.
    pub(crate) fn written(&self) -> String {
        let mut words = items(&self.first);
        words.extend(self.until.map(|until| ("until", until.to_string())));
        let mut before = &self.first;
        for (at, setup) in &self.later {
            words.push(("at", at.to_string()));
            let former = items(before);
            let is_other = |item: &(&str, String)| match item.0 {
                "lane" => setup.lanes != before.lanes,
                _ => !former.contains(item),
            };
            words.extend(items(setup).into_iter().filter(is_other));
            before = setup;
        }
        words.iter().map(|(name, value)| format!("{name}.{value}")).collect::<Vec<_>>().join("_")
    }

    /// The plan of a text.
    pub(crate) fn read(text: &str) -> Result<Self, Refusal> {
        if text.len() > LETTERS {
            return Err(Refusal::TooLong);
        }
        let mut plan = Self::default();
        if text.is_empty() {
            return Ok(plan);
        }
        let mut setup = Setup::plain();
        let mut at = None;
        let mut has_lanes = false;
        for item in text.split('_').filter(|item| !item.is_empty()) {
            let (name, value) = item.split_once('.').unwrap_or((item, ""));
            if name == "until" {
                let until = value.parse().ok().filter(|until| (1..ITERATIONS).contains(until));
                plan.until = Some(until.ok_or_else(|| Refusal::Unknown(item.to_owned()))?);
            } else if name == "at" {
                plan.keep(at, setup.clone())?;
                let after = at.unwrap_or(0) + 1;
                let found = value.parse().ok().filter(|at| (after..ITERATIONS).contains(at));
                at = Some(found.ok_or_else(|| Refusal::At(value.to_owned()))?);
                has_lanes = false;
            } else if name == "lane" {
                if !std::mem::replace(&mut has_lanes, true) {
                    setup.lanes.clear();
                }
                setup.lanes.push(read_lane(value)?);
            } else {
                set(&mut setup, name, value)?;
            }
            if setup.lanes.len() > LANES {
                return Err(Refusal::TooMany);
            }
        }
        plan.keep(at, setup)?;
        Ok(plan)
    }

    /// Adds what is set after an iteration; none at the start.
    fn keep(&mut self, at: Option<u64>, setup: Setup) -> Result<(), Refusal> {
        match at {
            None => self.first = setup,
            Some(at) if setup.keeps_weights(self.last()) => self.later.push((at, setup)),
            Some(at) => return Err(Refusal::At(at.to_string())),
        }
        if self.later.len() > CHANGES { Err(Refusal::TooMany) } else { Ok(()) }
    }
}

/// Everything of a setup, by name.
fn items(setup: &Setup) -> Vec<(&'static str, String)> {
    let mut items = vec![("world", setup.world.to_owned())];
    if let Some(map) = &setup.map {
        items.push(("map", map_text::written(map)));
    }
    if !setup.is_team() {
        items.push(("sight", setup.sight.name().to_owned()));
    }
    items.extend(setup.dials().map(|dial| (dial.name(), dial.written(setup.dials.get(dial)))));
    items.extend(setup.lanes.iter().map(|lane| ("lane", written(lane))));
    items
}

/// An estimator, with the one inside it and the options that are not its own defaults.
fn written(estimator: &Estimator) -> String {
    let mut words = vec![estimator.name().to_owned()];
    let own = unchanged(estimator).flat();
    for (name, value) in estimator.flat() {
        if name != "name" && (name == INSIDE || own.get(&name) != Some(&value)) {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            words.push(format!("{}.{value}", name.replace('_', "-")));
        }
    }
    words.join("*")
}

fn read_lane(value: &str) -> Result<Estimator, Refusal> {
    let mut words = value.split('*');
    let name = words.next().unwrap_or_default();
    let refuse = |error: hgpo_core::Error| Refusal::Lane(error.to_string());
    Estimator::default_named(name).map_err(refuse)?;
    let mut options = Map::new();
    options.insert("name".to_owned(), name.into());
    for word in words {
        let (option, value) = word.split_once('.').unwrap_or((word, ""));
        let declared = Declaration::named(&option.replace('-', "_"));
        let declared = declared.ok_or_else(|| Refusal::Unknown(option.to_owned()))?;
        let value: Value = declared.parse(value).map_err(refuse)?;
        options.insert(declared.name.to_owned(), value);
    }
    let estimator = Estimator::from_flat(&options).map_err(refuse)?;
    let options = Options { estimator, ..Options::default() };
    options.validate().map_err(refuse)?;
    Ok(options.estimator)
}

fn set(setup: &mut Setup, name: &str, value: &str) -> Result<(), Refusal> {
    match name {
        "world" if value == TEAM => *setup = Setup::of_team(),
        "world" => {
            let world = World::named(value).ok_or_else(|| Refusal::World(value.to_owned()))?;
            *setup = setup.clone().in_world(world);
        }
        // There is no map to be seen, or to slip on.
        "map" | "sight" | "slip" | "cost" if setup.is_team() => {
            return Err(Refusal::Unknown(name.to_owned()));
        }
        "map" => {
            let map = map_text::read(value).map_err(|error| Refusal::Map(error.to_string()));
            setup.map = Some(map?);
        }
        "sight" => {
            let found = ObservationMode::ALL.into_iter().find(|sight| sight.name() == value);
            setup.sight = found.ok_or_else(|| Refusal::ObservationMode(value.to_owned()))?;
        }
        _ => {
            let dial = Dial::of_name(name).ok_or_else(|| Refusal::Unknown(name.to_owned()))?;
            let found = dial.parse(value).ok_or_else(|| Refusal::Dial(dial, value.to_owned()));
            setup.dials.turn(dial, found?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Plan, Refusal};
    use crate::train::model::Dial;
    use crate::train::model::setup::Setup;
    use hgpo_core::{Estimator, Hgpo};
    use hgpo_env::gridworld::{Map, ObservationMode, WORLDS};

    fn is_kept_by_addresses(text: &str) -> bool {
        text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-*".contains(&byte))
    }

    #[test]
    fn every_setup_comes_back() {
        let mut setup = Setup { sight: ObservationMode::Place, ..Setup::default() };
        setup.dials.turn(Dial::Slip, 0.15);
        setup.lanes[2] = Estimator::Hgpo(Hgpo { context_length: 4, alpha: 0.5, ..Hgpo::default() });
        setup.map = Map::parse("####\n#SG#\n#~a#\n####").ok();
        for world in WORLDS {
            let plan = Plan { first: Setup::default().in_world(world), ..Plan::default() };
            assert_eq!(Plan::read(&plan.written()), Ok(plan));
        }
        for name in Estimator::NAMES {
            setup.lanes[0] = Estimator::default_named(name).expect("known");
            let plan = Plan { first: setup.clone(), ..Plan::default() };
            let text = plan.written();
            assert!(is_kept_by_addresses(&text), "{text}");
            assert!(text.contains("_map.4W*WSGW*WCaW*4W_sight.place_slip.0.15_"), "{text}");
            assert!(text.ends_with("_lane.gigpo_lane.hgpo*context-length.4*alpha.0.5"), "{text}");
            assert_eq!(Plan::read(&text), Ok(plan));
        }
    }

    #[test]
    fn a_team_comes_back_without_what_is_of_maps() {
        let mut setup = Setup::of_team();
        setup.dials.turn(Dial::Rate, 0.5);
        let mut other = setup.clone();
        other.lanes[0] = Estimator::default();
        let plan = Plan { first: setup, later: vec![(40, other)], until: None };
        let text = plan.written();
        assert!(is_kept_by_addresses(&text), "{text}");
        assert!(text.starts_with("world.guide-and-walker_reward.10_steps.20_memory.0_"), "{text}");
        assert!(
            text.contains("_lane.grpo_lane.dr-mas*inside.grpo_lane.dr-mas*inside.gigpo_at.40_"),
            "{text}"
        );
        assert_eq!(Plan::read(&text), Ok(plan));
        for of_maps in ["map.SG", "sight.place", "slip.0.1", "cost.1"] {
            let refused = Plan::read(&format!("world.guide-and-walker_{of_maps}"));
            let name = of_maps.split('.').next().expect("a name");
            assert_eq!(refused, Err(Refusal::Unknown(name.to_owned())));
        }
        assert!(matches!(Plan::read("at.4_world.guide-and-walker"), Err(Refusal::At(_))));
    }

    #[test]
    fn changes_are_written_as_what_differs() {
        let first = Setup::default();
        let mut second = first.clone();
        second.dials.turn(Dial::Slip, 0.3);
        let mut third = second.clone();
        third.lanes[0] = Estimator::default();
        let plan = Plan {
            first: first.clone(),
            later: vec![(40, second.clone()), (55, third)],
            until: Some(60),
        };
        let text = plan.written();
        assert!(
            text.ends_with("_until.60_at.40_slip.0.3_at.55_lane.hgpo_lane.gigpo_lane.hgpo"),
            "{text}"
        );
        assert_eq!(Plan::read(&text).as_ref(), Ok(&plan));
        assert_eq!((plan.at(39), plan.at(40), plan.at(54)), (&first, &second, &second));
        assert_eq!(
            (plan.next_change(0), plan.next_change(40), plan.next_change(55)),
            (Some(40), Some(55), None)
        );
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        assert_eq!(Plan::read(""), Ok(Plan::default()));
        let plan = Plan::read("group.16").expect("a setup");
        assert_eq!(plan.first.whole(Dial::Group), 16);
        assert_eq!(plan.first.lanes, Setup::plain().lanes);
        assert_eq!((plan.first.world, plan.first.sight), ("switchback", Setup::plain().sight));
        assert_eq!(Plan::read("lane.hgpo").map(|plan| plan.first.lanes.len()), Ok(1));
    }

    #[test]
    fn texts_that_are_no_setup_are_refused() {
        let refused = |text: &str| Plan::read(text).expect_err(text);
        assert_eq!(refused("world.mars"), Refusal::World("mars".to_owned()));
        assert_eq!(refused("sight.all"), Refusal::ObservationMode("all".to_owned()));
        assert_eq!(refused("slip.2"), Refusal::Dial(Dial::Slip, "2".to_owned()));
        assert_eq!(refused("group.NaN"), Refusal::Dial(Dial::Group, "NaN".to_owned()));
        assert_eq!(refused("<b>.1"), Refusal::Unknown("<b>".to_owned()));
        assert_eq!(refused(&"x".repeat(5000)), Refusal::TooLong);
        assert_eq!(refused("lane.grpo_lane.grpo_lane.grpo_lane.grpo"), Refusal::TooMany);
        assert!(matches!(refused("map.4W"), Refusal::Map(_)));
        assert!(matches!(refused("lane.ppo"), Refusal::Lane(_)));
        assert!(matches!(refused("lane.hgpo*alpha.-1"), Refusal::Lane(_)));
        assert_eq!(refused("lane.hgpo*speed.1"), Refusal::Unknown("speed".to_owned()));
        assert!(matches!(refused("lane.grpo*alpha.1"), Refusal::Lane(_)), "GRPO has none");
        assert!(matches!(refused("lane.dr-mas*inside.dr-mas"), Refusal::Lane(_)));
        assert!(matches!(refused("lane.hgpo*base-group.true"), Refusal::Lane(_)));
        for wrong in [
            "at.x",
            "at.40_slip.0.1_at.40",
            "at.40_at.30",
            "at.10000",
            "at.4_memory.0",
            "at.4_map.SG",
        ] {
            assert!(matches!(refused(wrong), Refusal::At(_)), "{wrong}");
        }
        for wrong in ["until.0", "until.x", "until.10000"] {
            assert_eq!(refused(wrong), Refusal::Unknown(wrong.to_owned()));
        }
    }

    #[test]
    fn every_setup_of_a_lesson_is_read() {
        let lessons = [
            include_str!("../../../../assets/lessons/memory.json"),
            include_str!("../../../../assets/lessons/race.json"),
            include_str!("../../../../assets/lessons/limits.json"),
        ];
        for text in lessons {
            let lesson: serde_json::Value = serde_json::from_str(text).expect("JSON");
            let stops = lesson["steps"].as_array().expect("steps");
            assert!(stops.len() > 4);
            for stop in stops {
                let setup = stop["train"]["setup"].as_str().expect("a setup");
                assert!(is_kept_by_addresses(setup), "{setup}");
                let plan = Plan::read(setup).expect(setup);
                assert!(plan.later.is_empty() && setup.contains(plan.first.world), "{setup}");
            }
        }
    }
}
