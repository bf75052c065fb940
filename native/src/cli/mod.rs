//! The command line: commands, their options, and how failures are reported.

mod advantages;
mod bias;
mod chat;
mod compare;
mod device_panics;
mod devices;
mod eval;
mod generate;
mod import;
mod limited_reader;
mod options;
mod play;
mod report;
mod score;
pub mod train;
mod view;

use std::io::{ErrorKind, Write as _};

use clap::{Parser, Subcommand};

use crate::allocator::keep_freed_memory;
use crate::run::Threads;
use crate::run::machine::host::{leave, survive_file_size_limit};
use crate::terminal::error_line;

/// Trains language-model agents with Hierarchy-of-Groups Policy Optimization (HGPO).
///
/// Run without a command, hgpo trains, with the options of `hgpo train`.
#[derive(Debug, Parser)]
#[command(name = "hgpo", version = env!("HGPO_VERSION"), after_help = train::AFTER, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    train: train::Train,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Train a policy (the default command)
    #[command(after_help = train::AFTER)]
    Train(train::Train),
    /// Compare settings by training each arm with each seed
    #[command(after_help = compare::AFTER)]
    Compare(compare::Compare),
    /// Measure the success of a trained policy on held-out tasks
    #[command(after_help = eval::AFTER)]
    Eval(eval::Eval),
    /// Measure the bias and variance of advantages under a trained policy
    #[command(after_help = bias::AFTER)]
    Bias(bias::Bias),
    /// Report on studies and runs in one HTML file
    #[command(after_help = report::AFTER)]
    Report(report::Report),
    /// Show runs in a browser, while they train and afterwards
    #[command(after_help = view::AFTER)]
    View(view::View),
    /// Estimate advantages for recorded rollouts
    #[command(after_help = advantages::AFTER)]
    Advantages(advantages::Advantages),
    /// Play a task by hand, or replay actions
    #[command(after_help = play::AFTER)]
    Play(play::Play),
    /// Generate games for an environment
    #[command(after_help = generate::AFTER)]
    Generate(generate::Generate),
    /// Convert a GGUF file into a Hugging Face model folder that can be trained
    #[command(after_help = import::AFTER)]
    Import(import::Import),
    /// Chat with a language model
    #[command(after_help = chat::AFTER)]
    Chat(chat::Chat),
    /// Score a text: the log-probability of every token under a language model
    #[command(after_help = score::AFTER)]
    Score(score::Score),
    /// List the GPUs and show which device would be used
    #[command(after_help = devices::AFTER)]
    Devices,
}

/// Runs the command line, and ends the process with the status that says how it went.
pub fn main() -> ! {
    quiet_drivers();
    survive_file_size_limit();
    keep_freed_memory();
    let cli = Cli::parse();
    let success = |()| 0;
    let command = cli.command.unwrap_or(Command::Train(cli.train));
    let done = device_panics::as_errors(|| match command {
        Command::Train(train) => train::run(&train),
        Command::Compare(compare) => compare::run(&compare),
        Command::Eval(eval) => eval::run(&eval),
        Command::Bias(bias) => bias::run(&bias),
        Command::Report(report) => report::run(&report).map(success),
        Command::View(view) => view::run(&view).map(success),
        Command::Advantages(advantages) => advantages::run(&advantages).map(success),
        Command::Play(play) => play::run(&play).map(success),
        Command::Generate(generate) => generate::run(&generate).map(success),
        Command::Import(import) => import::run(&import).map(success),
        // A conversation is one row, which has all cores.
        Command::Chat(chat) => Threads::new(None).within(|| chat::run(&chat)).map(success),
        Command::Score(score) => Threads::new(None).within(|| score::run(&score)).map(success),
        Command::Devices => devices::run().map(success),
    });
    let status = done.unwrap_or_else(|error| fail(&error));
    let _ = std::io::stdout().lock().flush();
    leave(status)
}

/// Reports a failure in one line. It is not a failure if the reader of the output has gone away.
fn fail(error: &anyhow::Error) -> u8 {
    let closed = |cause: &(dyn std::error::Error + 'static)| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    };
    if error.chain().any(closed) {
        return 0;
    }
    let _ = writeln!(std::io::stderr().lock(), "error: {}", error_line(error));
    1
}

/// Software Vulkan drivers complain on standard error if this variable is not set.
#[expect(unsafe_code, reason = "the environment is changed before any thread is started")]
fn quiet_drivers() {
    if cfg!(unix) && std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: called first in `main`, while this is the only thread.
        unsafe { std::env::set_var("XDG_RUNTIME_DIR", std::env::temp_dir()) };
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
