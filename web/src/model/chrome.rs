//! What the address says about the page around the work: `?embed=1&hide=controls,panel&lang=ko`.
//! Parameters are named to be written by hand. Of those that are unknown nothing is said, as addresses
//! carry parameters of others.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::asked::{listed, set};
use super::{Asked, Ignored, Language, Part, Place, Theme, recorded};

/// What the address says besides the work itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chrome {
    /// The part of the page to open.
    pub(crate) view: Option<Tab>,
    /// What is set of a training, as the view of it writes it.
    pub(crate) train: Option<String>,
    /// The example to open.
    pub(crate) preset: Option<String>,
    /// The file to open, by its address.
    pub(crate) file: Option<String>,
    /// The lesson to open.
    pub(crate) lesson: Option<String>,
    /// Its step, counted from 1.
    pub(crate) step: Option<usize>,
    /// Whether the page stands inside another.
    pub(crate) embed: bool,
    /// Whether the page is shown to a room: large, and turned by arrow keys and clickers.
    pub(crate) present: bool,
    /// What is left out.
    pub(crate) hidden: Vec<Part>,
    /// The language.
    pub(crate) language: Option<Language>,
    /// Light or dark.
    pub(crate) theme: Option<Theme>,
    /// What is said of the work.
    pub(crate) asked: Asked,
    /// What is left alone, as it has a known name and an unknown value.
    pub(crate) ignored: Vec<Ignored>,
}

/// A part of the page that its head leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tab {
    /// The reader's own work: an example or a file, with every control.
    #[default]
    Explore,
    /// The reader's own work again: all its tasks in place of the one on the stage.
    Overview,
    /// The lessons: the choice of them, or a stop of one.
    Learn(Option<Place>),
    /// Estimators that learn side by side.
    Train,
}

impl Tab {
    /// The parts that addresses name, apart from the stops of lessons.
    pub(crate) const NAMED: [(&str, Self); 3] =
        [("learn", Self::Learn(None)), ("overview", Self::Overview), (Chrome::TRAIN, Self::Train)];

    /// The stop of the lesson that is taken, if one is.
    pub(crate) fn place(self) -> Option<Place> {
        match self {
            Self::Explore | Self::Overview | Self::Train => None,
            Self::Learn(place) => place,
        }
    }

    /// What addresses call it, if they name it.
    pub(crate) fn name(self) -> Option<&'static str> {
        Self::NAMED.into_iter().find(|(_, tab)| *tab == self).map(|(name, _)| name)
    }

    /// Whether the reader's own work is shown.
    pub(crate) fn is_own(self) -> bool {
        matches!(self, Self::Explore | Self::Overview)
    }
}

/// What of a value an address cannot hold as it is.
const ESCAPED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/').remove(b'*');

impl Chrome {
    /// The name of training in links.
    pub(crate) const TRAIN: &str = "train";

    /// Reads the query of an address, with or without its question mark.
    pub(crate) fn parse(query: &str) -> Self {
        let mut chrome = Self::default();
        for pair in query.trim_start_matches('?').split('&') {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            chrome.take(key, decoded(value));
        }
        chrome
    }

    fn take(&mut self, key: &str, value: String) {
        let known = match key {
            "view" => {
                let named = Tab::NAMED.into_iter().find(|(name, _)| *name == value);
                let view = named.map(|(_, tab)| tab);
                set(&mut self.view, view, &Tab::NAMED.map(|(name, _)| name))
            }
            Self::TRAIN => return self.train = Some(value),
            "preset" => return self.preset = Some(value),
            "file" => return self.file = Some(value).filter(|address| !address.is_empty()),
            "lesson" => return self.lesson = Some(value),
            "embed" => return self.embed = !matches!(value.as_str(), "0" | "false"),
            "present" => return self.present = !matches!(value.as_str(), "0" | "false"),
            "step" => set(&mut self.step, value.parse().ok(), &["1", "2", "\u{2026}"]),
            "hide" => self.hide(&value),
            "lang" => {
                let language = Language::of_tag(&value);
                set(&mut self.language, language, &Language::ALL.map(Language::name))
            }
            "theme" => set(&mut self.theme, Theme::of_name(&value), &Theme::ALL.map(Theme::name)),
            _ => self.asked.take(key, value.clone()),
        };
        self.ignored.extend(known.map(|known| Ignored::new(key, &value, known)));
    }

