//! Colours that are known, and the first of them in a text.

/// The colours that WebShop knows (`COLOR_SET` of `web_agent_site/engine/normalize.py`), in its order: the
/// first that is found in a text stands for it.
const COLOURS: &str = "alabaster apricot aqua ash asphalt azure banana beige black blue blush bordeaux \
    bronze brown burgundy camel camo caramel champagne charcoal cheetah chestnut chocolate christmas \
    coffee cognac copper coral cranberry cream crystal dark denim eggplant elephant espresso fuchsia gold \
    granite grape graphite grass gray green grey heather indigo ivory ivy khaki lavender lemon leopard \
    light lilac lime magenta maroon mauve merlot midnight mint mocha multicolor mushroom mustard natural \
    navy nude olive orange peach pewter pink plum purple rainbow red rose royal rust sand sapphire \
    seashell silver skull slate steel stone stonewash sunflower tan taupe teal tiger turquoise violet \
    walnut wheat white wine yellow";

fn colours() -> impl Iterator<Item = &'static str> {
    COLOURS.split_whitespace()
}

/// The first of the known colours that is anywhere in a text; the text itself if none is.
#[must_use]
pub fn normalized(text: &str) -> &str {
    colours().find(|colour| text.contains(colour)).unwrap_or(text)
}

/// The first of the known colours that one of the texts is.
pub(super) fn exactly(texts: [&str; 2]) -> Option<&'static str> {
    colours().find(|colour| texts.contains(colour))
}
