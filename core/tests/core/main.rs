//! The library as its users see it.

mod ambiguous;
mod annotate;
mod batch;
mod bias;
mod conversations;
mod damages;
mod declarations;
mod difflib;
mod dumps;
mod estimators;
mod explanation;
mod foreign;
mod format;
mod inconsistency;
mod oracle;
mod process;
mod properties;
mod provenance;
#[path = "../reference_data/mod.rs"]
mod reference_data;
mod rows;
mod tokens;
mod warnings;
