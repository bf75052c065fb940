//! Lessons that the page was given, by address or as files. Each is had for as long as the page is open,
//! as the browser's Back may lead to it.

use super::{COURSES, read};
use hgpo_core::read_json;
use std::cell::RefCell;

/// The longest file that may be a lesson, in bytes.
pub(crate) const LONGEST: usize = 4 << 20;

/// Why there is no lesson under an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is not on the page's own host, or no JSON file.
    Elsewhere,
    /// There is no such file, or no connection.
    Missing,
    /// What is wrong in it, and where.
    Wrong(String),
}

thread_local! {
    /// The address under which there is no lesson.
    static FAULT: RefCell<Option<(String, Fault)>> = const { RefCell::new(None) };
}

/// Takes the file of a lesson, from the address that is its name or as a file that was opened, and gives
/// the position of the lesson after those of the page.
///
/// # Errors
/// What is wrong with the file.
pub(crate) fn add(name: &str, text: &str, has_address: bool) -> Result<usize, String> {
    let course = Box::leak(Box::new(read::course(name, text)?));
    Ok(COURSES.with_borrow_mut(|courses| {
        courses.push(Some((course, has_address)));
        courses.len() - 1
    }))
}

/// The position of the lesson that was given last under a name.
pub(super) fn position(name: &str) -> Option<usize> {
    COURSES.with_borrow(|courses| {
        courses.iter().rposition(|own| own.is_some_and(|(course, _)| course.listed.name == name))
    })
}

/// Remembers why there is no lesson under an address.
pub(crate) fn miss(name: &str, fault: Fault) {
    FAULT.set(Some((name.to_owned(), fault)));
}

/// Why there is no lesson under an address, if it was looked for.
pub(crate) fn fault(name: &str) -> Option<Fault> {
    FAULT.with_borrow(|fault| fault.clone().filter(|(of, _)| of == name).map(|(_, fault)| fault))
}

/// Whether a name is that of a JSON file.
pub(crate) fn is_json(name: &str) -> bool {
    name.strip_suffix(".json").is_some()
}

/// Whether a file is a lesson rather than rollouts.
pub(crate) fn is_lesson(name: &str, text: &str) -> bool {
    if text.len() > LONGEST || !text.trim_start().starts_with('{') {
        return false;
    }
    match read_json(text) {
        Ok(value) => {
            value["steps"].is_array()
                && value["trajectory"].is_null()
                && value["traj_uid"].is_null()
        }
        // Rollouts have an object a line; these are told by their headings.
        Err(_) => is_json(name) && text.contains("\"heading\""),
    }
}

#[cfg(test)]
mod tests {
    use super::{add, is_lesson};
    use crate::model::Place;

    #[test]
    fn a_lesson_that_was_opened_as_a_file_has_no_address() {
        let text = include_str!("../../../../docs/two-doors.lesson.json");
        assert!(is_lesson("doors.json", text));
        let file = Place::first(add("doors.json", text, false).expect("a lesson"));
        assert!(!file.has_address() && file.next().is_some_and(|next| !next.has_address()));
        assert_eq!(Place::find("doors.json", None), Some(file), "Back leads to it");
        let named = Place::first(add("course/doors.json", text, true).expect("a lesson"));
        assert!(named.has_address() && Place::first(0).has_address());
    }
}
