//! Fields: for a text or a number, and lists to choose from. What is typed is left alone until it is kept,
//! by Enter or on leaving; what is refused stays until it is mended. A list says what is chosen: what is not
//! admitted is not left standing.

use crate::model::Cell;
use crate::platform::focus;
use std::str::FromStr;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

/// What a field needs.
#[derive(Properties, PartialEq)]
pub(crate) struct FieldProps {
    /// Its identity in the page.
    pub(crate) id: AttrValue,
    /// What it is called.
    pub(crate) label: &'static str,
    /// What is kept now.
    pub(crate) value: AttrValue,
    /// The step whose value it is, which Escape goes back to.
    #[prop_or_default]
    pub(crate) cell: Option<Cell>,
    /// The list of texts to choose from.
    #[prop_or_default]
    pub(crate) list: Option<&'static str>,
    /// Whether it is a number.
    #[prop_or_default]
    pub(crate) is_number: bool,
    /// Whether what was to be kept was refused later on.
    #[prop_or_default]
    pub(crate) is_wrong: bool,
    /// What says more about it.
    #[prop_or_default]
    pub(crate) described: Option<AttrValue>,
    /// Which texts may be kept; all where it is left out.
    #[prop_or_default]
    pub(crate) admits: Option<Callback<String, bool>>,
    /// What is said below the field when a text may not be kept.
    #[prop_or_default]
    pub(crate) problem: AttrValue,
    /// Where the text goes when it is kept.
    pub(crate) keep: Callback<String>,
}

fn text_of(event: &Event) -> Option<String> {
    let target = event.target()?;
    let input = target.dyn_ref::<HtmlInputElement>().map(HtmlInputElement::value);
    input.or_else(|| target.dyn_ref::<HtmlTextAreaElement>().map(HtmlTextAreaElement::value))
}

/// A field for text or a number.
#[function_component]
pub(crate) fn Field(props: &FieldProps) -> Html {
    let FieldProps { id, label, value, cell, admits, keep, .. } = props;
    // What is typed, and whether it may not be kept.
    let draft = use_state_eq(|| None::<(AttrValue, bool)>);
    use_effect_with((value.clone(), *cell), {
        let (draft, id) = (draft.setter(), id.clone());
        move |_| {
            draft.set(None);
            focus::select_if_active(&id);
        }
    });
    let oninput = {
        let (draft, value) = (draft.setter(), value.clone());
        move |event: InputEvent| {
            let typed = text_of(&event).filter(|text| *text != *value);
            draft.set(typed.map(|text| (text.into(), false)));
        }
    };
    let give = {
        let (draft, value) = (draft.setter(), value.clone());
        let (admits, keep) = (admits.clone(), keep.clone());
        Callback::from(move |event: Event| {
            let Some(text) = text_of(&event).filter(|text| *text != *value) else { return };
            match &admits {
                Some(admits) if !admits.emit(text.clone()) => {
                    return draft.set(Some((text.into(), true)));
                }
                // It may be another way to write what is kept already.
                Some(_) => draft.set(None),
                None => {}
            }
            keep.emit(text);
        })
    };
    let onblur = give.reform(|event: FocusEvent| event.into());
    let is_typed = draft.is_some();
    let onkeydown = {
        let (draft, cell) = (draft.setter(), *cell);
        move |event: KeyboardEvent| match (&*event.key(), cell) {
            _ if event.is_composing() => {}
            ("Enter", _) if !event.shift_key() => {
                event.prevent_default();
                give.emit(event.into());
            }
            ("Escape", Some(cell)) if !is_typed => focus::focus(&focus::id(cell)),
            ("Escape", _) => draft.set(None),
            _ => {}
        }
    };
    let (shown, is_refused) = (*draft).clone().unwrap_or((value.clone(), false));
    let typed = if is_typed { "yes" } else { "no" };
    let invalid = (is_refused || props.is_wrong).then_some("true");
    html! {
        <>
            <label class={format!("field {id}")}>
                <span>{ *label }</span>
                // An input would lose the line breaks.
                if value.contains('\n') {
                    <textarea {id} rows="1" value={shown} data-typed={typed} {oninput} {onblur} {onkeydown} />
                } else {
                    <input {id} type="text" value={shown} data-typed={typed} {oninput} {onblur} {onkeydown}
                        autocomplete="off" spellcheck="false" list={props.list}
                        inputmode={props.is_number.then_some("decimal")} aria-invalid={invalid}
                        aria-describedby={props.described.clone()} />
                }
            </label>
            if admits.is_some() {
                <p class="problem" id={format!("problem-{id}")} role="alert">
                    if is_refused { { &props.problem } }
                </p>
            }
        </>
    }
}

