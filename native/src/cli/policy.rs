//! The policy that a run has learned, on a device, with what it takes to play it.

use std::num::NonZero;
use std::sync::Arc;

use hgpo_env::Suite;
use hgpo_train::config::Config;
use hgpo_train::trainer::Learner;

use crate::device::{self, DeviceChoice, Workload};
use crate::run::environment::suite;
use crate::run::{
    Checkpoints, Display, Inputs, Interrupt, Machine, RunDirectory, RunError, Threads, fixed,
    pretrained, start,
};

/// A run's newest checkpoint, restored.
pub(super) struct Restored {
    pub(super) learner: Box<dyn Learner>,
    pub(super) suite: Arc<dyn Suite>,
    /// Iterations that the policy had learned.
    pub(super) iteration: u64,
    /// Where it lives, and why there.
    pub(super) device: String,
    pub(super) machine: Machine,
}

/// What all policies share that are restored one after the other.
pub(super) struct Session {
    pub(super) display: Arc<Display>,
    interrupt: Interrupt,
    /// How lines are told that are not what was asked for.
    tell: fn(&Display, &str),
}

impl Session {
    pub(super) fn new(tell: fn(&Display, &str)) -> Self {
        Self { display: Arc::new(Display::new()), interrupt: Interrupt::default(), tell }
    }
}

/// Restores the newest checkpoint of a run and tells which it is and where it lives.
///
/// # Errors
/// No checkpoint, one that is damaged, no such device.
pub(super) fn restore(
    directory: &RunDirectory,
    config: &Config,
    device: DeviceChoice,
    threads: Option<NonZero<usize>>,
    session: &Session,
) -> anyhow::Result<Restored> {
    let checkpoints = Checkpoints::new(directory.checkpoints(), config.checkpoint.keep);
    let Session { display, interrupt, tell } = session;
    pretrained::prepare_memory(config);
    let threads = Threads::new(threads);
    let chosen = device::choose(device, Workload::run(config, threads.count()))?;
    let (suite, data) = suite(&config.environment)?;
    let threads = threads.on(chosen.adapter.as_ref());
    let restored = checkpoints.with_newest(|newest| {
        checkpoints.verify(newest)?;
        fixed::check(newest, config)?;
        let inputs = Inputs::checked(directory, Some(newest), config, data.clone(), display)?;
        let from = (Some(newest), &inputs);
        let suite = Arc::clone(&suite);
        let (mut learner, _) =
            start::learner(config, suite, &chosen, threads.count(), display, from, None)?;
        checkpoints.restore(newest, learner.as_mut())?;
        Ok((newest.clone(), learner))
    })?;
    let (newest, learner) = restored.ok_or_else(|| RunError::NoCheckpoint {
        checkpoints: directory.checkpoints(),
        run: directory.root().to_owned(),
    })?;
    tell(display, &format!("device {}", chosen.reason));
    // Before the line that tells it has begun: from then on it can be stopped.
    interrupt.listen(display)?;
    tell(display, &format!("policy {}", newest.path.display()));
    let machine = Machine::new(threads, interrupt.clone(), Arc::clone(display));
    Ok(Restored { learner, suite, iteration: newest.iteration, device: chosen.reason, machine })
}
