//! The tag `{% generation %}`, which marks what the model says, for a mask over a training text.

use std::borrow::Cow;
use std::ops::Range;

/// The template with line breaks as Jinja2 reads them, and with a plain block, which has its own
/// variables too, in place of every generation block.
pub(super) fn plain(source: &str) -> Cow<'_, str> {
    let mut source = Cow::Borrowed(source);
    if source.contains('\r') {
        source = Cow::Owned(source.replace("\r\n", "\n").replace('\r', "\n"));
    }
    if !source.contains("generation") {
        return source;
    }
    let mut out = String::with_capacity(source.len());
    let mut end = 0;
    for place in tags(&source) {
        out.push_str(&source[end..place.start]);
        end = place.end;
        let tag = &source[place];
        match name(tag) {
            Some("generation") => out.push_str(&tag.replacen("generation", "with", 1)),
            Some("endgeneration") => out.push_str(&tag.replacen("endgeneration", "endwith", 1)),
            _ => out.push_str(tag),
        }
    }
    out.push_str(&source[end..]);
    Cow::Owned(out)
}

/// Places of the tags and comments of a template; a raw block is one tag.
pub(super) fn tags(source: &str) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    std::iter::from_fn(move || {
        let start = end + next_tag(&source[end..])?;
        end = start + tag_length(&source[start..]);
        Some(start..end)
    })
}

fn next_tag(text: &str) -> Option<usize> {
    let opens = |at: &usize| text[at + 1..].starts_with(['{', '%', '#']);
    text.match_indices('{').map(|(at, _)| at).find(opens)
}

/// The only word of a tag `{%- word -%}`.
fn name(tag: &str) -> Option<&str> {
    let inside = tag.strip_prefix("{%")?.strip_suffix("%}")?;
    let inside = inside.strip_prefix(['-', '+']).unwrap_or(inside);
    let inside = inside.strip_suffix(['-', '+']).unwrap_or(inside);
    Some(inside.trim_ascii())
}

/// Bytes of the tag that a text begins with; of a raw block, all of it.
fn tag_length(text: &str) -> usize {
    let close = match text.as_bytes().get(1) {
        Some(b'#') => return text.find("#}").map_or(text.len(), |at| at + 2),
        Some(b'%') => "%}",
        _ => "}}",
    };
    let length = closed(text, close);
    if name(&text[..length]) == Some("raw") { raw_length(text, length) } else { length }
}

/// Bytes up to the end of the expression in a tag: texts and brackets may hold what ends a tag.
fn closed(text: &str, close: &str) -> usize {
    let (mut quote, mut escaped, mut depth) = (None, false, 0_usize);
    for (at, byte) in text.bytes().enumerate().skip(2) {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if byte == b'\\' => escaped = true,
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None if depth == 0 && text.as_bytes()[at..].starts_with(close.as_bytes()) => {
                return at + close.len();
            }
            None => match byte {
                b'\'' | b'"' => quote = Some(byte),
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            },
        }
    }
    text.len()
}

fn raw_length(text: &str, start: usize) -> usize {
    let mut at = start;
    while let Some(found) = text[at..].find("{%") {
        at += found;
        let length = text[at..].find("%}").map_or(text.len() - at, |end| end + 2);
        if name(&text[at..at + length]) == Some("endraw") {
            return at + length;
        }
        at += 2;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn only_tags_are_replaced() {
        let source = "{%- generation %}a{% raw %}{% generation %}{% endraw %}{{ '{% generation %}' }}\
                      {# {% generation %} #}{% set generation = {'a': {}} %}{%+ endgeneration -%}";
        let expected = "{%- with %}a{% raw %}{% generation %}{% endraw %}{{ '{% generation %}' }}\
                        {# {% generation %} #}{% set generation = {'a': {}} %}{%+ endwith -%}";
        assert_eq!(plain(source), expected);
        assert_eq!(plain("generation {% unclosed '%}"), "generation {% unclosed '%}");
        assert_eq!(plain("a\r\nb\rc"), "a\nb\nc");
    }
}
