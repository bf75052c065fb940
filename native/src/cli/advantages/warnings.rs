//! Warnings beside the numbers: what the estimator reads and no step has, and odd rows.

use hgpo_core::format::RolloutWarnings;
use hgpo_core::{Batch, Options};

/// What there is to say of rollouts, as far as they were read.
pub(crate) struct Warnings {
    /// Whether contexts are looked at, and no step has one.
    contexts: bool,
    /// Whether agents are looked at, and no step has one.
    agents: bool,
    rows: RolloutWarnings,
}

impl Warnings {
    pub(crate) fn of(options: &Options) -> Self {
        let estimator = &options.estimator;
        Self {
            contexts: estimator.reads_summaries(),
            agents: estimator.reads_agents(),
            rows: RolloutWarnings::default(),
        }
    }

    pub(crate) fn observe(&mut self, batch: &Batch) {
        let steps = || batch.trajectories().iter().flat_map(|trajectory| &trajectory.steps);
        self.contexts = self.contexts && steps().all(|step| step.context.is_none());
        self.agents = self.agents && steps().all(|step| step.agent.is_none());
    }

    /// What was noticed in all rows.
    pub(crate) fn add_rows(&mut self, noticed: RolloutWarnings) {
        self.rows = noticed;
    }

    /// A sentence for each.
    pub(crate) fn describe(&self) -> impl Iterator<Item = String> {
        let contexts = "no step has a `context`, so --history summary found only level 0";
        let agents = "no step has an `agent`, so dr-mas compared all steps, as the estimator of \
                      --inside does alone";
        let missing = [(self.contexts, contexts), (self.agents, agents)];
        let missing = missing.into_iter().filter(|(is_missing, _)| *is_missing);
        let missing = missing.map(|(_, warning)| warning.to_owned());
        missing.chain(self.rows.remarks())
    }
}
