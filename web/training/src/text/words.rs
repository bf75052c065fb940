//! The table of words: every entry in every language, side by side.

use hgpo_words::Language;
use std::cell::Cell;

thread_local! {
    /// The language that the view is drawn in: the page's, told when it is shown.
    static SPOKEN: Cell<Language> = const { Cell::new(Language::English) };
}

/// Draws from now on in a language.
pub(crate) fn speak(language: Language) {
    SPOKEN.set(language);
}

/// The language that the view is drawn in.
pub(crate) fn spoken() -> Language {
    SPOKEN.get()
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

/// Declares a function for every entry: `name: "English" / "Korean";`.
macro_rules! words {
    ($($name:ident: $english:literal / $korean:literal;)+) => {
        $(pub(crate) fn $name() -> &'static str { $crate::text::words::either!($english, $korean) })+
    };
}

pub(crate) use words;
