//! Files that a reader picks, drops or pastes.

use super::dom::closest;
use super::events::on_window;
use crate::import::bytes;
use wasm_bindgen::JsCast;
use web_sys::js_sys::Array;
use web_sys::{ClipboardEvent, File, FileList, HtmlInputElement};
use yew::platform::spawn_local;
use yew::{Callback, DragEvent, Event, TargetCast};

/// What a reader gives.
pub(crate) enum Opened {
    /// A file's name, and what it holds; none where it cannot be read.
    File(String, Option<Vec<u8>>),
    /// Files of runs.
    Runs(Array),
}

/// The files that an input was given, which is cleared so that the same ones can be picked again.
pub(crate) fn picked(event: &Event) -> Array {
    let input = event.target_unchecked_into::<HtmlInputElement>();
    let files = listed(input.files());
    input.set_value("");
    files
}

/// The files of a list, which itself changes with the field that it is of.
fn listed(files: Option<FileList>) -> Array {
    files.map(|list| Array::from(&list)).unwrap_or_default()
}

/// Reads what was dropped.
pub(crate) fn dropped(event: &DragEvent, done: Callback<Opened>) {
    event.prevent_default();
    read(listed(event.data_transfer().and_then(|transfer| transfer.files())), done);
}

/// Tells the browser that a drop is welcome here; true if what is dragged is a file.
pub(crate) fn welcomes(event: &DragEvent) -> bool {
    let is_file = event.data_transfer().is_some_and(|transfer| {
        transfer.types().iter().any(|kind| kind.as_string().as_deref() == Some("Files"))
    });
    if is_file {
        event.prevent_default();
    }
    is_file
}

/// Reads a file; several together, and metrics, are of runs.
pub(crate) fn read(files: Array, done: Callback<Opened>) {
    let Some(file) = files.get(0).dyn_into::<File>().ok() else { return };
    spawn_local(async move {
        let content = if files.length() > 1 { None } else { bytes(&file).await };
        let of_runs = content.as_deref().map_or(files.length() > 1, is_metrics);
        done.emit(if of_runs { Opened::Runs(files) } else { Opened::File(file.name(), content) });
    });
}

/// The text of a file, if it is one.
pub(crate) fn text_of(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().map(|text| text.trim_start_matches('\u{feff}'))
}

/// Whether a file is one of a run's metrics: it begins with an iteration, as the first line of rollouts
/// may, and no line is of a trajectory. All of it is looked at only if it begins so.
fn is_metrics(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    text.starts_with(b"{\"iteration\":")
        && text_of(text).is_some_and(|text| !text.contains("\"traj"))
}

/// Where pasted text is the reader's own business.
const FIELDS: &str =
    "textarea, [contenteditable], input:not([type=checkbox]):not([type=radio]):not([type=file])";

/// Listens for text or a file that is pasted outside of text fields, until what comes back is called.
pub(crate) fn on_paste(name: &'static str, done: Callback<Opened>) -> impl FnOnce() {
    let listener = on_window("paste", move |event| {
        let held = event.dyn_ref::<ClipboardEvent>().and_then(ClipboardEvent::clipboard_data);
        let Some(held) = held.filter(|_| closest(event, FIELDS).is_none()) else { return };
        let text = held.get_data("text/plain").unwrap_or_default();
        if text.trim().is_empty() {
            read(listed(held.files()), done.clone());
        } else {
            event.prevent_default();
            done.emit(Opened::File(name.to_owned(), Some(text.into_bytes())));
        }
    });
    move || drop(listener)
}

#[cfg(test)]
mod tests {
    use super::is_metrics;

    #[test]
    fn metrics_are_told_from_rollouts() {
        assert!(is_metrics(b"{\"iteration\":1,\"kl\":0.5}\n\n{\"iteration\":2}\n"));
        assert!(is_metrics("\u{feff}{\"iteration\":1,\"kl\":0.5}\n".as_bytes()));
        assert!(!is_metrics(
            b"{\"iteration\":1,\"seed\":3}\n{\"task\":\"g\",\"trajectory\":\"t\"}"
        ));
        assert!(!is_metrics(b"task,trajectory,state,reward") && !is_metrics(b" \n"));
    }
}
