//! Glossary of the symbols that are in sight.

use crate::text;
use yew::prelude::*;
use yew::virtual_dom::VNode;

/// Letters, indices and meanings that drawn parts show.
#[derive(Default)]
struct InSight(Vec<String>);

impl InSight {
    /// Collects what a part shows; `within` a symbol, every word is one.
    fn add(&mut self, node: &VNode, within: bool) {
        match node {
            VNode::VList(list) => {
                for child in list.iter() {
                    self.add(child, within);
                }
            }
            VNode::VTag(tag) => {
                let mut is_symbol = within || tag.tag() == "i";
                for (name, value) in tag.attributes.iter() {
                    if name == "title" && text::symbols().any(|(_, meaning)| meaning == value) {
                        self.0.push(value.to_owned());
                        is_symbol = true;
                    }
                    is_symbol |= name == "class" && value == "index";
                }
                if let Some(children) = tag.children() {
                    self.add(children, is_symbol);
                }
            }
            VNode::VText(shown) if within || &*shown.text == GROUP => {
                // Between indices that are numbers.
                let words =
                    shown.text.split(|own: char| own.is_ascii_digit() || " ,>".contains(own));
                self.0.extend(words.map(str::to_owned));
            }
            _ => {}
        }
    }

    fn has(&self, shown: &str) -> bool {
        self.0.iter().any(|known| known == shown)
    }
}

/// The sign of a group, which is no letter of a formula.
const GROUP: &str = "G";
/// Symbols of the steps themselves, which stand beside the panel.
const OF_STEPS: [&str; 2] = ["t", "r"];

/// The symbols that some parts show, and those of the steps, with what they mean.
pub(super) fn in_sight(parts: &[Html]) -> impl Iterator<Item = (Html, &'static str)> {
    let mut found = InSight(OF_STEPS.map(str::to_owned).to_vec());
    for part in parts {
        found.add(part, false);
    }
    text::symbols().filter_map(move |(names, meaning)| {
        let own: Vec<&str> = names.split(", ").filter(|name| found.has(name)).collect();
        let names = match own[..] {
            // A number that is told by its title alone.
            [] if found.has(meaning) => names.to_owned(),
            [] => return None,
            _ => own.join(", "),
        };
        Some((html! { <i>{ names }</i> }, meaning))
    })
}

#[cfg(test)]
mod tests {
    use super::super::notation::{plus_epsilon, symbol};
    use super::in_sight;
    use yew::prelude::*;

    fn listed(part: Html) -> Vec<&'static str> {
        in_sight(&[part]).map(|(_, meaning)| meaning).collect()
    }

    #[test]
    fn what_is_drawn_is_listed_and_nothing_else() {
        use crate::text::meaning;
        let steps = ["t", "r"].map(meaning);
        assert_eq!(listed(Html::default()), steps);
        let words = html! { <p>{ "A word, and R as a word" }</p> };
        assert_eq!(listed(words), steps);
        let part = html! {
            <>
                <p>{ symbol("w", "k") }{ plus_epsilon(1e-6).html }</p>
                <b class="mark-of-level">{ "G" }<sub>{ 0 }</sub></b>
            </>
        };
        let found = ["G", "k", "w", "10\u{207b}\u{2076}"].map(meaning);
        assert_eq!(listed(part), [&steps[..], &found].concat());
        let of_gains = ["\u{394}", "A"].map(meaning);
        assert_eq!(listed(symbol("A", "0\u{394}")), [&steps[..], &of_gains].concat());
    }
}
