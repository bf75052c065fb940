//! `hgpo chat`: a conversation with a language model.

mod command;

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::time::Instant;

use anyhow::bail;
use clap::Args;
use hgpo_env::random::{Purpose, Stream};
use hgpo_train::memory::MemoryPart;
use hgpo_train::models::chat::{Conversation, Message};
use hgpo_train::models::tokenizer::SpecialTokenHandling;
use hgpo_train::policy::Policy as _;
use hgpo_train::policy::sampling::Sampling;
use hgpo_train::policy::transformer::DecoderPolicy;

use self::command::Line;
use super::limited_reader::LimitedReader;
use super::options::language_model::ModelChoice;
use super::options::{number_of, whole_number_of};
use crate::run::LanguageModel;
use crate::run::machine::memory_check;
use crate::terminal::escape_control_characters;

pub(super) const AFTER: &str = "\
Without --message, messages are read from standard input, one per line; lines that begin with a slash
are commands (/help lists them). Answers are streamed to standard output; all else goes to standard error. On the CPU, the same seed gives the same
answers.

Exit status: 0 success, 1 failure, 2 usage error.

Examples:
  hgpo chat --model HuggingFaceTB/SmolLM2-135M-Instruct
  hgpo chat --model model.gguf --message 'Hello!' --temperature 0";

#[derive(Debug, Args)]
pub(super) struct Chat {
    #[command(flatten)]
    model: ModelChoice,
    /// System message [default: that of the chat template]
    #[arg(long, value_name = "TEXT")]
    system: Option<String>,
    /// Send one message, print the answer and exit
    #[arg(long, value_name = "TEXT")]
    message: Option<String>,
    /// Sampling temperature; 0 always takes the most likely token
    #[arg(long, value_name = "T", default_value_t = 0.7, value_parser = number_of("evaluation.temperature"))]
    temperature: f64,
    /// Sample from the K most likely tokens; 0 means all
    #[arg(long, value_name = "K", default_value_t = 20)]
    top_k: usize,
    /// Sample from the most likely tokens whose probabilities add up to P
    #[arg(long, value_name = "P", default_value_t = 0.8, value_parser = number_of("evaluation.top_p"))]
    top_p: f64,
    /// Maximum length of an answer in tokens
    #[arg(long, value_name = "N", default_value_t = 256)]
    #[arg(value_parser = whole_number_of("rollout.max_response_tokens"))]
    max_tokens: usize,
    /// Seed of sampling
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Answers the message, or what is typed.
pub(super) fn run(args: &Chat) -> anyhow::Result<()> {
    let model = args.model.open()?;
    model.check_template()?;
    let policy = args.model.policy(&model)?;
    let mut chat = Conversing::new(args);
    if let Some(message) = &args.message {
        return chat.say((&model, &policy), args, message);
    }
    let is_terminal = std::io::stdin().is_terminal();
    let mut lines = LimitedReader::by_line(std::io::stdin().lock()).lines();
    loop {
        if is_terminal {
            write!(std::io::stderr().lock(), "> ")?;
        }
        let Some(line) = lines.next() else { break };
        let line = line?;
        let told = match Line::read(&line) {
            Ok(Line::Exit) => break,
            Ok(Line::Message(message)) => match chat.say((&model, &policy), args, message) {
                // Who types can go on: with less, or anew.
                Err(error) if is_terminal => format!("{error:#}; /reset forgets the conversation"),
                said => {
                    said?;
                    continue;
                }
            },
            Ok(command) => chat.obey(&command),
            // Whoever sends a file takes its answers for those to its lines.
            Err(refused) if !is_terminal => bail!("{refused}"),
            Err(refused) => refused,
        };
        writeln!(std::io::stderr().lock(), "{}", escape_control_characters(&told))?;
    }
    Ok(())
}

/// A conversation so far, and how it goes on.
struct Conversing {
    messages: Vec<Message>,
    thinking: Option<bool>,
    /// Answers given, of which each has a stream of its own.
    turn: u64,
}

impl Conversing {
    fn new(args: &Chat) -> Self {
        let messages = args.system.iter().map(|system| Message::new("system", system)).collect();
        Self { messages, thinking: args.model.thinking, turn: 0 }
    }

