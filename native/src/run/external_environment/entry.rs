//! Registry entry of environments of one's own, which no registry lists.

use hgpo_env::Split;
use hgpo_env::registry::{Entry, Preset, Prompt};

/// What settings call them.
pub const NAME: &str = "external";

/// What is said of them all.
pub(crate) static ENTRY: Entry = Entry {
    name: NAME,
    summary: "An environment of one's own, played by a program, a server or an object in Python",
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
    presets: &[Preset {
        name: NAME,
        summary: "an environment of your own, learned by a table; taken where none is named",
        text: include_str!("presets/external.toml"),
    }],
    open: |opening| Err(opening.failed("say what plays it, for example with --environment-command")),
    game: None,
    generation: None,
};
