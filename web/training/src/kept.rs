//! The views that there are: the reader's own training, which is kept, and that of a lesson in its place.

use crate::{
    app::{App, AppProps, Message},
    platform::page::{Page, last_inspected},
    processes::Asked,
    text,
};
use gloo::utils::document;
use std::{cell::RefCell, rc::Rc};
use web_sys::{Element, js_sys::Function};
use yew::{AppHandle, Renderer};

/// What a view is opened with.
pub(crate) struct Given {
    /// What is set, as addresses hold it.
    pub(crate) setup: String,
    /// The parts that are shown; all if it is left out.
    pub(crate) parts: Option<Vec<String>>,
    /// Whether it is a lesson's.
    pub(crate) is_taught: bool,
}

/// A view, in an element of its own that is in the page while the view is to be seen.
struct View {
    handle: AppHandle<App>,
    host: Element,
    page: Page,
}

/// The views that there are.
#[derive(Default)]
struct Views {
    own: Option<View>,
    taught: Option<View>,
}

thread_local! {
    static VIEWS: RefCell<Views> = RefCell::default();
}

/// Draws a view in an element of the page.
pub(crate) fn show(element: &str, given: Given, answer: Function) {
    let Some(root) = document().get_element_by_id(element) else { return };
    VIEWS.with_borrow_mut(|views| {
        if let Some(taught) = views.taught.take() {
            taught.end();
        }
        if given.is_taught {
            if let Some(own) = &views.own {
                own.handle.send_message(Message::Aside(true));
            }
            views.taught = View::open(&root, given, answer);
        } else if let Some(own) = &views.own
            && own.page.is_set(&given.setup)
        {
            root.replace_children_with_node_1(&own.host);
            own.handle.send_message(Message::Aside(false));
        } else {
            if let Some(other) = views.own.take() {
                other.end();
            }
            views.own = View::open(&root, given, answer);
        }
    });
}

/// Asks the view whose iteration was looked into last for a process.
pub(crate) fn ask(asked: Asked) {
    VIEWS.with_borrow(|views| {
        let view = if last_inspected() { &views.taught } else { &views.own };
        match view {
            Some(view) => view.handle.send_message(Message::Process(asked)),
            None => asked.refuse(&text::truth_is_gone(None)),
        }
    });
}

/// Ends all views and their workers.
pub(crate) fn end() {
    let Views { own, taught } = VIEWS.take();
    for view in [own, taught].into_iter().flatten() {
        view.end();
    }
}

impl View {
    fn open(root: &Element, given: Given, answer: Function) -> Option<Self> {
        let host = document().create_element("div").ok()?;
        root.replace_children_with_node_1(&host);
        let page = Page::new(answer, &given.setup, given.is_taught);
        let props = AppProps {
            setup: given.setup.into(),
            parts: given.parts.map(Rc::new),
            page: page.clone(),
        };
        let handle = Renderer::<App>::with_root_and_props(host.clone(), props).render();
        Some(Self { handle, host, page })
    }

    fn end(self) {
        self.host.remove();
        self.handle.destroy();
    }
}
