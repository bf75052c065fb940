//! Events that stand for an action, or for none.

use yew::Callback;

/// Has an event do what it stands for, if it stands for anything.
pub(crate) fn act_on<E: 'static, A: 'static>(
    dispatch: &Callback<A>,
    action: impl Fn(&E) -> Option<A> + 'static,
) -> Callback<E> {
    let act = dispatch.filter_reform(move |event: E| action(&event));
    Callback::from(move |event| {
        act.emit(event);
    })
}
