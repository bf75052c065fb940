//! Tokens of a step as chips, the numbers of the chosen one, its loss as formula and picture, and the steps with the same
//! prompt.

use super::model::same_prompt::{SamePrompt, same_prompt};
use super::model::{Response, Token};
use super::picture::picture;
use super::policy::Policy;
use crate::explore::view::arithmetic::notation::{Line, Piece, amount, figure, operand};
use crate::model::{Action, Cell, Rollouts, Shared, Task, number};
use crate::platform::links;
use crate::text::{self, tokens as words};
use hgpo_core::Objective;
use yew::prelude::*;

/// The most tokens that are drawn.
const MOST: usize = 1000;

/// What the part needs.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct TokensProps {
    /// The rollouts of the file.
    pub(crate) rollouts: Shared<Rollouts>,
    /// The task on the stage, by its position.
    pub(crate) task: usize,
    /// The step.
    pub(crate) selected: Cell,
    /// The advantage of the step as it is estimated.
    pub(crate) advantage: f64,
    /// Whether it is what an update on the step does to the policy that is shown.
    pub(crate) updates: bool,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// The tokens of a step, or what an update on it does to the policy.
pub(crate) fn view(props: TokensProps) -> Html {
    let TokensProps { rollouts, task, selected, advantage, updates, .. } = &props;
    if !updates {
        return html! { <Tokens ..props /> };
    }
    html! { <Policy task={rollouts.tasks[*task].clone()} selected={*selected} advantage={*advantage} /> }
}

/// The tokens of a step. The one that is chosen stays chosen by its place when another step is.
#[function_component]
fn Tokens(props: &TokensProps) -> Html {
    let TokensProps { rollouts, task, selected, advantage, dispatch, .. } = props;
    let chosen = use_state_eq(|| 0);
    let found = use_memo((rollouts.clone(), *task, *selected, *advantage), |of| {
        let (rollouts, task, selected, advantage) = of;
        let task = &rollouts.tasks[*task];
        let step = task.step(*selected);
        (Response::new(rollouts, task, step, *advantage), same_prompt(rollouts, step))
    });
    let (response, same) = &*found;
    let own = &rollouts.tasks[*task];
    let step = own.step(*selected);
    let at = (*chosen).min(response.tokens.len().min(MOST).saturating_sub(1));
    let choose = {
        let chosen = chosen.setter();
        Callback::from(move |place| chosen.set(place))
    };
    html! {
        <>
            <h2>{ words::tokens() }{ ": " }{ text::step_name(&own.rows()[selected.row].trajectory, selected.step) }</h2>
            <p class="because">{ summary(response) }</p>
            { prompt(step.prompt.as_deref(), response.prompt_length) }
            { chips(response, at, &choose) }
            if let Some(token) = response.tokens.get(at) {
                <h3 aria-live="polite">
                    { words::token(at + 1, response.tokens.len()) }{ ": " }<code>{ shown(token) }</code>
                </h3>
                { numbers(token, response) }
                { loss(token, at, response) }
            }
            { same_prompts(rollouts, (*task, *selected), same, dispatch) }
        </>
    }
}

/// What the update did to the tokens, as far as the file tells.
fn summary(response: &Response) -> String {
    let counted = || response.tokens.iter().filter(|token| token.counts);
    let likelier = counted().filter(|token| token.new > token.old).count();
    let held = counted().filter(|token| token.is_clipped()).count();
    let mut told = if response.has_new() {
        words::moved(likelier, counted().count())
    } else {
        words::without_new().to_owned()
    };
    if held > 0 {
        told.push_str(&words::clipped(held));
    }
    if !response.has_advantages {
        told = [&told, " ", words::estimated()].concat();
    }
    told
}

/// What the policy read, folded; without its text, how long it was.
fn prompt(text: Option<&str>, length: Option<usize>) -> Html {
    let Some(text) = text else {
        return length.map_or_else(Html::default, |length| {
            html! { <p class="hint">{ words::prompt_ids(length) }</p> }
        });
    };
    let name = length.map_or_else(|| words::prompt_text().to_owned(), words::prompt);
    html! {
        <details>
            <summary>{ name }</summary>
            <pre tabindex="0" style="margin:4px 0;max-height:16em;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.8rem">
                { text }
            </pre>
        </details>
    }
}