    /// Leaves parts out; what there are, where one of the names is none.
    fn hide(&mut self, names: &str) -> Option<String> {
        let mut is_known = true;
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            match Part::read(name) {
                Some(part) if self.hidden.contains(&part) => {}
                Some(part) => self.hidden.push(part),
                None => is_known = false,
            }
        }
        let parts = Part::ALL.into_iter().map(Part::name);
        (!is_known).then(|| listed(parts.chain(["context_length", "\u{2026}"])))
    }

    /// The query with its question mark; empty where there is nothing to say.
    pub(crate) fn query(&self) -> String {
        let hidden: Vec<&str> = self.hidden.iter().map(|part| part.name()).collect();
        let pairs = [
            ("view", self.view.and_then(Tab::name).map(str::to_owned)),
            (Self::TRAIN, self.train.as_deref().map(encoded)),
            ("preset", self.preset.as_deref().map(encoded)),
            ("file", self.file.as_deref().map(encoded)),
            ("lesson", self.lesson.as_deref().map(encoded)),
            ("step", self.step.map(|step| step.to_string())),
            ("embed", self.embed.then(|| "1".to_owned())),
            ("present", self.present.then(|| "1".to_owned())),
            ("hide", (!hidden.is_empty()).then(|| hidden.join(","))),
            ("lang", self.language.map(|language| language.name().to_owned())),
            ("theme", self.theme.map(|theme| theme.name().to_owned())),
        ];
        let asked = self.asked.pairs().into_iter().map(|(key, value)| (key, encoded(&value)));
        let pairs = pairs.into_iter().filter_map(|(key, value)| Some((key, value?))).chain(asked);
        let pairs: Vec<String> = pairs.map(|(key, value)| [key, "=", &value].concat()).collect();
        if pairs.is_empty() { String::new() } else { ["?", &pairs.join("&")].concat() }
    }

    /// The names of what is left out; a page inside another has no head of its own.
    pub(crate) fn hides(&self) -> String {
        let own = [Part::Masthead, Part::Lessons].into_iter().filter(|_| self.embed);
        let parts = own.chain(self.hidden.iter().copied());
        parts.map(Part::name).collect::<Vec<_>>().join(" ")
    }

    /// The names of the parts of training that are shown; none where all are.
    pub(crate) fn trained(&self) -> Option<Vec<&'static str>> {
        let is_shown = |part: &Part| !self.hidden.contains(part);
        let shown: Vec<_> = Part::of_training().filter(is_shown).map(Part::name).collect();
        (shown.len() < Part::of_training().count()).then_some(shown)
    }

    /// Whether the work is named, apart from a lesson.
    pub(crate) fn names_work(&self) -> bool {
        self.preset.is_some() || self.file.is_some() || self.asked != Asked::default()
    }

    /// The address of the file of the work: one that is named, or the recorded example.
    pub(crate) fn file_address(&self) -> Option<&str> {
        match &self.preset {
            Some(name) => recorded(name),
            None => self.file.as_deref(),
        }
    }

    /// The same without what names the work: once that has changed, it is not what it was called.
    pub(crate) fn without_work(&self) -> Self {
        let asked = Asked::default();
        let (preset, file, lesson) = (None, None, None);
        Self { train: None, preset, file, lesson, step: None, asked, ..self.clone() }
    }

    /// The same for a part of the page.
    pub(crate) fn at(&self, tab: Tab) -> Self {
        let place = tab.place();
        Self {
            view: tab.name().map(|_| tab),
            lesson: place.map(|place| place.lesson().name.clone()),
            step: place.map(|place| place.stop + 1),
            ..self.without_work()
        }
    }

    /// The same after a turn to a part of the page: the work is still called so where it is still shown.
    pub(crate) fn turned(&self, tab: Tab) -> Self {
        if self.tab().is_own() && tab.is_own() {
            Self { view: tab.name().map(|_| tab), ..self.clone() }
        } else {
            self.at(tab)
        }
    }

    /// The part of the page that is named, where the file of its lesson was fetched.
    pub(crate) fn tab(&self) -> Tab {
        let place = self.lesson.as_deref().and_then(|name| Place::find(name, self.step));
        place.map_or(self.view.unwrap_or_default(), |place| Tab::Learn(Some(place)))
    }
}

/// A value as it was before an address took it up: `%` with two digits is a byte, `+` a blank.
pub(super) fn decoded(value: &str) -> String {
    let value = value.replace('+', " ");
    percent_decode_str(&value).decode_utf8_lossy().into_owned()
}

/// A value as an address can hold it.
fn encoded(value: &str) -> String {
    utf8_percent_encode(value, ESCAPED).to_string()
}

#[cfg(test)]
mod tests {
    use super::{Chrome, Tab, decoded, encoded};
    use crate::model::{Language, Part, Theme};

