//! Input files of a run outside its folder: the language model, its briefing and the environment's data, by their
//! digests, so that nobody resumes with others unawares.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use hgpo_env::registry::Entry;
use hgpo_train::config::Config;
use serde::{Deserialize, Serialize};

use super::atomic_write;
use crate::file_digest::{FileDigest, InputFiles, first_difference};
use crate::run::environment::{EnvironmentInputs, entry};
use crate::run::external_environment::ExternalInput;
use crate::run::policy::pretrained::describe_missing_briefing;
use crate::run::{Checkpoint, Display, LanguageModel, RunDirectory, RunError, if_exists};

/// The input files of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Inputs {
    /// The language model, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<InputFiles>,
    /// The briefing, if it is a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<InputFiles>,
    /// The environment's data, if it needs some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<InputFiles>,
    /// What plays the environment, if it is not built in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external: Option<ExternalInput>,
}

impl Inputs {
    /// Those of a run, checked against what it began with.
    ///
    /// # Errors
    /// Those of [`Self::of`] and [`Self::check`].
    pub(crate) fn checked(
        directory: &RunDirectory,
        newest: Option<&Checkpoint>,
        config: &Config,
        environment: EnvironmentInputs,
        display: &Display,
    ) -> anyhow::Result<Self> {
        let recorded = Self::recorded(directory, newest)?;
        let inputs = Self::of(&Self::located(recorded.as_ref(), config), environment, display)?;
        inputs.check(recorded.as_ref())?;
        Ok(inputs)
    }

    /// Those that a run began with, as its newest checkpoint has them.
    ///
    /// # Errors
    /// Their file cannot be read.
    pub(crate) fn recorded(
        directory: &RunDirectory,
        newest: Option<&Checkpoint>,
    ) -> Result<Option<Self>, RunError> {
        let of_checkpoint = newest.map(|it| it.path.join(RunDirectory::INPUTS));
        Self::read(&of_checkpoint.unwrap_or_else(|| directory.inputs()))
    }

    /// Those of a configuration, of which the environment's are known.
    ///
    /// # Errors
    /// The model or the briefing cannot be read.
    pub fn of(
        config: &Config,
        environment: EnvironmentInputs,
        display: &Display,
    ) -> anyhow::Result<Self> {
        let settings = &config.pretrained;
        let EnvironmentInputs { data, external } = environment;
        if settings.model.is_empty() {
            return Ok(Self { data, external, ..Self::default() });
        }
        let entry = entry(&config.environment.name)?;
        let is_built_in = entry.prompt(&settings.prompt).is_some();
        let prompt = (!is_built_in).then(|| briefing(entry, &settings.prompt)).transpose()?;
        let model = Some(LanguageModel::input(&settings.model, display)?);
        Ok(Self { model, prompt, data, external })
    }

    /// Those of a file; none if there is no file, as an older version began the run.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, RunError> {
        let text = if_exists(std::fs::read(path)).map_err(RunError::read(path))?;
        text.map(|text| Self::parse(&text)).transpose().map_err(RunError::read(path))
    }

    /// Those of the bytes of their file.
    ///
    /// # Errors
    /// They are no such file.
    pub fn parse(text: &[u8]) -> std::io::Result<Self> {
        Ok(serde_json::from_slice(text)?)
    }

    /// As the bytes of their file; if there are none, there is no file.
    ///
    /// # Errors
    /// A path is not UTF-8.
    pub fn write(&self) -> std::io::Result<Option<Vec<u8>>> {
        if *self == Self::default() {
            return Ok(None);
        }
        let mut text = serde_json::to_vec(self)?;
        text.push(b'\n');
        Ok(Some(text))
    }

    /// Writes them into a run's folder.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn write_to(&self, directory: &RunDirectory) -> Result<(), RunError> {
        let path = directory.inputs();
        let text = self.write().map_err(RunError::write(&path))?;
        text.map_or(Ok(()), |text| atomic_write::replace(&path, &text))
    }

    /// The settings with the model and the briefing where they are known to be: a name of the hub may stand for
    /// another version today, and a relative path for another file in another working directory.
    pub(crate) fn located(recorded: Option<&Self>, config: &Config) -> Config {
        let mut config = config.clone();
        let place = |setting: &mut String, input: Option<&InputFiles>| {
            let path = input.map(|it| it.path.as_path()).filter(|it| it.exists());
            if let Some(path) = path.and_then(Path::to_str)
                && !Path::new(setting).exists()
            {
                path.clone_into(setting);
            }
        };
        place(&mut config.pretrained.model, recorded.and_then(|it| it.model.as_ref()));
        place(&mut config.pretrained.prompt, recorded.and_then(|it| it.prompt.as_ref()));
        config
    }

    /// Checks that these are what a run began with.
    ///
    /// # Errors
    /// Names the first file that differs.
    pub fn check(&self, recorded: Option<&Self>) -> Result<(), RunError> {
        let Some(recorded) = recorded else { return Ok(()) };
        let kinds = [
            ("the language model", &recorded.model, &self.model),
            ("the briefing", &recorded.prompt, &self.prompt),
            ("the environment's data", &recorded.data, &self.data),
        ];
        for (what, was, now) in kinds {
            if let (Some(was), Some(now)) = (was, now)
                && let Some(difference) = first_difference(&was.files, &now.files)
            {
                return Err(RunError::InputFiles { what, path: now.path.clone(), difference });
            }
        }
        Ok(())
    }
}

/// The briefing of a file.
fn briefing(environment: &Entry, name: &str) -> anyhow::Result<InputFiles> {
    let read = |path: &Path| {
        Ok::<_, std::io::Error>((std::path::absolute(path)?, FileDigest::read(path)?))
    };
    let (path, entry) =
        read(Path::new(name)).with_context(|| describe_missing_briefing(environment, name))?;
    // By one name, whatever the file is called.
    Ok(InputFiles { path, files: BTreeMap::from([("the file".to_owned(), entry)]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_inputs_are_used_if_their_name_leads_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let model = InputFiles { path: folder.path().to_owned(), files: BTreeMap::new() };
        let recorded = Inputs { model: Some(model), ..Inputs::default() };
        let named = |model: &str| {
            let mut config = Config::default();
            model.clone_into(&mut config.pretrained.model);
            Inputs::located(Some(&recorded), &config).pretrained.model
        };
        assert_eq!(named("owner/name-of-no-model"), folder.path().to_str().unwrap());
        assert_eq!(named("/"), "/");
        let gone = Inputs::default();
        assert_eq!(Inputs::located(Some(&gone), &Config::default()), Config::default());
    }
}
