//! Choice of the agent whose steps alone are looked at.

use crate::explore::view::field::listed;
use crate::model::Task;
use crate::text;
use yew::prelude::*;

/// The most agents with a button each; more of them are a list.
const BUTTONS: usize = 6;

/// The choice; nothing where one agent does everything. How many steps each has is not told where that is `withheld`.
pub(super) fn agent_choice(
    task: &Task,
    withheld: bool,
    chosen: Option<&AttrValue>,
    choose: &Callback<Option<AttrValue>>,
) -> Html {
    let agents = &task.agents;
    if !task.is_team() {
        return Html::default();
    }
    if agents.len() > BUTTONS {
        // Values are places, as no name is kept from being empty.
        let options = agents.iter().enumerate();
        let options =
            options.map(|(at, own)| (at.to_string(), text::agent_name(&own.name).to_owned()));
        let all = (String::new(), text::every_level().to_owned());
        let place = agents.iter().position(|own| chosen == Some(&own.name));
        let names: Vec<AttrValue> = agents.iter().map(|own| own.name.clone()).collect();
        let choose = choose.reform(move |place: String| {
            place.parse().ok().and_then(|place: usize| names.get(place).cloned())
        });
        let value = place.map_or_else(String::new, |place| place.to_string());
        let words = ["stage-agent", text::field_agent()];
        return listed("field", words, [all].into_iter().chain(options), value, choose);
    }
    let option = |name: Option<&AttrValue>, content: Html| {
        let own = name.cloned();
        let onchange = choose.reform(move |_: Event| own.clone());
        html! {
            <label class="depth">
                <input type="radio" name="agent" checked={chosen == name} {onchange} />
                <span>{ content }</span>
            </label>
        }
    };
    html! {
        <fieldset class="depths">
            <legend>{ text::field_agent() }</legend>
            { option(None, text::every_level().into()) }
            for own in agents {
                { option(Some(&own.name), html! {
                    <>
                        { text::agent_name(&own.name) }
                        if !withheld { <b>{ own.turns }</b> }
                    </>
                }) }
            }
        </fieldset>
    }
}
