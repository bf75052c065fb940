//! Registry entry of environments of one's own: no registry lists them, as a program on a machine plays them.

use hgpo_env::Split;
use hgpo_env::registry::{Entry, Prompt};

/// What settings call them.
pub(crate) const NAME: &str = "command";

/// What is said of them all.
pub(crate) static ENTRY: Entry = Entry {
    name: NAME,
    summary: "An environment of one's own, played by a program",
    table: None,
    data: None,
    splits: &[
        (Split::Train, "The seeds of training"),
        (Split::Seen, "Other seeds"),
        (Split::Unseen, "Other seeds again"),
    ],
    max_steps: 16,
    published_tasks: 512,
    panels: &[],
    prompts: &[Prompt { name: "compact", text: include_str!("prompts/compact.toml") }],
    presets: &[],
    open: |opening| Err(opening.failed("a program plays it: name it with --environment-command")),
    game: None,
    generation: None,
};
