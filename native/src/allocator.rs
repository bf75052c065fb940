//! Allocator settings: memory that is freed stays with the process.
//!
//! Every operation on tensors allocates its result anew, up to hundreds of megabytes. glibc gives such
//! pieces back to the system when they are freed; asked for again, every page is mapped and cleared by
//! the kernel anew, with an interrupt to all cores: half the time of training a language model on two
//! cores. Other C libraries are left as they are.
//!
//! Pages of 4 KiB that are looked at for the first time are an interrupt each: those of a model of 630
//! million parameters took longer than all else of loading it. Linux gives pages of 2 MiB to those who ask.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, which is asked for large pages if a piece has several of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct LargePages;

/// Bytes of a large page on most machines; elsewhere less memory is aligned to one than might be.
#[cfg(target_os = "linux")]
const PAGE: usize = 2 << 20;

// SAFETY: everything is the system's allocator; advice changes no memory.
#[expect(unsafe_code, reason = "allocators are")]
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's.
        advise_huge_pages(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's. What the system clears itself has not been looked at yet.
        advise_huge_pages(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's.
        advise_huge_pages(unsafe { System.realloc(place, layout, size) }, size)
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { System.dealloc(place, layout) };
    }
}

/// Asks for large pages for those that lie within a piece.
#[cfg(target_os = "linux")]
fn advise_huge_pages(place: *mut u8, size: usize) -> *mut u8 {
    if size >= 2 * PAGE && !place.is_null() {
        let start = place.addr().next_multiple_of(PAGE);
        let end = (place.addr() + size) / PAGE * PAGE;
        #[expect(unsafe_code, reason = "the system's advice has no other interface")]
        // SAFETY: the range lies within a piece that was just given. It is advice: no need to know whether
        // it is followed.
        unsafe {
            libc::madvise(place.with_addr(start).cast(), end - start, libc::MADV_HUGEPAGE);
        }
    }
    place
}

/// Other systems choose the sizes of pages themselves.
#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(place: *mut u8, _size: usize) -> *mut u8 {
    place
}

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
    // SAFETY: takes two integers, and does nothing if it does not know them.
    unsafe { libc::mallopt(setting, value) };
}
