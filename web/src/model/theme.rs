//! Themes: light, dark, or what the system says.

/// Light, dark, or what the system says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    /// What the system says.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// Every choice, with its name in links and in the browser's storage.
    pub(crate) const ALL: [(Self, &str); 3] =
        [(Self::Auto, "auto"), (Self::Light, "light"), (Self::Dark, "dark")];

    /// The choice of a name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(theme, _)| *theme)
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}
