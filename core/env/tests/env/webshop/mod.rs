//! The shop of WebShop.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

mod episodes;
mod files;
mod generated;
mod goals;
mod human;
mod kept;
mod reward;
mod search;
mod shop;
mod stock;

use crate::oracle;

use std::fs::File;
use std::sync::{Arc, OnceLock};

use hgpo_env::webshop::Shop;
use hgpo_env::webshop::catalogue::Catalogue;
use hgpo_env::webshop::goals::Wanted;
use hgpo_env::webshop::reward::Nouns;
use serde::de::DeserializeOwned;

/// The 1,000 products, if they are present; read once.
fn catalogue() -> Option<Arc<Catalogue>> {
    static READ: OnceLock<Option<Arc<Catalogue>>> = OnceLock::new();
    let read = || {
        let open = |name: &str| Some(File::open(oracle::webshop()?.join(name)).unwrap());
        let mut catalogue = Catalogue::read(open("items_shuffle_1000.json")?).unwrap();
        catalogue.read_instructions(open("items_ins_v2_1000.json")?).unwrap();
        Some(Arc::new(catalogue))
    };
    READ.get_or_init(read).clone()
}

/// A recording.
fn recorded<T: DeserializeOwned>(name: &str) -> T {
    let bytes = std::fs::read(oracle::webshop().unwrap().join(name)).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// The shop with the goals of a seed.
fn shop(seed: u64) -> Option<Arc<Shop>> {
    let nouns = File::open(oracle::webshop()?.join("noun_tokens_by_title.json")).unwrap();
    let nouns = Nouns::read(nouns).unwrap();
    Some(Arc::new(Shop::new(catalogue()?, nouns, Wanted::Synthetic, seed).unwrap()))
}
