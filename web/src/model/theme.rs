//! Themes: light, dark, or what the system says.

use super::named;

named! {
    /// Light, dark, or what the system says.
    #[derive(Default)]
    Theme {
        /// What the system says.
        #[default]
        Auto = "auto",
        /// Dark on light.
        Light = "light",
        /// Light on dark.
        Dark = "dark",
    }
}
