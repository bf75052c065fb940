//! The languages of the page.

use serde::{Deserialize, Serialize};

/// A language of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Korean.
    #[serde(rename = "ko")]
    Korean,
}

impl Language {
    /// Every language, in the order of the list.
    pub const ALL: [Self; 2] = [Self::English, Self::Korean];

    /// The tag that browsers and links use.
    #[must_use]
    #[inline]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Korean => "ko",
        }
    }

    /// Its name in itself.
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Korean => "\u{d55c}\u{ad6d}\u{c5b4}",
        }
    }

    /// The language of a tag such as `ko-KR`.
    #[must_use]
    #[inline]
    pub fn of_tag(tag: &str) -> Option<Self> {
        let short = tag.split('-').next().unwrap_or_default();
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(short))
    }
}

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
