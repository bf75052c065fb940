//! The table of words: every entry in every language, side by side.

#[cfg(test)]
pub(crate) use crate::model::speak;
pub(crate) use crate::model::{Language, spoken};

/// One of two texts, by the language; the other is not even made.
macro_rules! either {
    ($english:expr, $korean:expr $(,)?) => {
        match $crate::text::words::spoken() {
            $crate::text::Language::English => $english,
            $crate::text::Language::Korean => $korean,
        }
    };
}

pub(crate) use either;

/// A name that others gave, kept from turning the words around it if it is written from the right.
pub(crate) fn isolated(name: &str) -> String {
    let turns = |letter: char| {
        matches!(letter, '\u{590}'..='\u{8ff}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{fb1d}'..='\u{fefc}')
    };
    if name.contains(turns) { ["\u{2068}", name, "\u{2069}"].concat() } else { name.to_owned() }
}

/// Declares a function for every entry: `name: "English" / "Korean";`, or for a sentence with something in it,
/// `name(seed: u64): "seed {seed}" / "시드 {seed}";`.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident $(($($value:tt)+))?: $english:literal / $korean:literal;)+) => {
        $($crate::text::words::words! { @ $(#[$doc])* $name $(($($value)+))? $english $korean })+
    };
    (@ $(#[$doc:meta])* $name:ident $english:literal $korean:literal) => {
        $(#[$doc])*
        pub(crate) fn $name() -> &'static str {
            $crate::text::words::either!($english, $korean)
        }
    };
    (@ $(#[$doc:meta])* $name:ident ($($value:tt)+) $english:literal $korean:literal) => {
        $(#[$doc])*
        pub(crate) fn $name($($value)+) -> String {
            $crate::text::words::either!(format!($english), format!($korean))
        }
    };
}

/// Names and what they stand for in the language that is spoken, kept as `name: text` a line: in this form they take
/// least room in the program.
macro_rules! lines {
    ($($name:literal: $english:literal / $korean:literal;)+) => {
        $crate::text::words::either!(
            concat!($($name, ": ", $english, "\n"),+),
            concat!($($name, ": ", $korean, "\n"),+),
        )
        .lines()
        .filter_map(|line| line.split_once(": "))
    };
}

/// A name, and what it means.
pub(crate) type Named = (&'static str, &'static str);

/// What a name stands for in a table.
pub(crate) fn find(mut table: impl Iterator<Item = Named>, name: &str) -> Option<&'static str> {
    table.find(|(known, _)| *known == name).map(|(_, words)| words)
}

/// A name and what it means, written as `name|meaning`.
pub(crate) fn named(both: &'static str) -> Named {
    both.split_once('|').unwrap_or((both, ""))
}

/// Declares what the choices of an enum are called, each by an entry as in `words!`.
macro_rules! words_of {
    ($(#[$doc:meta])* $name:ident($kind:ident) {
        $($choice:ident: $english:literal / $korean:literal;)+ $(| $other:pat => $called:expr)?
    }) => {
        $(#[$doc])*
        pub(crate) fn $name(of: $kind) -> &'static str {
            match of {
                $($kind::$choice => $crate::text::words::either!($english, $korean),)+
                $($other => $called,)?
            }
        }
    };
}

pub(crate) use lines;
pub(crate) use words;
pub(crate) use words_of;

#[cfg(test)]
mod tests {
    use super::isolated;

    #[test]
    fn names_from_the_right_turn_nothing_around() {
        assert_eq!(isolated("t1"), "t1");
        assert_eq!(isolated("한국어"), "한국어");
        assert_eq!(isolated("\u{202e}t1"), "\u{2068}\u{202e}t1\u{2069}");
        assert_eq!(isolated("\u{5d0}"), "\u{2068}\u{5d0}\u{2069}");
    }
}
