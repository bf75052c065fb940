//! Arithmetic expression: what it is worth, and the numbers that it uses.

/// Characters of an expression, at most.
const LONGEST: usize = 200;
/// Parentheses within parentheses, at most.
const DEEPEST: usize = 16;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fraction(i64, i64);

impl Fraction {
    pub(super) fn whole(number: u32) -> Self {
        Self(number.into(), 1)
    }

    fn new(numerator: i64, denominator: i64) -> Option<Self> {
        let (mut divisor, mut rest) = (numerator.checked_abs()?, denominator.checked_abs()?);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        let sign = denominator.signum();
        (sign != 0).then(|| Self(sign * numerator / divisor, sign * denominator / divisor))
    }

    /// None if it is divided by zero, or too large.
    fn combined(self, sign: char, other: Self) -> Option<Self> {
        let Self(a, b) = self;
        let Self(c, d) = other;
        match sign {
            '*' => Self::new(a.checked_mul(c)?, b.checked_mul(d)?),
            '/' => Self::new(a.checked_mul(d)?, b.checked_mul(c)?),
            _ => {
                let (left, right) = (a.checked_mul(d)?, c.checked_mul(b)?);
                let sum =
                    if sign == '+' { left.checked_add(right) } else { left.checked_sub(right) };
                Self::new(sum?, b.checked_mul(d)?)
            }
        }
    }
}

/// The value of an expression of `+ - * /` (or `− × ÷`) and parentheses, and its numbers in ascending order. What
/// is claimed after an `=` is not looked at. None if it is no such expression.
pub(super) fn evaluate(text: &str) -> Option<(Fraction, Vec<u32>)> {
    if text.len() > LONGEST {
        return None;
    }
    let text = text.split_once('=').map_or(text, |(expression, _)| expression);
    let mut reader = Reader { tokens: tokens(text)?, at: 0, numbers: Vec::new() };
    let value = reader.sum(0)?;
    reader.numbers.sort_unstable();
    (reader.at == reader.tokens.len()).then_some((value, reader.numbers))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Number(u32),
    Sign(char),
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        let (token, length) = match first {
            _ if digits > 0 => (Token::Number(rest[..digits].parse().ok()?), digits),
            '−' => (Token::Sign('-'), first.len_utf8()),
            '×' => (Token::Sign('*'), first.len_utf8()),
            '÷' => (Token::Sign('/'), first.len_utf8()),
            '+' | '-' | '*' | '/' | '(' | ')' => (Token::Sign(first), 1),
            _ => return None,
        };
        tokens.push(token);
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
    numbers: Vec<u32>,
}

impl Reader {
    /// The next token, if it is one of these signs.
    fn sign(&mut self, signs: &[char]) -> Option<char> {
        let Some(&Token::Sign(sign)) = self.tokens.get(self.at) else { return None };
        let is_asked = signs.contains(&sign);
        self.at += usize::from(is_asked);
        is_asked.then_some(sign)
    }

    fn sum(&mut self, depth: usize) -> Option<Fraction> {
        let mut value = self.product(depth)?;
        while let Some(sign) = self.sign(&['+', '-']) {
            value = value.combined(sign, self.product(depth)?)?;
        }
        Some(value)
    }

    fn product(&mut self, depth: usize) -> Option<Fraction> {
        let mut value = self.factor(depth)?;
        while let Some(sign) = self.sign(&['*', '/']) {
            value = value.combined(sign, self.factor(depth)?)?;
        }
        Some(value)
    }

    fn factor(&mut self, depth: usize) -> Option<Fraction> {
        if self.sign(&['(']).is_some() {
            let inner = if depth < DEEPEST { self.sum(depth + 1)? } else { return None };
            return self.sign(&[')']).map(|_| inner);
        }
        let Some(&Token::Number(number)) = self.tokens.get(self.at) else { return None };
        self.at += 1;
        self.numbers.push(number);
        Some(Fraction::whole(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_exact_and_say_what_they_use() {
        let of = |text| evaluate(text).map(|(Fraction(above, below), used)| (above, below, used));
        assert_eq!(of("(3 + 4) * 7"), Some((49, 1, vec![3, 4, 7])));
        assert_eq!(of("3+4*7 = 50"), Some((31, 1, vec![3, 4, 7])));
        assert_eq!(of("8 ÷ (3 − 8 ÷ 3)"), Some((24, 1, vec![3, 3, 8, 8])));
        assert_eq!(of("1 - 2 / 4"), Some((1, 2, vec![1, 2, 4])));
        assert_eq!(of("1 - 2 - 3"), Some((-4, 1, vec![1, 2, 3])));
    }

    #[test]
    fn what_is_no_expression_has_no_value() {
        let deep = format!("{}1{}", "(".repeat(40), ")".repeat(40));
        let long = "1+".repeat(200) + "1";
        for text in [
            "",
            " ",
            "3 +",
            "+ 3",
            "-3",
            "3 4",
            "(3",
            "3)",
            "()",
            "3 / 0",
            "x",
            "3 ^ 2",
            "3.5",
            "99999999999",
            "4294967295 * 4294967295 * 4294967295",
            "= 3",
            &deep,
            &long,
            "3 × é",
        ] {
            assert_eq!(evaluate(text), None, "{text}");
        }
    }
}