/// The text of a token with signs for what is not seen; its number where it has none.
fn shown(token: &Token) -> String {
    match (&token.text, &token.id) {
        (Some(text), id) if text.is_empty() => match id {
            Some(id) => ["#", id].concat(),
            None => "\u{2205}".to_owned(),
        },
        (Some(text), _) => {
            let text = text.replace('\n', "\u{23ce}").replace('\t', "\u{21e5}");
            // A space in front tells where words begin.
            text.strip_prefix(' ').map_or(text.clone(), |rest| ["\u{b7}", rest].concat())
        }
        (None, Some(id)) => ["#", id].concat(),
        (None, None) => String::new(),
    }
}

/// The response as a row of buttons, each coloured by its weight in the gradient. The arrow keys go from one to the next.
fn chips(response: &Response, at: usize, choose: &Callback<usize>) -> Html {
    let peak = if response.peak > 0.0 { response.peak } else { 1.0 };
    let chip = |(place, token): (usize, &Token)| {
        let weight = token.weight();
        let share = (weight.abs() / peak).min(1.0);
        let tone = if weight < 0.0 { "orange" } else { "blue" };
        let frame = match token.counts {
            false => ";border-style:dotted;color:var(--muted)",
            true if token.is_clipped() => ";border-style:dashed;border-color:var(--ink)",
            true => "",
        };
        let percent = if weight == 0.0 { 0.0 } else { 15.0 + 85.0 * share };
        let style = format!(
            "white-space:pre-wrap;background:color-mix(in oklab,var(--{tone}-soft) {percent:.0}%,var(--surface)){frame}"
        );
        let text = shown(token);
        let heard = words::heard(place + 1, &text, &number::signed(weight, 3));
        let is_chosen = place == at;
        let classes = classes!("member-button", is_chosen.then_some("selected"));
        let (clicked, focused) =
            (choose.reform(move |_: MouseEvent| place), choose.reform(move |_: FocusEvent| place));
        html! {
            <button type="button" key={place} class={classes} {style} tabindex={if is_chosen { "0" } else { "-1" }}
                aria-pressed={is_chosen.to_string()} aria-label={heard} onclick={clicked} onfocus={focused}>
                <bdi>{ text }</bdi>
            </button>
        }
    };
    let onkeydown = |event: KeyboardEvent| {
        let forward = event.key() == "ArrowRight";
        if (forward || event.key() == "ArrowLeft") && links::step_aside(&event, forward) {
            event.prevent_default();
        }
    };
    let drawn = response.tokens.iter().enumerate().take(MOST);
    html! {
        <>
            <div class="members chips" data-terms="" role="group" aria-label={words::response()} {onkeydown}>
                { for drawn.map(chip) }
            </div>
            if response.tokens.len() > MOST {
                <p class="hint">{ words::more(response.tokens.len() - MOST) }</p>
            }
            <p class="hint">{ words::legend() }</p>
        </>
    }
}

/// A number before and after, as far as each is known.
fn moved(
    before: Option<f64>,
    after: Option<f64>,
    written: impl Fn(f64) -> String,
) -> Option<String> {
    match (before, after) {
        (None, None) => None,
        (Some(one), None) | (None, Some(one)) => Some(written(one)),
        (Some(before), Some(after)) => {
            Some([&written(before), " \u{2192} ", &written(after)].concat())
        }
    }
}

/// A probability in percent.
fn percent(probability: f64) -> String {
    [&number::brief(100.0 * probability), "\u{a0}%"].concat()
}

