//! The page around the view.

use wasm_bindgen::JsValue;
use web_sys::js_sys::Function;

/// What the page is told.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Page(Function);

impl Page {
    /// The page that a function of it answers for.
    pub(crate) fn new(answer: Function) -> Self {
        Self(answer)
    }

    /// Tells the page something of a kind. A page that is gone needs to hear nothing.
    pub(crate) fn tell(&self, kind: &str, text: &str) {
        drop(self.0.call2(&JsValue::NULL, &kind.into(), &text.into()));
    }
}
