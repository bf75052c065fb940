//! Pretrained language model as a policy: whether it fits, and the format of its prompts.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use hgpo_env::files;
use hgpo_env::registry::Entry;
use hgpo_env::{Split, Suite};
use hgpo_train::config::Config;
use hgpo_train::memory::PolicySize;
use hgpo_train::models::Description;
use hgpo_train::policy::transformer::DecoderPolicy;
use hgpo_train::rollout::chat_format::{Briefing, ChatFormat};
use hgpo_train::rollout::prompt_format::PromptFormat as _;
use hgpo_train::trainer::initial_policy::{InitialPolicy, with_training_settings};

use super::language_model::check_tensor;
use crate::allocator::share_arena;
use crate::device::Chosen;
use crate::run::environment::entry;
use crate::run::machine::memory_check;
use crate::run::{Display, LanguageModel, ModelExport};

/// Sets the allocator to what is trained; before any thread is started.
pub fn prepare_memory(config: &Config) {
    if !config.pretrained.model.is_empty() {
        share_arena();
    }
}

/// The language model of the settings, how it is spoken to, and what writes it again. Who only works for a run
/// needs no environment.
///
/// # Errors
/// The model or its briefing cannot be used.
pub(crate) fn open(
    config: &Config,
    suite: Option<&dyn Suite>,
    device: &Chosen,
    threads: usize,
    display: &Display,
) -> anyhow::Result<(InitialPolicy<DecoderPolicy>, ModelExport)> {
    let settings = &config.pretrained;
    let briefing = briefing(&config.environment.name, &settings.prompt)?;
    let model = LanguageModel::open(&settings.model, display)?;
    check_lengths(config, model.description())?;
    memory_check::check(config, &size_of(config, model.description()), device, threads, display)?;
    let remedy =
        "reduce learn.micro_batch_tokens, rollout.batch_size or pretrained.max_prompt_tokens";
    let bytes = model.size().on_adapter(device.adapter.is_some()).largest_tensor(config);
    check_tensor(device, bytes, "a batch needs a tensor of", remedy)?;
    model.check_template()?;
    let format = ChatFormat {
        tokenizer: Arc::clone(&model.tokenizer),
        templates: Arc::clone(&model.templates),
        briefing: Arc::new(briefing),
        history_length: config.rollout.history_length,
        max_prompt_tokens: settings.max_prompt_tokens,
        thinking: settings.thinking,
    };
    // A template that refuses a prompt, or a limit that is too small, is found before weights are read.
    if let Some(suite) = suite {
        let episode = suite.start(Split::Train, 0)?;
        format
            .prompt(episode.instruction(), &[], &episode.observe())
            .context("the first prompt")?;
    }
    // The policy is given away: nobody else holds its weights.
    let policy = model.policy(settings.precision, settings.lora.rank == 0, device)?;
    Ok(((with_training_settings(policy, config), Arc::new(format)), model.export))
}

/// Refuses prompts and answers that are longer together than what the model reads.
fn check_lengths(config: &Config, description: &Description) -> anyhow::Result<()> {
    let prompt = config.pretrained.max_prompt_tokens;
    let answer = config.rollout.max_response_tokens;
    let most = description.max_position_embeddings;
    if prompt.saturating_add(answer) > most {
        bail!(
            "pretrained.max_prompt_tokens is {prompt} and rollout.max_response_tokens {answer}, \
             but the model's context is {most} tokens: reduce one of them"
        );
    }
    Ok(())
}

pub(crate) fn size_of(config: &Config, description: &Description) -> PolicySize {
    let lora = Some(&config.pretrained.lora).filter(|lora| lora.rank > 0);
    let size = PolicySize::new(&description.model, description.vocab_size, lora);
    size.of_team(config.most_policies())
}

/// A briefing that is built in, or that of a file.
fn briefing(environment: &str, name: &str) -> anyhow::Result<Briefing> {
    let entry = entry(environment)?;
    let text = match entry.prompt(name) {
        Some(text) => text.to_owned(),
        None => files::read_text(Path::new(name))
            .with_context(|| describe_missing_briefing(entry, name))?,
    };
    Briefing::parse(&text).with_context(|| format!("pretrained.prompt '{name}'"))
}

/// What is wrong with a briefing that is neither built in nor a file.
pub(crate) fn describe_missing_briefing(environment: &Entry, name: &str) -> String {
    let known: Vec<&str> = environment.prompts.iter().map(|prompt| prompt.name).collect();
    let known = known.join(" nor ");
    format!("pretrained.prompt is '{name}', neither {known} nor a readable file")
}
