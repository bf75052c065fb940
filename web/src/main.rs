//! The page: the groups, weights and advantages of a rollouts file, step by step.
//!
//! `model` holds the state and is pure, `view` draws it, `platform` is the browser, `text` the words.
#![forbid(unsafe_code)]

mod app;
mod model;
mod platform;
mod text;
mod view;

fn main() {
    let chrome = model::Chrome::parse(&platform::address::query());
    platform::lessons::fetch_named(&chrome, || {
        // Beside it, training has a place of its own: two programs do not share one.
        if let Some(root) = gloo::utils::document().get_element_by_id("page") {
            yew::Renderer::<app::App>::with_root(root).render();
        }
    });
}
