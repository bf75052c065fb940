//! `hgpo score`: log-probabilities of the tokens of a text.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::{ArgGroup, Args};
use hgpo_env::files;
use hgpo_train::models::chat::{Conversation, Message};
use hgpo_train::models::hugging_face::strict_json;
use hgpo_train::models::tokenizer::SpecialTokenHandling;
use hgpo_train::policy::transformer::DecoderPolicy;
use hgpo_train::policy::{Passage, Policy as _, TokenScore};
use serde::Serialize;

use super::options::language_model::ModelChoice;
use super::options::number_of;
use crate::run::LanguageModel;

pub(super) const AFTER: &str = "\
A text is scored from its second token on, or from its first if the tokenizer puts a start token
before it. In a conversation, the last message is scored, given those before it. --json prints one
object: tokens (each with id, text, log_probability and entropy, in nats), log_probability (their
sum) and perplexity.

Exit status: 0 success, 1 failure, 2 usage error.

Example:
  hgpo score --model HuggingFaceTB/SmolLM2-135M-Instruct --text essay.txt";

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("what").required(true).args(["text", "messages"])))]
pub(super) struct Score {
    #[command(flatten)]
    model: ModelChoice,
    /// Text file to score
    #[arg(long, value_name = "FILE")]
    text: Option<PathBuf>,
    /// Conversation to score: a JSON list of objects with role and content, the last the assistant's
    #[arg(long, value_name = "FILE")]
    messages: Option<PathBuf>,
    /// Softmax temperature
    #[arg(long, value_name = "T", default_value_t = 1.0)]
    #[arg(value_parser = number_of("rollout.temperature"))]
    temperature: f64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Scored {
    tokens: Vec<ScoredToken>,
    log_probability: f64,
    perplexity: f64,
}

#[derive(Serialize)]
struct ScoredToken {
    id: u32,
    text: String,
    log_probability: f32,
    entropy: f32,
}

/// Scores a text or the end of a conversation.
pub(super) fn run(args: &Score) -> anyhow::Result<()> {
    let model = args.model.open()?;
    let (prompt, response) = match (&args.text, &args.messages) {
        (Some(file), _) => text(&model, &contents(file)?)?,
        (None, Some(file)) => conversation(&model, file, args.model.thinking)?,
        (None, None) => bail!("give --text FILE or --messages FILE"),
    };
    model.check_length(prompt.len() + response.len(), 0)?;
    let policy = args.model.policy(&model)?;
    let passage = Passage { prompt: &prompt, response: &response };
    let scored = score(&model, &policy, passage, args.temperature)?;
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&scored)?)?;
    } else {
        for token in &scored.tokens {
            writeln!(out, "{:>10.4}  {:?}", token.log_probability, token.text)?;
        }
        let (sum, perplexity) = (scored.log_probability, scored.perplexity);
        let count = scored.tokens.len();
        writeln!(
            out,
            "{sum:>10.4}  log-probability of {count} tokens; perplexity {perplexity:.3}"
        )?;
    }
    Ok(())
}

fn contents(file: &Path) -> anyhow::Result<String> {
    files::read_text(file).with_context(|| format!("cannot read {}", file.display()))
}

/// What a text is scored after, and its scored tokens.
fn text(model: &LanguageModel, text: &str) -> anyhow::Result<(Vec<u32>, Vec<u32>)> {
    let mut tokens = model.tokenizer.encode(text, SpecialTokenHandling::Added)?;
    if tokens.len() < 2 {
        bail!(
            "the text has {} tokens: scoring starts after the first, so there is nothing to score",
            tokens.len()
        );
    }
    let response = tokens.split_off(1);
    Ok((tokens, response))
}

/// What the last message is scored after, and its tokens.
fn conversation(
    model: &LanguageModel,
    file: &Path,
    thinking: Option<bool>,
) -> anyhow::Result<(Vec<u32>, Vec<u32>)> {
    let name = || file.display().to_string();
    let messages: Vec<Message> = strict_json(contents(file)?.as_bytes()).with_context(name)?;
    let Some((last, before)) = messages.split_last().filter(|(last, _)| last.role() == "assistant")
    else {
        bail!("{}: the last message, which is scored, must be the assistant's", name());
    };
    model.check_template()?;
    let now = jiff::Zoned::now().datetime();
    let told = |messages| Conversation::new(messages, now).with_thinking(thinking);
    let prompt = model.templates.render(&told(before))?;
    let mut whole = told(&messages);
    whole.add_generation_prompt = false;
    let whole = model.templates.render(&whole)?;
    let Some(response) = whole.strip_prefix(&prompt) else {
        bail!(
            "the chat template renders the earlier messages differently once there is an answer, so \
             '{}' cannot be scored on its own",
            last.text()
        );
    };
    let encode = |text: &str| model.tokenizer.encode(text, SpecialTokenHandling::Parsed);
    let (prompt, response) = (encode(&prompt)?, encode(response)?);
    for (tokens, what) in
        [(&prompt, "the messages before the last"), (&response, "the last message")]
    {
        if tokens.is_empty() {
            bail!("the chat template renders {what} as nothing: there is nothing to score");
        }
    }
    Ok((prompt, response))
}

fn score(
    model: &LanguageModel,
    policy: &DecoderPolicy,
    passage: Passage<'_>,
    temperature: f64,
) -> anyhow::Result<Scored> {
    let response = passage.response;
    let scores = policy.score(&[passage], temperature)?;
    let mut tokens = Vec::with_capacity(response.len());
    for (&id, TokenScore { log_probability, entropy }) in response.iter().zip(scores) {
        let text = model.tokenizer.decode(&[id])?;
        // What the model computes in.
        let (log_probability, entropy) = (log_probability as f32, entropy as f32);
        tokens.push(ScoredToken { id, text, log_probability, entropy });
    }
    let log_probability: f64 = tokens.iter().map(|it| f64::from(it.log_probability)).sum();
    let perplexity = (-log_probability / tokens.len().max(1) as f64).exp();
    Ok(Scored { tokens, log_probability, perplexity })
}
