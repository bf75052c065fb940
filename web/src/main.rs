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
        yew::Renderer::<app::App>::new().render();
    });
}
