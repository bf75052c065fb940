//! Grammar queries: conditions of rules, such as `holds(a:agent, o:object) & not_opened(r:receptacle)`.

/// A named place in a query; two are the same if name and type are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Placeholder {
    /// Its name.
    pub(crate) name: String,
    /// The type of what may stand there.
    pub(crate) kind: String,
}

/// One fact that a query looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QueryAtom {
    /// The predicate, perhaps with `not_` before it.
    pub(crate) predicate: String,
    /// Its arguments.
    pub(crate) placeholders: Vec<Placeholder>,
}

/// More facts in one query are refused.
const MOST_ATOMS: usize = 16;

/// Reads a query, or says what is wrong with it.
pub(crate) fn parse_query(text: &str) -> Result<Vec<QueryAtom>, String> {
    let read = |part: &str| {
        let part = part.trim();
        let broken = || format!("'{part}' in the condition '{text}' is not like 'p(x:type)'");
        atom(part).ok_or_else(broken)
    };
    let atoms = text.split('&').map(read).collect::<Result<Vec<_>, _>>()?;
    if atoms.len() > MOST_ATOMS {
        return Err(format!("the condition '{text}' asks for more than {MOST_ATOMS} facts"));
    }
    Ok(atoms)
}

fn atom(text: &str) -> Option<QueryAtom> {
    let named = |name: &str| {
        let fits = |it: char| it.is_alphanumeric() || "_'/-!".contains(it);
        (!name.is_empty() && name.chars().all(fits)).then(|| name.to_owned())
    };
    let (predicate, arguments) = text.strip_suffix(')')?.split_once('(')?;
    let placeholder = |argument: &str| {
        let (name, kind) =
            argument.split_once(':').unwrap_or((argument, argument.trim().trim_end_matches('\'')));
        Some(Placeholder { name: named(name.trim())?, kind: named(kind.trim())? })
    };
    let placeholders = match arguments.trim() {
        "" => Vec::new(),
        arguments => arguments.split(',').map(placeholder).collect::<Option<_>>()?,
    };
    Some(QueryAtom { predicate: named(predicate.trim_end())?, placeholders })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_read_or_refused() {
        let place = |name: &str, kind: &str| Placeholder { name: name.into(), kind: kind.into() };
        let atoms = parse_query("holds(a:agent, o : object) & not_open(r)&wet()").expect("read");
        assert_eq!(atoms[0].placeholders, [place("a", "agent"), place("o", "object")]);
        assert_eq!(
            (&*atoms[1].predicate, &atoms[1].placeholders[..]),
            ("not_open", &[place("r", "r")][..])
        );
        assert!(atoms[2].placeholders.is_empty());
        for broken in ["", "p", "p(", "p(a", "p(a:)", "(a)", "p(a) &", "p(a,)", "p(a b)"] {
            assert!(parse_query(broken).is_err(), "{broken}");
        }
    }
}
