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
    let left = update(&opened("alone"), Action::Link(browser.visit().0.all()[1].1.work.to_owned()));
    browser.keep(&mut right, &left);
    browser.keep(&mut right, &edited(&left, "left at last"));
    assert_eq!(browser.states(), ["left at last", "right again"]);
}

#[test]
fn what_gave_way_is_told_and_so_is_another_page() {
    let (mut browser, mut page, model) = full();
    assert!(page.dropped.is_empty(), "there was place for five");
    browser.keep(&mut page, &edited(&model, "4 still"));
    assert!(page.dropped.is_empty(), "the same work");
    browser.keep(&mut Shelf::default(), &edited(&opened("alone"), "new"));
    let mut other = Shelf::default();
    browser.keep(&mut other, &edited(&opened("alone"), "newer"));
    let [(title, work)] = &other.dropped[..] else { panic!("{:?}", other.dropped) };
    assert_eq!(title, "Overview: four paths through s2");
    let lost = update(&opened("loop"), Action::Link(work.clone()));
    assert_eq!(lost.on_stage().step(Cell::default()).state, "1", "0 gave way before");
    let (mut left, model) = browser.visit();
    let (mut right, own) = browser.visit();
    assert!(!right.is_overtaken(&browser.slots, own.origin()));
    browser.keep(&mut left, &edited(&model, "left"));
    assert!(right.is_overtaken(&browser.slots, own.origin()));
    browser.keep(&mut right, &edited(&own, "right"));
    assert!(!right.is_overtaken(&browser.slots, own.origin()), "it has a place of its own");
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
