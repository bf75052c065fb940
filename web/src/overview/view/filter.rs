//! Filter: what steps the reader looks for.

use crate::explore::view::field::listed;
use crate::overview::model::{File, Filter};
use crate::text::overview as words;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The fields of the filter.
pub(super) fn filter(file: &File, filter: &Filter, set: &Callback<Filter>) -> Html {
    let own = || filter.clone();
    let tick = |name: &'static str, checked: bool, other: Filter| {
        let onchange = set.reform(move |_: Event| other.clone());
        html! { <label class="flag"><input type="checkbox" {checked} {onchange} /><span>{ name }</span></label> }
    };
    let oninput = set.reform({
        let filter = filter.clone();
        move |event: InputEvent| Filter {
            text: event.target_unchecked_into::<HtmlInputElement>().value(),
            ..filter.clone()
        }
    });
    html! {
        <fieldset class="wishes">
            <legend>{ words::filter() }</legend>
            { tick(words::only_opposite(), filter.opposite, Filter { opposite: !filter.opposite, ..own() }) }
            { tick(words::only_alone(), filter.alone, Filter { alone: !filter.alone, ..own() }) }
            { tick(words::only_invalid(), filter.invalid, Filter { invalid: !filter.invalid, ..own() }) }
            <label>
                <span>{ words::state_text() }</span>
                <input type="search" id="state-text" value={filter.text.clone()} {oninput} />
            </label>
            if !file.agents.all().is_empty() { { agents(file.agents.all(), filter, set) } }
            <button type="button" class="button" id="clear" onclick={set.reform(|_: MouseEvent| Filter::default())}>
                { words::clear() }
            </button>
        </fieldset>
    }
}

fn agents(all: &[String], filter: &Filter, set: &Callback<Filter>) -> Html {
    let choose = set.reform({
        let filter = filter.clone();
        move |agent: String| Filter {
            agent: Some(agent).filter(|agent| !agent.is_empty()),
            ..filter.clone()
        }
    });
    let any = (String::new(), words::any_agent().to_owned());
    let options = [any].into_iter().chain(all.iter().map(|name| (name.clone(), name.clone())));
    listed("", ["agent", words::agent()], options, filter.agent.clone().unwrap_or_default(), choose)
}
