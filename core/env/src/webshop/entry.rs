//! Registry entry of `webshop`.

use std::sync::Arc;

use super::{Webshop, WebshopSettings, open};
use crate::Split;
use crate::registry::{Data, Entry, Prompt, TableEntry};

/// How to get the data.
const REMEDY: &str =
    "get it with WebShop's setup.sh (its folder data), or from the links that it names";

/// What language models are told, in a generated shop too.
pub(super) const PROMPTS: &[Prompt] = &[
    Prompt { name: "compact", text: include_str!("prompts/compact.toml") },
    Prompt { name: "reasoning", text: include_str!("prompts/reasoning.toml") },
];

/// The shop.
pub(crate) static ENTRY: Entry = Entry {
    name: Webshop::NAME,
    summary: "WebShop's goals and products (needs its data)",
    table: Some(TableEntry::of::<WebshopSettings>()),
    data: Some(Data {
        variable: "WEBSHOP_DATA",
        what: "WebShop's products and goals",
        remedy: REMEDY,
    }),
    splits: &[
        (Split::Train, "All goals, of which training draws those after the first 500"),
        (Split::Seen, "The goals that published runs evaluate on, the first 500"),
        (Split::Unseen, "Those of them for products that training never asks for"),
    ],
    max_steps: 15,
    published_tasks: 500,
    prompts: PROMPTS,
    presets: &[],
    open: |opening| {
        let settings: WebshopSettings = opening.table()?;
        let files = opening.files()?;
        let shop = open(files.as_ref(), settings.wanted(), settings.seed);
        let shop = shop.map_err(|error| opening.failed(error))?;
        Ok(Arc::new(Webshop::new(shop, settings, opening.config.episode())))
    },
    game: None,
    generation: None,
};
