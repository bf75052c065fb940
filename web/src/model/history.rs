//! Undo and redo.

/// What came before the present, and what was undone.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct History<T> {
    past: Vec<T>,
    future: Vec<T>,
}

impl<T> History<T> {
    /// Keeps what was before a change, of at most `limit` changes; nothing can be redone any more.
    pub(crate) fn record(&mut self, before: T, limit: usize) {
        self.future.clear();
        self.past.push(before);
        let surplus = self.past.len().saturating_sub(limit);
        self.past.drain(..surplus);
    }

    /// What was before the last change.
    pub(crate) fn undo(&mut self, present: T) -> Option<T> {
        Self::turn(&mut self.past, &mut self.future, present)
    }

    /// What the last undo took back.
    pub(crate) fn redo(&mut self, present: T) -> Option<T> {
        Self::turn(&mut self.future, &mut self.past, present)
    }

    fn turn(from: &mut Vec<T>, onto: &mut Vec<T>, present: T) -> Option<T> {
        let next = from.pop()?;
        onto.push(present);
        Some(next)
    }

    /// Whether there is something to undo.
    pub(crate) fn has_past(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is something to redo.
    pub(crate) fn has_future(&self) -> bool {
        !self.future.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::History;

    #[test]
    fn what_was_undone_comes_back_until_something_else_is_done() {
        let mut history = History::default();
        history.record(1, 2);
        history.record(2, 2);
        assert_eq!(history.undo(3), Some(2));
        assert_eq!(history.undo(2), Some(1));
        assert_eq!((history.undo(1), history.has_past()), (None, false));
        assert_eq!(history.redo(1), Some(2));
        history.record(2, 2);
        assert!(!history.has_future());
        assert_eq!(history.redo(9), None);
    }

    #[test]
    fn the_oldest_is_forgotten_beyond_the_limit() {
        let mut history = History::default();
        for number in 0..5 {
            history.record(number, 2);
        }
        assert_eq!((history.undo(5), history.undo(4), history.undo(3)), (Some(4), Some(3), None));
    }
}
