//! Action parser.

/// What an agent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action<'a> {
    /// `search[words]`.
    Search(&'a str),
    /// `click[something]`.
    Click(&'a str),
}

impl<'a> Action<'a> {
    /// An action as it is written. Python's `re.match` of `(.+)\[(.+)\]` in the first line: the argument
    /// goes from the last `[` to the last `]` after it, neither empty nor the name before it, and what
    /// comes after does not matter. `None` for what is neither a search nor a click.
    #[must_use]
    pub fn parse(text: &'a str) -> Option<Self> {
        let line = text.split('\n').next()?;
        let end = line.rfind(']')?;
        // At least one character before the last `]`, which may be a bracket itself.
        let (before, _) = line[..end].char_indices().next_back()?;
        let open = line[..before].rfind('[')?;
        let argument = &line[open + 1..end];
        match &line[..open] {
            "search" => Some(Self::Search(argument)),
            "click" => Some(Self::Click(argument)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_read_as_python_reads_them() {
        assert_eq!(Action::parse("search[red shoe]"), Some(Action::Search("red shoe")));
        assert_eq!(Action::parse("click[< Prev] now"), Some(Action::Click("< Prev")));
        assert_eq!(Action::parse("click[a] b]"), Some(Action::Click("a] b")));
        assert_eq!(Action::parse("search[a]]"), Some(Action::Search("a]")));
        // re.match(r'(.+)\[(.+)\]', 'search[[]').groups() == ('search', '[')
        assert_eq!(Action::parse("search[[]"), Some(Action::Search("[")));
        // ... 'search[a[b]' gives ('search[a', 'b').
        for text in
            ["search[a[b]", "search[]", "search", "buy now", "think[hmm]", "[x]", "click[a\n]", ""]
        {
            assert_eq!(Action::parse(text), None, "{text}");
        }
        assert_eq!(Action::parse("click[é]"), Some(Action::Click("é")));
    }
}
