//! Works that the browser's storage keeps: a few slots, each of which holds one line of text,
//! `TIME WORK NAME`. The time is in milliseconds, the work is that of a link, and the name is that of
//! what the work began as; it is empty for an example as it is, which nobody would miss.

use super::{PRESETS, Preset, Rollouts, Shared, Source, share};
use std::cmp::Reverse;

/// How many works are kept.
pub(crate) const SLOTS: usize = 5;

/// The most letters of all kept works together: browsers stop at about five million.
const ROOM: usize = 4_000_000;

/// What sets the kinds of [`Kept::worth`] apart, beyond all times.
const KIND: u64 = 1 << 60;

/// What is stored under each slot.
pub(crate) type Slots = [Option<String>; SLOTS];

/// A kept work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kept<'a> {
    /// When it was kept, in milliseconds since 1970.
    pub(crate) time: u64,
    /// The work, as in links.
    pub(crate) work: &'a str,
    /// `p` and the name of an example, `f` and the name of a file, or nothing.
    name: &'a str,
}

impl<'a> Kept<'a> {
    /// A slot's text; none of what this page did not write.
    fn read(slot: &'a str) -> Option<Self> {
        Self::parts(slot).filter(|kept| kept.work.starts_with("1."))
    }

    /// The parts of a slot's text, of whatever version.
    fn parts(slot: &'a str) -> Option<Self> {
        let mut parts = slot.splitn(3, ' ');
        let (time, work, name) = (parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
        Some(Self { time, work, name })
    }

    /// How much what a slot holds would be missed, by kind and then by time: nothing, what no version of
    /// the page wrote, an example as it is, work, and what a newer version of the page wrote.
    fn worth(slot: Option<&str>) -> u64 {
        let Some(kept) = slot.and_then(Kept::parts) else { return u64::from(slot.is_some()) };
        let is_newer = !kept.work.starts_with("1.");
        let kind = if is_newer { 3 } else { 1 + u64::from(!kept.name.is_empty()) };
        kind * KIND + kept.time % KIND
    }

    /// What the work began as, as a reader calls it.
    pub(crate) fn title(&self) -> &'a str {
        let name = self.name.get(1..).unwrap_or_default();
        let example = Preset::position(name).filter(|_| self.name.starts_with('p'));
        example.map_or(name, |index| PRESETS[index].title.text())
    }
}

/// The entry that a page goes on with.
#[derive(Debug)]
struct Hold {
    slot: usize,
    /// What the page last read or wrote there.
    text: String,
    /// What the work was opened as; none until that is known.
    origin: Option<Shared<Rollouts>>,
}

impl Hold {
    fn is_of(&self, origin: &Shared<Rollouts>) -> bool {
        self.origin.as_ref().is_none_or(|own| own == origin)
    }
}

/// The kept works, as a page knows them.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    /// What is stored.
    pub(crate) slots: Slots,
    hold: Option<Hold>,
}

impl Shelf {
    /// The works that are stored.
    pub(crate) fn new(slots: Slots) -> Self {
        Self { slots, hold: None }
    }

    /// All kept works with their slots, the newest first.
    fn all(&self) -> Vec<(usize, Kept<'_>)> {
        let read = |slot: usize| Some((slot, Kept::read(self.slots[slot].as_deref()?)?));
        let mut all: Vec<_> = (0..SLOTS).filter_map(read).collect();
        all.sort_by_key(|(slot, kept)| Reverse((kept.time, *slot)));
        all
    }

    /// Takes up the newest work: the page goes on with its entry.
    pub(crate) fn newest(&mut self) -> Option<String> {
        let slot = self.all().first()?.0;
        let text = self.slots[slot].clone()?;
        self.take(slot, text)
    }

    /// Takes up the work of a slot, given what is stored there. The entry of a damaged work is not gone
    /// on with, as that work never comes to be shown.
    pub(crate) fn take(&mut self, slot: usize, text: String) -> Option<String> {
        let work = Kept::read(&text)?.work.to_owned();
        let is_whole = share::decode(&work).is_ok();
        self.hold = is_whole.then_some(Hold { slot, text, origin: None });
        Some(work)
    }

