//! Purchase plan: a way to the product that a goal was made of.

use super::Session;
use super::goals::WantedOption;
use crate::random::{Purpose, Stream};

/// The actions that buy it with the options that are wanted; none if that does not earn everything.
pub(super) fn plan(from: &Session) -> Vec<String> {
    if from.reward().is_some() {
        return Vec::new();
    }
    let goal = from.goal();
    let Some(product) = from.shop.catalogue().product(goal.product) else {
        return Vec::new();
    };
    let words = asked(&goal.instruction).replace(['[', ']', '\n'], " ");
    let title = product.title.replace(['[', ']', '\n'], " ");
    for query in [words, title] {
        let results = from.shop.search(&query.to_lowercase());
        let Some(place) = results.iter().position(|&place| place == goal.product) else { continue };
        let mut actions = vec![format!("search[{query}]")];
        actions.extend((0..place / from.shop.on_a_page).map(|_| "click[next >]".to_owned()));
        actions.push(format!("click[{}]", product.asin.to_lowercase()));
        let value = |option: &WantedOption| match option {
            WantedOption::Named(_, value) | WantedOption::Plain(value) => format!("click[{value}]"),
        };
        actions.extend(goal.options.iter().map(value));
        actions.push("click[buy now]".to_owned());
        return if earns_everything(from, &actions) { actions } else { Vec::new() };
    }
    Vec::new()
}

/// What is asked for, without the price.
fn asked(instruction: &str) -> &str {
    let end = instruction.rfind(", and price lower than ").unwrap_or(instruction.len());
    let text = &instruction[..end];
    text.strip_prefix("Find me ").unwrap_or(text)
}

fn earns_everything(from: &Session, actions: &[String]) -> bool {
    let mut tried = from.clone();
    // Nothing in a plan is left to chance.
    let mut chance = Stream::new(0, Purpose::WarmStartPlay, [0, 0]).chance();
    let possible = actions.iter().all(|action| tried.act(action, &mut chance));
    possible && tried.reward().is_some_and(|reward| reward.score >= 1.0)
}
