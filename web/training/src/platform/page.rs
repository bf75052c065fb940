//! The page around the view.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};
use wasm_bindgen::JsValue;
use web_sys::js_sys::Function;

thread_local! {
    /// Whether the iteration that was looked into last is one of a lesson.
    static INSPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Whether the iteration that was looked into last is one of a lesson.
pub(crate) fn last_inspected() -> bool {
    INSPECTED.get()
}

/// What the page is told.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Page {
    answer: Function,
    /// What is set, as the page knows it.
    setup: Rc<RefCell<String>>,
    is_taught: bool,
}

impl Page {
    /// The page that a function of it answers for, of a view with what is set.
    pub(crate) fn new(answer: Function, setup: &str, is_taught: bool) -> Self {
        Self { answer, setup: Rc::new(RefCell::new(setup.to_owned())), is_taught }
    }

    /// Whether the page knows this as what is set.
    pub(crate) fn is_set(&self, setup: &str) -> bool {
        *self.setup.borrow() == setup
    }

    /// Tells the page what is set now.
    pub(crate) fn set(&self, setup: &str) {
        setup.clone_into(&mut self.setup.borrow_mut());
        self.tell("setup", setup);
    }

    /// Tells the page whether lanes learn.
    pub(crate) fn learn(&self, is_busy: bool) {
        self.tell("busy", if is_busy { "1" } else { "" });
    }

    /// Hands the page an iteration's rollouts.
    pub(crate) fn inspect(&self, rollouts: &str) {
        INSPECTED.set(self.is_taught);
        self.tell("inspect", rollouts);
    }

    /// Tells the page something of a kind. A page that is gone needs to hear nothing.
    fn tell(&self, kind: &str, text: &str) {
        drop(self.answer.call2(&JsValue::NULL, &kind.into(), &text.into()));
    }
}
