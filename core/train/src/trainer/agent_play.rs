//! What each agent of a team did in some episodes.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use hgpo_core::Trajectory;
use serde::Serialize;

/// Counts of what an agent did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgentPlay {
    /// Its turns.
    pub turns: usize,
    /// Those of them with an invalid response.
    pub invalid: usize,
    /// Episodes in which it acted.
    pub episodes: usize,
    /// Those of them that succeeded.
    pub won: usize,
}

/// The same as means.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AgentMeans {
    /// Turns an episode, over all episodes.
    pub turns: f64,
    /// Success of the episodes in which it acted; 0 if there are none.
    pub success_rate: f64,
    /// Its turns with an invalid response.
    pub invalid_fraction: f64,
}

impl AddAssign for AgentPlay {
    fn add_assign(&mut self, more: Self) {
        self.turns += more.turns;
        self.invalid += more.invalid;
        self.episodes += more.episodes;
        self.won += more.won;
    }
}

impl AgentPlay {
    /// Adds what agents did in episodes. Steps of nobody count for nobody.
    pub fn add_all<'a>(
        agents: &mut BTreeMap<String, Self>,
        episodes: impl IntoIterator<Item = &'a Trajectory>,
    ) {
        for episode in episodes {
            let mut acted: BTreeMap<&str, Self> = BTreeMap::new();
            for step in &episode.steps {
                let Some(name) = step.agent.as_deref() else { continue };
                let of = acted.entry(name).or_default();
                of.turns += 1;
                of.invalid += usize::from(!step.valid);
            }
            let won = usize::from(episode.success == Some(true));
            for (name, own) in acted {
                *agents.entry(name.to_owned()).or_default() += Self { episodes: 1, won, ..own };
            }
        }
    }

    /// The means over so many episodes.
    #[must_use]
    pub fn means(self, episodes: usize) -> AgentMeans {
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        AgentMeans {
            turns: share(self.turns, episodes),
            success_rate: share(self.won, self.episodes),
            invalid_fraction: share(self.invalid, self.turns),
        }
    }
}

#[cfg(test)]
mod tests {
    use hgpo_core::Step;

    use super::*;

    #[test]
    fn episodes_count_for_those_who_acted_in_them() {
        let step = |agent: &str, valid| Step {
            agent: Some(agent.into()),
            ..Step::new("s", 0.0).with_valid(valid)
        };
        let episode =
            |steps, won| Trajectory { success: Some(won), ..Trajectory::new("g", "0", steps) };
        let episodes = [
            episode(vec![step("b", true), step("a", false), step("b", true)], true),
            episode(vec![step("b", true)], false),
            episode(vec![Step::new("s", 0.0)], true),
            episode(Vec::new(), true),
        ];
        let mut agents = BTreeMap::new();
        AgentPlay::add_all(&mut agents, &episodes);
        let of = |turns, invalid, episodes, won| AgentPlay { turns, invalid, episodes, won };
        assert_eq!(
            agents,
            BTreeMap::from([("a".to_owned(), of(1, 1, 1, 1)), ("b".to_owned(), of(3, 0, 2, 1))])
        );
        let means = AgentMeans { turns: 0.75, success_rate: 0.5, invalid_fraction: 0.0 };
        assert_eq!(agents["b"].means(4), means);
    }
}
