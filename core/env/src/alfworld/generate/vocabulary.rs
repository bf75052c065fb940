//! Vocabulary of generated games: names, tasks, and all texts.

use std::collections::BTreeSet;

use super::catalogue::{Kind, ROOMS, Role, THINGS};
use super::house::{House, MOST, Place};
use super::shortest_plan::Action;
use super::task::{Item, Task};

/// Words of the grammar and of tasks that are no names, and the marks that count as words.
const WORDS: &str = ". , : a at bring by clean close closed cold come cool dark examine from go happens heat \
    hold home hot in inventory is lit look nothing on open put switch take task the to two \
    unsearched walk you your";

/// A name as the game shows it, `shelf 1`, from its kind and number.
fn name(kind: &str, number: usize) -> String {
    format!("{kind} {number}")
}

/// An identifier that the game shows as `shelf 1`: identifiers of a kind are numbered from the last
/// in the order of their bytes.
fn identifier(kind: &str, number: usize) -> String {
    format!("{kind}_bar_{}", MOST - number)
}

impl House {
    /// A room's identifier.
    pub(super) fn room_id(&self, room: usize) -> String {
        identifier(self.room(room).name, 1)
    }
}

impl Place {
    /// Its identifier.
    pub(super) fn id(&self) -> String {
        identifier(self.name, self.number)
    }
}

impl Item {
    /// Its identifier.
    pub(super) fn id(&self) -> String {
        identifier(THINGS[self.kind].name, self.number)
    }
}

/// What the agent is asked to do.
pub(super) fn instruction(task: &Task) -> String {
    let (thing, target) = (THINGS[task.thing].name, task.target);
    match task.kind {
        Kind::Place => format!("bring a {thing} to the {target}"),
        Kind::Examine => format!("hold a {thing} by the lit {target}"),
        Kind::Clean => format!("bring a clean {thing} to the {target}"),
        Kind::Heat => format!("bring a hot {thing} to the {target}"),
        Kind::Cool => format!("bring a cold {thing} to the {target}"),
        Kind::Two => format!("bring two {} to the {target}", THINGS[task.thing].plural),
    }
}

/// An action as a command.
pub(super) fn command(task: &Task, action: Action) -> String {
    let place = |place: usize| {
        let place = &task.house.places[place];
        name(place.name, place.number)
    };
    let thing = |thing: usize| {
        let item = &task.items[thing];
        name(THINGS[item.kind].name, item.number)
    };
    match action {
        Action::Walk(room) => format!("walk to {}", name(task.house.room(room).name, 1)),
        Action::Go(to) => format!("go to {}", place(to)),
        Action::Open(it) => format!("open {}", place(it)),
        Action::Take(it) => format!("take {}", thing(it)),
        Action::Put(it) => format!("put {}", thing(it)),
        Action::Treat(Role::Sink, it) => format!("clean {}", thing(it)),
        Action::Treat(Role::Stove, it) => format!("heat {}", thing(it)),
        Action::Treat(_, it) => format!("cool {}", thing(it)),
        Action::Light(it) => format!("switch on {}", place(it)),
    }
}

/// Every word that tasks, observations and commands of generated games can contain, sorted (words are
/// separated by white space; `.`, `,` and `:` are words).
pub(super) fn vocabulary() -> Vec<String> {
    let rooms = ROOMS.iter().map(|room| room.name);
    let furniture = ROOMS.iter().flat_map(|room| room.furniture().map(|(name, _)| name));
    let appliances = Role::APPLIANCES.iter().filter_map(|role| role.appliance().map(|it| it.0));
    let things = THINGS.iter().flat_map(|thing| [thing.name, thing.plural]);
    let names = rooms.chain(furniture).chain(appliances).chain(things);
    let words = WORDS.split_whitespace().chain(names).map(str::to_owned);
    let numbers = (1..=MOST).map(|number| number.to_string());
    words.chain(numbers).collect::<BTreeSet<_>>().into_iter().collect()
}
