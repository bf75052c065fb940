//! Observation parser of generated games: texts and lists of commands.

use crate::Observation;

/// What is read in one observation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ParsedObservation {
    /// The room, if the text names it.
    pub(super) room: Option<String>,
    /// The furniture that one stands at, if the text names it.
    pub(super) place: Option<String>,
    /// That furniture is closed.
    pub(super) closed: bool,
    /// What is seen there.
    pub(super) contents: Vec<String>,
    /// What nobody has searched, and the dark rooms next door, if the text describes the place.
    pub(super) around: Option<ParsedScene>,
    /// Rooms to walk to.
    pub(super) walks: Vec<String>,
    /// Furniture to go to.
    pub(super) places: Vec<String>,
    /// What is held.
    pub(super) held: Option<String>,
}

/// What is left to explore nearby.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ParsedScene {
    pub(super) unsearched: Vec<String>,
    pub(super) dark: Vec<String>,
}

impl ParsedObservation {
    /// Reads an observation.
    pub(super) fn read(now: &Observation) -> Self {
        let named = |verb: &str| {
            let commands = now.actions.listed().iter();
            commands.filter_map(|it| it.strip_prefix(verb).map(str::to_owned)).collect()
        };
        let mut sight = Self {
            walks: named("walk to "),
            places: named("go to "),
            held: Vec::pop(&mut named("examine ")),
            ..Self::default()
        };
        for paragraph in now.text.split("\n\n") {
            if ["In ", "At "].iter().any(|start| paragraph.starts_with(start)) {
                sight.describe(paragraph);
            }
        }
        sight
    }

    fn describe(&mut self, paragraph: &str) {
        let mut around = ParsedScene::default();
        for sentence in paragraph.trim_end_matches('.').split(". ") {
            let (head, names) = sentence.split_once(": ").unwrap_or((sentence, ""));
            let names = names.split(", ").filter(|name| !["", "nothing"].contains(name));
            let names: Vec<String> = names.map(str::to_owned).collect();
            match (head, head.split_once(' ')) {
                ("Unsearched", _) => around.unsearched = names,
                ("Dark", _) => around.dark = names,
                (_, Some(("In", room))) => self.room = Some(room.to_owned()),
                (_, Some((_, place))) => {
                    let mut states = ["open ", "closed ", "lit "].iter();
                    let bare = states.find_map(|state| place.strip_prefix(state));
                    self.place = Some(bare.unwrap_or(place).to_owned());
                    self.closed = place.starts_with("closed ");
                    self.contents = names;
                }
                _ => {}
            }
        }
        self.around = Some(around);
    }
}

/// The kind of what has a name: `shelf` of `shelf 2`.
pub(super) fn kind(name: &str) -> &str {
    name.rsplit_once(' ').map_or(name, |(kind, _)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, admissible: &[&str]) -> ParsedObservation {
        let admissible = admissible.iter().map(ToString::to_string).collect();
        ParsedObservation::read(&Observation::listed(text, admissible))
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_first_observation_is_read() {
        let text = "You come home.\n\nIn kitchen 1. Unsearched: fridge 1, shelf 2. Dark: attic 1.\n\n\
                    Your task is to: bring a mug to the shelf.";
        let sight = read(text, &["go to fridge 1", "go to shelf 2", "look", "walk to attic 1"]);
        assert_eq!(sight.room.as_deref(), Some("kitchen 1"));
        let around =
            ParsedScene { unsearched: names(&["fridge 1", "shelf 2"]), dark: names(&["attic 1"]) };
        assert_eq!(sight.around, Some(around));
        assert_eq!(
            (sight.walks, sight.places),
            (names(&["attic 1"]), names(&["fridge 1", "shelf 2"]))
        );
    }

    #[test]
    fn furniture_is_read_with_what_is_there() {
        let open = read("At open fridge 1: mug 2, mug 1. Dark: attic 1.", &[]);
        assert_eq!((open.place.as_deref(), open.closed), (Some("fridge 1"), false));
        assert_eq!(open.contents, names(&["mug 2", "mug 1"]));
        let closed = read("At closed chest 1.", &["open chest 1", "examine mug 1"]);
        assert_eq!((closed.place.as_deref(), closed.closed), (Some("chest 1"), true));
        assert_eq!(
            (closed.held.as_deref(), closed.around),
            (Some("mug 1"), Some(ParsedScene::default()))
        );
        assert_eq!(read("At table 1: nothing.", &[]).contents, names(&[]));
        assert_eq!(read("You take mug 1 from shelf 2.", &[]).around, None);
    }
}
