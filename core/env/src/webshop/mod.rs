//! `webshop`: a shop in which a described product has to be found and bought.

mod action;
pub mod catalogue;
mod error;
pub mod goals;
mod page;
mod results;
pub mod reward;
pub mod search;
mod session;
mod shop;
mod views;

pub use self::action::Action;
pub use self::error::ShopError;
pub use self::page::{Kind, Node, Telling};
pub use self::session::Session;
pub use self::shop::Shop;
