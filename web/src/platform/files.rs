//! Files that a reader picks or drops.

use gloo::file::{File, futures::read_as_text};
use web_sys::{FileList, HtmlInputElement};
use yew::{Callback, DragEvent, Event, TargetCast, platform::spawn_local};

/// A file's name, and its text or the reason why there is none.
pub(crate) type Opened = (String, Option<String>);

/// Reads the file that a file input was given, and clears the input so that the same file can be
/// picked again.
pub(crate) fn picked(event: &Event, done: Callback<Opened>) {
    let Some(input) = event.target_dyn_into::<HtmlInputElement>() else {
        return;
    };
    read_first(input.files(), done);
    input.set_value("");
}

/// Reads the file that was dropped.
pub(crate) fn dropped(event: &DragEvent, done: Callback<Opened>) {
    event.prevent_default();
    read_first(event.data_transfer().and_then(|transfer| transfer.files()), done);
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

/// Reads the first of some files.
pub(super) fn read_first(files: Option<FileList>, done: Callback<Opened>) {
    let Some(file) = files.and_then(|files| files.get(0)) else {
        return;
    };
    let file = File::from(file);
    spawn_local(async move {
        let text = read_as_text(&file).await.ok();
        done.emit((file.name(), text));
    });
}
