//! Panel: a fixed list of evaluation tasks, with a name and a digest of all that they are.
//!
//! A panel is made by a rule that knows neither the order of files nor who plays it: all tasks of a split that
//! numbers them, in the order of their names; or else those that evaluations with the seed 0 draw, without
//! repetitions. If its digest is not the one that its entry names, settings or data differ from those it was made
//! with, and it is refused.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::registry::{Entry, PanelEntry, entries};
use crate::settings::Tables;
use crate::{EnvError, Environment, EnvironmentConfig, Player, SettingError, Split, Suite};

/// Draws per task after which a split is said to have too few.
const PATIENCE: usize = 100;

/// A fixed list of tasks.
///
/// ```
/// use hgpo_env::{panel, suite};
///
/// let (environment, entry) = panel::entry("sokoban-seen")?;
/// let suite = suite(&panel::config(environment, entry)?, None)?;
/// let panel = panel::Panel::open(entry, suite.as_ref())?;
/// assert_eq!(panel.tasks().len(), 500);
/// let first = suite.start(entry.split, panel.tasks()[0].seed)?;
/// assert!(first.plan().is_some());
/// # Ok::<(), hgpo_env::EnvError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Panel {
    entry: &'static PanelEntry,
    tasks: Vec<PanelTask>,
    digest: String,
}

/// A task of a panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanelTask {
    /// What it is known by: its file, its product and goal, or else the first 16 digits of its content's SHA-256.
    pub id: String,
    /// Its seed in the panel's split.
    pub seed: u64,
}

/// The panel of this name, and its environment.
///
/// # Errors
/// Names those that there are.
pub fn entry(name: &str) -> Result<(&'static Entry, &'static PanelEntry), SettingError> {
    let all = || entries().flat_map(|entry| entry.panels.iter().map(move |panel| (entry, panel)));
    all().find(|(_, panel)| panel.name == name).ok_or_else(|| {
        let known: Vec<&str> = all().map(|(_, panel)| panel.name).collect();
        let reason = format!("unknown panel '{name}'; choose from {}", known.join(", "));
        SettingError::new("panel", &reason)
    })
}

/// The settings that a panel is made under.
///
/// # Errors
/// Never for panels of entries: their settings are those of their environment.
pub fn config(environment: &Entry, panel: &PanelEntry) -> Result<EnvironmentConfig, SettingError> {
    let wrong = |error: serde_json::Error| SettingError::new("panel", &error.to_string());
    let own = serde_json::from_str(panel.settings).map_err(wrong)?;
    let tables = environment.table.map(|table| (table.name.to_owned(), own));
    let tables = Tables::try_from(tables.into_iter().collect::<BTreeMap<_, _>>());
    let tables = tables.map_err(|error| SettingError::new("panel", &error))?;
    let (name, max_steps) = (environment.name.to_owned(), environment.max_steps);
    Ok(EnvironmentConfig { name, max_steps, tables, ..EnvironmentConfig::default() })
}

