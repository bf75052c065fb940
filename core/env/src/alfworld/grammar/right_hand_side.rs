//! Grammar symbols: the right-hand side of a rule, as TextWorld's parser reads it.
//!
//! Its quirks are kept: white space and `//` lines at the very beginning vanish, tabs vanish before
//! every symbol, and from the first character on that fits nothing, the rest is dropped.

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    /// Words as they are.
    Text(String),
    /// `#name#`: what the rules of a symbol give.
    Rule(String),
    /// `{item | given}`: the item for every match, one after the other, or `[{item | given}]`: as a
    /// list.
    Each {
        /// What is written for every match.
        item: Item,
        /// The query; without one there is one match.
        given: Option<String>,
        /// Whether the matches are a list with commas.
        list: bool,
    },
}

/// What is written for a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// `#name#`.
    Rule(String),
    /// An expression such as `o.indefinite + ' ' + o.name`.
    Expression(String),
}

/// Reads a right-hand side.
pub(crate) fn parse_symbols(text: &str) -> Vec<Symbol> {
    let mut rest = without_head(text);
    let mut symbols = Vec::new();
    loop {
        rest = rest.trim_start_matches('\t');
        let next = list(rest).or_else(|| each(rest)).or_else(|| rule(rest)).or_else(|| words(rest));
        let Some((symbol, after)) = next else { return symbols };
        symbols.push(symbol);
        rest = after;
    }
}

/// The text without the comments and the white space it begins with.
fn without_head(mut text: &str) -> &str {
    loop {
        let trimmed = text.trim_start();
        let Some(comment) = trimmed.strip_prefix("//") else { return trimmed };
        text = comment.split_once('\n').map_or("", |(_, rest)| rest);
    }
}

fn list(text: &str) -> Option<(Symbol, &str)> {
    let (symbol, rest) = each(text.strip_prefix('[')?.trim_start_matches('\t'))?;
    let Symbol::Each { item, given, .. } = symbol else { return None };
    Some((Symbol::Each { item, given, list: true }, rest.strip_prefix(']')?))
}

fn each(text: &str) -> Option<(Symbol, &str)> {
    let text = text.strip_prefix('{')?.trim_start_matches('\t');
    let (item, rest) = if let Some((Symbol::Rule(name), rest)) = rule(text) {
        (Item::Rule(name), rest)
    } else {
        let (statement, rest) = span(text, |it| !"|[]{}\n<>".contains(it))?;
        (Item::Expression(statement.trim().to_owned()), rest)
    };
    let (given, rest) = match rest.trim_start().strip_prefix('|') {
        Some(rest) => {
            let (given, rest) = span(rest.trim_start(), |it| !";|{}\n[]#".contains(it))?;
            (Some(given.trim().to_owned()), rest)
        }
        None => (None, rest),
    };
    Some((Symbol::Each { item, given, list: false }, rest.strip_prefix('}')?))
}

fn rule(text: &str) -> Option<(Symbol, &str)> {
    let tag = |it: char| it.is_alphanumeric() || it.is_whitespace() || "_()/!<>-,.".contains(it);
    let (name, rest) = span(text.strip_prefix('#')?, tag)?;
    Some((Symbol::Rule(name.to_owned()), rest.strip_prefix('#')?))
}

fn words(text: &str) -> Option<(Symbol, &str)> {
    let literal = |it: char| !";|\"<>[]#{}".contains(it);
    if let Some(quoted) = text.strip_prefix('"') {
        let (inside, rest) = span(quoted, literal).unwrap_or(("", quoted));
        return Some((Symbol::Text(inside.to_owned()), rest.strip_prefix('"')?));
    }
    span(text, literal).map(|(words, rest)| (Symbol::Text(words.to_owned()), rest))
}

/// The longest beginning, not empty, of characters that fit.
fn span(text: &str, fits: impl Fn(char) -> bool) -> Option<(&str, &str)> {
    let end = text.find(|it| !fits(it)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: &str) -> Symbol {
        Symbol::Text(words.to_owned())
    }

    fn each(item: Item, given: Option<&str>, list: bool) -> Symbol {
        Symbol::Each { item, given: given.map(str::to_owned), list }
    }

    fn expression(text: &str) -> Item {
        Item::Expression(text.to_owned())
    }

    /// Every case was put to TextWorld 1.7.0's own parser (under TatSu 5.8.3).
    #[test]
    fn right_hand_sides_are_read_as_textworld_reads_them() {
        let name = each(expression("o.name"), None, false);
        let listed = each(expression("r.name"), Some("p(r:t)"), true);
        let cases = [
            ("\nAvail\n x", vec![text("Avail\n x")]),
            (" (it is open)", vec![text("(it is open)")]),
            ("", vec![]),
            ("a {o.name} (in)} rest", vec![text("a "), name, text(" (in)")]),
            ("a; b", vec![text("a")]),
            ("[{r.name | p(r:t)}].", vec![listed, text(".")]),
            ("// c\nabc", vec![text("abc")]),
            ("#a# #b#", vec![Symbol::Rule("a".into()), text(" "), Symbol::Rule("b".into())]),
            ("say \"hi\" now", vec![text("say "), text("hi"), text(" now")]),
            ("\t\tx\ty", vec![text("x\ty")]),
            ("#a#\n  b", vec![Symbol::Rule("a".into()), text("\n  b")]),
            ("[ {a} ]", vec![]),
            ("[{#x# | p(a:t)}]", vec![each(Item::Rule("x".into()), Some("p(a:t)"), true)]),
        ];
        for (from, expected) in cases {
            assert_eq!(parse_symbols(from), expected, "{from:?}");
        }
    }
}
