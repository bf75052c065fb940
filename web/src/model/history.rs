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

    /// What was before the last change, or what the last undo took back.
    pub(crate) fn turn(&mut self, is_undo: bool, present: T) -> Option<T> {
        let Self { past, future } = self;
        let (from, onto) = if is_undo { (past, future) } else { (future, past) };
        let next = from.pop()?;
        onto.push(present);
        Some(next)
    }

    /// What undo leads back to.
    pub(crate) fn last(&self) -> Option<&T> {
        self.past.last()
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
        assert_eq!(history.turn(true, 3), Some(2));
        assert_eq!(history.turn(true, 2), Some(1));
        assert_eq!((history.turn(true, 1), history.has_past()), (None, false));
        assert_eq!(history.turn(false, 1), Some(2));
        history.record(2, 2);
        assert!(!history.has_future());
        assert_eq!(history.turn(false, 9), None);
    }

    #[test]
    fn the_oldest_is_forgotten_beyond_the_limit() {
        let mut history = History::default();
        for number in 0..5 {
            history.record(number, 2);
        }
        assert_eq!(
            (history.turn(true, 5), history.turn(true, 4), history.turn(true, 3)),
            (Some(4), Some(3), None)
        );
    }
}
