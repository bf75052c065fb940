//! Process of an environment: lines go in and come out, both within limits.

use std::io::{BufRead, BufReader, Read, Write as _};
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::channel::Channel;
use crate::run::machine::lock;
use crate::terminal::show_on_stderr;

/// Longest line of an answer, in bytes: 16 MiB.
pub(super) const LONGEST_LINE: u64 = 1 << 24;
/// Answers that wait to be taken, at most: a process that writes more than it is asked waits.
const MOST_WAITING: usize = 4;
/// Longest line of messages that is shown, in bytes.
const LONGEST_MESSAGE: u64 = 2000;
/// Messages that are shown of one process, at most.
const MOST_MESSAGES: usize = 100;
/// How long a process may take to end once its input has.
const FAREWELL: Duration = Duration::from_millis(500);

/// A running process.
pub(super) struct Process {
    child: Child,
    /// Lines that are written in their order; none once it is to end.
    requests: Option<Sender<Vec<u8>>>,
    answers: Receiver<Result<Vec<u8>, String>>,
    last_message: Arc<Mutex<String>>,
    /// Ends with the process's messages.
    messages: Receiver<()>,
}

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// It cannot be started.
    pub(super) fn start(words: &[String]) -> std::io::Result<Self> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        // Ctrl-C is for the run, which then lets its episodes end.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (requests, lines) = channel::<Vec<u8>>();
        if let Some(mut input) = child.stdin.take() {
            // A process that has ended reads nothing, as its output tells.
            spawn(move || lines.iter().try_for_each(|line| input.write_all(&line)).unwrap_or(()))?;
        }
        let (sender, answers) = sync_channel(MOST_WAITING);
        if let Some(output) = child.stdout.take() {
            spawn(move || read_answers(output, &sender))?;
        }
        let last_message = Arc::new(Mutex::new(String::new()));
        let (end, messages) = channel();
        if let Some(errors) = child.stderr.take() {
            let last = Arc::clone(&last_message);
            spawn(move || {
                show_messages(errors, &last);
                drop(end);
            })?;
        }
        Ok(Self { child, requests: Some(requests), answers, last_message, messages })
    }

    /// How it ended, and what it said last.
    fn describe_end(&mut self) -> String {
        let status = self.wait(FAREWELL);
        let status = status
            .map_or_else(|| "it closed its output".to_owned(), |it| format!("it ended with {it}"));
        // Nothing is sent: it returns when the messages are at their end, or are not by then.
        let _ = self.messages.recv_timeout(FAREWELL);
        let last = lock(&self.last_message);
        if last.is_empty() { status } else { format!("{status}: {last}") }
    }

    fn wait(&mut self, within: Duration) -> Option<std::process::ExitStatus> {
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if start.elapsed() < within => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                _ => return None,
            }
        }
    }
}

impl Channel for Process {
    fn send(&mut self, line: Vec<u8>) {
        // A process that has ended is noticed when its answer is read.
        let _ = self.requests.as_ref().map(|requests| requests.send(line));
    }

    fn receive(&mut self, within: Duration) -> Result<Option<Vec<u8>>, String> {
        match self.answers.recv_timeout(within) {
            Ok(line) => line.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.describe_end()),
        }
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
    }
}

impl Drop for Process {
    /// The end of its input asks a process to end.
    fn drop(&mut self) {
        self.requests = None;
        if self.wait(FAREWELL).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().name("environment".into()).spawn(work).map(drop)
}

/// Hands on the lines of an output until its end, or a line without one.
fn read_answers(output: ChildStdout, answers: &SyncSender<Result<Vec<u8>, String>>) {
    let mut output = BufReader::with_capacity(1 << 16, output);
    loop {
        let mut line = Vec::new();
        let read = (&mut output).take(LONGEST_LINE + 1).read_until(b'\n', &mut line);
        if read.is_err() || line.is_empty() {
            return;
        }
        if line.len() as u64 > LONGEST_LINE {
            let problem = format!("it wrote a line of more than {LONGEST_LINE} bytes");
            // The output stays open until the process is killed, which a closed one would complain of.
            while answers.send(Err(problem.clone())).is_ok() {}
            return;
        }
        if answers.send(Ok(line)).is_err() {
            return;
        }
    }
}

/// Shows what a process writes to standard error, and keeps its last line.
fn show_messages(errors: ChildStderr, last: &Mutex<String>) {
    let mut errors = BufReader::new(errors);
    let mut shown = 0;
    loop {
        let mut line = Vec::new();
        let read = (&mut errors).take(LONGEST_MESSAGE).read_until(b'\n', &mut line);
        if read.is_err() || line.is_empty() {
            return;
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        if text.is_empty() {
            continue;
        }
        shown += 1;
        if shown <= MOST_MESSAGES {
            show_on_stderr(&format!("environment: {text}"));
        } else if shown == MOST_MESSAGES + 1 {
            show_on_stderr("environment: (further messages of this process are not shown)");
        }
        text.clone_into(&mut lock(last));
    }
}