/// The numbers of a token.
fn numbers(token: &Token, response: &Response) -> Html {
    let Response { objective, entropy_coefficient, .. } = response;
    let Objective { clip_low, clip_high, .. } = objective;
    let bounds = [1.0 - clip_low, 1.0 + clip_high].map(|it| number::short(it, 4));
    let clip = format!("[{}, {}]: {}", bounds[0], bounds[1], clip(token, objective));
    let signed = |value: f64| number::signed(value, 3);
    let weighs = if token.is_clipped() {
        words::weighs_nothing(&signed(token.advantage))
    } else if token.new.is_none() {
        words::weighs_first(&signed(token.advantage))
    } else {
        words::weighs(&signed(token.advantage), &signed(token.weight()))
    };
    let weighs = if token.counts { weighs } else { words::uncounted().to_owned() };
    let reference = token.divergence(objective).map(|(value, derivative)| {
        let pull = words::pull(&number::brief(0.0 - objective.kl_coefficient * derivative));
        let name = words::reference(&objective.divergence.to_string());
        (name, [&number::brief(value), ", ", &pull].concat())
    });
    let coefficient = bonus(*entropy_coefficient);
    let entropy = token.entropy.map(|entropy| {
        let pulls = coefficient.and_then(|coefficient| token.pulls_on_logit(coefficient));
        let pulls = pulls.filter(|_| token.counts).map(|pulls| {
            let [policy, bonus] = pulls.map(|it| number::brief(0.0 + it));
            words::entropy_pulls(&bonus, &policy)
        });
        [words::nats(&number::brief(entropy)), pulls.unwrap_or_default()].concat()
    });
    let probability = |it: f64| percent(it.exp());
    let rows = [
        (words::probability(), moved(token.old, token.new, probability)),
        (words::log_probability(), moved(token.old, token.new, |it| number::plain(it, 4))),
        (words::ratio(), token.new.map(|_| number::brief(token.ratio))),
        (words::advantage(), Some(signed(token.advantage))),
        (words::interval(), Some(clip)),
        (words::weight(), Some(weighs)),
        (words::change(), token.change().map(number::brief)),
        (words::entropy(), entropy),
    ];
    let rows = rows.into_iter().map(|(name, value)| (name.to_owned(), value));
    let rows = rows.chain(reference.map(|(name, value)| (name, Some(value))));
    let row = |(name, value): (String, Option<String>)| {
        value.map(|value| html! { <><dt>{ name }</dt><dd>{ value }</dd></> })
    };
    html! { <dl class="facts">{ for rows.filter_map(row) }</dl> }
}

/// The coefficient of the entropy bonus, where the loss has one.
fn bonus(coefficient: Option<f64>) -> Option<f64> {
    coefficient.filter(|coefficient| *coefficient != 0.0)
}

/// What of the entropy bonus cannot be shown, where something cannot.
fn lacking(token: &Token, response: &Response) -> Option<String> {
    let Some(coefficient) = response.entropy_coefficient else {
        return response.is_stated.then(|| words::no_coefficient().to_owned());
    };
    let is_lacking = coefficient != 0.0 && token.entropy.is_none();
    is_lacking.then(|| words::no_entropy(&number::brief(coefficient)))
}

/// Whether the clip holds a token, and why.
fn clip(token: &Token, objective: &Objective) -> &'static str {
    let Token { ratio, advantage, .. } = *token;
    let is_outside = !(1.0 - objective.clip_low..=1.0 + objective.clip_high).contains(&ratio);
    match token.is_clipped() {
        true if advantage > 0.0 => words::held_high(),
        true if ratio < 1.0 => words::held_low(),
        true => words::held_dual(),
        false if is_outside => words::outside(),
        false => words::inside(),
    }
}

