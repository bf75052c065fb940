//! Shortest plan for a task, with full knowledge.

use super::catalogue::{Kind, Role};
use super::task::Task;

/// One action: rooms, furniture and things by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Walk(usize),
    Go(usize),
    Open(usize),
    Take(usize),
    Put(usize),
    /// Clean, heat or cool a thing.
    Treat(Role, usize),
    Light(usize),
}

/// The fewest actions that do a task.
///
/// Every way to do it takes a thing from where it is, makes it ready at an appliance, and brings it
/// to its target, and for two things twice; between two such errands nothing but walking and opening
/// helps. So the shortest of all choices of thing, appliance and target is the shortest plan.
pub(super) fn shortest(task: &Task) -> Vec<Action> {
    let errands = match task.kind {
        Kind::Two => pairs(task),
        _ => singles(task),
    };
    errands.into_iter().min_by_key(Vec::len).unwrap_or_default()
}

fn singles(task: &Task) -> Vec<Vec<Action>> {
    let mut plans = Vec::new();
    for thing in matching_items(task) {
        let mut taken = Route::new(task);
        taken.take(thing);
        if let Some(role) = task.kind.appliance() {
            let Some(appliance) = task.house.with_role(role).next() else { continue };
            taken.go(appliance);
            taken.actions.push(match role {
                Role::Lamp => Action::Light(appliance),
                _ => Action::Treat(role, thing),
            });
        }
        if task.kind == Kind::Examine {
            plans.push(taken.actions);
            continue;
        }
        plans.extend(targets(task).map(|target| {
            let mut route = taken.clone();
            route.put(thing, target);
            route.actions
        }));
    }
    plans
}

fn pairs(task: &Task) -> Vec<Vec<Action>> {
    let mut plans = Vec::new();
    for target in targets(task) {
        for first in matching_items(task) {
            let mut route = Route::new(task);
            route.take(first);
            route.put(first, target);
            for second in matching_items(task).filter(|&second| second != first) {
                let mut route = route.clone();
                route.take(second);
                route.put(second, target);
                plans.push(route.actions);
            }
        }
    }
    plans
}

/// The things of the kind that is asked for.
fn matching_items(task: &Task) -> impl Iterator<Item = usize> {
    (0..task.items.len()).filter(|&item| task.items[item].kind == task.thing)
}

/// The furniture that things can be brought to.
fn targets(task: &Task) -> impl Iterator<Item = usize> {
    let places = &task.house.places;
    (0..places.len()).filter(|&place| places[place].name == task.target)
}

/// Actions so far, and where they lead.
#[derive(Clone)]
struct Route<'a> {
    task: &'a Task,
    room: usize,
    place: Option<usize>,
    actions: Vec<Action>,
}

impl<'a> Route<'a> {
    fn new(task: &'a Task) -> Self {
        Self { task, room: task.start, place: None, actions: Vec::new() }
    }

    fn go(&mut self, place: usize) {
        if self.place == Some(place) {
            return;
        }
        let room = self.task.house.places[place].room;
        self.actions.extend(self.task.house.way(self.room, room).into_iter().map(Action::Walk));
        self.actions.push(Action::Go(place));
        (self.room, self.place) = (room, Some(place));
    }

    /// Goes to a place and opens it if it is closed.
    fn reach(&mut self, place: usize) {
        self.go(place);
        let open = Action::Open(place);
        if self.task.house.places[place].role.has_lid() && !self.actions.contains(&open) {
            self.actions.push(open);
        }
    }

    fn take(&mut self, thing: usize) {
        self.reach(self.task.items[thing].place);
        self.actions.push(Action::Take(thing));
    }

    fn put(&mut self, thing: usize, target: usize) {
        self.reach(target);
        self.actions.push(Action::Put(thing));
    }
}