impl Panel {
    /// The panel's tasks in a suite of its environment.
    ///
    /// # Errors
    /// If the suite has other tasks, or fewer; or if a task cannot be made.
    pub fn open(entry: &'static PanelEntry, suite: &dyn Suite) -> Result<Self, EnvError> {
        let failed = |problem: String| {
            EnvError::new(suite.name(), format!("panel '{}': {problem}", entry.name))
        };
        if !entries()
            .any(|it| it.name == suite.name() && it.panels.iter().any(|it| it.name == entry.name))
        {
            return Err(failed("it is of another environment".to_owned()));
        }
        let split = entry.split;
        let draws = suite.task_count(split).unwrap_or(PATIENCE * entry.tasks);
        let is_numbered = suite.task_count(split).is_some();
        let (mut known, mut tasks, mut whole) = (HashSet::new(), Vec::new(), Sha256::new());
        for place in 0..draws {
            if tasks.len() == entry.tasks {
                break;
            }
            let seed =
                if is_numbered { place as u64 } else { suite.evaluation_task(split, 0, place) };
            let content = Sha256::digest(suite.task_content(split, seed)?);
            if is_numbered || known.insert(content) {
                whole.update(content);
                let id = suite.task_id(split, seed);
                let id = id.unwrap_or_else(|| format!("{content:.16x}"));
                tasks.push(PanelTask { id, seed });
            }
        }
        let refused = |problem: String| {
            failed(format!(
                "{problem}: settings or data are not those it was made with (settings {})",
                entry.settings
            ))
        };
        if tasks.len() < entry.tasks {
            let (found, all) = (tasks.len(), entry.tasks);
            let split = split.name();
            return Err(refused(format!("it has {all} tasks, and the split {split} {found}")));
        }
        let digest = format!("{:x}", whole.finalize());
        if let Some(expected) = entry.digest.filter(|it| *it != digest) {
            return Err(refused(format!("its tasks have the digest {expected}, these {digest}")));
        }
        Ok(Self { entry, tasks, digest })
    }

    /// What its environment says of it.
    #[must_use]
    pub fn entry(&self) -> &'static PanelEntry {
        self.entry
    }

    /// The tasks, in their order.
    #[must_use]
    pub fn tasks(&self) -> &[PanelTask] {
        &self.tasks
    }

    /// SHA-256 of the SHA-256 of every task's content, in order.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The suite, evaluated on this panel alone: whatever the seed of an evaluation, its task at a place of the
    /// panel's split is the panel's.
    #[must_use]
    pub fn suite(self, suite: Arc<dyn Suite>) -> impl Suite {
        PanelSuite { panel: self, suite }
    }
}

/// A suite whose evaluations play a panel.
struct PanelSuite {
    panel: Panel,
    suite: Arc<dyn Suite>,
}

impl Suite for PanelSuite {
    fn evaluation_task(&self, split: Split, seed: u64, place: usize) -> u64 {
        let tasks = &self.panel.tasks;
        match place.checked_rem(tasks.len()) {
            Some(place) if split == self.panel.entry.split => tasks[place].seed,
            _ => self.suite.evaluation_task(split, seed, place),
        }
    }

    fn name(&self) -> &str {
        self.suite.name()
    }

    fn announce(&self, split: Split, task_seed: u64) {
        self.suite.announce(split, task_seed);
    }

    fn start(&self, split: Split, task_seed: u64) -> Result<Box<dyn Environment>, EnvError> {
        self.suite.start(split, task_seed)
    }

    fn source(&self, split: Split, task_seed: u64) -> Option<&str> {
        self.suite.source(split, task_seed)
    }

    fn task_count(&self, split: Split) -> Option<usize> {
        self.suite.task_count(split)
    }

    fn task_id(&self, split: Split, task_seed: u64) -> Option<String> {
        self.suite.task_id(split, task_seed)
    }

    fn task_content(&self, split: Split, task_seed: u64) -> Result<String, EnvError> {
        self.suite.task_content(split, task_seed)
    }

    fn kind(&self, split: Split, task_seed: u64) -> Option<&'static str> {
        self.suite.kind(split, task_seed)
    }

    fn repeated(&self, split: Split) -> Option<(usize, usize)> {
        self.suite.repeated(split)
    }

    fn max_steps(&self) -> usize {
        self.suite.max_steps()
    }

    fn training_task(&self, seed: u64, iteration: u64, place: usize) -> u64 {
        self.suite.training_task(seed, iteration, place)
    }

    fn player(&self, episode: &dyn Environment, seed: u64) -> Option<Box<dyn Player>> {
        self.suite.player(episode, seed)
    }

    fn vocabulary(&self) -> Result<Option<Vec<String>>, EnvError> {
        self.suite.vocabulary()
    }

    fn agents(&self) -> Vec<&str> {
        self.suite.agents()
    }

    fn gives_embeddings(&self) -> bool {
        self.suite.gives_embeddings()
    }
}
