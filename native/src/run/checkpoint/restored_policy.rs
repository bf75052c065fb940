//! Policy to be played: of a run's newest checkpoint, or a language model as it is, on a device, with what it takes to play it.

use std::num::NonZero;
use std::sync::Arc;

use hgpo_env::Suite;
use hgpo_env::panel::Panel;
use hgpo_env::registry::PanelEntry;
use hgpo_train::config::Config;
use hgpo_train::trainer::Learner;

use super::setting_changes;
use crate::device::{self, Chosen, DeviceChoice, Workload};
use crate::run::environment::{EnvironmentInputs, ExternalSource, suite};
use crate::run::external_environment::ExternalOptions;
use crate::run::policy::{learner, pretrained};
use crate::run::{
    Checkpoints, Display, Inputs, Interrupt, Machine, RunDirectory, RunError, Threads,
};

/// A run's newest checkpoint, restored.
pub(crate) struct RestoredPolicy {
    pub(crate) learner: Box<dyn Learner>,
    pub(crate) suite: Arc<dyn Suite>,
    /// The panel that is the suite's evaluation tasks.
    pub(crate) panel: Option<Panel>,
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

/// What a policy is played with: a device, and the tasks.
pub(crate) struct PlayOptions {
    pub(crate) device: DeviceChoice,
    pub(crate) threads: Option<NonZero<usize>>,
    /// A panel that takes the place of the tasks that evaluations draw.
    pub(crate) panel: Option<&'static PanelEntry>,
    /// What may play an environment of one's own.
    pub(crate) external: ExternalOptions,
}

/// A device and tasks that were opened.
struct Prepared {
    chosen: Chosen,
    threads: Threads,
    suite: Arc<dyn Suite>,
    environment: EnvironmentInputs,
    panel: Option<Panel>,
}

impl Prepared {
    fn open(
        config: &Config,
        options: &PlayOptions,
        recorded: Option<Inputs>,
        session: &RestoreContext,
    ) -> anyhow::Result<Self> {
        pretrained::prepare_memory(config);
        let threads = Threads::new(options.threads);
        let chosen = device::choose(options.device, Workload::run(config, threads.count()))?;
        let recorded = recorded.and_then(|it| it.external);
        let interrupt = session.interrupt.clone();
        let source = ExternalSource { options: options.external.clone(), recorded, interrupt };
        let (mut suite, environment) = suite(&config.environment, &source)?;
        let panel = options.panel.map(|entry| Panel::open(entry, suite.as_ref())).transpose()?;
        if let Some(panel) = &panel {
            suite = Arc::new(panel.clone().suite(suite));
        }
        let threads = threads.on(chosen.adapter.as_ref());
        Ok(Self { chosen, threads, suite, environment, panel })
    }

    /// Shows which policy it is and where it lives.
    fn ready(
        self,
        (learner, iteration): (Box<dyn Learner>, u64),
        policy: &str,
        session: &RestoreContext,
    ) -> anyhow::Result<RestoredPolicy> {
        let Self { chosen, threads, suite, panel, .. } = self;
        let RestoreContext { display, interrupt, show } = session;
        show(display, &format!("device {}", chosen.reason));
        // Before the line that says it has begun: from then on it can be stopped.
        interrupt.listen(display)?;
        show(display, &format!("policy {policy}"));
        let machine = Machine::new(threads, interrupt.clone(), Arc::clone(display));
        Ok(RestoredPolicy { learner, suite, panel, iteration, device: chosen.reason, machine })
    }
}

/// The language model of the settings as it is, before anything was learned.
///
/// # Errors
/// No such model or device, or data that is missing.
pub(crate) fn untrained(
    config: &Config,
    options: &PlayOptions,
    session: &RestoreContext,
) -> anyhow::Result<RestoredPolicy> {
    let prepared = Prepared::open(config, options, None, session)?;
    let Prepared { chosen, threads, suite, environment, .. } = &prepared;
    let inputs = Inputs::of(config, environment.clone(), &session.display)?;
    let (suite, threads) = (Arc::clone(suite), threads.count());
    let from = (None, &inputs);
    let (learner, _) =
        learner::open_learner(config, suite, chosen, threads, &session.display, from, None)?;
    prepared.ready((learner, 0), &config.pretrained.model, session)
}

/// Restores the newest checkpoint of a run and shows which it is and where it lives.
///
/// # Errors
/// No checkpoint, one that is damaged, no such device.
pub(crate) fn restore(
    directory: &RunDirectory,
    config: &Config,
    options: &PlayOptions,
    session: &RestoreContext,
) -> anyhow::Result<RestoredPolicy> {
    let checkpoints = Checkpoints::new(directory.checkpoints(), config.checkpoint.keep);
    let recorded =
        checkpoints.with_newest(|newest| Ok(Inputs::recorded(directory, Some(newest))?))?;
    let prepared = Prepared::open(config, options, recorded.flatten(), session)?;
    let Prepared { chosen, threads, suite, environment, .. } = &prepared;
    let display = &session.display;
    let restored = checkpoints.with_newest(|newest| {
        checkpoints.verify(newest)?;
        setting_changes::check(newest, config)?;
        let inputs =
            Inputs::checked(directory, Some(newest), config, environment.clone(), display)?;
        let from = (Some(newest), &inputs);
        let suite = Arc::clone(suite);
        let (mut learner, _) =
            learner::open_learner(config, suite, chosen, threads.count(), display, from, None)?;
        checkpoints.restore(newest, learner.as_mut())?;
        Ok((newest.clone(), learner))
    })?;
    let (newest, learner) = restored.ok_or_else(|| RunError::NoCheckpoint {
        checkpoints: directory.checkpoints(),
        run: directory.root.clone(),
    })?;
    let path = newest.path.display().to_string();
    prepared.ready((learner, newest.iteration), &path, session)
}
