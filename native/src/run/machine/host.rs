//! Host of a trainer: threads, a clock, signals, a display.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hgpo_train::Host;
use hgpo_train::executor::Executor;

use super::lock;
use crate::run::progress::display::Display;
use crate::run::{RunError, Threads};

/// Programs that start others can pass one Ctrl-C on twice: what comes this soon is the same one.
const ECHO: Duration = Duration::from_millis(300);

/// Whether the user asked to stop, or to save.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    requested: Arc<AtomicBool>,
    save_requested: Arc<AtomicBool>,
    /// Whether requests to end are listened to: before, they end the process at once.
    listening: Arc<AtomicBool>,
    /// What is said if the process may end at once, as nothing is to be saved.
    farewell: Arc<Mutex<Option<String>>>,
}

impl Interrupt {
    /// Exit status of a run that was stopped by a signal, as shells count: 128 + SIGINT.
    pub(crate) const EXIT_STATUS: u8 = 130;

    /// Listens for Ctrl-C and for requests to end, once a process; not for those that whoever started
    /// it has it ignore, as `nohup` does. The first asks the run to stop after the current
    /// step, the second ends the process at once. The first does if nothing is to be saved, and
    /// until this is called, while files are opened, which may take for ever. Called again, it does nothing.
    ///
    /// # Errors
    /// The system refuses the handler, or a thread to wait in.
    pub(crate) fn listen(&self, display: &Arc<Display>) -> Result<(), RunError> {
        if self.listening.load(Ordering::SeqCst) {
            return Ok(());
        }
        let (flag, display) = (self.clone(), Arc::clone(display));
        let mut first: Option<Instant> = None;
        set_handler(move || match first {
            None => {
                first = Some(Instant::now());
                flag.request(&display);
                display.warn(
                    "stopping after this step and saving; press Ctrl-C again to stop at once",
                );
            }
            Some(at) if at.elapsed() < ECHO => {}
            Some(_) => leave(Self::EXIT_STATUS),
        })
        .map_err(RunError::Interrupt)?;
        self.listening.store(true, Ordering::SeqCst);
        Ok(())
    }

    /// Listens for what schedulers send before a limit: SIGUSR1 asks to save and go on, SIGUSR2 to save and stop. The
    /// requests to end that follow do not end the process at once then, as they would after a Ctrl-C.
    ///
    /// # Errors
    /// The system refuses the signals, or a thread to wait in.
    #[cfg(unix)]
    pub(crate) fn listen_to_scheduler(&self, display: &Arc<Display>) -> std::io::Result<()> {
        use signal_hook::consts::{SIGUSR1, SIGUSR2};
        let (flag, display) = (self.clone(), Arc::clone(display));
        let mut signals = signal_hook::iterator::Signals::new([SIGUSR1, SIGUSR2])?;
        let wait = move || {
            for signal in signals.forever() {
                if signal == SIGUSR1 {
                    flag.save_requested.store(true, Ordering::SeqCst);
                } else {
                    display.warn("SIGUSR2: stopping after this step and saving");
                    flag.request(&display);
                }
            }
        };
        std::thread::Builder::new().name("signals".into()).spawn(wait).map(drop)
    }

    /// Takes the end of standard input for a Ctrl-C. Whoever holds the other end of that pipe stops this
    /// process by closing it, or by ending, however it ends.
    ///
    /// # Errors
    /// The system refuses a thread to wait in.
    pub(crate) fn listen_to_input(&self, display: &Arc<Display>) -> std::io::Result<()> {
        let (flag, display) = (self.clone(), Arc::clone(display));
        let wait = move || {
            // An input that cannot be read is at its end, too.
            let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
            if !flag.listening.load(Ordering::SeqCst) {
                leave(Self::EXIT_STATUS);
            }
            flag.request(&display);
        };
        std::thread::Builder::new().name("input".into()).spawn(wait).map(drop)
    }

