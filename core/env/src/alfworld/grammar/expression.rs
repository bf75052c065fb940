//! Brace expressions: the small part of Python that grammars use.
//!
//! `o.name`, `o` (its name), `'text'`, `a + b`, `a or b` and parentheses; attributes are `name`, `id`,
//! `type`, `indefinite` ("a") and `definite` ("the"). A name is never empty, so that `a or b` is `a`
//! unless `a` is the empty text.

/// What an expression says of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attribute {
    /// Its name as the player reads it.
    Name,
    /// Its name in the problem.
    Id,
    /// Its type.
    Type,
}

/// One part of an expression's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expression {
    /// Words as they are.
    Text(String),
    /// A variable by name, and what is said of it.
    Of(String, Attribute),
}

/// Parentheses nested deeper are refused.
const DEEPEST: usize = 32;

impl Expression {
    /// The parts of an expression, or what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Vec<Self>, String> {
        let mut reader = Reader { rest: text, depth: 0 };
        let parts = reader.or().filter(|_| reader.rest.trim_start().is_empty());
        parts.ok_or_else(|| format!("the expression '{text}' is not supported"))
    }
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    fn take(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(token);
        let ends = |rest: &str| token != "or" || !rest.starts_with(is_word);
        if let Some(rest) = rest.filter(|rest| ends(rest)) {
            self.rest = rest;
            return true;
        }
        false
    }

    fn or(&mut self) -> Option<Vec<Expression>> {
        let mut first = self.sum()?;
        while self.take("or") {
            let other = self.sum()?;
            let empty = |part: &Expression| *part == Expression::Text(String::new());
            if first.iter().all(empty) {
                first = other;
            }
        }
        Some(first)
    }

    fn sum(&mut self) -> Option<Vec<Expression>> {
        let mut parts = self.operand()?;
        while self.take("+") {
            parts.extend(self.operand()?);
        }
        Some(parts)
    }

    fn operand(&mut self) -> Option<Vec<Expression>> {
        if self.take("(") {
            self.depth += 1;
            if self.depth > DEEPEST {
                return None;
            }
            let inside = self.or()?;
            self.depth -= 1;
            return self.take(")").then_some(inside);
        }
        let rest = self.rest.trim_start();
        if let Some(quote) = rest.chars().next().filter(|&it| it == '\'' || it == '"') {
            let (inside, after) = rest[1..].split_once(quote)?;
            self.rest = after;
            return Some(vec![Expression::Text(inside.replace("\\n", "\n"))]);
        }
        let end = rest.find(|it: char| !is_word(it) && it != '.').unwrap_or(rest.len());
        let (path, after) = rest.split_at(end);
        self.rest = after;
        let (variable, attribute) = path.split_once('.').unwrap_or((path, "name"));
        if variable.is_empty() {
            return None;
        }
        let of = |attribute| Expression::Of(variable.to_owned(), attribute);
        Some(vec![match attribute {
            "name" => of(Attribute::Name),
            "id" => of(Attribute::Id),
            "type" => of(Attribute::Type),
            "indefinite" => Expression::Text("a".to_owned()),
            "definite" => Expression::Text("the".to_owned()),
            _ => return None,
        }])
    }
}

fn is_word(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read_as_python_would() {
        let text = |text: &str| Expression::Text(text.to_owned());
        let name = |of: &str| Expression::Of(of.to_owned(), Attribute::Name);
        let parse = |text| Expression::parse(text);
        assert_eq!(parse("o.indefinite + ' ' + o.name"), Ok(vec![text("a"), text(" "), name("o")]));
        assert_eq!(parse("r.name or r.id"), Ok(vec![name("r")]));
        assert_eq!(parse("('' or r) + \"!\""), Ok(vec![name("r"), text("!")]));
        for broken in ["", "a +", "a.b.c", "f(x)", "1 if a else b", "(a", "'a"] {
            assert!(parse(broken).is_err(), "{broken}");
        }
    }
}
