//! Run process: one run as a process of this same program, which stops when this one does.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use crate::run::{FolderLock, Interrupt, RunError};
use crate::terminal::one_line;

/// How often it is asked whether a child has ended, or should.
const OFTEN: Duration = Duration::from_millis(10);
/// How long a run may still be held by a process that was asked to end.
const PATIENCE: Duration = Duration::from_mins(2);
/// Lines of standard error that are kept, and bytes of each.
const KEPT: (usize, u64) = (3, 4096);

/// How a child ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RunEnd {
    /// Its run is finished.
    Finished,
    /// It was stopped, and saved what was done.
    Stopped,
    /// It failed: its last words.
    Failed(String),
}

/// Runs `hgpo` with arguments to its end, or until the user stops it.
pub(crate) fn run(arguments: &[&str], interrupt: &Interrupt) -> RunEnd {
    let ended = start(arguments).and_then(|mut child| {
        let words = child.stderr.take().map(|stderr| std::thread::spawn(|| last_lines(stderr)));
        let status = wait(&mut child, interrupt);
        let words = words.and_then(|thread| thread.join().ok()).unwrap_or_default();
        Ok(run_end(status?, &words, interrupt))
    });
    ended.unwrap_or_else(|error| RunEnd::Failed(format!("cannot start a run: {error}")))
}

fn start(arguments: &[&str]) -> std::io::Result<Child> {
    // Linux keeps this very program there, even if its file is replaced while a study runs.
    let own = Path::new("/proc/self/exe");
    let program = if own.exists() { own.to_owned() } else { std::env::current_exe()? };
    let mut command = Command::new(program);
    // Its advice names the program as this one was called.
    #[cfg(unix)]
    if let Some(name) = std::env::args_os().next() {
        std::os::unix::process::CommandExt::arg0(&mut command, name);
    }
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
}

/// Waits for the end of a child. If the user stops, its input ends; and if this process ends, the system
/// closes that pipe for it.
fn wait(child: &mut Child, interrupt: &Interrupt) -> std::io::Result<ExitStatus> {
    let mut input = child.stdin.take();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if interrupt.is_requested() {
            drop(input.take());
        }
        std::thread::sleep(OFTEN);
    }
}

fn run_end(status: ExitStatus, words: &[String], interrupt: &Interrupt) -> RunEnd {
    match status.code() {
        Some(0) => RunEnd::Finished,
        Some(code) if code == i32::from(Interrupt::EXIT_STATUS) => RunEnd::Stopped,
        _ if interrupt.is_requested() => RunEnd::Stopped,
        code => {
            let words = words.join("; ");
            let how = code.map_or_else(|| status.to_string(), |code| format!("exit status {code}"));
            RunEnd::Failed(if words.is_empty() { how } else { words })
        }
    }
}

/// The last lines of a text without end.
fn last_lines(stream: impl Read) -> Vec<String> {
    let (most, longest) = KEPT;
    let mut reader = BufReader::new(stream);
    let (mut lines, mut line) = (VecDeque::new(), Vec::new());
    while reader.by_ref().take(longest).read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        let text = one_line(&String::from_utf8_lossy(&line));
        line.clear();
        if text.is_empty() {
            continue;
        }
        if lines.len() == most {
            lines.pop_front();
        }
        lines.push_back(text);
    }
    lines.into()
}

/// Waits until no other process holds a run: one whose parent was killed takes a moment to save and end.
///
/// # Errors
/// Somebody holds it and does not end.
pub(crate) fn wait_until_free(run: &Path, interrupt: &Interrupt) -> Result<(), RunError> {
    let mut waited = Duration::ZERO;
    loop {
        match FolderLock::take(run) {
            Err(RunError::Locked { .. }) if waited < PATIENCE && !interrupt.is_requested() => {
                std::thread::sleep(OFTEN);
                waited += OFTEN;
            }
            taken => return taken.map(drop),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept() {
        let text = "one\n\ntwo\nthree \u{1b}[2J\nfour\nfive";
        assert_eq!(last_lines(text.as_bytes()), ["three \u{1b}[2J", "four", "five"]);
        assert!(last_lines("".as_bytes()).is_empty());
    }
}
