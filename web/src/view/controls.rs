//! The controls of the estimator.

use crate::{
    model::{self, Action, DEEPEST, Field, Kind, Problem, STEEPEST},
    text,
};
use hgpo_core::{Scale, Weights};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// What the controls need.
#[derive(Properties, PartialEq)]
pub(crate) struct ControlsProps {
    /// Their settings.
    pub(crate) controls: model::Controls,
    /// What went wrong last.
    pub(crate) problem: Option<Problem>,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// The controls of the estimator; those that the chosen method has no use for are disabled.
#[function_component]
pub(crate) fn Controls(props: &ControlsProps) -> Html {
    let ControlsProps { controls, problem, dispatch } = props;
    let hierarchical = controls.kind == Kind::Hgpo;
    let problem = match problem {
        Some(Problem::Field(field)) => Some(*field),
        _ => None,
    };
    html! {
        <section class="controls" aria-labelledby="controls-title">
            <h2 id="controls-title">{ text::CONTROLS }</h2>
            <div class="fields">
                { methods(controls.kind, dispatch) }
                <Number field={Field::ContextLength} label={text::DEPTH} hint={text::DEPTH_HINT}
                    value={controls.context_length.to_string()} most={DEEPEST.to_string()} step="1"
                    disabled={!hierarchical} wrong={problem == Some(Field::ContextLength)} dispatch={dispatch.clone()} />
                <Number field={Field::Alpha} label={text::ALPHA} hint={text::ALPHA_HINT}
                    value={controls.alpha.to_string()} most={STEEPEST.to_string()} step="0.1"
                    disabled={!hierarchical} wrong={problem == Some(Field::Alpha)} dispatch={dispatch.clone()} />
                { choice(text::SCALE, text::SCALE_HINT, false, dispatch, Action::Scale, controls.scale,
                    [(Scale::MeanStd, text::SCALE_MEAN_STD), (Scale::Mean, text::SCALE_MEAN)]) }
                { choice(text::WEIGHTS, text::WEIGHTS_HINT, !hierarchical, dispatch, Action::Weights, controls.weights,
                    [(Weights::Paper, text::WEIGHTS_PAPER), (Weights::Verl, text::WEIGHTS_VERL)]) }
            </div>
            <p class="problem" id="field-problem" role="alert">{ problem.map(text::field_problem) }</p>
        </section>
    }
}

fn methods(kind: Kind, dispatch: &Callback<Action>) -> Html {
    let one = |value: Kind, name: &'static str| {
        let dispatch = dispatch.clone();
        html! {
            <label>
                <input type="radio" name="method" checked={kind == value}
                    onchange={Callback::from(move |_| dispatch.emit(Action::Estimator(value)))} />
                <span>{ name }</span>
            </label>
        }
    };
    html! {
        <fieldset class="field segmented">
            <legend>{ text::METHOD }</legend>
            <div>
                { one(Kind::Grpo, text::GRPO) }
                { one(Kind::Gigpo, text::GIGPO) }
                { one(Kind::Hgpo, text::HGPO) }
            </div>
        </fieldset>
    }
}

/// A list of two choices.
fn choice<T: Copy + PartialEq + 'static>(
    label: &'static str,
    hint: &'static str,
    disabled: bool,
    dispatch: &Callback<Action>,
    action: fn(T) -> Action,
    current: T,
    options: [(T, &'static str); 2],
) -> Html {
    let dispatch = dispatch.clone();
    let onchange = Callback::from(move |event: Event| {
        let index =
            event.target_dyn_into::<HtmlSelectElement>().map_or(0, |list| list.selected_index());
        let (value, _) = options[usize::from(index == 1)];
        dispatch.emit(action(value));
    });
    html! {
        <label class="field" title={hint}>
            <span>{ label }</span>
            <select {onchange} {disabled}>
                { for options.iter().map(|(value, name)| html! {
                    <option selected={*value == current}>{ *name }</option>
                }) }
            </select>
        </label>
    }
}

/// What a field for a number needs.
#[derive(Properties, PartialEq)]
struct NumberProps {
    field: Field,
    label: &'static str,
    hint: &'static str,
    value: String,
    most: String,
    step: &'static str,
    disabled: bool,
    wrong: bool,
    dispatch: Callback<Action>,
}

/// A field for a number. Typing is left alone: the number is taken over on Enter or on leaving.
#[function_component]
fn Number(props: &NumberProps) -> Html {
    let (field, dispatch) = (props.field, props.dispatch.clone());
    let onchange = Callback::from(move |event: Event| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            dispatch.emit(Action::Type(field, input.value()));
        }
    });
    html! {
        <label class="field number" title={props.hint}>
            <span>{ props.label }</span>
            <input type="number" min="0" max={props.most.clone()} step={props.step} value={props.value.clone()}
                disabled={props.disabled} {onchange}
                aria-invalid={props.wrong.then_some("true")}
                aria-describedby={props.wrong.then_some("field-problem")} />
        </label>
    }
}
