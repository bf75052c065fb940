//! House state, and how actions change it.

use super::layout::{Fixture, Layout, ROOMS, Room, ways};

/// Things in a house.
pub(super) const THINGS: usize = 3;

/// What can be carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Item {
    Mug,
    Plate,
    Pear,
    Pie,
    Book,
    Towel,
    Shirt,
    Key,
}

impl Item {
    /// Every kind.
    pub(super) const ALL: [Self; 8] = [
        Self::Mug,
        Self::Plate,
        Self::Pear,
        Self::Pie,
        Self::Book,
        Self::Towel,
        Self::Shirt,
        Self::Key,
    ];

    /// Rooms in which it is more likely to be.
    pub(super) fn homes(self) -> [Room; 2] {
        match self {
            Self::Mug => [Room::Kitchen, Room::Lounge],
            Self::Plate | Self::Pear | Self::Pie => [Room::Kitchen, Room::Pantry],
            Self::Book => [Room::Study, Room::Lounge],
            Self::Towel => [Room::Bathroom, Room::Laundry],
            Self::Shirt => [Room::Bedroom, Room::Laundry],
            Self::Key => [Room::Garage, Room::Study],
        }
    }
}

/// Where a thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// On view in a room.
    View(usize),
    /// In the closed container of a room.
    Hidden(usize),
    /// Carried.
    Held,
}

/// A thing and what was done to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Thing {
    /// What it is.
    pub(super) item: Item,
    /// Where it is.
    pub(super) place: Place,
    /// Whether it was made clean.
    pub(super) clean: bool,
    /// Whether it was made hot.
    pub(super) hot: bool,
}

impl Thing {
    /// A thing as it is at the start: dirty and cold.
    pub(super) fn new(item: Item, place: Place) -> Self {
        Self { item, place, clean: false, hot: false }
    }
}

/// One action; rooms by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Go(usize),
    Open,
    Light,
    Clean(Item),
    Heat(Item),
    Take(Item),
    Put(Item),
}

/// Everything in a house that changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// The room in which the agent stands.
    pub(super) at: usize,
    /// The things, by ascending kind.
    pub(super) things: [Thing; THINGS],
    /// The rooms whose container was opened.
    pub(super) opened: [bool; ROOMS],
    /// The lamp was turned on.
    pub(super) lit: bool,
    /// The rooms that were entered: their light stays on, and is seen from everywhere.
    pub(super) entered: [bool; ROOMS],
}

impl State {
    /// The state at the start: the agent in the hall, everything closed, other
    /// rooms dark.
    pub(super) fn new(things: [Thing; THINGS]) -> Self {
        let mut entered = [false; ROOMS];
        entered[0] = true;
        Self { at: 0, things, opened: [false; ROOMS], lit: false, entered }
    }

    /// The thing carried.
    pub(super) fn carried_item(&self) -> Option<Item> {
        let held = self.things.iter().find(|thing| thing.place == Place::Held);
        held.map(|thing| thing.item)
    }

    /// What is on view here, by ascending kind.
    pub(super) fn on_view(&self) -> impl Iterator<Item = Item> {
        let here = |thing: &&Thing| thing.place == Place::View(self.at);
        self.things.iter().filter(here).map(|thing| thing.item)
    }

    /// The actions that can be carried out, in the order in which they are listed.
    pub(super) fn actions(&self, layout: &Layout) -> Vec<Action> {
        let mut actions: Vec<_> = ways(self.at).map(Action::Go).collect();
        if layout.containers[self.at].is_some() && !self.opened[self.at] {
            actions.push(Action::Open);
        }
        let held = self.carried_item();
        match (layout.fixtures[self.at], held) {
            (Some(Fixture::Lamp), _) if !self.lit => actions.push(Action::Light),
            (Some(Fixture::Sink), Some(item)) => actions.push(Action::Clean(item)),
            (Some(Fixture::Stove), Some(item)) => actions.push(Action::Heat(item)),
            _ => {}
        }
        match held {
            Some(item) => actions.push(Action::Put(item)),
            None => actions.extend(self.on_view().map(Action::Take)),
        }
        actions.dedup();
        actions
    }

    /// The state after an action that [`Self::actions`] lists.
    pub(super) fn after(mut self, action: Action) -> Self {
        let at = self.at;
        match action {
            Action::Go(room) => {
                self.at = room;
                self.entered[room] = true;
            }
            Action::Open => {
                self.opened[at] = true;
                self.things_at(Place::Hidden(at)).for_each(|it| it.place = Place::View(at));
            }
            Action::Light => self.lit = true,
            Action::Clean(_) => self.things_at(Place::Held).for_each(|it| it.clean = true),
            Action::Heat(_) => self.things_at(Place::Held).for_each(|it| it.hot = true),
            Action::Take(item) => {
                if let Some(taken) = self.things_at(Place::View(at)).find(|it| it.item == item) {
                    taken.place = Place::Held;
                }
            }
            Action::Put(_) => {
                self.things_at(Place::Held).for_each(|it| it.place = Place::View(at));
            }
        }
        self
    }

    fn things_at(&mut self, place: Place) -> impl Iterator<Item = &mut Thing> {
        self.things.iter_mut().filter(move |thing| thing.place == place)
    }
}
