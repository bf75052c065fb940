//! `webshop-generated`: a shop of our own, whose products and goals are drawn from a seed. It is searched,
//! told and rewarded as [`webshop`](super) is; nothing has to be downloaded.
//!
//! # Products
//! A product is of one of twelve kinds in four departments. Three of its department's six attributes are
//! its own: the first stands in its title, the second in its first feature, which is searched as well, and
//! the third in its second feature, which only the page `Features` shows. It has two options with two or
//! three values each, which its page lists, and costs 5 to 95 dollars. Brand, department and place of use
//! are words that many products share.
//!
//! # Goals
//! There is one for every combination of a product's options, with two of its attributes and a limit of
//! its price: `Find me dimmable, cordless lamp with colour: red, and size: small, and price lower than
//! 40.00 dollars`. Whatever fits in every respect wins, also another product than the one that the goal
//! was made of. The kind is the only noun of a title, so that a product of another kind earns nothing.
//!
//! # Splits
//! What is asked for (kind, attributes and options, whatever the limit of the price) is held out from training
//! in one case of four, by its digest, so that no goal of evaluation asks for what a goal of training does. Every
//! fourth product is asked for in unseen tasks alone; seen tasks ask for the others. All products are in the one
//! shop, so that training meets those of unseen tasks as well, and may buy them if they fit.
//!
//! # Solvable
//! By construction: the product that a goal is made of has what is asked for, and its title finds it.

mod departments;
mod entry;
mod observation_parser;
mod products;
mod scripted_player;
mod settings;
mod suite;

pub(crate) use self::entry::ENTRY;
pub use self::scripted_player::ScriptedShopper;
pub use self::settings::GeneratedShopSettings;
pub use self::suite::GeneratedWebshop;
