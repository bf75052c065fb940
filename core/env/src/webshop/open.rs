//! A shop from its files.

use std::sync::Arc;

use super::catalogue::Catalogue;
use super::goals::Wanted;
use super::reward::Nouns;
use super::{Shop, ShopError};
use crate::files::{Files, ReadSeek};

/// The products, with the words of messages for them.
const PRODUCTS: (&str, &str) = ("items_shuffle", "items_shuffle*.json (the products)");
/// What is wanted of them, as a program wrote it.
const INSTRUCTIONS: (&str, &str) = ("items_ins_v2", "items_ins_v2*.json (the instructions)");
/// What people wrote.
const HUMAN: (&str, &str) =
    ("items_human_ins", "items_human_ins.json (the instructions of people)");
/// The nouns of titles, which may be missing.
const NOUNS: &str = "noun_tokens_by_title.json";

/// Opens the shop in a folder: products (`items_shuffle*.json`), what is wanted of them
/// (`items_ins_v2*.json`, `items_human_ins.json`) and, where it is there, the nouns of titles
/// (`noun_tokens_by_title.json`). Of several files with products the first by name is taken, and so of the
/// others: of the release that with 1,000 comes after that with all, so keep only one of them there.
///
/// # Errors
/// Says which file is missing, or what is wrong with it, and where.
pub fn open(files: &dyn Files, wanted: Wanted, seed: u64) -> Result<Shop, ShopError> {
    let listed =
        files.list("").map_err(|error| ShopError::Open { file: files.place(""), error })?;
    let mut present: Vec<String> = listed.into_iter().map(|it| it.name).collect();
    present.sort_unstable();
    let named = |(begin, what): (&str, &'static str)| {
        let is_it =
            |it: &&String| it.strip_suffix(".json").is_some_and(|name| name.starts_with(begin));
        present
            .iter()
            .find(is_it)
            .ok_or_else(|| ShopError::Missing { what, folder: files.place("") })
    };
    let read = |name: &str| -> Result<Box<dyn ReadSeek>, ShopError> {
        files.open(name).map_err(|error| ShopError::Open { file: files.place(name), error })
    };
    let wrong = |name: &str| {
        let file = files.place(name);
        move |error| ShopError::Read { file, error }
    };
    let products = named(PRODUCTS)?;
    let mut catalogue = Catalogue::read(read(products)?).map_err(wrong(products))?;
    let instructions = named(INSTRUCTIONS)?;
    catalogue.read_instructions(read(instructions)?).map_err(wrong(instructions))?;
    if wanted == Wanted::Human {
        let human = named(HUMAN)?;
        catalogue.read_human_instructions(read(human)?).map_err(wrong(human))?;
    }
    let nouns = if present.iter().any(|it| it == NOUNS) {
        Nouns::read(read(NOUNS)?).map_err(wrong(NOUNS))?
    } else {
        Nouns::default()
    };
    Shop::new(Arc::new(catalogue), nouns, wanted, seed)
}