    /// Says something, and has it answered; what is not answered was not said.
    fn say(
        &mut self,
        model: (&LanguageModel, &DecoderPolicy),
        args: &Chat,
        message: &str,
    ) -> anyhow::Result<()> {
        self.messages.push(Message::new("user", message));
        let answer = answer(model, args, self);
        match &answer {
            Ok(text) => self.messages.push(Message::new("assistant", text)),
            Err(_) => drop(self.messages.pop()),
        }
        self.turn += 1;
        answer.map(drop)
    }

    /// Does what a command says; what is said of it.
    fn obey(&mut self, command: &Line<'_>) -> String {
        match command {
            Line::Reset => {
                self.messages.retain(|message| message.role() == "system");
                "the conversation is forgotten".to_owned()
            }
            Line::System(text) => {
                self.messages = text.iter().map(|text| Message::new("system", text)).collect();
                let of = if text.is_some() {
                    "this system message"
                } else {
                    "that of the chat template"
                };
                format!("the conversation begins anew, with {of}")
            }
            Line::Think(thinking) => {
                self.thinking = Some(*thinking);
                let how = if *thinking { "before it answers" } else { "no longer" };
                format!("from now on the model thinks {how}, if its chat template supports it")
            }
            Line::Help | Line::Message(_) | Line::Exit => command::HELP.to_owned(),
        }
    }
}

/// Writes the answer to a conversation as it comes, then how fast it came; gives it.
fn answer(
    (model, policy): (&LanguageModel, &DecoderPolicy),
    args: &Chat,
    chat: &Conversing,
) -> anyhow::Result<String> {
    let now = jiff::Zoned::now().datetime();
    let conversation = Conversation::new(&chat.messages, now).with_thinking(chat.thinking);
    let rendered = model.templates.render(&conversation)?;
    let prompt = model.tokenizer.encode(&rendered, SpecialTokenHandling::Parsed)?;
    if prompt.is_empty() {
        bail!(
            "the model's chat template renders this conversation as an empty prompt: it cannot be answered"
        );
    }
    model.check_length(prompt.len(), args.max_tokens)?;
    let answers = MemoryPart {
        what: "the answer",
        bytes: model.size().answering(1, prompt.len(), args.max_tokens),
        settings: "--max-tokens",
    };
    memory_check::check_parts(&[model.weights(args.model.precision.0), answers])?;
    let sampling = Sampling { temperature: args.temperature, top_k: args.top_k, top_p: args.top_p };
    let mut streams = [Stream::new(args.seed, Purpose::Sampling, [chat.turn, 0])];
    let mut decoding = model.tokenizer.decoding_text();
    let (mut text, mut failure) = (String::new(), None);
    let mut out = std::io::stdout().lock();
    let start = Instant::now();
    let mut first = None;
    let responses =
        policy.generate(&[&prompt], sampling, args.max_tokens, &mut streams, &mut |_, token| {
            first.get_or_insert_with(|| start.elapsed());
            let done = model.tokenizer.is_eos(token);
            let shown = decoding.push(token).map_err(anyhow::Error::from).and_then(|piece| {
                text.push_str(&piece);
                out.write_all(escape_control_characters(&piece).as_bytes())?;
                Ok(out.flush()?)
            });
            failure = shown.err();
            done || failure.is_some()
        })?;
    failure.map_or(Ok(()), Err)?;
    let rest = decoding.finish()?;
    writeln!(out, "{}", escape_control_characters(&rest))?;
    text.push_str(&rest);
    let (tokens, first) = (responses[0].len(), first.unwrap_or_default().as_secs_f64());
    let after = start.elapsed().as_secs_f64() - first;
    let speed = |tokens: usize, seconds: f64| tokens as f64 / seconds.max(1e-9);
    writeln!(
        std::io::stderr().lock(),
        "prompt {} tokens, {:.1}/s; answer {tokens} tokens, {:.1}/s",
        prompt.len(),
        speed(prompt.len(), first),
        speed(tokens.saturating_sub(1), after),
    )?;
    Ok(text)
}