/// The loss of a token as a formula with its numbers, and the objective as a picture with the response's tokens on it.
fn loss(token: &Token, at: usize, response: &Response) -> Html {
    let objective = &response.objective;
    let Objective { clip_low, clip_high, dual_clip, kl_coefficient, .. } = *objective;
    let (ratio, advantage) = (token.ratio, token.advantage);
    let bounds = [1.0 - clip_low, 1.0 + clip_high];
    let is_bounded = advantage < 0.0 && dual_clip > 0.0;
    let reference = token.divergence(objective);
    let [low, high] = bounds.map(|bound| number::short(bound, 4));
    let mut law = format!("max(\u{2212}A r, \u{2212}A clip(r, {low}, {high}))");
    if is_bounded {
        law = format!("min({law}, \u{2212}A \u{b7} {})", number::short(dual_clip, 4));
    }
    if reference.is_some() {
        law.push_str(" + \u{3b2} KL");
    }
    let clipped = ratio.clamp(bounds[0], bounds[1]);
    let mut terms = Piece::from("max(") + figure(0.0 - advantage * ratio) + ", ";
    terms = terms + figure(0.0 - advantage * clipped) + ")";
    if is_bounded {
        terms = Piece::from("min(") + terms + ", " + figure(-advantage * dual_clip) + ")";
    }
    if let Some((value, _)) = reference {
        terms = terms + " + " + operand(kl_coefficient) + "\u{b7}" + operand(value);
    }
    let mut value = token.term.value + reference.map_or(0.0, |(value, _)| kl_coefficient * value);
    if let Some((coefficient, entropy)) = bonus(response.entropy_coefficient).zip(token.entropy) {
        law.push_str(" \u{2212} \u{3b7} H");
        terms = terms + " \u{2212} " + operand(coefficient) + "\u{b7}" + operand(entropy);
        value -= coefficient * entropy;
    }
    let line = Line::of(html! { <i>{ "L" }</i> }).then(law).then(terms).number(0.0 + value);
    let is_alike = |other: &&Token| other.counts && other.advantage * advantage >= 0.0;
    let others = response.tokens.iter().filter(is_alike).map(|other| (other.ratio, false));
    let own = token.counts.then_some((ratio, true));
    let points: Vec<_> = others.take(MOST).chain(own).collect();
    html! {
        <>
            <h3>{ words::loss() }</h3>
            <p class="hint">{ words::objective(objective) }{ "." }</p>
            if !response.is_stated { <p class="hint">{ words::unstated() }</p> }
            { line.draw("line") }
            if let Some(lacking) = lacking(token, response) { <p class="hint" data-lacking="">{ lacking }</p> }
            <div key={at}>{ picture(objective, advantage, &points) }</div>
        </>
    }
}

/// The steps with the same prompt, whose buttons choose them.
fn same_prompts(
    rollouts: &Rollouts,
    here: (usize, Cell),
    (same, more): &(Vec<SamePrompt>, usize),
    dispatch: &Callback<Action>,
) -> Html {
    if same.is_empty() {
        return Html::default();
    }
    let row = |one: &SamePrompt| {
        let SamePrompt { task, cell, probability, advantage } = *one;
        let own: &Task = &rollouts.tasks[task];
        let name = text::step_name(&own.rows()[cell.row].trajectory, cell.step);
        let [before, after] =
            probability.map(|it| it.map_or_else(|| "\u{2013}".to_owned(), percent));
        let is_here = here == (task, cell);
        let find = dispatch.reform(move |_: MouseEvent| Action::Find(task, cell));
        let classes = classes!("member-button", is_here.then_some("selected"));
        html! {
            <tr key={format!("{task}-{}-{}", cell.row, cell.step)} aria-current={is_here.then_some("true")}>
                <th scope="row">
                    <button type="button" class={classes} onclick={find}>
                        <bdi>{ &own.name }</bdi>{ " " }<bdi>{ name }</bdi>
                    </button>
                </th>
                <td style="max-width:11em;overflow:hidden;text-overflow:ellipsis">{ own.step(cell).action.clone() }</td>
                <td>{ advantage.map(|it| amount(it, number::signed(it, 2))) }</td>
                <td>{ before }</td>
                <td>{ after }</td>
            </tr>
        }
    };
    let heads = [text::step(), text::action(), "A", words::before(), words::after()];
    html! {
        <>
            <h3>{ words::same_prompt() }</h3>
            <p class="hint">{ words::same_prompt_hint() }</p>
            <div class="wide"><table class="levels">
                <thead><tr>{ for heads.map(|head| html! { <th scope="col">{ head }</th> }) }</tr></thead>
                <tbody>{ for same.iter().map(row) }</tbody>
            </table></div>
            if *more > 0 { <p class="hint">{ text::and_more(*more) }</p> }
        </>
    }
}
