//! What the keys do on a step, and anywhere on the page.

use super::{Action, Cell, Edit, EditKind};

/// A key that was pressed, named as browsers name keys.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Press<'a> {
    /// What it writes or is called.
    pub(crate) key: &'a str,
    /// Where it is on the keyboard.
    pub(crate) code: &'a str,
    /// Whether Ctrl or Cmd is held.
    pub(crate) control: bool,
    /// Whether Alt is held.
    pub(crate) alt: bool,
    /// Whether Shift is held.
    pub(crate) shift: bool,
}

/// What a key does on a step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum KeyAction {
    /// Another step gets the focus.
    Focus(Cell),
    /// The rollouts are changed.
    Edit(Edit),
    /// The step is chosen, and its state is ready to be typed.
    Open,
}

impl Press<'_> {
    /// The small Latin letter of the key, whichever script the keyboard writes.
    fn letter(&self) -> Option<char> {
        let mut written = self.key.chars().filter(char::is_ascii_alphabetic);
        let mut placed = self.code.strip_prefix("Key").unwrap_or_default().chars();
        let letter = match self.key.chars().count() {
            1 => written.next().or_else(|| placed.next())?,
            _ => return None,
        };
        Some(letter.to_ascii_lowercase())
    }

    /// What the key does on a step, if anything, given the length of every row and how many rows a page
    /// has. With Alt, steps move along, trajectories up and down.
    pub(crate) fn on_step(&self, cell: Cell, lengths: &[usize], page: usize) -> Option<KeyAction> {
        let to = cell.moved((self.key, self.control), lengths, page);
        if let (false, Some(to)) = (self.alt, to) {
            return Some(KeyAction::Focus(to));
        }
        let edit = match (self.key, self.letter(), self.alt) {
            _ if self.control => return None,
            ("ArrowLeft", _, true) => Edit(cell, EditKind::Earlier),
            ("ArrowRight", _, true) => Edit(cell, EditKind::Later),
            ("ArrowUp", _, true) => Edit::of_row(cell.row, EditKind::Up),
            ("ArrowDown", _, true) => Edit::of_row(cell.row, EditKind::Down),
            ("F2", _, false) | (_, Some('e'), false) => return Some(KeyAction::Open),
            ("Delete", _, false) => Edit(cell, EditKind::Delete),
            (_, Some('n'), false) => Edit(cell, EditKind::Insert),
            (_, Some('d'), false) => Edit::of_row(cell.row, EditKind::Duplicate),
            (_, Some('s'), false) => Edit(cell, EditKind::Split),
            (_, Some('m'), false) => Edit::of_row(cell.row, EditKind::Merge),
            _ => return None,
        };
        Some(KeyAction::Edit(edit))
    }

    /// Undo and redo, wherever the focus is.
    pub(crate) fn anywhere(self) -> Option<Action> {
        match (self.letter()?, self.shift) {
            _ if !self.control || self.alt => None,
            ('z', false) => Some(Action::Undo),
            ('z', true) | ('y', false) => Some(Action::Redo),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{KeyAction, Press};
    use crate::model::{Action, Cell, Edit, EditKind};

    const CELL: Cell = Cell { row: 2, step: 1 };

    fn press<'a>(key: &'a str, code: &'a str) -> Press<'a> {
        Press { key, code, ..Press::default() }
    }

    #[test]
    fn letters_change_the_rollouts_on_every_keyboard() {
        let insert = Some(KeyAction::Edit(Edit(CELL, EditKind::Insert)));
        assert_eq!(press("n", "KeyN").on_step(CELL, &[2, 2, 4], 2), insert);
        assert_eq!(press("N", "KeyN").on_step(CELL, &[2, 2, 4], 2), insert, "caps lock");
        assert_eq!(
            press("\u{315c}", "KeyN").on_step(CELL, &[2, 2, 4], 2),
            insert,
            "a Korean keyboard"
        );
        assert_eq!(
            press("n", "KeyL").on_step(CELL, &[2, 2, 4], 2),
            insert,
            "letters before places"
        );
        assert_eq!(
            press("d", "KeyD").on_step(CELL, &[2, 2, 4], 2),
            Some(KeyAction::Edit(Edit::of_row(2, EditKind::Duplicate)))
        );
        assert_eq!(press("F2", "F2").on_step(CELL, &[2, 2, 4], 2), Some(KeyAction::Open));
        assert_eq!(
            press("End", "KeyE").on_step(CELL, &[2, 2, 4], 2),
            Some(KeyAction::Focus(Cell { row: 2, step: 3 }))
        );
        assert_eq!(
            press("Enter", "Enter").on_step(CELL, &[2, 2, 4], 2),
            None,
            "left to the button"
        );
        assert_eq!(
            Press { control: true, ..press("d", "KeyD") }.on_step(CELL, &[2, 2, 4], 2),
            None
        );
    }

    #[test]
    fn alt_and_arrows_move_steps_and_trajectories() {
        let moved = |key| Press { alt: true, ..press(key, key) }.on_step(CELL, &[2, 2, 4], 2);
        assert_eq!(moved("ArrowLeft"), Some(KeyAction::Edit(Edit(CELL, EditKind::Earlier))));
        assert_eq!(moved("ArrowDown"), Some(KeyAction::Edit(Edit::of_row(2, EditKind::Down))));
        assert_eq!(moved("n"), None);
    }

    #[test]
    fn undo_and_redo_have_their_usual_keys() {
        let held = |key, shift| Press { control: true, shift, ..press(key, "") }.anywhere();
        assert_eq!(held("z", false), Some(Action::Undo));
        assert_eq!(held("Z", true), Some(Action::Redo));
        assert_eq!(held("y", false), Some(Action::Redo));
        assert_eq!(press("z", "KeyZ").anywhere(), None);
    }
}
