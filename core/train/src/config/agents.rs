//! Agents of a team: which policy each of them acts with.

use std::collections::BTreeMap;

use hgpo_env::Suite;
use serde::{Deserialize, Serialize};

use super::{Config, ConfigError, CriticKind, ranges};

/// An agent, by whose name the settings are found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AgentConfig {
    /// Whether it has a policy of its `own`, or one that is `shared` by all that have none.
    pub policy: AgentPolicy,
    /// Peak learning rate of a policy of its own; that of `learn` if it is not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learning_rate: Option<f64>,
}

/// Whose policy an agent acts with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AgentPolicy {
    /// That of all who have none of their own.
    #[default]
    Shared,
    /// Its own.
    Own,
}

/// What the loss is a mean over, if there are several agents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AgentAverage {
    /// All turns of an iteration: an agent that acts more often counts for more.
    #[default]
    Turns,
    /// The agents, each of whom counts by the mean over its own turns.
    Agents,
}

/// Which rewards an agent learns from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AgentRewards {
    /// Those of the team, which are the same for all.
    #[default]
    Team,
    /// What it earns itself.
    Own,
}

/// A policy of a team.
#[derive(Clone, Debug, PartialEq)]
pub struct TeamMember {
    /// The agents that act with it.
    pub agents: Vec<String>,
    /// Its learning rate, as a multiple of that of `learn`.
    pub learning_rate_factor: f64,
}

impl Config {
    /// Policies of a team, at most: what is known without its environment.
    #[must_use]
    pub fn most_policies(&self) -> usize {
        1 + self.agents.values().filter(|agent| agent.policy == AgentPolicy::Own).count()
    }

    /// The policies of an environment's agents, in the order in which agents are named: those of their own, and the
    /// shared one where the first of its agents is.
    #[must_use]
    pub fn team(&self, suite: &dyn Suite) -> Vec<TeamMember> {
        let mut members: Vec<TeamMember> = Vec::new();
        let mut shared = None;
        for name in suite.agents() {
            let agent = self.agents.get(name).cloned().unwrap_or_default();
            if agent.policy == AgentPolicy::Shared {
                let place = *shared.get_or_insert(members.len());
                if let Some(member) = members.get_mut(place) {
                    member.agents.push(name.to_owned());
                    continue;
                }
            }
            let rate = agent.learning_rate.unwrap_or(self.learn.learning_rate);
            let learning_rate_factor = rate / self.learn.learning_rate;
            members.push(TeamMember { agents: vec![name.to_owned()], learning_rate_factor });
        }
        members
    }

    /// Checks what is said of agents, whoever they are.
    pub(super) fn check_agents(&self) -> Result<(), ConfigError> {
        for (name, agent) in &self.agents {
            let field = |of: &str| format!("agents.{name}.{of}");
            let Some(rate) = agent.learning_rate else { continue };
            if agent.policy == AgentPolicy::Shared {
                let reason = "a shared policy learns at learn.learning_rate: set policy=\"own\" for a rate of its own";
                return Err(ConfigError::new(&field("learning_rate"), reason));
            }
            ranges::check("learn.", &BTreeMap::from([("learning_rate", rate)]))
                .map_err(|error| ConfigError::new(&field("learning_rate"), &error.reason))?;
        }
        if self.learn.agent_rewards == AgentRewards::Own {
            self.check_own_rewards()?;
        }
        if self.most_policies() > 1 && self.critic.kind != CriticKind::None {
            let reason = "a critic reads what one policy makes of prompts: let all agents share a policy, or set \
                          critic.kind=none";
            return Err(ConfigError::new("critic.kind", reason));
        }
        Ok(())
    }

    /// Checks that nothing values states by the rewards of the team, where agents learn from their own.
    fn check_own_rewards(&self) -> Result<(), ConfigError> {
        let teams = [
            ("critic.kind", self.critic.kind != CriticKind::None, "none"),
            ("learn.restarts", self.learn.restarts > 0, "0"),
        ];
        match teams.into_iter().find(|(_, is_set, _)| *is_set) {
            None => Ok(()),
            Some((field, _, other)) => {
                let reason = format!(
                    "values states by the reward of the team: set it to {other}, or learn.agent_rewards=team"
                );
                Err(ConfigError::new(field, &reason))
            }
        }
    }

    /// Checks that the agents of the settings are those of an environment.
    pub(super) fn check_agents_of(&self, suite: &dyn Suite) -> Result<(), ConfigError> {
        if self.learn.agent_rewards == AgentRewards::Own && !suite.gives_agent_rewards() {
            let environment = suite.name();
            let reason =
                format!("{environment} does not tell what each agent earns: set it to team");
            return Err(ConfigError::new("learn.agent_rewards", &reason));
        }
        let known = suite.agents();
        let unknown = self.agents.keys().find(|name| !known.contains(&name.as_str()));
        let Some(name) = unknown else { return Ok(()) };
        let environment = suite.name();
        let reason = match known[..] {
            [] => format!("{environment} has no agents to tell apart: leave the table out"),
            _ => format!("{environment} has no such agent: choose from {}", known.join(", ")),
        };
        Err(ConfigError::new(&format!("agents.{name}"), &reason))
    }
}
