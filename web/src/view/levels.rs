//! The terms of the chosen step's advantage, as a table.

use super::{
    formulas::formulas,
    row::{group_name, shade, sign},
};
use crate::{
    model::{Explained, number},
    text,
};
use hgpo_core::{LevelTerm, Skipped};
use yew::prelude::*;

/// How the advantage comes about: a table of terms, then each term with its numbers put in.
pub(super) fn levels(explained: &Explained) -> Html {
    let depth = explained.levels.len().saturating_sub(1);
    html! {
        <section class="levels" aria-labelledby="levels-title">
            <h3 id="levels-title">{ text::levels() }</h3>
            <div class="wide" tabindex="0" role="group" aria-labelledby="levels-title">
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{ text::level() }</th>
                            <th scope="col">{ text::step_count() }</th>
                            <th scope="col">{ text::mean() }</th>
                            <th scope="col"><i>{ text::deviation() }</i></th>
                            <th scope="col"><i>{ "A" }</i><sub>{ "k" }</sub></th>
                            <th scope="col"><i>{ "w" }</i><sub>{ "k" }</sub></th>
                            <th scope="col"><i>{ "w" }</i><sub>{ "k" }</sub><i>{ "A" }</i><sub>{ "k" }</sub></th>
                        </tr>
                    </thead>
                    <tbody>
                        { explained.explanation.episode.as_ref().map(|term| term_row(html! { text::episode() }, term)) }
                        { for explained.levels.iter().map(|group| {
                            let style = shade(group.level, depth);
                            let name = html! { <span class="mark-of-level" {style}>{ group_name(group.level) }</span> };
                            term_row(name, &group.term)
                        }) }
                    </tbody>
                    <tfoot>
                        <tr>
                            <th scope="row" colspan="6">{ text::sum() }</th>
                            <td>{ amount(explained.explanation.advantage, 3) }</td>
                        </tr>
                    </tfoot>
                </table>
            </div>
            { formulas(explained) }
        </section>
    }
}

/// A signed number in the colour of its sign.
pub(super) fn amount(value: f64, digits: usize) -> Html {
    html! {
        <data class={classes!("amount", sign(value))} value={number::exact(value)}>{ number::signed(value, digits) }</data>
    }
}

fn term_row(name: Html, term: &LevelTerm) -> Html {
    let why = term.skipped.map(|skipped| match skipped {
        Skipped::Singleton => text::only_member(),
        Skipped::Zero | Skipped::Missing if term.std == 0.0 => text::all_equal(),
        Skipped::Zero | Skipped::Missing => text::at_the_mean(),
    });
    html! {
        <tr class={why.map(|_| "skipped")}>
            <th scope="row">{ name }</th>
            <td>{ term.size }</td>
            <td>{ number::plain(term.mean, 2) }</td>
            <td>{ number::plain(term.std, 2) }</td>
            <td>{ amount(term.advantage, 3) }</td>
            if let Some(why) = why {
                <td colspan="2">{ why }</td>
            } else {
                <td>{ number::plain(term.weight, 3) }</td>
                <td>{ amount(term.contribution, 3) }</td>
            }
        </tr>
    }
}
