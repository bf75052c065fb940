//! The map of settings.

use super::controls::{Choice, pick};
use crate::model::number;
use crate::text::train as text;
use crate::train::model::reading::Band;
use crate::train::model::study::{ITERATIONS, Kind, Study};
use crate::train::model::{Action, Model, Setup};
use hgpo_env::gridworld::{Tile, observe_from};
use yew::prelude::*;

/// The section.
pub(crate) fn section(model: &Model, dispatch: &Callback<Action>) -> Html {
    let study = &model.study;
    let (done, all) = study.progress();
    let go = dispatch.reform({
        let goes_on = study.goes_on;
        move |_: MouseEvent| Action::StudyGo(!goes_on)
    });
    html! {
        <details class="training-study">
            <summary><h2 id="training-study">{ text::study() }</h2></summary>
            <p class="hint">{ text::study_hint() }</p>
            <p class="hint expected">{ alike(model.setup()).map(text::expected) }</p>
            <div class="study-head">
                { crossed(study, dispatch) }
                { iterations(study, dispatch) }
                { pairs(model, dispatch) }
                <button type="button" class="button" id="training-study-go" onclick={go}>
                    { if study.goes_on { text::pause() } else if study.is_broken { text::try_again() } else { text::compute() } }
                </button>
                <p class="problem" role="alert">{ study.is_broken.then(text::study_broke) }</p>
                <p class="hint" role="status">{ (all > 0).then(|| text::runs_done(done, all)) }</p>
            </div>
            if all > 0 { { table(model, dispatch) } }
        </details>
    }
}

/// How many places of a setup's map look like another one, and how many there are.
pub(super) fn alike(setup: &Setup) -> Option<[usize; 2]> {
    let map = setup.played()?;
    let places = map.places().filter(|place| map.tile(*place) != Tile::Wall);
    let seen: Vec<String> =
        places.map(|place| observe_from(&map, setup.sight, place, false)).collect();
    let is_alike = |own: &&String| seen.iter().filter(|other| other == own).count() > 1;
    Some([seen.iter().filter(is_alike).count(), seen.len()])
}

fn crossed(study: &Study, dispatch: &Callback<Action>) -> Html {
    let choice = |kind: Kind| {
        let set = Action::StudyCross(kind, study.iterations);
        (format!("{kind:?}"), text::crossed(kind).to_owned(), Some(set))
    };
    let (choices, made) = (Kind::ALL.map(choice).into(), format!("{:?}", study.kind));
    pick("training-crossed", text::crossed_label(), choices, &made, dispatch)
}

/// How many iterations count.
fn iterations(study: &Study, dispatch: &Callback<Action>) -> Html {
    let choice = |count: u64| {
        let set = Action::StudyCross(study.kind, count);
        (count.to_string(), text::first_iterations(count), Some(set))
    };
    let (choices, made) = (ITERATIONS.map(choice).into(), study.iterations.to_string());
    pick("training-counted", text::iterations(), choices, &made, dispatch)
}

/// Which lane is compared with which.
fn pairs(model: &Model, dispatch: &Callback<Action>) -> Html {
    let lanes = model.lanes.len();
    let all = (0..lanes).rev().flat_map(|own| (0..lanes).rev().map(move |other| (own, other)));
    let choice = |(own, other): (usize, usize)| {
        (
            format!("{own}-{other}"),
            gain_of(model, (own, other)),
            Some(Action::StudyPair((own, other))),
        )
    };
    let choices: Vec<Choice> = all.filter(|(own, other)| own != other).map(choice).collect();
    let (own, other) = model.study.pair;
    pick("training-pair", text::gain(), choices, &format!("{own}-{other}"), dispatch)
}

/// What the gain of a lane over another one is called.
fn gain_of(model: &Model, (own, other): (usize, usize)) -> String {
    text::gain_over(&text::lane_name(model, own), &text::lane_name(model, other))
}

fn table(model: &Model, dispatch: &Callback<Action>) -> Html {
    let study = &model.study;
    let Some(setup) = &study.setup else { return Html::default() };
    let (rows, columns) = study.kind.extent(setup);
    let title = gain_of(model, study.pair);
    let head =
        |column: usize| html! { <th scope="col">{ text::study_column(study.kind, column) }</th> };
    let row = |row: usize| {
        html! {
            <tr>
                <th scope="row">{ text::study_row(study.kind, setup, row) }</th>
                { for (0..columns).map(|column| cell(study, row, column, dispatch)) }
            </tr>
        }
    };
    html! {
        <>
        <p class="hint study-of" id="study-of">{ text::study_caption(&title, study.iterations) }</p>
        <div class="scrolled" tabindex="0" role="region" aria-label={title}>
            <table aria-describedby="study-of">
                <thead><tr><td></td>{ for (0..columns).map(head) }</tr></thead>
                <tbody>{ for (0..rows).map(row) }</tbody>
            </table>
        </div>
        </>
    }
}

fn cell(study: &Study, row: usize, column: usize, dispatch: &Callback<Action>) -> Html {
    let Some(gain) = study.gain(row, column) else {
        return html! { <td class="empty">{ "\u{b7}" }</td> };
    };
    let load = dispatch.reform(move |_: MouseEvent| Action::StudyLoad(row, column));
    let strength = (gain.mean.abs() / 0.3).min(1.0);
    let class = match gain {
        Band { mean, half } if mean > half => "more",
        Band { mean, half } if mean < -half => "less",
        _ => "same",
    };
    let written = format!(
        "{} \u{b1} {}",
        number::signed(100.0 * gain.mean, 1),
        number::plain(100.0 * gain.half, 1)
    );
    html! {
        <td {class} style={format!("--much: {:.0}%", 15.0 + 55.0 * strength)}>
            <button type="button" onclick={load} title={text::load_hint()}>{ written }</button>
        </td>
    }
}

#[cfg(test)]
mod tests {
    use super::alike;
    use crate::train::model::Setup;
    use hgpo_env::gridworld::{ObservationMode, World};

    #[test]
    fn places_that_look_alike_are_counted() {
        let of = |name| alike(&Setup::as_shown(World::named(name).expect("a world")));
        let [alike_there, places] = of("toll").expect("a map");
        assert!(alike_there > 4 && alike_there < places, "{alike_there} of {places}");
        assert_eq!(of("landmarks").expect("a map")[0], 0);
        let exact = Setup { sight: ObservationMode::Place, ..Setup::default() };
        assert_eq!(alike(&exact), Some([0, places]));
        assert_eq!(alike(&Setup::of_team()), None);
    }
}
