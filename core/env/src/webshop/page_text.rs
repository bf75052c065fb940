//! Page texts, by kind of page.

use std::borrow::Cow;

use super::catalogue::Product;
use super::page::{Node, NodeKind, json};
use super::reward::Reward;
use super::session::{Session, View};

/// Pages about a product.
pub(super) const PARTS: [&str; 3] = ["Description", "Features", "Reviews"];

/// Reads the texts of the page that is open.
pub(super) fn read<T>(session: &Session, read: impl FnOnce(&[Node<'_>]) -> T) -> T {
    let products: Vec<(u32, Cow<'_, Product>)> = match session.view {
        View::Results => session.results_on_page().collect(),
        _ => session.product().into_iter().collect(),
    };
    let mut page = Page(Vec::new());
    match (&session.view, products.first()) {
        (View::Results, _) => page.results(session, &products),
        (View::Item, Some((_, product))) => page.item(session, product),
        (View::Part(part), Some((_, product))) => page.part(session, product, part),
        (View::Done(reward), Some((_, product))) => page.done(session, product, reward),
        // There is no product to look at before one was clicked.
        (View::Index, _) | (_, None) => page.index(session),
    }
    read(&page.0)
}

struct Page<'a>(Vec<Node<'a>>);

impl<'a> Page<'a> {
    fn add(&mut self, text: impl Into<Cow<'a, str>>, kind: NodeKind) {
        self.0.extend(Node::new(text, kind));
    }

    fn plain(&mut self, text: impl Into<Cow<'a, str>>) {
        self.add(text, NodeKind::Plain);
    }

    fn button(&mut self, text: &'a str) {
        self.add(text, NodeKind::Button);
    }

    fn index(&mut self, session: &'a Session) {
        self.plain("WebShop");
        self.plain("Instruction: ");
        self.plain(&*session.goal.instruction);
        self.button("Search");
    }

    fn head(&mut self, session: &'a Session) {
        self.plain("Instruction:");
        self.plain(&*session.goal.instruction);
        self.button("Back to Search");
    }

    fn results(&mut self, session: &'a Session, products: &'a [(u32, Cow<'_, Product>)]) {
        self.head(session);
        let (page, total) = (session.page, session.results.len());
        self.plain(format!("Page {page} (Total results: {total})"));
        if page > 1 {
            self.button("< Prev");
        }
        self.button("Next >");
        for &(place, ref product) in products {
            let clicked = session.visited.contains(&place);
            self.add(&*product.asin, NodeKind::Product { place, clicked });
            self.plain(&*product.title);
            self.plain(product.price_tag());
        }
    }

    fn item(&mut self, session: &'a Session, product: &'a Product) {
        self.head(session);
        self.button("< Prev");
        for (option, (name, values)) in product.options.iter().enumerate() {
            self.plain(&**name);
            for value in values {
                let clicked = session.address.has_chosen(value);
                self.add(&**value, NodeKind::Choice { option, clicked });
            }
        }
        self.plain(&*product.title);
        self.plain(format!("Price: {}", product.price_tag()));
        self.plain("Rating: N.A.");
        for part in PARTS {
            self.button(part);
        }
        self.button("Buy Now");
    }

    fn part(&mut self, session: &'a Session, product: &'a Product, part: &str) {
        self.head(session);
        self.button("< Prev");
        if part == PARTS[0] {
            self.plain(&*product.description);
        } else if part == PARTS[1] {
            product.bullets.iter().for_each(|bullet| self.plain(format!(" {bullet}")));
        }
    }

    /// The last page, which agents do not act on.
    fn done(&mut self, session: &'a Session, product: &'a Product, reward: &Reward) {
        let mut chosen = session.chosen();
        chosen.sort_unstable();
        let before = ["Thank you for shopping with us!", "Your code: ", "None"];
        let bought = [" (Paste it in your MTurk interface.)", "Purchased", "asin", &product.asin];
        before.into_iter().chain(bought).chain(["options"]).for_each(|text| self.plain(text));
        self.plain(escaped(&json(&chosen)));
        for name in ["attrs", "category", "query", "product category"] {
            self.plain(name);
            self.plain("None");
        }
        let wanted =
            ["Target", "asin", "options", "attrs", "price upper", "instuction text", "category"];
        let last = ["product category", "query", "Goal ", "None", "Reward"];
        wanted.into_iter().chain(last).for_each(|text| self.plain(text));
        self.plain("Your score (min 0.0, max 1.0)");
        self.plain(format!("{:?}", reward.score));
        self.plain("Reward Details ");
        self.plain("None");
    }
}

/// JSON as it stands in HTML.
fn escaped(json: &str) -> String {
    let mut escaped = json.to_owned();
    for (mark, code) in [("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026"), ("'", "\\u0027")] {
        escaped = escaped.replace(mark, code);
    }
    escaped
}
