//! The browser: workers that learn, the clock, the focus, whether anybody sees the view, and the page around it.

pub(crate) mod clock;
pub(crate) mod focus;
pub(crate) mod page;
pub(crate) mod sight;
pub(crate) mod worker;
