//! Memory that is freed stays with the process.
//!
//! Every operation on tensors allocates its result anew, up to hundreds of megabytes. glibc gives such
//! pieces back to the system when they are freed; asked for again, every page is mapped and cleared by
//! the kernel anew, with an interrupt to all cores: half the time of training a language model on two
//! cores. Other C libraries are left as they are.

/// Keeps what is freed. For the beginning of a program.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        set(libc::M_MMAP_THRESHOLD, libc::c_int::MAX);
        set(libc::M_TRIM_THRESHOLD, -1); // never
    }
}

/// Lets all threads share one arena, for programs that work with large tensors, before they start
/// threads: the arenas of threads hold no more than 64 MiB in one piece, and go to the system for it.
/// Many small tensors on many threads would wait for each other in it.
pub fn share_arena() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    set(libc::M_ARENA_MAX, 1);
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "glibc's settings have no other interface")]
fn set(setting: libc::c_int, value: libc::c_int) {
    // SAFETY: takes two integers, and does nothing where it does not know them.
    unsafe { libc::mallopt(setting, value) };
}
