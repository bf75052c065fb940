//! The table of words: every entry in every language, side by side.

use serde_json::Value;
#[cfg(test)]
use std::cell::Cell;

pub(crate) use hgpo_words::Language;

#[cfg(test)]
thread_local! {
    static SPOKEN: Cell<Language> = const { Cell::new(Language::English) };
}

/// Draws from now on in a language.
#[cfg(test)]
pub(crate) fn speak(language: Language) {
    SPOKEN.set(language);
}

/// The language that the page is drawn in. The page is built once for each, so that nobody waits for
/// words of another language; tests have them all.
#[cfg(test)]
pub(crate) fn spoken() -> Language {
    SPOKEN.get()
}

/// The language that the page is built in: its words, and no others, are part of the program.
#[cfg(not(test))]
pub(crate) const fn spoken() -> Language {
    if cfg!(feature = "korean") { Language::Korean } else { Language::English }
}

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

/// A text of a data file, in every language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bilingual {
    en: String,
    ko: String,
}

impl Bilingual {
    /// The text that a data file has, in both languages or in one for both.
    pub(crate) fn read(value: &Value) -> Option<Self> {
        let text = |language: Language| value[language.tag()].as_str().or(value.as_str());
        let (en, ko) = (text(Language::English), text(Language::Korean));
        Some(Self { en: en.or(ko)?.to_owned(), ko: ko.or(en)?.to_owned() })
    }

    /// A text that is the same in every language.
    pub(crate) fn of(text: &str) -> Self {
        Self { en: text.to_owned(), ko: text.to_owned() }
    }

    /// The text in the language that the page is drawn in.
    pub(crate) fn text(&self) -> &str {
        either!(&self.en, &self.ko)
    }
}

/// A list of `assets/` in the language that the page is built in; in every language for tests, which
/// have them all.
macro_rules! list {
    ($name:literal) => {
        if cfg!(test) {
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../assets/",
                $name,
                "/",
                $name,
                ".json"
            ))
        } else {
            $crate::text::words::either!(
                include_str!(concat!(env!("OUT_DIR"), "/", $name, ".en.json")),
                include_str!(concat!(env!("OUT_DIR"), "/", $name, ".ko.json")),
            )
        }
    };
}

pub(crate) use list;

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

pub(crate) use words;

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
