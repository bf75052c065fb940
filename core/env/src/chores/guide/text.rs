//! Texts of `guide-and-walker`: what the agents see, and what the guide can say.

use super::super::house::{Place, State};
use super::super::task::Task;
use super::super::text::{container, contents, item, room};

/// What both agents are told: nothing of the task.
pub(super) const INSTRUCTION: &str = "bring the wanted thing to its room";

/// Words that are no names, and the marks that count as words.
pub(super) const WORDS: &str =
    ". , : closed go guide heard held holding in nothing open put take to walker wanted";

/// Most characters of a word that is said.
const LONGEST_WORD: usize = 20;

/// What is wanted where, where it is, and where the walker is.
pub(super) fn map(task: &Task, state: &State) -> String {
    let name = |at: usize| room(task.layout.rooms[at]);
    let thing = item(task.item);
    let wanted = state.things.iter().find(|it| it.item == task.item);
    let place = match wanted.map(|it| it.place) {
        Some(Place::View(at)) => name(at).to_owned(),
        Some(Place::Hidden(at)) => {
            let kind = task.layout.containers[at].map_or("", container);
            format!("{}, closed {kind}", name(at))
        }
        Some(Place::Held) | None => "held".to_owned(),
    };
    let held = state.carried_item().filter(|&it| it != task.item);
    let held = held.map(|it| format!(", holding {}", item(it))).unwrap_or_default();
    let goal = name(task.goal);
    format!("wanted: {thing} in {goal}. {thing}: {place}. walker: {}{held}.", name(state.at))
}

/// The room that the walker is in, and what is in it.
pub(super) fn here(task: &Task, state: &State) -> String {
    let contents = contents(task, state);
    let contents = if contents.is_empty() { "nothing".to_owned() } else { contents.join(", ") };
    format!("{}: {contents}.", room(task.layout.rooms[state.at]))
}

/// The whole house, for people who look on.
pub(super) fn drawing(task: &Task, state: &State, heard: Option<&str>) -> String {
    let rooms = task.layout.rooms.iter().enumerate();
    let lines = rooms.map(|(at, &kind)| {
        let hidden = state.things.iter().filter(|thing| thing.place == Place::Hidden(at));
        let hidden = hidden.map(|thing| format!("({})", item(thing.item)));
        let parts = contents(task, &State { at, ..*state }).into_iter().chain(hidden);
        let goal = if at == task.goal { format!(" <- {}", item(task.item)) } else { String::new() };
        let walker = if at == state.at { '@' } else { ' ' };
        let line = format!("{walker} {}: {}", room(kind), parts.collect::<Vec<_>>().join(", "));
        format!("{}{goal}", line.trim_end())
    });
    let held = state.carried_item().map(|it| format!("holding {}", item(it)));
    let heard = heard.map(|it| format!("heard: {it}"));
    lines.chain(held).chain(heard).collect::<Vec<_>>().join("\n")
}

/// What the walker holds, for grouping by summaries.
pub(super) fn context(state: &State) -> String {
    format!("held: {}", state.carried_item().map_or("none", item))
}

/// What can be said of a house, whatever is wanted in it, in an order that does not change.
pub(super) fn utterances(task: &Task, words: usize) -> Vec<String> {
    let rooms = task.layout.rooms[1..].iter().map(|&it| room(it));
    let things = task.start.things.iter().map(|it| item(it.item));
    if words == 1 {
        return rooms.chain(things).chain(["open", "put", "take"]).map(str::to_owned).collect();
    }
    let mut containers: Vec<&str> =
        task.layout.containers.into_iter().flatten().map(container).collect();
    containers.sort_unstable();
    containers.dedup();
    let say = |verb: &'static str| move |name: &str| format!("{verb} {name}");
    let takes = things.clone().map(say("take"));
    let opens = containers.into_iter().map(say("open"));
    rooms.map(say("go")).chain(opens).chain(takes).chain(things.map(say("put"))).collect()
}

/// What is said for an action of the walker, by the convention of the scripted pair.
pub(super) fn utterance(action: &str, words: usize) -> String {
    let action = action.replacen("go to ", "go ", 1);
    match action.split_once(' ') {
        Some(("go" | "take", name)) if words == 1 => name.to_owned(),
        Some((verb, _)) if words == 1 => verb.to_owned(),
        _ => action,
    }
}

/// Any text as it is heard: in lower case, with one space between words. None if it has no word, more than `most`, or
/// one that is too long or has other characters than letters, digits, hyphens and apostrophes.
pub(super) fn heard(text: &str, most: usize) -> Option<String> {
    let is_word = |word: &&str| {
        let is_known = |it: char| it.is_alphanumeric() || it == '-' || it == '\'';
        word.chars().all(is_known) && word.chars().nth(LONGEST_WORD).is_none()
    };
    let words: Vec<&str> = text.split_whitespace().take(most + 1).collect();
    let is_heard = (1..=most).contains(&words.len()) && words.iter().all(is_word);
    is_heard.then(|| words.join(" ").to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_of_few_plain_words_is_heard() {
        assert_eq!(heard(" Go\tKITCHEN ", 2).as_deref(), Some("go kitchen"));
        assert_eq!(heard("don't", 1).as_deref(), Some("don't"));
        assert_eq!(heard("küche", 1).as_deref(), Some("küche"));
        let (longest, too_long) = ("a".repeat(20), "a".repeat(21));
        assert_eq!(heard(&longest, 1), Some(longest));
        for text in
            ["", " \n", "go to kitchen", "key.", "key:study", "a\u{0}b", "\u{202e}key", &too_long]
        {
            assert_eq!(heard(text, 2), None, "{text:?}");
        }
        assert_eq!(heard("take key", 1), None);
    }

    #[test]
    fn the_convention_names_where_to_go_and_what_to_take() {
        for (action, one, two) in [
            ("go to study", "study", "go study"),
            ("take key", "key", "take key"),
            ("open fridge", "open", "open fridge"),
            ("put key", "put", "put key"),
        ] {
            assert_eq!((utterance(action, 1).as_str(), utterance(action, 2).as_str()), (one, two));
        }
    }
}
