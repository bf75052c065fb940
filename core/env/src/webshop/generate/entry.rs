//! Registry entry of `webshop-generated`.

use std::sync::Arc;

use super::super::entry::PROMPTS;
use super::{GeneratedShopSettings, GeneratedWebshop};
use crate::Split;
use crate::registry::{Entry, PanelEntry, Preset, TableEntry};

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
    panels: &[
        PanelEntry {
            name: "webshop-generated-seen",
            summary: "All held-out goals for products that training asks for",
            split: Split::Seen,
            tasks: 239,
            settings: "{}",
            digest: Some("87905820aea6d312b44ad9afb68c741b384ea63e7bb4a74585e2038ca45f982b"),
        },
        PanelEntry {
            name: "webshop-generated-unseen",
            summary: "All held-out goals for other products",
            split: Split::Unseen,
            tasks: 67,
            settings: "{}",
            digest: Some("57221f94f770ff7955c148046908e7a752a2112d3d336fb438866562691125a6"),
        },
    ],
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
