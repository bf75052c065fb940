//! A field for text. What is typed is left alone until it is kept: by Enter or on leaving.

use crate::{model::Cell, platform::focus};
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

/// What a field needs.
#[derive(Properties, PartialEq)]
pub(super) struct FieldProps {
    /// Its identity in the page.
    pub(super) id: &'static str,
    /// What it is called.
    pub(super) label: &'static str,
    /// What is kept now.
    pub(super) value: AttrValue,
    /// Whose value it is.
    pub(super) cell: Cell,
    /// The list of texts to choose from.
    #[prop_or_default]
    pub(super) list: Option<&'static str>,
    /// Whether it is a number.
    #[prop_or_default]
    pub(super) is_number: bool,
    /// What is wrong with what was typed is said elsewhere.
    #[prop_or_default]
    pub(super) is_wrong: bool,
    /// Where the text goes when it is kept.
    pub(super) keep: Callback<String>,
}

fn text_of(event: &Event) -> Option<String> {
    let target = event.target()?;
    let input = target.dyn_ref::<HtmlInputElement>().map(HtmlInputElement::value);
    input.or_else(|| target.dyn_ref::<HtmlTextAreaElement>().map(HtmlTextAreaElement::value))
}

/// A field for text.
#[function_component]
pub(super) fn Field(props: &FieldProps) -> Html {
    let FieldProps { id, label, value, cell, keep, .. } = props;
    let typed = use_state_eq(|| None::<String>);
    use_effect_with((value.clone(), *cell), {
        let (typed, id) = (typed.setter(), *id);
        move |_| {
            typed.set(None);
            focus::select_if_active(id);
        }
    });
    let oninput = {
        let (typed, value) = (typed.setter(), value.clone());
        Callback::from(move |event: InputEvent| {
            typed.set(text_of(&event).filter(|text| *text != *value));
        })
    };
    let keep_typed = {
        let (value, keep) = (value.clone(), keep.clone());
        Callback::from(move |event: Event| {
            if let Some(text) = text_of(&event).filter(|text| *text != *value) {
                keep.emit(text);
            }
        })
    };
    let onblur = keep_typed.reform(|event: FocusEvent| event.into());
    let onkeydown = {
        let (typed, cell) = (typed.clone(), *cell);
        Callback::from(move |event: KeyboardEvent| match &*event.key() {
            _ if event.is_composing() => {}
            "Enter" if !event.shift_key() => {
                event.prevent_default();
                keep_typed.emit(event.into());
            }
            "Escape" if typed.is_some() => typed.set(None),
            "Escape" => focus::focus(&focus::id(cell)),
            _ => {}
        })
    };
    let shown = typed.as_deref().map_or_else(|| value.clone(), |text| text.to_owned().into());
    let data_typed = if typed.is_some() { "yes" } else { "no" };
    let invalid = props.is_wrong.then_some("true");
    let described = props.is_wrong.then_some("edit-problem");
    html! {
        <label class={format!("field {id}")}>
            <span>{ *label }</span>
            // An input would lose the line breaks.
            if value.contains('\n') {
                <textarea id={*id} rows="1" value={shown} data-typed={data_typed} {oninput} {onblur} {onkeydown} />
            } else {
                <input id={*id} type="text" value={shown} data-typed={data_typed} {oninput} {onblur} {onkeydown}
                    autocomplete="off" inputmode={props.is_number.then_some("decimal")} list={props.list}
                    aria-invalid={invalid} aria-describedby={described} />
            }
        </label>
    }
}
