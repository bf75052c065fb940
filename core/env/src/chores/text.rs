//! Texts of `chores`: instructions, observations, actions, and their vocabulary.

use super::house::{Action, Item, Place, State, Thing};
use super::layout::{Container, Fixture, ROOMS, Room, ways};
use super::task::{Kind, Task};
use std::collections::BTreeSet;

/// Words that are no names, and the marks that count as words.
const WORDS: &str =
    ". , : a at by clean closed dark go heat hot in lit look on open put take the to turn two";

/// The names of rooms, containers, fixtures and items, in the order of their kinds.
pub(super) const ROOM_NAMES: [&str; 9] =
    ["hall", "kitchen", "bathroom", "bedroom", "study", "lounge", "pantry", "laundry", "garage"];
pub(super) const CONTAINER_NAMES: [&str; 5] = ["cupboard", "drawer", "chest", "fridge", "basket"];
const FIXTURE_NAMES: [&str; 3] = ["sink", "stove", "lamp"];
pub(super) const ITEM_NAMES: [&str; 8] =
    ["mug", "plate", "pear", "pie", "book", "towel", "shirt", "key"];

pub(super) fn room(room: Room) -> &'static str {
    ROOM_NAMES[room as usize]
}

pub(super) fn container(container: Container) -> &'static str {
    CONTAINER_NAMES[container as usize]
}

fn fixture(fixture: Fixture) -> &'static str {
    FIXTURE_NAMES[fixture as usize]
}

pub(super) fn item(item: Item) -> &'static str {
    ITEM_NAMES[item as usize]
}

/// The plural, as [`Kind::Two`] has it.
fn items(of: Item) -> String {
    format!("{}s", item(of))
}

/// What the agent is asked to do.
pub(super) fn instruction(task: &Task) -> String {
    let thing = item(task.item);
    let goal = room(task.layout.rooms[task.goal]);
    match task.kind {
        Kind::Fetch => format!("put a {thing} in the {goal}"),
        Kind::Clean => format!("put a clean {thing} in the {goal}"),
        Kind::Heat => format!("put a hot {thing} in the {goal}"),
        Kind::Two => format!("put two {} in the {goal}", items(task.item)),
        Kind::Look => format!("look at a {thing} by the lamp"),
    }
}

/// What is in the current place: its container, its fixture, and what is on view.
pub(super) fn contents(task: &Task, state: &State) -> Vec<String> {
    let layout = &task.layout;
    let mut parts = Vec::new();
    if let Some(kind) = layout.containers[state.at] {
        let lid = if state.opened[state.at] { "open" } else { "closed" };
        parts.push(format!("{lid} {}", container(kind)));
    }
    if let Some(kind) = layout.fixtures[state.at] {
        let lit = kind == Fixture::Lamp && state.lit;
        parts.push(format!("{}{}", if lit { "lit " } else { "" }, fixture(kind)));
    }
    parts.extend(state.on_view().map(|thing| item(thing).to_owned()));
    parts
}

/// The current place: what is in it, and which other rooms are dark, that is, were never entered; not
/// what is carried.
pub(super) fn observation(task: &Task, state: &State) -> String {
    let rooms = &task.layout.rooms;
    let mut parts = contents(task, state);
    let dark = ways(state.at).filter(|&room| !state.entered[room]);
    parts.extend(dark.map(|other| format!("dark {}", room(rooms[other]))));
    format!("{}: {}.", room(rooms[state.at]), parts.join(", "))
}

/// The instruction and the whole house at the start: every room, lit, with its container closed and then opened.
pub(super) fn whole_house(task: &Task) -> String {
    let mut texts = vec![instruction(task)];
    for at in 0..ROOMS {
        let lit = State { at, entered: [true; ROOMS], ..task.start };
        texts.extend([lit, lit.after(Action::Open)].map(|state| observation(task, &state)));
    }
    texts.join("\n")
}

/// What the agent knows of the past: the rooms it has seen, what it holds, what it made clean and hot,
/// each in the order of rooms and of kinds.
pub(super) fn context(task: &Task, state: &State) -> String {
    let list = |names: Vec<&str>| if names.is_empty() { "none".into() } else { names.join(", ") };
    let rooms = task.layout.rooms.iter().zip(state.entered).filter(|&(_, entered)| entered);
    let made = |what: fn(&Thing) -> bool| {
        let things = state.things.iter().filter(|thing| what(thing));
        list(things.map(|thing| item(thing.item)).collect())
    };
    format!(
        "seen: {}; held: {}; clean: {}; hot: {}",
        list(rooms.map(|(&it, _)| room(it)).collect()),
        made(|thing| thing.place == Place::Held),
        made(|thing| thing.clean),
        made(|thing| thing.hot),
    )
}

/// An action as the agent writes it in `state`.
pub(super) fn action(task: &Task, state: &State, action: Action) -> String {
    match action {
        Action::Go(to) => format!("go to {}", room(task.layout.rooms[to])),
        Action::Open => {
            let kind = task.layout.containers[state.at];
            format!("open {}", kind.map_or("", container))
        }
        Action::Light => "turn on lamp".to_owned(),
        Action::Clean(thing) => format!("clean {}", item(thing)),
        Action::Heat(thing) => format!("heat {}", item(thing)),
        Action::Take(thing) => format!("take {}", item(thing)),
        Action::Put(thing) => format!("put {}", item(thing)),
    }
}

/// Every word of the texts above, sorted.
pub(super) fn vocabulary() -> Vec<String> {
    let names = [&ROOM_NAMES[..], &CONTAINER_NAMES, &FIXTURE_NAMES, &ITEM_NAMES].concat();
    let words = WORDS.split_whitespace().chain(names).map(str::to_owned);
    let plurals = Kind::Two.items().iter().copied().map(items);
    words.chain(plurals).collect::<BTreeSet<_>>().into_iter().collect()
}