    #[test]
    fn what_is_written_by_hand_is_read() {
        let chrome = Chrome::parse(
            "?preset=alone&embed=1&hide=controls,%20panel,nonsense,controls,alpha,estimator&lang=ko-KR&theme=dark&utm_source=x&lesson=context&step=3",
        );
        assert_eq!(chrome.preset.as_deref(), Some("alone"));
        assert_eq!((chrome.lesson.as_deref(), chrome.step), (Some("context"), Some(3)));
        assert!(chrome.embed);
        let single = [Part::Control("alpha"), Part::Control("estimator")];
        assert_eq!(chrome.hidden, [Part::Controls, Part::Panel, single[0], single[1]]);
        assert_eq!((chrome.language, chrome.theme), (Some(Language::Korean), Some(Theme::Dark)));
        assert_eq!(chrome.hides(), "masthead lessons controls panel alpha estimator");
        let said: Vec<&str> = chrome.ignored.iter().map(|one| one.said.as_str()).collect();
        assert_eq!(said, ["hide=controls, panel,nonsense,controls,alpha,estimator"]);
    }

    #[test]
    fn what_is_unknown_or_empty_is_left_alone() {
        for query in ["", "?", "?&&=", "?embed=0&hide=&utm_source=x", "?%=%&%zz"] {
            assert_eq!(Chrome::parse(query), Chrome::default(), "{query}");
        }
        let wrong = Chrome::parse("?lang=fr&theme=pink&step=-1&view=x");
        assert_eq!(wrong.ignored.len(), 4);
        assert_eq!(Chrome { ignored: Vec::new(), ..wrong }, Chrome::default());
        assert!(Chrome::parse("?embed").embed);
        assert_eq!(Chrome::default().query(), "");
    }

    #[test]
    fn what_is_printed_is_read_again() {
        let all = Chrome {
            view: Some(Tab::Learn(None)),
            train: Some("world.signpost_lane.hgpo*alpha.2".to_owned()),
            preset: Some("한 과제/1&2".to_owned()),
            file: Some("../runs/a b/traces/1.rollouts.jsonl?x=1&y#z".to_owned()),
            lesson: Some("context".to_owned()),
            step: Some(12),
            embed: true,
            present: true,
            hidden: Part::ALL.into_iter().chain([Part::Control("alpha")]).collect(),
            language: Some(Language::English),
            theme: Some(Theme::Light),
            ..Chrome::parse("?method=gigpo&alpha=2&task=a%20b&select=t1/2&level=1&phase=sum")
        };
        assert_eq!(Chrome::parse(&all.query()), all);
        assert_eq!(
            Chrome { lesson: None, ..Chrome::parse("?step=3&lang=ko&lesson=x") }.query(),
            "?step=3&lang=ko"
        );
    }

    #[test]
    fn the_overview_leaves_the_name_of_the_work_and_a_lesson_does_not() {
        let named = Chrome::parse("?preset=loop&method=gigpo&lang=ko");
        let overview = named.turned(Tab::Overview);
        assert_eq!(overview.query(), "?view=overview&preset=loop&lang=ko&method=gigpo");
        assert_eq!((overview.tab(), overview.turned(Tab::Explore)), (Tab::Overview, named.clone()));
        assert_eq!(overview.turned(Tab::Learn(None)).query(), "?view=learn&lang=ko");
        assert_eq!(overview.without_work().query(), "?view=overview&lang=ko");
        let lessons = Chrome::parse("?view=learn&preset=loop");
        assert_eq!(lessons.turned(Tab::Overview).query(), "?view=overview");
        let wrong = Chrome::parse("?view=all");
        assert_eq!(
            (wrong.tab(), &*wrong.ignored[0].known),
            (Tab::Explore, "learn, overview, train")
        );
    }

    #[test]
    fn training_has_an_address_of_its_own() {
        let setup = "?view=train&train=world.signpost_lane.hgpo*alpha.2";
        let chrome = Chrome::parse(setup);
        assert_eq!((chrome.tab(), chrome.query().as_str()), (Tab::Train, setup));
        assert_eq!(chrome.turned(Tab::Explore).query(), "", "what is set is none of the work");
        let named = Chrome::parse("?preset=loop&method=gigpo&lang=ko");
        assert_eq!(named.turned(Tab::Train).query(), "?view=train&lang=ko");
        let lesson = Chrome::parse("?view=train&lesson=context");
        assert_eq!(lesson.view, Some(Tab::Train));
        assert!(matches!(lesson.tab(), Tab::Train | Tab::Learn(Some(_))), "where it was fetched");
    }

    #[test]
    fn parts_of_training_are_hidden_by_name() {
        assert_eq!(Chrome::parse("?view=train&hide=panel").trained(), None);
        let some = Chrome::parse("?view=train&hide=dials,%20place,nonsense,bar");
        assert_eq!(some.trained(), Some(vec!["world", "lanes", "chart", "study"]));
        assert_eq!((some.hides().as_str(), some.ignored.len()), ("dials place bar", 1));
        assert_eq!(Part::offered(true).len() + Part::offered(false).len(), Part::ALL.len() + 1);
    }

    #[test]
    fn bytes_of_an_address_are_letters_again() {
        assert_eq!(decoded("a%20b+c%ED%95%9C%4"), "a b c한%4");
        assert_eq!(encoded("한 &"), "%ED%95%9C%20%26");
    }
}
