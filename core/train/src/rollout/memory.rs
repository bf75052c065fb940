//! Memory of an episode: past steps, by the agent that took them.

/// One past step as prompts repeat it: the observation before the action, and the action.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RememberedStep {
    /// What was seen.
    pub observation: String,
    /// What was done.
    pub action: String,
}

/// What each agent remembers, which is what it saw and did itself; without agents, there is one memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memories(Vec<(Option<String>, Vec<RememberedStep>)>);

impl Memories {
    /// The memory of an agent.
    #[must_use]
    pub fn of(&self, agent: Option<&str>) -> &[RememberedStep] {
        let own = self.0.iter().find(|(name, _)| name.as_deref() == agent);
        own.map_or(&[], |(_, steps)| steps)
    }

    /// Adds a step that an agent took.
    pub fn push(&mut self, agent: Option<&str>, step: RememberedStep) {
        match self.0.iter_mut().find(|(name, _)| name.as_deref() == agent) {
            Some((_, steps)) => steps.push(step),
            None => self.0.push((agent.map(str::to_owned), vec![step])),
        }
    }

    /// Keeps the last steps of each agent.
    pub(crate) fn keep_last(&mut self, length: usize) {
        for (_, steps) in &mut self.0 {
            steps.drain(..steps.len().saturating_sub(length));
        }
        self.0.retain(|(_, steps)| !steps.is_empty());
    }

    /// The steps of all agents, agent by agent.
    pub(crate) fn all(&self) -> impl Iterator<Item = &RememberedStep> {
        self.0.iter().flat_map(|(_, steps)| steps)
    }
}
