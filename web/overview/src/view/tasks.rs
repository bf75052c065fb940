//! The table of the tasks.

use super::{Markup, columns::Head};
use crate::{
    model::{File, Key, Sorting, Task, number},
    text,
};

/// The table of some tasks in an order, as many rows of it as are to be drawn.
pub(crate) fn tasks(file: &File, order: &[usize], sorting: Sorting, rows: usize) -> String {
    let mut to = Markup::default();
    if order.is_empty() {
        to.raw("<p class=\"none\">").raw(text::nothing_found()).raw("</p>");
        return to.finish();
    }
    to.raw(
        "<div class=\"scrolled\" tabindex=\"0\" role=\"group\" aria-labelledby=\"tasks-title\">",
    );
    to.raw("<table class=\"tasks\" aria-labelledby=\"tasks-title\"><thead><tr>");
    let keys = Key::all(file.methods.len());
    for (place, key) in keys.iter().enumerate() {
        head(&mut to, file, *key, place, sorting);
    }
    to.raw("</tr></thead><tbody>");
    for &task in order.iter().take(rows) {
        row(&mut to, &file.tasks[task], task, &keys);
    }
    to.raw("</tbody></table></div>");
    if order.len() > rows {
        to.raw("<button type=\"button\" class=\"button more-rows\" id=\"more-tasks\" data-do=\"more-tasks\">");
        to.raw(text::more()).raw("</button>");
    }
    to.finish()
}

/// The name of a column, and what it tells.
pub(super) fn named(file: &File, key: Key) -> Head {
    let (name, hint) = match key {
        Key::Name => (text::task(), text::task_hint()),
        Key::Attempts => (text::attempts(), text::attempts_hint()),
        Key::Success => (text::success(), text::success_hint()),
        Key::Score => (text::score(), text::score_hint()),
        Key::Steps => (text::steps(), text::steps_hint()),
        Key::Silent => (text::silent(), text::silent_hint()),
        Key::Opposite(method) => {
            let name = &file.methods[method].label;
            return (text::opposite_to(name), text::opposite_hint(name));
        }
        Key::Alone => (text::alone(), text::alone_hint()),
        Key::Invalid => (text::invalid(), text::invalid_hint()),
    };
    (name.to_owned(), hint.to_owned())
}

fn head(to: &mut Markup, file: &File, key: Key, place: usize, sorting: Sorting) {
    let (name, hint) = named(file, key);
    to.raw("<th scope=\"col\"");
    let sign = match sorting.by {
        Some((by, true)) if by == key => {
            to.attribute("aria-sort", "descending");
            "\u{25be}"
        }
        Some((by, false)) if by == key => {
            to.attribute("aria-sort", "ascending");
            "\u{25b4}"
        }
        _ => "",
    };
    to.raw("><button type=\"button\"").attribute("id", &format!("sort-{place}"));
    to.attribute("data-do", &format!("sort {place}")).attribute("title", &hint);
    to.raw(">")
        .text(&name)
        .raw("<span aria-hidden=\"true\">")
        .raw(sign)
        .raw("</span></button></th>");
}

fn row(to: &mut Markup, task: &Task, place: usize, keys: &[Key]) {
    let open = format!("open {place} 0 0");
    to.raw("<tr").attribute("data-do", &open).raw(">");
    for key in keys {
        if *key == Key::Name {
            to.raw("<th scope=\"row\"><button type=\"button\" class=\"leads\"");
            to.attribute("id", &format!("task-{place}")).attribute("data-do", &open).raw(">");
            to.own(&task.name).raw("</button>");
            if let Some(instruction) = &task.instruction {
                to.raw("<small>").own(instruction).raw("</small>");
            }
            to.raw("</th>");
            continue;
        }
        to.raw("<td>");
        value(to, task, *key);
        to.raw("</td>");
    }
    to.raw("</tr>");
}

fn value(to: &mut Markup, task: &Task, key: Key) {
    let steps = task.steps.len();
    let some_of = |to: &mut Markup, some: usize, all: usize| {
        to.raw(&number::count(some)).raw(" <small>");
        to.raw(&number::percent(some as f64, all)).raw("</small>");
    };
    match key {
        Key::Name => {}
        Key::Attempts => {
            to.raw(&number::count(task.attempts.len()));
        }
        Key::Success => some_of(to, task.successes, task.attempts.len()),
        Key::Score => {
            to.raw(&number::short(task.score, 2));
        }
        Key::Steps => {
            to.raw(&number::count(steps));
        }
        Key::Silent => some_of(to, task.silent, steps),
        Key::Opposite(method) => some_of(to, task.opposite[method - 1], steps),
        Key::Alone => some_of(to, task.alone, steps),
        Key::Invalid => some_of(to, task.invalid, steps),
    }
}

#[cfg(test)]
mod tests {
    use super::tasks;
    use crate::model::{File, Key, Sorting, tests::both};

    #[test]
    fn rows_stand_in_the_order_that_the_head_tells() {
        let file: File = both();
        let drawn = tasks(&file, &[1, 0], Sorting::default().pressed(Key::Silent), 9);
        let at = |what: &str| drawn.find(what).unwrap_or_else(|| panic!("{what}"));
        assert!(at("<bdi>alone</bdi>") < at("<bdi>g</bdi>"));
        assert!(drawn.contains(
            "<th scope=\"col\" aria-sort=\"descending\"><button type=\"button\" id=\"sort-5\""
        ));
        // 1 of 4 steps without signal, 1 of 2 attempts succeeded.
        assert!(drawn.contains("<td>1 <small>25\u{a0}%</small></td>"));
        assert!(drawn.contains("<td>1 <small>50\u{a0}%</small></td>"));
        assert!(drawn.contains("<small><bdi>win</bdi></small>"));
        assert!(!drawn.contains("more-tasks"));
    }

    #[test]
    fn a_long_table_is_drawn_in_parts_and_an_empty_one_says_so() {
        let file: File = both();
        let drawn = tasks(&file, &[0, 1], Sorting::default(), 1);
        assert!(drawn.contains("more-tasks") && !drawn.contains("alone</bdi>"));
        assert_eq!(
            tasks(&file, &[], Sorting::default(), 1),
            "<p class=\"none\">No step meets the filter.</p>"
        );
    }
}