    /// Asks to stop, for whoever listens to the user elsewhere.
    pub fn stop(&self) {
        self.requested.store(true, Ordering::SeqCst);
    }

    /// Asks to stop; if nothing is to be saved, the process ends here.
    fn request(&self, display: &Display) {
        self.requested.store(true, Ordering::SeqCst);
        // Held to the end: what is done meanwhile waits before it counts as unsaved.
        let farewell = lock(&self.farewell);
        if let Some(farewell) = farewell.as_deref() {
            display.clear();
            display.line(farewell);
            leave(Self::EXIT_STATUS);
        }
    }

    /// Whether the user asked to stop.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }
}

/// This machine, as the trainer sees it.
#[derive(Debug)]
pub struct Machine {
    pub(crate) threads: Threads,
    started: Instant,
    interrupt: Interrupt,
    /// Where progress is shown.
    pub(crate) display: Arc<Display>,
    /// What the user was told.
    noted: Mutex<HashSet<String>>,
}

impl Machine {
    /// The machine with these threads, showing progress on `display`.
    #[must_use]
    pub fn new(threads: Threads, interrupt: Interrupt, display: Arc<Display>) -> Self {
        Self { threads, started: Instant::now(), interrupt, display, noted: Mutex::default() }
    }

    /// Says whether a request to stop may end the process at once, with which words.
    pub(crate) fn may_end(&self, farewell: Option<String>) {
        *lock(&self.interrupt.farewell) = farewell;
    }

    /// Whether the user asked to save since this was last asked.
    pub(crate) fn takes_save_request(&self) -> bool {
        self.interrupt.save_requested.swap(false, Ordering::SeqCst)
    }
}

impl Host for Machine {
    fn executor(&self) -> &dyn Executor {
        &self.threads
    }

    fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    fn interrupted(&self) -> bool {
        self.interrupt.is_requested()
    }

    fn progress(&self, phase: &str, done: usize, total: usize) {
        self.display.progress(phase, done, total);
    }

    fn note(&self, text: &str) {
        if lock(&self.noted).insert(text.to_owned()) {
            self.display.warn(text);
        }
    }
}

/// Sets a handler of all requests to end. Those that were ignored from the start stay ignored, as whoever started the
/// process said so: `nohup` has it outlive its terminal, and a shell's background job is not stopped by the Ctrl-C for
/// another one.
pub(crate) fn set_handler(handler: impl FnMut() + 'static + Send) -> Result<(), ctrlc::Error> {
    #[cfg(unix)]
    let ignored: Vec<libc::c_int> = [libc::SIGHUP, libc::SIGINT]
        .into_iter()
        .filter(|&signal| ignore(signal) == libc::SIG_IGN)
        .collect();
    ctrlc::set_handler(handler)?;
    #[cfg(unix)]
    for signal in ignored {
        ignore(signal);
    }
    Ok(())
}

/// Ends the process at once. What libraries left to be done at its end is not done: drivers of graphics adapters wait there
/// for threads that still compute, or crash beside them.
pub(crate) fn leave(status: u8) -> ! {
    #[cfg(unix)]
    #[expect(unsafe_code, reason = "the standard library always does what was left to be done")]
    // SAFETY: ends the process, files and locks with it, and runs no code in it.
    unsafe {
        libc::_exit(i32::from(status))
    }
    #[cfg(not(unix))]
    std::process::exit(i32::from(status))
}

/// Makes a write beyond the limit of a file's size (`ulimit -f`) an error, which is reported with the remedy, and not the end
/// of the process.
pub(crate) fn survive_file_size_limit() {
    #[cfg(unix)]
    ignore(libc::SIGXFSZ);
}

/// Has a signal ignored; what was done with it before.
#[cfg(unix)]
#[expect(unsafe_code, reason = "the standard library has no signals")]
fn ignore(signal: libc::c_int) -> libc::sighandler_t {
    // SAFETY: ignoring a signal runs no code of ours.
    unsafe { libc::signal(signal, libc::SIG_IGN) }
}