/// What a list needs.
#[derive(Properties, PartialEq)]
pub(crate) struct SelectProps {
    /// Its identity in the page.
    #[prop_or_default]
    pub(crate) id: Option<AttrValue>,
    /// The value of the option that is chosen.
    pub(crate) value: AttrValue,
    /// Whether that was refused.
    #[prop_or_default]
    pub(crate) is_wrong: bool,
    /// What says more about it.
    #[prop_or_default]
    pub(crate) described: Option<AttrValue>,
    /// Where the value of another option goes that a reader chooses.
    pub(crate) choose: Callback<String>,
    /// The options.
    pub(crate) children: Html,
}

/// A list to choose from.
#[function_component]
pub(crate) fn Select(props: &SelectProps) -> Html {
    let SelectProps { id, value, described, choose, children, .. } = props;
    let list = use_node_ref();
    use_effect({
        let (list, value) = (list.clone(), value.clone());
        // The attribute of an option says nothing any more once another was chosen by hand.
        move || {
            if let Some(list) = list.cast::<HtmlSelectElement>() {
                list.set_value(&value);
            }
        }
    });
    let onchange = {
        let (value, choose) = (value.clone(), choose.clone());
        move |event: Event| {
            let list: HtmlSelectElement = event.target_unchecked_into();
            let chosen = list.value();
            list.set_value(&value);
            choose.emit(chosen);
        }
    };
    html! {
        <select ref={list} id={id.clone()} aria-invalid={props.is_wrong.then_some("true")}
            aria-describedby={described.clone()} {onchange}>
            { children.clone() }
        </select>
    }
}

/// A list under what it is called, of options by their values and names.
pub(crate) fn listed(
    class: &'static str,
    [id, label]: [&str; 2],
    options: impl IntoIterator<Item = (String, String)>,
    value: impl Into<AttrValue>,
    choose: Callback<String>,
) -> Html {
    let option = |(value, name)| html! { <option {value}>{ name }</option> };
    html! {
        <label {class}>
            <span>{ label.to_owned() }</span>
            <Select id={id.to_owned()} value={value.into()} {choose}>
                { for options.into_iter().map(option) }
            </Select>
        </label>
    }
}

/// What a slider shows, given the value that is set: the one under its thumb while that moves. What hears it move, and
/// let go, upon which the value goes to `set`.
#[hook]
pub(crate) fn use_slider<T>(
    value: T,
    set: &Callback<T>,
) -> (T, Callback<InputEvent>, Callback<Event>)
where
    T: Copy + PartialEq + FromStr + 'static,
{
    let draft = use_state_eq(|| None::<T>);
    use_effect_with(value, {
        let draft = draft.setter();
        move |_| draft.set(None)
    });
    let read = |event: &Event| event.target_dyn_into::<HtmlInputElement>()?.value().parse().ok();
    let (moved, left, set) = (draft.setter(), draft.setter(), set.clone());
    let oninput = Callback::from(move |event: InputEvent| moved.set(read(&event)));
    let onchange = Callback::from(move |event: Event| {
        left.set(None);
        if let Some(value) = read(&event) {
            set.emit(value);
        }
    });
    (draft.unwrap_or(value), oninput, onchange)
}
