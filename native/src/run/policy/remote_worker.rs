//! Remote worker: the same policy at the same start, for a run of another process.

use anyhow::{Context as _, bail};
use hgpo_train::config::{Config, PolicyKind};
use hgpo_train::memory::PolicySize;
use hgpo_train::policy::remote::{PolicyWorker, RemoteWorker};
use hgpo_train::policy::word_tokenizer::WordTokenizer;
use hgpo_train::rollout::prompt_format::PromptFormat;
use hgpo_train::trainer::initial_policy;
use serde::{Deserialize, Serialize};

use super::pretrained;
use crate::device::Chosen;
use crate::run::environment::EnvironmentInputs;
use crate::run::machine::memory_check;
use crate::run::{Display, Inputs};

/// The version of this library, down to the commit.
pub const VERSION: &str = env!("HGPO_VERSION");

/// Set-up of a worker: what it begins with.
#[derive(Debug, Serialize, Deserialize)]
pub struct WorkerSetup {
    version: String,
    settings: String,
    /// The words of a policy from scratch.
    words: Option<String>,
    /// The files of the language model and its briefing.
    inputs: Inputs,
}

impl WorkerSetup {
    /// That of a run.
    ///
    /// # Errors
    /// The settings cannot be written.
    pub(crate) fn of(
        config: &Config,
        format: &dyn PromptFormat,
        inputs: Inputs,
    ) -> anyhow::Result<Self> {
        let words = format.file().map(|(_, bytes)| String::from_utf8(bytes)).transpose()?;
        Ok(Self { version: VERSION.to_owned(), settings: toml::to_string(config)?, words, inputs })
    }

    /// Of bytes.
    ///
    /// # Errors
    /// They are none, or another version wrote them.
    pub fn read(bytes: &[u8]) -> anyhow::Result<Self> {
        #[derive(Deserialize)]
        struct Versioned {
            version: String,
        }
        let Versioned { version } =
            serde_json::from_slice(bytes).context("what a worker begins with is damaged")?;
        if version != VERSION {
            bail!(
                "the run is one of version {version}, and this machine has {VERSION}: install the same \
                 package hgpo-train on all machines"
            );
        }
        Ok(serde_json::from_slice(bytes)?)
    }

    /// The settings of the run.
    ///
    /// # Errors
    /// They do not make sense.
    pub fn config(&self) -> anyhow::Result<Config> {
        let config: Config = toml::from_str(&self.settings)?;
        config.validate()?;
        Ok(config)
    }

    /// Opens the worker on a device of this machine, for this many jobs at once.
    ///
    /// # Errors
    /// The language model is not to be had here, or does not fit in memory.
    pub fn open_worker(
        self,
        device: &Chosen,
        threads: usize,
        display: &Display,
    ) -> anyhow::Result<Box<dyn RemoteWorker>> {
        let config = self.config()?;
        if config.policy.kind == PolicyKind::Table {
            let (policy, format) = initial_policy::table(&config);
            return Ok(Box::new(PolicyWorker::new(policy, format)));
        }
        if !config.pretrained.model.is_empty() {
            Inputs::of(&config, EnvironmentInputs::default(), display)?
                .check(Some(&self.inputs))?;
            let ((policy, format), _) = pretrained::open(&config, None, device, threads, display)?;
            return Ok(Box::new(PolicyWorker::new(policy, format)));
        }
        let words: WordTokenizer =
            serde_json::from_str(&self.words.context("a policy from scratch has no words")?)?;
        let size = PolicySize::new(&config.model, words.vocabulary_size(), None);
        memory_check::check(&config, &size, device, threads, display)?;
        let (policy, format) = initial_policy::from_scratch(&config, words, &device.device)?;
        Ok(Box::new(PolicyWorker::new(policy, format)))
    }
}
