//! Notice: what is under way, or was not kept for the next visit.

/// What is said at the top of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// A file is being read: its name, and how much of it is, in percent.
    Reading { name: String, percent: u32 },
    /// The work is not kept as it was.
    Unkept(Unkept),
}

/// Why work is not kept as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unkept {
    /// It is too large.
    TooLarge,
    /// The browser has no room, or stores nothing.
    Full,
    /// Another tab has changed it too: both are kept.
    Apart,
    /// Older works gave way: what each began as, and the work as in links.
    Dropped(Vec<(String, String)>),
}
