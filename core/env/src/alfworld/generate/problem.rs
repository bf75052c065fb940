//! Planning problem of a task, in PDDL.

use std::fmt::{Error, Write};

use super::catalogue::{Role, THINGS};
use super::house::House;
use super::task::{Item, Task};
use super::task_kind::Kind;

/// The person.
const PERSON: &str = "you";

/// The problem's text.
///
/// # Errors
/// Never: a string takes everything.
pub(super) fn problem(task: &Task) -> Result<String, Error> {
    let mut text = String::with_capacity(8192);
    text.push_str("(define (problem errand)\n(:domain house)\n");
    objects(task, &mut text)?;
    text.push_str("(:init\n");
    writeln!(text, "(at {PERSON} {})", middle(task.start))?;
    rooms(task, &mut text)?;
    furniture(&task.house, &mut text)?;
    for item in &task.items {
        thing(task, item, &mut text)?;
    }
    text.push_str(")\n");
    goal(task, &mut text)?;
    text.push_str(")\n");
    Ok(text)
}

/// The spot in the middle of a room.
fn middle(room: usize) -> String {
    format!("middle{room}")
}

/// The spot at a piece of furniture.
fn post(place: usize) -> String {
    format!("post{place}")
}

fn objects(task: &Task, text: &mut String) -> Result<(), Error> {
    let House { places, .. } = &task.house;
    let rooms = 0..task.house.size();
    let mut makes: Vec<&str> = places.iter().map(|place| place.name).collect();
    makes.sort_unstable();
    makes.dedup();
    let mut sorts: Vec<usize> = task.items.iter().map(|item| item.kind).collect();
    sorts.sort_unstable();
    sorts.dedup();
    let typed: [(&str, Vec<String>); 7] = [
        ("person", vec![PERSON.to_owned()]),
        ("room", rooms.clone().map(|room| task.house.room_id(room)).collect()),
        ("spot", rooms.map(middle).chain((0..places.len()).map(post)).collect()),
        ("place", places.iter().map(super::house::Place::id).collect()),
        ("make", makes.iter().map(|name| make(name)).collect()),
        ("thing", task.items.iter().map(Item::id).collect()),
        ("sort", sorts.iter().map(|&kind| sort(kind)).collect()),
    ];
    text.push_str("(:objects\n");
    for (of, names) in typed {
        writeln!(text, "{} - {of}", names.join(" "))?;
    }
    text.push_str(")\n");
    Ok(())
}

fn rooms(task: &Task, text: &mut String) -> Result<(), Error> {
    for room in 0..task.house.size() {
        let id = task.house.room_id(room);
        writeln!(text, "(middle {0} {id}) (within {0} {id})", middle(room))?;
        for &other in &task.house.doorways[room] {
            writeln!(text, "(doorway {id} {})", task.house.room_id(other))?;
        }
        if room != task.start {
            writeln!(text, "(dark {id})")?;
        }
    }
    Ok(())
}

fn furniture(house: &House, text: &mut String) -> Result<(), Error> {
    for (number, place) in house.places.iter().enumerate() {
        let (id, spot, room) = (place.id(), post(number), house.room_id(place.room));
        write!(text, "(stands {id} {room}) (post {id} {spot}) (within {spot} {room})")?;
        write!(text, " (made {id} {})", make(place.name))?;
        let does = match place.role {
            Role::Surface | Role::Lidded => None,
            Role::Sink => Some("washes"),
            Role::Stove => Some("heats"),
            Role::Fridge => Some("chills"),
            Role::Lamp => Some("glows"),
        };
        let facts = [
            does,
            place.role.lidded().then_some("lidded"),
            place.role.open().then_some("surface"),
            place.role.searched().then_some("unsearched"),
        ];
        for fact in facts.into_iter().flatten() {
            write!(text, " ({fact} {id})")?;
        }
        text.push('\n');
    }
    Ok(())
}

fn thing(task: &Task, item: &Item, text: &mut String) -> Result<(), Error> {
    let (id, kind) = (item.id(), &THINGS[item.kind]);
    write!(
        text,
        "(sorted {id} {}) (rests {id} {})",
        sort(item.kind),
        task.house.places[item.place].id()
    )?;
    if kind.washable {
        write!(text, " (washable {id})")?;
    }
    if kind.food {
        write!(text, " (heatable {id}) (chillable {id})")?;
    }
    text.push('\n');
    Ok(())
}

/// What is reached at the end.
fn goal(task: &Task, text: &mut String) -> Result<(), Error> {
    let (sort, make) = (sort(task.thing), make(task.target));
    let ready = match task.kind {
        Kind::Clean => " (clean ?x)",
        Kind::Heat => " (hot ?x)",
        Kind::Cool => " (cold ?x)",
        Kind::Place | Kind::Examine | Kind::Two => "",
    };
    match task.kind {
        Kind::Examine => writeln!(
            text,
            "(:goal (exists (?p - person ?s - spot ?f - place ?x - thing) (and (sorted ?x {sort}) \
             (held ?p ?x) (at ?p ?s) (post ?f ?s) (made ?f {make}) (lit ?f))))"
        ),
        Kind::Two => writeln!(
            text,
            "(:goal (exists (?f - place ?x - thing ?y - thing) (and (made ?f {make}) \
             (sorted ?x {sort}) (rests ?x ?f) (sorted ?y {sort}) (rests ?y ?f) (not (= ?x ?y)))))"
        ),
        _ => writeln!(
            text,
            "(:goal (exists (?f - place ?x - thing) (and (made ?f {make}) (sorted ?x {sort}) \
             (rests ?x ?f){ready})))"
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
