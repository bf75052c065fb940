//! Policy to be played: of a run's checkpoint, or a language model as it is, on a device, with what it takes to play it.

use std::num::NonZero;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use hgpo_env::Suite;
use hgpo_env::panel::Panel;
use hgpo_env::registry::PanelEntry;
use hgpo_train::config::Config;
use hgpo_train::trainer::Learner;

use super::setting_changes;
use crate::device::{self, Chosen, DeviceChoice, Workload};
use crate::run::environment::{EnvironmentInputs, ExternalSource, suite};
use crate::run::evaluation::records::{Best, EvaluationRecord};
use crate::run::external_environment::ExternalOptions;
use crate::run::policy::{learner, pretrained};
use crate::run::{
    Checkpoints, Display, Inputs, Interrupt, Machine, RunDirectory, RunError, Threads,
};

/// A policy, restored.
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

/// Which checkpoint of a run is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CheckpointChoice {
    /// The newest.
    #[default]
    Newest,
    /// That of the best evaluation by `checkpoint.best`; by success, if that is none.
    Best,
    /// That of an iteration.
    Iteration(u64),
}

impl CheckpointChoice {
    /// The iteration whose checkpoint it is; none of the newest.
    ///
    /// # Errors
    /// The best of a run without evaluations.
    fn iteration(self, directory: &RunDirectory, config: &Config) -> anyhow::Result<Option<u64>> {
        match self {
            Self::Newest => Ok(None),
            Self::Iteration(iteration) => Ok(Some(iteration)),
            Self::Best => {
                let path = directory.evaluations();
                let records = EvaluationRecord::read(&path)?;
                match Best::among(&records, &config.evaluation, config.best_by()) {
                    Some(best) => Ok(Some(best.iteration)),
                    None => bail!(
                        "{} has no whole evaluation: no checkpoint is the best",
                        path.display()
                    ),
                }
            }
        }
    }
}

impl FromStr for CheckpointChoice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "newest" => Ok(Self::Newest),
            "best" => Ok(Self::Best),
            _ => text.parse().map(Self::Iteration).map_err(|_| "use newest, best, or an iteration"),
        }
    }
}

/// What a policy is played with: a device, and the tasks.
pub(crate) struct PlayOptions {
    /// Of a run, which checkpoint.
    pub(crate) checkpoint: CheckpointChoice,
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

/// Restores a checkpoint of a run and shows which it is and where it lives.
///
/// # Errors
/// No such checkpoint, one that is damaged, no such device.
pub(crate) fn restore(
    directory: &RunDirectory,
    config: &Config,
    options: &PlayOptions,
    session: &RestoreContext,
) -> anyhow::Result<RestoredPolicy> {
    let checkpoints = Checkpoints::new(directory.checkpoints(), config.checkpoint.keep);
    let wanted = options.checkpoint.iteration(directory, config)?;
    let recorded =
        checkpoints.with(wanted, |found| Ok(Inputs::recorded(directory, Some(found))?))?;
    let prepared = Prepared::open(config, options, recorded.flatten(), session)?;
    let Prepared { chosen, threads, suite, environment, .. } = &prepared;
    let display = &session.display;
    let restored = checkpoints.with(wanted, |found| {
        checkpoints.verify(found)?;
        setting_changes::check(found, config)?;
        let inputs = Inputs::checked(directory, Some(found), config, environment.clone(), display)?;
        let from = (Some(found), &inputs);
        let suite = Arc::clone(suite);
        let (mut learner, _) =
            learner::open_learner(config, suite, chosen, threads.count(), display, from, None)?;
        checkpoints.restore(found, learner.as_mut())?;
        Ok((found.clone(), learner))
    })?;
    let Some((found, learner)) = restored else {
        return Err(missing(directory, &checkpoints, options.checkpoint, wanted)?);
    };
    let path = found.path.display().to_string();
    prepared.ready((learner, found.iteration), &path, session)
}

/// Why there is no checkpoint that was asked for, and which there are.
fn missing(
    directory: &RunDirectory,
    checkpoints: &Checkpoints,
    choice: CheckpointChoice,
    wanted: Option<u64>,
) -> Result<anyhow::Error, RunError> {
    let there: Vec<String> =
        checkpoints.list()?.iter().map(|one| one.iteration.to_string()).collect();
    let (Some(wanted), false) = (wanted, there.is_empty()) else {
        let (checkpoints, run) = (directory.checkpoints(), directory.root.clone());
        return Ok(RunError::NoCheckpoint { checkpoints, run }.into());
    };
    let (run, there) = (directory.root.display(), there.join(", "));
    Ok(match choice {
        CheckpointChoice::Best => anyhow!(
            "the best evaluation of {run} is that of iteration {wanted}, whose checkpoint was not kept (there are {there}): \
             train with --set checkpoint.best=success, which keeps it"
        ),
        _ => anyhow!(
            "{run} has no checkpoint of iteration {wanted}, only of {there}: checkpoint.keep and checkpoint.every say which are \
             kept"
        ),
    })
}
