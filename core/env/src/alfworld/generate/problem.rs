//! Planning problem of a task, in PDDL.

use std::collections::BTreeSet;

use super::catalogue::{Kind, Role, THINGS};
use super::house::House;
use super::task::{Item, Task};

/// The person.
const PERSON: &str = "you";

/// The problem's text.
pub(super) fn problem(task: &Task) -> String {
    let rooms = (0..task.house.size()).map(|number| room(task, number));
    let furniture = (0..task.house.places.len()).map(|number| furniture(&task.house, number));
    let things = task.items.iter().map(|item| thing(task, item));
    let facts = rooms.chain(furniture).chain(things).collect::<Vec<_>>().concat();
    format!(
        "(define (problem errand)\n(:domain house)\n{}(:init\n(at {PERSON} {})\n{facts})\n{})\n",
        objects(task),
        middle(task.start),
        goal(task)
    )
}

/// The spot in the middle of a room.
fn middle(room: usize) -> String {
    format!("middle{room}")
}

/// The spot at a piece of furniture.
fn post(place: usize) -> String {
    format!("post{place}")
}

fn objects(task: &Task) -> String {
    let House { places, .. } = &task.house;
    let rooms = 0..task.house.size();
    let makes: BTreeSet<&str> = places.iter().map(|place| place.name).collect();
    let sorts: BTreeSet<usize> = task.items.iter().map(|item| item.kind).collect();
    let typed: [(&str, Vec<String>); 7] = [
        ("person", vec![PERSON.to_owned()]),
        ("room", rooms.clone().map(|room| task.house.room_id(room)).collect()),
        ("spot", rooms.map(middle).chain((0..places.len()).map(post)).collect()),
        ("place", places.iter().map(super::house::Place::id).collect()),
        ("make", makes.into_iter().map(make).collect()),
        ("thing", task.items.iter().map(Item::id).collect()),
        ("sort", sorts.into_iter().map(sort).collect()),
    ];
    let lines = typed.map(|(of, names)| format!("{} - {of}\n", names.join(" ")));
    format!("(:objects\n{})\n", lines.concat())
}

fn room(task: &Task, number: usize) -> String {
    let id = task.house.room_id(number);
    let mut lines = vec![format!("(middle {0} {id}) (within {0} {id})\n", middle(number))];
    let others = task.house.doorways[number].iter().map(|&other| task.house.room_id(other));
    lines.extend(others.map(|other| format!("(doorway {id} {other})\n")));
    if number != task.start {
        lines.push(format!("(dark {id})\n"));
    }
    lines.concat()
}

fn furniture(house: &House, number: usize) -> String {
    let place = &house.places[number];
    let (id, spot, room) = (place.id(), post(number), house.room_id(place.room));
    let does = match place.role {
        Role::Surface | Role::Lidded => None,
        Role::Sink => Some("washes"),
        Role::Stove => Some("heats"),
        Role::Fridge => Some("chills"),
        Role::Lamp => Some("glows"),
    };
    let facts = [
        does,
        place.role.has_lid().then_some("lidded"),
        place.role.open().then_some("surface"),
        place.role.searched().then_some("unsearched"),
    ];
    let facts: Vec<String> =
        facts.into_iter().flatten().map(|fact| format!(" ({fact} {id})")).collect();
    format!(
        "(stands {id} {room}) (post {id} {spot}) (within {spot} {room}) (made {id} {}){}\n",
        make(place.name),
        facts.concat()
    )
}

fn thing(task: &Task, item: &Item) -> String {
    let (id, kind) = (item.id(), &THINGS[item.kind]);
    let place = task.house.places[item.place].id();
    let mut facts = vec![format!("(sorted {id} {}) (rests {id} {place})", sort(item.kind))];
    if kind.washable {
        facts.push(format!("(washable {id})"));
    }
    if kind.food {
        facts.push(format!("(heatable {id}) (chillable {id})"));
    }
    facts.join(" ") + "\n"
}

/// What is reached at the end.
fn goal(task: &Task) -> String {
    let (sort, make) = (sort(task.thing), make(task.target));
    let ready = match task.kind {
        Kind::Clean => " (clean ?x)",
        Kind::Heat => " (hot ?x)",
        Kind::Cool => " (cold ?x)",
        Kind::Place | Kind::Examine | Kind::Two => "",
    };
    match task.kind {
        Kind::Examine => format!(
            "(:goal (exists (?p - person ?s - spot ?f - place ?x - thing) (and (sorted ?x {sort}) \
             (held ?p ?x) (at ?p ?s) (post ?f ?s) (made ?f {make}) (lit ?f))))\n"
        ),
        Kind::Two => format!(
            "(:goal (exists (?f - place ?x - thing ?y - thing) (and (made ?f {make}) \
             (sorted ?x {sort}) (rests ?x ?f) (sorted ?y {sort}) (rests ?y ?f) (not (= ?x ?y)))))\n"
        ),
        _ => format!(
            "(:goal (exists (?f - place ?x - thing) (and (made ?f {make}) (sorted ?x {sort}) \
             (rests ?x ?f){ready})))\n"
        ),
    }
}

/// The object that stands for a kind of furniture.
fn make(name: &str) -> String {
    format!("{name}make")
}

/// The object that stands for a kind of thing.
fn sort(kind: usize) -> String {
    format!("{}sort", THINGS[kind].name)
}
