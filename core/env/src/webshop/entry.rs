//! Registry entry of `webshop`.

use std::sync::Arc;

use super::goals::Wanted;
use super::{Webshop, WebshopSettings, open};
use crate::Split;
use crate::registry::{Data, Entry, PanelEntry, Prompt, TableEntry};

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
        remedy: "get it with WebShop's setup.sh (its folder data), or from the links that it names",
    }),
    splits: &[
        (Split::Train, "All goals, of which training draws those after the first 500"),
        (Split::Seen, "The goals that published runs evaluate on, the first 500"),
        (Split::Unseen, "Those of them for products that training never asks for"),
    ],
    max_steps: 15,
    published_tasks: 500,
    panels: &[
        PanelEntry {
            name: "webshop-500",
            summary: "The first 500 of the 6,910 goals of 1,000 products, in the order of seed 0",
            split: Split::Seen,
            tasks: 500,
            settings: "{}",
            digest: Some("af0b63bfb54be26cc57d20d52673cdbfbe67bc302c727c7c80f4ec27d7646c21"),
        },
        PanelEntry {
            name: "webshop-human-500",
            summary: "The first 500 of the goals that people wrote, in the order of seed 233, as in WebShop's own tests",
            split: Split::Seen,
            tasks: 500,
            settings: r#"{"human_goals": true, "seed": 233}"#,
            digest: None,
        },
    ],
    prompts: PROMPTS,
    presets: &[],
    open: |opening| {
        let settings: WebshopSettings = opening.table()?;
        let files = opening.files()?;
        let wanted = if settings.human_goals { Wanted::Human } else { Wanted::Synthetic };
        let shop =
            open(files.as_ref(), wanted, settings.seed).map_err(|error| opening.failed(error))?;
        Ok(Arc::new(Webshop::new(shop, settings, opening.config.episode())))
    },
    game: None,
    generation: None,
};
