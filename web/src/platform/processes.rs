//! The processes of the worked examples (`assets/presets/NAME.process.json`), fetched when they are
//! wanted.

use super::lessons::text;
use yew::platform::spawn_local;

/// Fetches the process of an example, and calls back with its text; nothing where it has none, or it
/// cannot be had.
pub(crate) fn fetch(name: &str, done: impl FnOnce(Option<String>) + 'static) {
    let address = ["processes/", name, ".json"].concat();
    spawn_local(async move {
        done(text(&address).await);
    });
}
