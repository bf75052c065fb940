//! The language that the page is drawn in, and texts of data files.

use super::named;
use serde_json::Value;
#[cfg(test)]
use std::cell::Cell;

named! {
    /// A language of the page, named by the tag that browsers and links use.
    #[derive(Default)]
    Language {
        /// English.
        #[default]
        English = "en",
        /// Korean.
        Korean = "ko",
    }
}

impl Language {
    /// Its name in itself.
    pub(crate) fn own_name(self) -> &'static str {
        ["English", "\u{d55c}\u{ad6d}\u{c5b4}"][self as usize]
    }

    /// The language of a tag such as `ko-KR`.
    pub(crate) fn of_tag(tag: &str) -> Option<Self> {
        Self::of_name(&tag.split('-').next()?.to_ascii_lowercase())
    }
}

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

/// A text of a data file, in every language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bilingual([String; Language::ALL.len()]);

impl Bilingual {
    /// The text that a data file has, in both languages or in one for both.
    pub(crate) fn read(value: &Value) -> Option<Self> {
        let text = |language: Language| value[language.name()].as_str().or(value.as_str());
        let any = Language::ALL.into_iter().find_map(text)?;
        Some(Self(Language::ALL.map(|language| text(language).unwrap_or(any).to_owned())))
    }

    /// A text that is the same in every language.
    pub(crate) fn of(text: &str) -> Self {
        Self(Language::ALL.map(|_| text.to_owned()))
    }

    /// The text in the language that the page is drawn in.
    pub(crate) fn text(&self) -> &str {
        &self.0[spoken() as usize]
    }
}

/// The list of a name in `assets/` in the language that the page is built in; in every language for tests, which
/// have them all.
macro_rules! list {
    ($name:literal) => {
        if cfg!(test) {
            include_str!(concat!(env!("OUT_DIR"), "/", $name, ".every.json"))
        } else if cfg!(feature = "korean") {
            include_str!(concat!(env!("OUT_DIR"), "/", $name, ".ko.json"))
        } else {
            include_str!(concat!(env!("OUT_DIR"), "/", $name, ".en.json"))
        }
    };
}

pub(crate) use list;

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn tags_of_browsers_are_understood() {
        assert_eq!(Language::of_tag("ko-KR"), Some(Language::Korean));
        assert_eq!(Language::of_tag("EN"), Some(Language::English));
        assert_eq!(Language::of_tag("fr"), None);
        assert_eq!(Language::of_tag(""), None);
    }
}
