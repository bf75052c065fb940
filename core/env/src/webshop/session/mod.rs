//! Shopping session: the page that is open, and what was chosen.
//!
//! Source: `web_agent_site/envs/web_agent_text_env.py` and `web_agent_site/templates` of WebShop (Yao et
//! al. 2022), with their quirks: a search is possible on every page, values of options are remembered by
//! the name of the option, and what an address contains decides what `< Prev` leads to.

mod transitions;

pub use self::transitions::Action;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;
use rapidhash::fast::RandomState;

use super::catalogue::Product;
use super::compact_page_text;
use super::goals::Goal;
use super::page::{Address, Node, NodeKind, Telling, joined, rich};
use super::page_text;
use super::reward::Reward;
use super::shop::Shop;

/// What is open.
#[derive(Clone, Debug)]
pub(super) enum View {
    Index,
    Results,
    Item,
    Part(&'static str),
    Done(Reward),
}

/// A visit, with the goal of one.
#[derive(Clone, Debug)]
pub struct Session {
    pub(super) shop: Arc<Shop>,
    pub(super) goal: Arc<Goal>,
    number: usize,
    pub(super) view: View,
    pub(super) address: Address,
    keywords: String,
    pub(super) results: Arc<[u32]>,
    pub(super) page: usize,
    product: Option<u32>,
    /// Names and values, in the order in which names were first chosen.
    chosen: Vec<(String, String)>,
    pub(super) visited: BTreeSet<u32>,
}

impl Session {
    /// A visit for the goal of a number; `None` if there is none.
    #[must_use]
    pub fn new(shop: Arc<Shop>, number: usize) -> Option<Self> {
        let goal = Arc::new(shop.goal(number)?);
        Some(Self {
            shop,
            goal,
            number,
            view: View::Index,
            address: Address::index(number),
            keywords: String::new(),
            results: Arc::from([]),
            page: 1,
            product: None,
            chosen: Vec::new(),
            visited: BTreeSet::new(),
        })
    }

    /// What is asked for.
    #[must_use]
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// What the purchase earned, once there was one.
    #[must_use]
    pub fn reward(&self) -> Option<Reward> {
        if let View::Done(reward) = self.view { Some(reward) } else { None }
    }

    /// The product that is looked at, with its place.
    pub(super) fn product(&self) -> Option<(u32, Cow<'_, Product>)> {
        let place = self.product?;
        Some((place, self.shop.catalogue().product(place)?))
    }

    /// The products on the page of results, with their places.
    pub(super) fn results_on_page(&self) -> impl Iterator<Item = (u32, Cow<'_, Product>)> {
        let (catalogue, on_a_page) = (self.shop.catalogue(), self.shop.on_a_page);
        let before = (self.page - 1).saturating_mul(on_a_page);
        let shown = self.results.iter().skip(before).take(on_a_page);
        shown.filter_map(|&place| Some((place, catalogue.product(place)?)))
    }

    /// Names and values that are chosen.
    pub(super) fn chosen(&self) -> Vec<(&str, &str)> {
        self.chosen.iter().map(|(name, value)| (&**name, &**value)).collect()
    }

    /// The page, told.
    #[must_use]
    pub fn render(&self, telling: Telling) -> String {
        match telling {
            Telling::Lines => compact_page_text::tell(self),
            Telling::TextRich => page_text::read(self, rich),
            Telling::Text => page_text::read(self, |nodes| joined(nodes, "")),
        }
    }

    /// The page without what is asked for, as episodes are told apart by: each stripped text in quotation
    /// marks, as the reference's prompts have them, or as the other forms tell them.
    #[must_use]
    pub fn anchor(&self, telling: Telling) -> String {
        if telling == Telling::Lines {
            return compact_page_text::tell(self);
        }
        page_text::read(self, |nodes| {
            let asked = nodes.iter().position(|node| node.text == self.goal.instruction);
            let rest = &nodes[asked.map_or(0, |place| place + 1)..];
            // The last page does not say what was asked for, and is left as it is.
            match telling {
                Telling::TextRich => rich(rest),
                _ => joined(rest, if asked.is_none() { "" } else { "'" }),
            }
        })
    }

    /// Whether there is a field to search in.
    #[must_use]
    pub fn has_search(&self) -> bool {
        matches!(self.view, View::Index)
    }

    /// What can be clicked, in the original's order: buttons, then products, then values of options.
    #[must_use]
    pub fn clickables(&self) -> Vec<String> {
        page_text::read(self, |nodes| targets(nodes).into_keys().map(Cow::into_owned).collect())
    }
}

/// What can be clicked on a page, with what it is: of equal texts at the place of the first, and as the last.
fn targets<'a>(nodes: &'a [Node<'_>]) -> IndexMap<Cow<'a, str>, NodeKind, RandomState> {
    let of = |is_such: fn(NodeKind) -> bool| nodes.iter().filter(move |node| is_such(node.kind));
    let buttons = of(|kind| kind == NodeKind::Button);
    let products = of(|kind| matches!(kind, NodeKind::Product { .. }));
    let choices = of(|kind| matches!(kind, NodeKind::Choice { .. }));
    let small =
        buttons.chain(products).map(|node| (Cow::from(node.text.to_lowercase()), node.kind));
    let as_written = choices.map(|node| (Cow::from(&*node.text), node.kind));
    small.chain(as_written).collect()
}
