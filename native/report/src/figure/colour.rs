//! Colours by their role: the style sheet says what they are in light and in dark.

use plotters::style::RGBColor;

/// What something is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    /// Text, and what is as strong.
    Strong,
    /// Axes, and text of less weight.
    Soft,
    /// Lines of the grid.
    Grid,
    /// What belongs to one of the arms, by its number.
    Series(usize),
    /// A part of a whole, from pale to dark.
    Shade(usize),
}

/// No colour of a figure begins with it but those that stand for an [`Colour`].
const MARK: u8 = 0xF7;

impl Colour {
    /// The colour that stands for it until the figure is written.
    pub(crate) fn colour(self) -> RGBColor {
        let (kind, number) = match self {
            Self::Strong => (0, 0),
            Self::Soft => (1, 0),
            Self::Grid => (2, 0),
            Self::Series(number) => (3, number),
            Self::Shade(number) => (4, number),
        };
        RGBColor(MARK, kind, number as u8)
    }

    /// The class of the style sheet for a colour as it is written in a figure, without its number sign.
    fn class(colour: &str) -> Option<String> {
        let bits = u32::from_str_radix(colour, 16).ok()?;
        let [_, mark, kind, number] = bits.to_be_bytes();
        let letter = ['i', 'o', 'g', 's', 'h'].get(usize::from(kind))?;
        (mark == MARK).then(|| format!("{letter}{number}"))
    }
}

/// Puts classes in the place of colours: `f` and `l` say whether it fills or is a line.
///
/// Quotation marks inside texts are escaped, so that no text looks like an attribute.
pub(crate) fn with_classes(drawn: &str) -> String {
    let mut text = String::with_capacity(drawn.len());
    let mut rest = drawn;
    while let Some(at) = rest.find("=\"#") {
        let (before, after) = (&rest[..at], &rest[at + 3..]);
        let class = after.get(..6).and_then(Colour::class).filter(|_| after[6..].starts_with('"'));
        let named = [(" fill", "f"), (" stroke", "l")];
        let named = named.into_iter().find_map(|(name, it)| Some((before.strip_suffix(name)?, it)));
        if let (Some(class), Some((before, letter))) = (class, named) {
            text.extend([before, " class=\"", letter, &class, "\""]);
            rest = &after[7..];
        } else {
            text.extend([before, "=\"#"]);
            rest = after;
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_become_classes_and_texts_stay() {
        // Series 2 is F7 03 02; the text is what plotters makes of ` fill="#F70302"`.
        let drawn = "<rect fill=\"#F70302\" stroke=\"none\"/><text fill=\"#F70000\"> fill=&quot;#F70302&quot;</text>\
                     <line stroke=\"#F70200\"/><g fill=\"#123456\"/>";
        assert_eq!(
            with_classes(drawn),
            "<rect class=\"fs2\" stroke=\"none\"/><text class=\"fi0\"> fill=&quot;#F70302&quot;</text>\
             <line class=\"lg0\"/><g fill=\"#123456\"/>"
        );
    }
}
