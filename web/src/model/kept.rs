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
    /// The works that gave way to the one that was kept last: what each began as, and the work.
    pub(crate) dropped: Vec<(String, String)>,
}

impl Shelf {
    /// The works that are stored.
    pub(crate) fn new(slots: Slots) -> Self {
        Self { slots, hold: None, dropped: Vec::new() }
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

    /// Whether another page has changed the work that this page goes on with, given what the slots hold `now`.
    pub(crate) fn is_overtaken(&self, now: &Slots, origin: &Shared<Rollouts>) -> bool {
        let hold = self.hold.as_ref().filter(|hold| hold.is_of(origin));
        hold.is_some_and(|hold| {
            let name = |text: &str| Kept::read(text).map(|kept| kept.name.to_owned());
            let there = now[hold.slot].as_ref().filter(|there| **there != hold.text);
            there.is_some_and(|there| !there.is_empty() && name(there) == name(&hold.text))
        })
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
        let before = next.slots.clone();
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
        let is_gone = |at: &usize| before[*at] != next.slots[*at] && Some(*at) != same.or(own);
        let gone = (0..SLOTS).filter(is_gone).filter_map(|at| Kept::read(before[at].as_deref()?));
        let gone = gone.filter(|kept| !kept.name.is_empty());
        next.dropped = gone.map(|kept| (kept.title().to_owned(), kept.work.to_owned())).collect();
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
mod tests;
