//! Registry entry of `webshop-generated`.

use std::sync::Arc;

use super::super::entry::PROMPTS;
use super::{GeneratedShopSettings, GeneratedWebshop};
use crate::Split;
use crate::registry::{Entry, Preset, TableEntry};

/// A generated shop.
pub(crate) static ENTRY: Entry = Entry {
    name: GeneratedWebshop::NAME,
    summary: "A generated shop like WebShop's; needs no data",
    table: Some(TableEntry::of::<GeneratedShopSettings>()),
    data: None,
    splits: &[
        (Split::Train, "Training goals"),
        (Split::Seen, "Wishes that training never has, for products that it asks for"),
        (Split::Unseen, "Such wishes for products that training never asks for"),
    ],
    max_steps: 15,
    published_tasks: 512,
    prompts: PROMPTS,
    presets: &[Preset {
        name: GeneratedWebshop::NAME,
        summary: "a generated shop",
        text: include_str!("presets/webshop-generated.toml"),
    }],
    open: |opening| {
        Ok(Arc::new(GeneratedWebshop::new(opening.table()?, opening.config.episode())?))
    },
    game: None,
    generation: None,
};