    /// Says what the work that was taken up was opened as.
    pub(crate) fn settle(&mut self, origin: &Shared<Rollouts>) {
        if let Some(hold) = &mut self.hold {
            hold.origin.get_or_insert_with(|| origin.clone());
        }
    }

    /// The works that a page which shows one with this origin leads to: changed examples, and files.
    pub(crate) fn others(&self, origin: &Shared<Rollouts>) -> Vec<(usize, Kept<'_>)> {
        let own = self.hold.as_ref().filter(|hold| hold.is_of(origin)).map(|hold| hold.slot);
        let mut all = self.all();
        all.retain(|(slot, kept)| Some(*slot) != own && !kept.name.is_empty());
        all
    }

    /// The shelf with a work kept, given what the slots hold `now`. A page goes on with its entry unless
    /// another page has written there, or the entry is work that was opened as something else. None where
    /// an example as it is, settings or not, could only be kept in place of work.
    pub(crate) fn with(
        &self,
        now: Slots,
        work: &share::Work,
        time: u64,
        origin: &Shared<Rollouts>,
    ) -> Option<Self> {
        let (packed, name) = (share::encode(work), name(work));
        let is_plain = name.is_empty();
        let own = self.hold.as_ref().filter(|hold| {
            let was = Kept::read(&hold.text).map_or("", |kept| kept.name);
            // Undo may lead from work to an example that was open before it, not only back to its own.
            let is_same = if is_plain { work.document.rollouts == *origin } else { was == name };
            now[hold.slot].as_ref() == Some(&hold.text)
                && (was.is_empty() || is_same && hold.is_of(origin))
        });
        let own = own.map(|hold| hold.slot);
        let mut next = Self::new(now);
        let same = next.all().iter().find(|(_, kept)| kept.work == packed).map(|(slot, _)| *slot);
        let all: Vec<usize> = next.all().into_iter().map(|(slot, _)| slot).collect();
        let worth = |slot: &usize| Kept::worth(next.slots[*slot].as_deref());
        let least = (0..SLOTS).min_by_key(worth).filter(|slot| !is_plain || worth(slot) < 2 * KIND);
        let slot = same.or(own).or(least)?;
        let text = [&time.to_string(), &*packed, &*name].join(" ");
        next.slots[slot] = None;
        let mut room = ROOM.checked_sub(text.len()).unwrap_or(ROOM);
        for other in all {
            let length = next.slots[other].as_ref().map_or(0, String::len);
            // Whatever is older than one that has no room goes as well.
            room = room.saturating_sub(length);
            next.slots[other].take_if(|_| room == 0 && !is_plain);
        }
        next.slots[slot] = Some(text.clone());
        next.hold = Some(Hold { slot, text, origin: Some(origin.clone()) });
        Some(next)
    }
}

