//! A field for a number: typing is left alone, and what is refused stays until it is mended.

use crate::{
    model::{self, Key},
    text,
};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What a field for a number needs.
#[derive(Properties, PartialEq)]
pub(super) struct NumberProps {
    pub(super) option: Key,
    pub(super) controls: model::Controls,
    pub(super) is_changed: bool,
    pub(super) set: Callback<String>,
}

/// What is typed and not taken over.
#[derive(Clone, Debug, PartialEq)]
enum Draft {
    /// Still being typed.
    Open(String),
    /// Taken over by nobody.
    Refused(String),
}

/// A field for a number. It is taken over on Enter or on leaving; Escape goes back to what holds.
#[function_component]
pub(super) fn Number(props: &NumberProps) -> Html {
    let NumberProps { option, controls, is_changed, set } = props;
    let option = *option;
    let draft = use_state_eq(|| None::<Draft>);
    let value = controls.value(option).unwrap_or_default();
    let commit = {
        let (draft, controls, set) = (draft.clone(), controls.clone(), set.clone());
        Callback::from(move |()| {
            if let Some(Draft::Open(text)) = &*draft {
                let admitted = controls.with(option, text).is_some();
                draft.set((!admitted).then(|| Draft::Refused(text.clone())));
                if admitted {
                    set.emit(text.clone());
                }
            }
        })
    };
    let oninput = {
        let draft = draft.setter();
        Callback::from(move |event: InputEvent| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                draft.set(Some(Draft::Open(input.value())));
            }
        })
    };
    let onkeydown = {
        let (draft, commit) = (draft.setter(), commit.clone());
        Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
            "Enter" => commit.emit(()),
            "Escape" => draft.set(None),
            _ => {}
        })
    };
    let (shown, refused) = match &*draft {
        Some(Draft::Open(text)) => (text.clone(), false),
        Some(Draft::Refused(text)) => (text.clone(), true),
        None => (value, false),
    };
    let (hint, problem) = (format!("hint-{option}"), format!("problem-{option}"));
    html! {
        <div class={classes!("field", "number", is_changed.then_some("changed"), refused.then_some("refused"))} data-option={option}>
            <label for={format!("option-{option}")}>{ text::control(option).label }</label>
            <input type="text" inputmode="decimal" autocomplete="off" spellcheck="false" id={format!("option-{option}")} value={shown}
                {oninput} {onkeydown} onblur={commit.reform(|_: FocusEvent| ())} onchange={commit.reform(|_: Event| ())}
                aria-invalid={refused.then_some("true")} aria-describedby={format!("{problem} {hint}")} />
            <p class="problem" id={problem} role="alert">{ refused.then(|| text::control_problem(option)) }</p>
        </div>
    }
}
