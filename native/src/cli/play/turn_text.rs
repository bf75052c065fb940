//! Screen of a game that is played by hand: what is shown, and what was typed.

use std::io::{self, Write};

use hgpo_env::{Actions, Observation, Outcome};

use crate::terminal::escape_control_characters;

/// Columns of a line.
const WIDTH: usize = 80;

/// Shows what an action led to, and how much of the task is done if the environment scores it.
pub(crate) fn write_turn(
    out: &mut impl Write,
    instruction: Option<&str>,
    drawing: Option<&str>,
    now: &Observation,
    (outcome, score): (Outcome, Option<f64>),
) -> io::Result<()> {
    // The first observation of some games says it already.
    let is_new = |task: &&str| !task.is_empty() && !now.text.contains(*task);
    if let Some(task) = instruction.filter(is_new) {
        writeln!(out, "{}\n", wrap(&format!("Task: {task}")))?;
    }
    if !outcome.admissible {
        writeln!(out, "Not an admissible action: nothing changed.\n")?;
    }
    if let Some(drawing) = drawing {
        writeln!(out, "{}\n", escape_control_characters(drawing))?;
    }
    writeln!(out, "{}", wrap(&now.text))?;
    match (outcome.won, outcome.done, score) {
        (true, ..) => writeln!(out, "\nYou have won."),
        (false, true, Some(score)) => {
            writeln!(out, "\nThe episode is over, with a score of {score:.2} of 1.")
        }
        (false, true, None) => writeln!(out, "\nThe episode is over."),
        _ => writeln!(out, "\n{}", render_actions(&now.actions)),
    }
}

/// A text without control characters, in lines that fit; what fits stays as it is, spaces at its end too.
fn wrap(text: &str) -> String {
    let text = escape_control_characters(text);
    let fitting = |line: &str| match textwrap::core::display_width(line) {
        0..=WIDTH => line.to_owned(),
        _ => textwrap::fill(line, WIDTH),
    };
    text.split('\n').map(fitting).collect::<Vec<_>>().join("\n")
}

/// What can be done, each with its number, as many in a line as fit.
fn render_actions(actions: &Actions) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (number, action) in (1..).zip(actions.describe()) {
        let action = format!("{number} {}", escape_control_characters(&action));
        let width = textwrap::core::display_width;
        match lines.last_mut() {
            Some(line) if width(line) + 3 + width(&action) <= WIDTH => {
                line.push_str("   ");
                line.push_str(&action);
            }
            _ => lines.push(action),
        }
    }
    lines.join("\n")
}

/// The action that was typed: as it stands, or by its number. The words of a search come after its number.
///
/// # Errors
/// Advice, if they are missing, or nothing was typed.
pub(crate) fn parse_action(typed: &str, actions: &Actions) -> Result<String, String> {
    let as_it_stands = || Ok(typed.to_owned());
    let told = actions.describe();
    let text = typed.trim();
    if text.is_empty() {
        return Err("Type one of the actions above, or its number".to_owned());
    }
    if told.iter().any(|action| action == text) {
        return as_it_stands();
    }
    let (number, words) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let place = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let Some((place, action)) = place.and_then(|place| Some((place, told.get(place)?))) else {
        return as_it_stands();
    };
    let is_search = place == 0 && matches!(actions, Actions::Free { search: true, .. });
    match (is_search, words.trim()) {
        (false, "") => Ok(action.clone()),
        (false, _) => as_it_stands(),
        (true, "") => Err(format!("Write what to search for after the number: {number} red lamp")),
        (true, words) => Ok(format!("search[{words}]")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shop() -> Actions {
        Actions::Free { search: true, clickables: vec!["2".into(), "buy now".into()] }
    }

    #[test]
    fn numbers_stand_for_actions_and_words_fill_in_the_search() {
        let typed = |text| parse_action(text, &shop()).unwrap();
        assert_eq!(typed("1  red lamp "), "search[red lamp]");
        assert_eq!(typed("3"), "click[buy now]");
        for as_it_stands in ["click[buy now]", "search[x]", "4", "0", "3 now", "-1", "1e9"] {
            assert_eq!(typed(as_it_stands), as_it_stands);
        }
        assert!(parse_action("1", &shop()).unwrap_err().ends_with("1 red lamp"));
        assert!(parse_action(" ", &shop()).unwrap_err().ends_with("or its number"));
        // An action that is a number itself is none else's number.
        let doors = Actions::Listed(["2", "1"].map(String::from).to_vec().into());
        assert_eq!(parse_action("2", &doors).unwrap(), "2");
    }

    #[test]
    fn observations_are_wrapped_and_control_characters_escaped() {
        let long = "word ".repeat(40) + "\u{1b}[2J";
        assert!(wrap(&long).lines().all(|line| line.len() <= WIDTH));
        assert!(wrap(&long).ends_with(r"\u{1b}[2J"));
        assert_eq!(wrap(" # \n  x"), " # \n  x");
        let names = (0..30).map(|number| format!("product\u{1b} {number}")).collect();
        let listed = render_actions(&Actions::Free { search: true, clickables: names });
        assert!(listed.starts_with("1 search[<your query>]   2 click[product\\u{1b} 0]   3"));
        assert!(listed.lines().all(|line| line.len() <= WIDTH) && listed.lines().count() > 5);
    }
}
