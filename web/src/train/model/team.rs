//! The team in place of a world: a guide and a walker in one house, with a table of preferences.

use super::dial::Dial;
use super::setup::Setup;
use hgpo_core::Estimator;
use serde_json::json;

/// The name of the team's environment, which stands for it where worlds are named.
pub(crate) const TEAM: &str = "guide-and-walker";

/// Its agents: who speaks, then who acts.
pub(crate) const AGENTS: [&str; 2] = ["guide", "walker"];

/// What dials are to begin with where that differs from a world: as in the preset `guide-table`, with a rate that
/// shows a language within a minute, and fewer seeds, as its iterations are longer.
const DIALS: [(Dial, f64); 4] =
    [(Dial::Steps, 20.0), (Dial::Memory, 0.0), (Dial::Rate, 0.2), (Dial::Seeds, 4.0)];

/// The lanes to begin with: one normalisation for all agents, one for each, and one for each with states compared.
fn lanes() -> impl Iterator<Item = Estimator> {
    let within = |inside: &str| {
        let options = json!({ "name": "dr-mas", "inside": inside });
        Estimator::from_flat(options.as_object()?).ok()
    };
    [Estimator::default_named("grpo").ok(), within("grpo"), within("gigpo")].into_iter().flatten()
}

impl Setup {
    /// Whether a team plays.
    pub(crate) fn is_team(&self) -> bool {
        self.world == TEAM
    }

    /// The setup of the team, as it is there to be seen.
    pub(crate) fn of_team() -> Self {
        let mut setup = Self { world: TEAM, lanes: lanes().collect(), ..Self::plain() };
        for (dial, value) in DIALS {
            setup.dials.turn(dial, value);
        }
        setup
    }

    /// The dials that mean something: nothing slips or costs in a house.
    pub(crate) fn dials(&self) -> impl Iterator<Item = Dial> + use<> {
        let is_team = self.is_team();
        Dial::ALL.into_iter().filter(move |dial| !is_team || !dial.is_of_map())
    }
}

#[cfg(test)]
mod tests {
    use crate::train::model::{Dial, Setup};
    use hgpo_env::gridworld::World;

    #[test]
    fn a_team_has_settings_of_its_own_and_a_world_those_of_worlds() {
        let team = Setup::of_team();
        let lanes: Vec<_> = (0..team.lanes.len()).map(|at| team.settings(at)).collect();
        let names = lanes.iter().map(|it| (&it["estimator"]["name"], &it["estimator"]["inside"]));
        let wanted = [("grpo", None), ("dr-mas", Some("grpo")), ("dr-mas", Some("gigpo"))];
        for ((name, inside), (own, within)) in names.zip(wanted) {
            assert_eq!((name.as_str(), inside.as_str()), (Some(own), within));
        }
        let environment = &lanes[0]["environment"];
        assert_eq!(
            (&environment["name"], &environment["max_steps"]),
            (&"guide-and-walker".into(), &20.into())
        );
        assert!(environment["guide"]["layouts"] == 1 && environment.get("gridworld").is_none());
        assert_eq!(lanes[0]["rollout"]["history_length"], 0);
        assert!(!team.dials().any(|it| matches!(it, Dial::Slip | Dial::Cost)));
        let world = World::named("signpost").expect("a world");
        assert_eq!(team.in_world(world), Setup::plain().in_world(world));
    }
}
