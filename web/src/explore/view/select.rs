//! A list to choose from. It says what is chosen: what is not admitted is not left standing.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// What a list needs.
#[derive(Properties, PartialEq)]
pub(crate) struct SelectProps {
    /// Its identity in the page.
    #[prop_or_default]
    pub(crate) id: Option<&'static str>,
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
        move || list.cast::<HtmlSelectElement>().into_iter().for_each(|list| list.set_value(&value))
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
        <select ref={list} id={*id} aria-invalid={props.is_wrong.then_some("true")}
            aria-describedby={described.clone()} {onchange}>
            { children.clone() }
        </select>
    }
}