/// What a work began as, as it is stored.
fn name(work: &share::Work) -> String {
    match &work.document.source {
        _ if share::is_example(&work.document) => String::new(),
        Source::Preset(index) => ["p", &*PRESETS[*index].name].concat(),
        Source::File(name) => ["f", name.as_str()].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Shelf, Slots};
    use crate::model::{Action, Cell, Edit, EditKind, Model, Preset, Source, Theme, update};

    fn opened(name: &str) -> Model {
        let model = Model::new(Theme::Auto);
        update(&model, Action::Open(Preset::position(name).expect("known")))
    }

    fn edited(model: &Model, state: &str) -> Model {
        update(model, Action::Edit(Edit(Cell::default(), EditKind::State(state.to_owned()))))
    }

    /// A browser's storage with pages that use it.
    #[derive(Default)]
    struct Browser {
        slots: Slots,
        time: u64,
    }

    impl Browser {
        fn keep(&mut self, page: &mut Shelf, model: &Model) {
            self.time += 1;
            let now = self.slots.clone();
            let next = page.with(now, &model.work(), self.time, model.origin());
            if let Some(next) = next {
                *page = next;
                self.slots.clone_from(&page.slots);
            }
        }

        /// The page at its bare address, with the newest work.
        fn visit(&self) -> (Shelf, Model) {
            let mut page = Shelf::new(self.slots.clone());
            let work = page.newest().expect("something is kept");
            let model = update(&opened("overview"), Action::Link(work));
            page.settle(model.origin());
            (page, model)
        }

        /// The first states of all that is kept, the newest first.
        fn states(&self) -> Vec<String> {
            let page = Shelf::new(self.slots.clone());
            let state = |work: &str| {
                let model = update(&opened("loop"), Action::Link(work.to_owned()));
                model.on_stage().step(Cell::default()).state.clone()
            };
            page.all().iter().map(|(_, kept)| state(kept.work)).collect()
        }
    }

    fn titles(page: &Shelf, model: &Model) -> Vec<String> {
        page.others(model.origin()).iter().map(|(_, kept)| kept.title().to_owned()).collect()
    }

    #[test]
    fn another_example_begins_another_entry() {
        let mut browser = Browser::default();
        let mut page = Shelf::default();
        let first = edited(&opened("overview"), "mine");
        browser.keep(&mut page, &first);
        browser.keep(&mut page, &edited(&first, "mine still"));
        assert_eq!(browser.states(), ["mine still"], "one page, one work, one entry");
        assert!(titles(&page, &first).is_empty(), "it is on the stage");
        // In the same page, or at an address that names it.
        let second = update(&first, Action::Open(Preset::position("loop").expect("known")));
        browser.keep(&mut page, &second);
        assert_eq!(titles(&page, &second), ["Overview: four paths through s2"]);
        browser.keep(&mut page, &edited(&second, "later"));
        assert_eq!(browser.states(), ["later", "mine still"], "an example as it is, is replaced");
        let (mut page, third) = (Shelf::default(), opened("alone"));
        browser.keep(&mut page, &third);
        let others = ["Loop: a state visited again and again", "Overview: four paths through s2"];
        assert_eq!(titles(&page, &third), others);
        browser.keep(&mut page, &edited(&third, "last"));
        assert_eq!(browser.states(), ["last", "later", "mine still"]);
        let (_, newest) = browser.visit();
        assert_eq!(newest.on_stage().step(Cell::default()).state, "last");
    }

    #[test]
    fn two_pages_do_not_overwrite_each_other() {
        let mut browser = Browser::default();
        browser.keep(&mut Shelf::default(), &edited(&opened("overview"), "first"));
        let (mut left, model) = browser.visit();
        let (mut right, _) = browser.visit();
        browser.keep(&mut left, &edited(&model, "left"));
        browser.keep(&mut right, &edited(&model, "right"));
        browser.keep(&mut left, &edited(&model, "left again"));
        browser.keep(&mut right, &edited(&model, "right again"));
        assert_eq!(browser.states(), ["right again", "left again"]);
        // Whoever takes up what is kept already goes on with its entry.
        let left =
            update(&opened("alone"), Action::Link(browser.visit().0.all()[1].1.work.to_owned()));
        browser.keep(&mut right, &left);
        browser.keep(&mut right, &edited(&left, "left at last"));
        assert_eq!(browser.states(), ["left at last", "right again"]);
    }

    #[test]
    fn the_oldest_gives_way_where_there_is_no_place() {
        let mut browser = Browser::default();
        for number in 0..7 {
            let model = edited(&opened("overview"), &number.to_string());
            browser.keep(&mut Shelf::default(), &model);
        }
        assert_eq!(browser.states(), ["6", "5", "4", "3", "2"]);
        // Two million letters that nothing makes shorter are room for one more of the kind.
        let noise = |seed: u32| {
            let letters = (0..3_000_000_u32).scan(seed, |state, _| {
                *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                char::from_u32(33 + (*state >> 24) % 90)
            });
            letters.collect::<String>()
        };
        browser.slots[0] = Some(format!("100 1.{} fnoise", noise(1)));
        browser.keep(&mut Shelf::default(), &edited(&opened("overview"), &noise(2)[..2_000_000]));
        assert_eq!(browser.slots.iter().flatten().count(), 1);
    }

    #[test]
    fn what_is_not_understood_is_left_out_and_its_place_taken() {
        let texts = ["", "x y z", "7", "12 2.abc fnew", "9 1.abc f"];
        let slots = texts.map(|text| Some(text.to_owned()));
        let mut browser = Browser { slots, time: 0 };
        let mut page = Shelf::new(browser.slots.clone());
        assert_eq!(page.newest().as_deref(), Some("1.abc"));
        browser.keep(&mut Shelf::default(), &edited(&opened("overview"), "mine"));
        assert!(browser.slots[0].as_ref().is_some_and(|text| text.starts_with("1 1.")));
        assert_eq!(browser.slots[4].as_deref(), Some("9 1.abc f"));
        assert_eq!(browser.slots[3].as_deref(), Some("12 2.abc fnew"), "a newer version's");
    }

    #[test]
    fn what_a_newer_version_wrote_gives_way_last() {
        let newer = || Some("12 2.abc fnew".to_owned());
        let mut browser = Browser { slots: [newer(), newer(), None, newer(), newer()], time: 0 };
        for state in ["first", "second"] {
            browser.keep(&mut Shelf::default(), &edited(&opened("overview"), state));
        }
        assert_eq!(browser.states(), ["second"], "the only place that can serve");
        assert_eq!(browser.slots.iter().filter(|slot| **slot == newer()).count(), 4);
        browser.slots = [(); 5].map(|()| newer());
        browser.keep(&mut Shelf::default(), &opened("loop"));
        assert_eq!(browser.slots, [(); 5].map(|()| newer()), "not for an example");
    }

    /// A browser that keeps five works, and the page that kept the last.
    fn full() -> (Browser, Shelf, Model) {
        let (mut browser, mut page) = (Browser::default(), Shelf::default());
        let mut model = opened("overview");
        for number in 0..5 {
            model = edited(&opened("overview"), &number.to_string());
            browser.keep(&mut page, &model);
        }
        (browser, page, model)
    }

    #[test]
    fn an_example_as_it_is_takes_the_place_of_no_work() {
        let (mut browser, mut page, _) = full();
        let kept = browser.slots.clone();
        let set = Action::Set("estimator", "gigpo".to_owned());
        for name in ["loop", "alone", "overview"] {
            browser.keep(&mut page, &opened(name));
            browser.keep(&mut page, &update(&opened(name), set.clone()));
        }
        assert_eq!(browser.slots, kept);
        // One that is kept gives way to another, and to work before older work does.
        browser.slots[1] = None;
        browser.keep(&mut page, &opened("loop"));
        browser.keep(&mut Shelf::default(), &opened("alone"));
        assert_eq!(browser.states().len(), 5);
        browser.keep(&mut Shelf::default(), &edited(&opened("loop"), "mine"));
        assert_eq!(browser.states(), ["mine", "4", "3", "2", "0"]);
    }

    #[test]
    fn undo_to_an_example_that_was_open_before_leaves_the_work() {
        let (mut browser, ..) = full();
        let mut page = Shelf::new(browser.slots.clone());
        let work = page.newest().expect("five are kept");
        let taken = update(&opened("overview"), Action::Link(work));
        page.settle(taken.origin());
        browser.keep(&mut page, &update(&taken, Action::Undo));
        assert_eq!(browser.states(), ["4", "3", "2", "1", "0"]);
        // Back to what it began as, it is the same work.
        browser.keep(&mut page, &update(&taken, Action::Reset));
        assert_eq!(browser.states()[1..], ["3", "2", "1", "0"]);
    }

    #[test]
    fn a_damaged_work_is_not_gone_on_with() {
        let mut browser = Browser::default();
        browser.slots[0] = Some("9 1.abc fmine".to_owned());
        let mut page = Shelf::new(browser.slots.clone());
        assert_eq!(page.newest().as_deref(), Some("1.abc"), "so that it is said");
        page.settle(opened("loop").origin());
        browser.keep(&mut page, &opened("loop"));
        assert_eq!(browser.slots[0].as_deref(), Some("9 1.abc fmine"));
    }

    #[test]
    fn a_file_whose_name_ends_in_a_space_is_work() {
        let (mut browser, mut page) = (Browser::default(), Shelf::default());
        let mut file = edited(&opened("overview"), "mine");
        file.document.source = Source::File("my ".to_owned());
        browser.keep(&mut page, &file);
        browser.keep(&mut page, &opened("loop"));
        assert_eq!(browser.states().len(), 2);
        assert_eq!(titles(&page, &opened("loop")), ["my "]);
    }
}
