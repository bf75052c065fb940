//! `webshop`: a shop in which a described product has to be found and bought.
//!
//! Source: WebShop (Yao, Chen, Yang and Narasimhan, "WebShop: Towards Scalable Real-World Web Interaction
//! with Grounded Language Agents", 2022), with Lucene 8 through Anserini for its search, as verl-agent
//! wraps it. It is played from the original's files of products and instructions.
//!
//! # What is exact
//! Terms, rankings and scores of the search; goals, their order and their prices for a seed; rewards with
//! every component; pages in both forms, what can be clicked on them, and what comes of it:
//! `tests/env/webshop` compares all of them with recordings.
//! - Prices of products that have two are drawn by CPython's generator in the order of products, then the
//!   price limits of goals; the goals are shuffled by the seed's generator from its start.
//! - A search is possible on every page, and searches again for every page of results.
//! - Of documents that match equally well, the first is that with the first name.
//! - A synthetic goal's option is compared with its name, as Python writes a pair.
//!
//! # What is not
//! - Nouns of titles, which tell the kind of a product, come from spaCy's tagger in the original. They are
//!   read from `noun_tokens_by_title.json` if that is there. Else every word that is not a stop word
//!   counts as one: of 451 recorded purchases of other products than the wanted ones, 434 are then of the
//!   same kind as in the original (96.2 %). Buying the wanted product never depends on it.
//! - `search[<r>]` draws from the episode's chance; `search[<a> ...]`, which stops the original with an
//!   error, finds nothing.
//! - Products without instructions have no goals, whereas the original stops with an error.

pub mod catalogue;
mod compact_page_text;
mod entry;
mod environment;
mod error;
pub mod generate;
pub mod goals;
mod index_cache;
mod page;
mod page_text;
pub mod reward;
mod session;
mod settings;
mod shop;
mod shop_loader;
mod suite;

pub(crate) use self::entry::ENTRY;
pub use self::environment::WebshopEnvironment;
pub use self::error::ShopError;
pub use self::page::Telling;
pub use self::session::{Action, Session};
pub use self::settings::WebshopSettings;
pub use self::shop::Shop;
pub use self::shop_loader::open;
pub use self::suite::Webshop;
pub use crate::search::{IndexError, seal};
