//! Restored policy of a run's newest checkpoint, on a device, with what it takes to play it.

use std::num::NonZero;
use std::sync::Arc;

use hgpo_env::Suite;
use hgpo_train::config::Config;
use hgpo_train::trainer::Learner;

use super::setting_changes;
use crate::device::{self, DeviceChoice, Workload};
use crate::run::environment::suite;
use crate::run::policy::{learner, pretrained};
use crate::run::{
    Checkpoints, Display, Inputs, Interrupt, Machine, RunDirectory, RunError, Threads,
};

/// A run's newest checkpoint, restored.
pub(crate) struct RestoredPolicy {
    pub(crate) learner: Box<dyn Learner>,
    pub(crate) suite: Arc<dyn Suite>,
    /// Iterations that the policy had learned.
    pub(crate) iteration: u64,
    /// Where it lives, and why there.
    pub(crate) device: String,
    pub(crate) machine: Machine,
}

/// What all policies share that are restored one after the other.
pub(crate) struct RestoreContext {
    pub(crate) display: Arc<Display>,
    interrupt: Interrupt,
    /// How lines are shown that are not the result itself.
    show: fn(&Display, &str),
}

impl RestoreContext {
    pub(crate) fn new(show: fn(&Display, &str)) -> Self {
        Self { display: Arc::new(Display::new()), interrupt: Interrupt::default(), show }
    }
}

/// Restores the newest checkpoint of a run and shows which it is and where it lives.
///
/// # Errors
/// No checkpoint, one that is damaged, no such device.
pub(crate) fn restore(
    directory: &RunDirectory,
    config: &Config,
    device: DeviceChoice,
    threads: Option<NonZero<usize>>,
    session: &RestoreContext,
) -> anyhow::Result<RestoredPolicy> {
    let checkpoints = Checkpoints::new(directory.checkpoints(), config.checkpoint.keep);
    let RestoreContext { display, interrupt, show } = session;
    pretrained::prepare_memory(config);
    let threads = Threads::new(threads);
    let chosen = device::choose(device, Workload::run(config, threads.count()))?;
    let (suite, data) = suite(&config.environment)?;
    let threads = threads.on(chosen.adapter.as_ref());
    let restored = checkpoints.with_newest(|newest| {
        checkpoints.verify(newest)?;
        setting_changes::check(newest, config)?;
        let inputs = Inputs::checked(directory, Some(newest), config, data.clone(), display)?;
        let from = (Some(newest), &inputs);
        let suite = Arc::clone(&suite);
        let (mut learner, _) =
            learner::open_learner(config, suite, &chosen, threads.count(), display, from, None)?;
        checkpoints.restore(newest, learner.as_mut())?;
        Ok((newest.clone(), learner))
    })?;
    let (newest, learner) = restored.ok_or_else(|| RunError::NoCheckpoint {
        checkpoints: directory.checkpoints(),
        run: directory.root.clone(),
    })?;
    show(display, &format!("device {}", chosen.reason));
    // Before the line that says it has begun: from then on it can be stopped.
    interrupt.listen(display)?;
    show(display, &format!("policy {}", newest.path.display()));
    let machine = Machine::new(threads, interrupt.clone(), Arc::clone(display));
    Ok(RestoredPolicy {
        learner,
        suite,
        iteration: newest.iteration,
        device: chosen.reason,
        machine,
    })
}
