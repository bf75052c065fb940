//! Ignored signals stay ignored, if whoever started the process said so: `nohup` has it outlive its terminal, and a
//! shell's background job is not stopped by the Ctrl-C for another one.

/// The signals that were ignored from the start.
#[derive(Debug)]
pub(crate) struct IgnoredSignals(#[cfg(unix)] Vec<libc::c_int>);

/// Finds them, before any handler is set.
#[cfg(unix)]
pub(crate) fn find_ignored() -> IgnoredSignals {
    let was_ignored = |signal: &libc::c_int| ignore(*signal) == libc::SIG_IGN;
    IgnoredSignals([libc::SIGHUP, libc::SIGINT].into_iter().filter(was_ignored).collect())
}

#[cfg(not(unix))]
pub(crate) fn find_ignored() -> IgnoredSignals {
    IgnoredSignals()
}

/// Makes a write beyond the limit of a file's size (`ulimit -f`) an error, which is reported with the remedy, and not the end
/// of the process.
pub(crate) fn survive_file_size_limit() {
    #[cfg(unix)]
    ignore(libc::SIGXFSZ);
}

impl IgnoredSignals {
    /// Has them ignored again, after a handler was set for all.
    pub(crate) fn restore(&self) {
        #[cfg(unix)]
        for &signal in &self.0 {
            ignore(signal);
        }
    }
}

/// Has a signal ignored; what was done with it before.
#[cfg(unix)]
#[expect(unsafe_code, reason = "the standard library has no signals")]
fn ignore(signal: libc::c_int) -> libc::sighandler_t {
    // SAFETY: ignoring a signal runs no code of ours.
    unsafe { libc::signal(signal, libc::SIG_IGN) }
}
