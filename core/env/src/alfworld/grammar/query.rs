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
    let atoms: Vec<QueryAtom> =
        text.split('&').map(|part| atom(part, text)).collect::<Result<_, _>>()?;
    if atoms.len() > MOST_ATOMS {
        return Err(format!("the condition '{text}' asks for more than {MOST_ATOMS} facts"));
    }
    Ok(atoms)
}

fn atom(part: &str, whole: &str) -> Result<QueryAtom, String> {
    let broken = || format!("'{}' in the condition '{whole}' is not like 'p(x:type)'", part.trim());
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|it| it.is_alphanumeric() || "_'/-!".contains(it))
    };
    let (predicate, arguments) = part.trim().split_once('(').ok_or_else(broken)?;
    let predicate = predicate.trim_end();
    let arguments = arguments.strip_suffix(')').ok_or_else(broken)?;
    if !is_name(predicate) {
        return Err(broken());
    }
    let placeholder = |argument: &str| {
        let (name, kind) =
            argument.split_once(':').unwrap_or((argument, argument.trim().trim_end_matches('\'')));
        let [name, kind] = [name.trim(), kind.trim()];
        let ok = is_name(name) && is_name(kind);
        ok.then(|| Placeholder { name: name.to_owned(), kind: kind.to_owned() }).ok_or_else(broken)
    };
    let placeholders = match arguments.trim() {
        "" => Vec::new(),
        arguments => arguments.split(',').map(placeholder).collect::<Result<_, _>>()?,
    };
    Ok(QueryAtom { predicate: predicate.to_owned(), placeholders })
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
