//! Learner of a run at its start: a table, random weights, or a language model.

use std::sync::Arc;

use anyhow::{Context as _, bail};
use hgpo_env::Suite;
use hgpo_train::config::{Config, PolicyKind};
use hgpo_train::memory::{PolicySize, longest_prompt};
use hgpo_train::models::ModelError;
use hgpo_train::policy::remote::{PortablePolicy, RemotePolicy, WorkerPool};
use hgpo_train::policy::word_tokenizer::WordTokenizer;
use hgpo_train::rollout::word_format::WordFormat;
use hgpo_train::trainer::by_hand::LearnerByHand;
use hgpo_train::trainer::{Trainer, initial_policy};
use serde::Deserialize;

use super::pretrained;
use super::remote_worker::WorkerSetup;
use crate::device::Chosen;
use crate::run::machine::memory_check;
use crate::run::{Checkpoint, Display, Inputs, LanguageModel, ModelExport, if_exists};

/// The learner of the settings at its start, and what writes its model if it is a language model.
/// Of a run with a checkpoint, the words of a policy from scratch are those that it has learned. A language model is
/// opened from the place that `inputs` record. If there is a crew, it does the policy's work.
///
/// # Errors
/// A setting that does not make sense, a model that cannot be used, a run that does not fit in memory, a
/// failing device.
pub fn open_learner(
    config: &Config,
    suite: Arc<dyn Suite>,
    device: &Chosen,
    threads: usize,
    display: &Display,
    (checkpoint, inputs): (Option<&Checkpoint>, &Inputs),
    crew: Option<Arc<dyn WorkerPool>>,
) -> anyhow::Result<(Box<dyn LearnerByHand>, Option<ModelExport>)> {
    if config.policy.kind == PolicyKind::Table {
        memory_check::check(config, &PolicySize::table(), device, threads, display)?;
        return Ok((
            build_trainer(config, suite, initial_policy::table(config), crew, inputs)?,
            None,
        ));
    }
    if !config.pretrained.model.is_empty() {
        let located = Inputs::located(Some(inputs), config);
        let (start, export) =
            pretrained::open(&located, Some(suite.as_ref()), device, threads, display)?;
        return Ok((build_trainer(config, suite, start, crew, inputs)?, Some(export)));
    }
    let words = match checkpoint {
        Some(checkpoint) => read_vocabulary(checkpoint)?,
        None => WordTokenizer::of(suite.as_ref())?,
    };
    let size = scratch_size(config, suite.as_ref(), &words);
    memory_check::check(config, &size, device, threads, display)?;
    let start = initial_policy::from_scratch(config, words, &device.device)?;
    Ok((build_trainer(config, suite, start, crew, inputs)?, None))
}

/// A trainer of a policy, of several if agents have their own, or of one whose work a crew does.
fn build_trainer<P: PortablePolicy>(
    config: &Config,
    suite: Arc<dyn Suite>,
    (policy, format): initial_policy::InitialPolicy<P>,
    crew: Option<Arc<dyn WorkerPool>>,
    inputs: &Inputs,
) -> anyhow::Result<Box<dyn LearnerByHand>> {
    let team = config.team(suite.as_ref());
    if team.len() > 1 {
        if crew.is_some() {
            bail!(
                "agents with policies of their own cannot be trained on several machines: let them share one \
                 (agents.NAME.policy=shared)"
            );
        }
        let (policy, format) = initial_policy::of_team(&policy, format, &team);
        return Ok(Box::new(Trainer::new(config, suite, format, policy)?));
    }
    let Some(crew) = crew else {
        return Ok(Box::new(Trainer::new(config, suite, format, policy)?));
    };
    // Who works elsewhere has to have the same files, but plays nothing.
    let inputs = Inputs { data: None, external: None, ..inputs.clone() };
    crew.begin(serde_json::to_vec(&WorkerSetup::of(config, format.as_ref(), inputs)?)?)?;
    Ok(Box::new(Trainer::new(config, suite, format, RemotePolicy::new(policy, crew))?))
}

/// How large the policy is that the settings describe; no weights are read, and of a language model nothing
/// is asked of the suite. The inner error: why it cannot be known now, although the run may well be possible.
///
/// # Errors
/// The language model cannot be used.
pub(crate) fn policy_size(
    config: &Config,
    suite: Option<&dyn Suite>,
    display: &Display,
) -> anyhow::Result<Result<PolicySize, ModelError>> {
    if config.policy.kind == PolicyKind::Table {
        return Ok(Ok(PolicySize::table()));
    }
    let settings = &config.pretrained;
    if settings.model.is_empty() {
        let suite = suite.context("the words of a policy from scratch are its environment's")?;
        let words = WordTokenizer::of(suite)?;
        return Ok(Ok(scratch_size(config, suite, &words)));
    }
    match LanguageModel::describe(&settings.model, display) {
        Err(unknown @ ModelError::Unreachable { .. }) => Ok(Err(unknown)),
        described => Ok(Ok(pretrained::size_of(config, &described?))),
    }
}

/// How large a policy from scratch is, with prompts as long as they are in some episodes; if none can be
/// played so, as long as is assumed.
fn scratch_size(config: &Config, suite: &dyn Suite, words: &WordTokenizer) -> PolicySize {
    let size = PolicySize::new(&config.model, words.vocabulary_size(), None);
    let size = size.of_team(config.most_policies());
    let format = WordFormat::new(words.clone(), config.rollout.history_length);
    match longest_prompt(suite, &format, config) {
        Ok(tokens) => size.with_prompt_tokens(tokens),
        Err(_) => size,
    }
}

fn read_vocabulary(checkpoint: &Checkpoint) -> anyhow::Result<WordTokenizer> {
    /// Where older checkpoints keep the words.
    #[derive(Deserialize)]
    struct Older {
        tokenizer: WordTokenizer,
    }
    let advice = "the checkpoint has no readable vocabulary; resume from an older one";
    if let Some(bytes) = if_exists(checkpoint.read(WordFormat::FILE)).context(advice)? {
        return serde_json::from_slice(&bytes).context(advice);
    }
    let bytes = checkpoint.read("trainer.json").context(advice)?;
    let older: Older = serde_json::from_slice(&bytes).context(advice)?;
    Ok(older.tokenizer)
}
