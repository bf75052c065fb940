//! A shared value that is compared by identity: cheap, and enough to tell whether to draw again.

use std::ops::Deref;
use std::rc::Rc;

/// A shared value, equal to its own clones alone.
#[derive(Debug, Default)]
pub(crate) struct Shared<T>(Rc<T>);

impl<T> Shared<T> {
    /// A value to share.
    pub(crate) fn new(value: T) -> Self {
        Self(Rc::new(value))
    }
}

impl<T> From<Rc<T>> for Shared<T> {
    fn from(value: Rc<T>) -> Self {
        Self(value)
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
