//! Compact pages, in lines, a form of our own: for people, and for policies whose prompts have to be
//! short.

use super::catalogue::Product;
use super::page_text::PARTS;
use super::session::{Session, View};

/// The page that is open, without what is asked for.
pub(super) fn tell(session: &Session) -> String {
    match (&session.view, session.product()) {
        (View::Results, _) => results(session),
        (View::Item, Some((_, product))) => item(session, &product),
        (View::Part(part), Some((_, product))) => {
            format!("{}\n{}", head(&product, ""), about(part, &product))
        }
        (View::Done(reward), Some((_, product))) => {
            let chosen: Vec<&str> = session.chosen().into_iter().map(|(_, value)| value).collect();
            let chosen =
                if chosen.is_empty() { "no options".to_owned() } else { chosen.join(", ") };
            format!("Bought with {chosen}, score {:.2}:\n{}", reward.score, head(&product, ""))
        }
        (View::Index, _) | (_, None) => "Nothing searched for.".to_owned(),
    }
}

fn results(session: &Session) -> String {
    let total = session.results.len();
    let first = (session.page - 1).saturating_mul(session.shop.on_a_page);
    let shown: Vec<String> = session
        .results_on_page()
        .map(|(place, product)| {
            head(&product, if session.visited.contains(&place) { ", seen" } else { "" })
        })
        .collect();
    if shown.is_empty() {
        return format!("No results of {total}.");
    }
    let last = first + shown.len();
    format!("Results {} to {last} of {total}.\n{}", first + 1, shown.join("\n"))
}

/// The number comes last, where whoever reads from left to right has read what it stands for.
fn head(product: &Product, mark: &str) -> String {
    let tag = product.price_tag();
    let prices: Vec<&str> =
        tag.split(' ').map(|price| price.strip_suffix(".0").unwrap_or(price)).collect();
    format!("{}, {}{mark}: {}", product.title, prices.join(" "), product.asin)
}

fn item(session: &Session, product: &Product) -> String {
    let chosen = session.chosen();
    let mut lines = vec![head(product, "")];
    for (name, values) in &product.options {
        let value = |value: &String| {
            let is_chosen = chosen.contains(&(&**name, &**value));
            format!("{value}{}", if is_chosen { " (chosen)" } else { "" })
        };
        let values: Vec<String> = values.iter().map(value).collect();
        lines.push(format!("{name}: {}", values.join(", ")));
    }
    lines.join("\n")
}

fn about(part: &str, product: &Product) -> String {
    let text = match part {
        part if part == PARTS[0] => product.description.clone(),
        part if part == PARTS[1] => product.bullets.join(", "),
        _ => String::new(),
    };
    let text = if text.is_empty() { "nothing" } else { &text };
    format!("{part}: {text}")
}
