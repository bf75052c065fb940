//! The page: the groups, weights and advantages of a rollouts file, step by step.
//!
//! `model` holds the state and is pure, `view` draws it, `platform` is the browser, `text` the words. `agents`,
//! `compare`, `overview`, `train`, `truth` and `export` are parts of the page that few readers open: they are in a module
//! that is fetched late.
#![forbid(unsafe_code)]

mod agents;
mod app;
mod compare;
mod explore;
mod export;
mod import;
mod late;
mod learn;
mod model;
mod overview;
mod platform;
mod state_graph;
mod text;
mod tokens;
mod train;
mod truth;
mod view;

fn main() {
    let chrome = model::Chrome::parse(&platform::address::query());
    platform::lessons::fetch_named(&chrome, || {
        if let Some(root) = gloo::utils::document().get_element_by_id("page") {
            yew::Renderer::<app::App>::with_root(root).render();
        }
    });
}
