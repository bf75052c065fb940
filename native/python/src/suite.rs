//! Suite: a family of tasks, opened once and shared by all that play them.

use std::path::PathBuf;
use std::sync::Arc;

use hgpo_env::files::{Files, Folder};
use hgpo_env::panel::{self, Panel};
use hgpo_env::registry::{entry, suite};
use hgpo_env::{EnvError, EnvironmentConfig, SettingError, Split};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::exceptions::Failure;
use crate::interruptible::interruptible;

impl From<EnvError> for Failure {
    fn from(error: EnvError) -> Self {
        Self::Value(error.to_string())
    }
}

/// A family of tasks: games, goals or rooms.
#[pyclass(frozen, weakref, module = "hgpo._hgpo")]
pub(crate) struct Suite {
    pub(crate) tasks: Arc<dyn hgpo_env::Suite>,
    /// The settings and the folder of data that it was opened with, which tell it from others.
    pub(crate) opened: Arc<str>,
    /// Steps after which an episode is cut off.
    pub(crate) most: usize,
}

#[pymethods]
impl Suite {
    /// Opens the environment that settings (JSON) name. `data` is the folder of its data, if the
    /// variable of its entry does not name it.
    #[new]
    fn new(py: Python<'_>, settings: &str, data: Option<PathBuf>) -> PyResult<Self> {
        let mut config: EnvironmentConfig = serde_json::from_str(settings)
            .map_err(|error| PyValueError::new_err(format!("settings: {error}")))?;
        config.validate().map_err(|error| Failure::from(EnvError::from(error)))?;
        let named = entry(&config.name).map_err(|error| Failure::from(EnvError::from(error)))?;
        let variable = named.data.map(|data| data.variable);
        let from_variable = || variable.and_then(std::env::var_os).map(PathBuf::from);
        let root = data.or_else(from_variable);
        let opened = format!("{settings} {root:?}").into();
        // Counted here, so that the end of a task and that of patience are told apart.
        let most = std::mem::replace(&mut config.max_steps, EnvironmentConfig::MOST_STEPS);
        let tasks = interruptible(py, None, move || {
            suite(&config, root.map(|root| Arc::new(Folder::new(root)) as Arc<dyn Files>))
        })?;
        Ok(Self { tasks: tasks.map_err(Failure::from)?, opened, most })
    }

    /// The seeds of the tasks at some places of a round: in training those of its iteration, as the
    /// published runs drew them; elsewhere those of an evaluation, each round the next `stride` of them.
    fn task_seeds(
        &self,
        py: Python<'_>,
        split: &str,
        seed: u64,
        drawn: Vec<(u64, usize)>,
        stride: usize,
    ) -> PyResult<Vec<u64>> {
        let split = split_named(split)?;
        let tasks = &self.tasks;
        let of = |(round, place): (u64, usize)| {
            if split == Split::Train {
                return tasks.training_task(seed, round.saturating_add(1), place);
            }
            let before = (round as usize).saturating_mul(stride);
            tasks.evaluation_task(split, seed, before.saturating_add(place))
        };
        Ok(py.detach(move || drawn.into_iter().map(of).collect()))
    }

    /// A panel of this environment: its split, its digest, and of every task its seed and what it is known by.
    #[expect(clippy::type_complexity, reason = "a tuple for Python")]
    fn panel(
        &self,
        py: Python<'_>,
        name: &str,
    ) -> PyResult<(&'static str, String, Vec<(u64, String)>)> {
        let (_, entry) =
            panel::entry(name).map_err(|error| Failure::from(EnvError::from(error)))?;
        let opened = py.detach(|| Panel::open(entry, self.tasks.as_ref()));
        let opened = opened.map_err(Failure::from)?;
        let tasks = opened.tasks().iter().map(|task| (task.seed, task.id.clone())).collect();
        Ok((entry.split.name(), opened.digest().to_owned(), tasks))
    }

    /// The file that a task is read from, if it has one of its own.
    fn source(&self, split: &str, task: u64) -> PyResult<Option<String>> {
        Ok(self.tasks.source(split_named(split)?, task).map(str::to_owned))
    }
}

/// The split of a name.
///
/// # Errors
/// Names those that there are.
pub(crate) fn split_named(name: &str) -> PyResult<Split> {
    Split::ALL.into_iter().find(|split| split.name() == name).ok_or_else(|| {
        let known = Split::ALL.map(Split::name).join(", ");
        let error =
            SettingError::new("split", &format!("unknown split '{name}'; choose from {known}"));
        Failure::Value(error.to_string()).into()
    })
}
