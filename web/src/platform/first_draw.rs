//! The first draw of the page, which comes sooner without what is not seen at once.

use gloo::timers::callback::Timeout;
use std::cell::Cell;
use yew::prelude::*;

/// Milliseconds after which the rest is drawn: the reader sees and can press what is there by then.
const REST: u32 = 60;

thread_local! {
    static IS_OVER: Cell<bool> = const { Cell::new(false) };
}

/// Whether the first draw of the page is over, so that what waited for it is drawn.
#[hook]
pub(crate) fn use_first_draw() -> bool {
    let is_over = use_state_eq(|| IS_OVER.get());
    let set = is_over.setter();
    use_effect_with((), move |()| {
        let timeout = Timeout::new(REST, move || {
            IS_OVER.set(true);
            set.set(true);
        });
        move || drop(timeout)
    });
    *is_over
}
