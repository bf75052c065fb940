//! The window of the table that is drawn, kept in step with scrolling and the browser's size.

use crate::{
    model::{View, Window},
    platform::{listen::on_window, scroll},
};
use yew::prelude::*;

/// The window of a table of so many rows and columns, and what to call when the table was scrolled.
/// `look` is whatever else changes the size of a cell.
#[hook]
pub(super) fn use_window(
    rows: usize,
    columns: usize,
    look: (bool, bool),
) -> (Window, Callback<()>) {
    let view = use_mut_ref(View::default);
    // Drawing anew is worth it only when the window is another one, not at every pixel.
    let drawn = use_state_eq(|| None::<Window>);
    let measure = {
        let (view, drawn) = (view.clone(), drawn.setter());
        use_callback((rows, columns), move |(), (rows, columns)| {
            if let Some(seen) = scroll::view() {
                *view.borrow_mut() = seen;
                drawn.set(Some(Window::new(&seen, *rows, *columns)));
            }
        })
    };
    use_effect_with((measure.clone(), look), |(measure, _)| {
        measure.emit(());
        let measure = measure.clone();
        let listener = on_window("resize", move |_| measure.emit(()));
        move || drop(listener)
    });
    let window = Window::new(&view.borrow(), rows, columns);
    (window, measure)
}
