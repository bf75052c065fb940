//! Key of a figure: what its colours and shades stand for.

use maud::{Markup, html};

use crate::figure::swatch;

/// The longest name that is kept on one line.
const SHORT: usize = 24;

/// What has to be said of a figure's colours.
#[derive(Clone, Debug)]
pub(crate) enum Key {
    /// Nothing: names stand in it.
    None,
    /// The arms that have a colour, by their numbers, which stand beside narrow figures.
    Arms {
        /// Their names.
        names: Vec<(usize, String)>,
        /// Whether wide figures need them, too.
        is_needed: bool,
    },
    /// The shades of the parts of a whole.
    Shades(Vec<(usize, String)>),
}

impl Key {
    pub(super) fn markup(&self) -> Markup {
        match self {
            Self::None => html! {},
            Self::Arms { names, is_needed } => html! {
                ul class=(if *is_needed { "key" } else { "key spare" }) { @for (series, name) in names {
                    li { span class="number" { (series + 1) } " " (label(name, Some(*series))) }
                } }
            },
            Self::Shades(names) => html! { ul class="key" { @for (shade, name) in names {
                li { span class=(format!("shade h{shade}")) {} " " (name) }
            } } },
        }
    }
}

/// A name with the sign of its number, if it has one.
pub(super) fn label(name: &str, series: Option<usize>) -> Markup {
    let class = if name.chars().count() <= SHORT { "arm short" } else { "arm" };
    html! { span class=(class) {
        @if let Some(series) = series { (swatch(series)) " " }
        (name)
    } }
}
