//! Large stack: a thread whose stack is large enough for what templates do by recursion.

use super::error::ChatError;

/// Bytes; pages that are not used take no memory.
#[cfg(not(target_family = "wasm"))]
const SIZE: usize = 64 << 20;

/// Does something on a stack of its own. Chains of operators and branches are compiled by recursion,
/// and values within values are dropped by recursion: thousands of them, which the limits on templates
/// allow, are too many for the 2 MiB that a thread usually has. A panic of the engine (it has one for
/// an empty text backwards) ends the thread and is an error; nothing half done is left, as templates
/// are never changed and what is written so far is dropped.
#[cfg(not(target_family = "wasm"))]
pub(super) fn large<T: Send>(
    work: impl FnOnce() -> Result<T, ChatError> + Send,
) -> Result<T, ChatError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("chat template".to_owned()).stack_size(SIZE);
        match thread.spawn_scoped(scope, work) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| Err(panic_error(&*panic))),
            Err(error) => Err(ChatError::Thread(error.to_string())),
        }
    })
}

/// A module of a browser has one thread, whose stack is what it was linked with.
#[cfg(target_family = "wasm")]
pub(super) fn large<T: Send>(
    work: impl FnOnce() -> Result<T, ChatError> + Send,
) -> Result<T, ChatError> {
    work()
}

#[cfg(not(target_family = "wasm"))]
fn panic_error(panic: &(dyn std::any::Any + Send)) -> ChatError {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    ChatError::Engine(text.unwrap_or("without a reason").to_owned())
}
