//! The task on the stage under several estimators, side by side.

mod differences;
mod maps;
mod sizes;

pub(crate) use maps::{cursor, figures, label, picture, readout};

use super::Markup;
use crate::{
    model::{
        Comparison,
        comparison::{HeatMap, Ticks},
        number,
    },
    text::{compare as words, estimator},
};
use hgpo_core::Batch;

/// The parts of the comparison, for good.
pub(crate) fn frame() -> String {
    let mut to = Markup::default();
    to.raw("<p class=\"hint\">").text(words::compare_hint()).raw("</p>");
    to.raw("<div id=\"comparison-choice\"></div>");
    to.raw("<section class=\"maps\" aria-labelledby=\"maps-title\"><h3 id=\"maps-title\">");
    to.text(words::maps()).raw("</h3><p class=\"hint\" id=\"comparison-marks\"></p>");
    to.raw("<p class=\"hint counted\" id=\"comparison-counted\"></p>");
    to.raw("<div class=\"map-list\" id=\"comparison-maps\"></div>");
    to.raw("<div aria-live=\"polite\" id=\"comparison-readout\"></div></section>");
    to.raw("<div class=\"beside\" id=\"comparison-below\"></div>");
    to.finish()
}

/// A tick for every estimator, of which the chosen one cannot be taken away; and one for the scale.
pub(crate) fn choice(
    names: impl Iterator<Item = &'static str>,
    chosen: &str,
    ticks: Ticks,
    one_scale: bool,
) -> String {
    let mut to = Markup::default();
    to.raw("<fieldset class=\"ticks\"><legend>").text(words::shown()).raw("</legend>");
    for name in names {
        let is_chosen = name == chosen;
        tick(&mut to, name, estimator(name), is_chosen, is_chosen || ticks.has(name));
    }
    to.raw("</fieldset>");
    tick(&mut to, "", words::one_scale(), false, one_scale);
    to.finish()
}

/// A box that is ticked or not, for the estimator of a name or, without one, for the scale.
fn tick(to: &mut Markup, name: &str, words: &str, is_chosen: bool, is_ticked: bool) {
    to.raw("<label class=\"field flag\"><input type=\"checkbox\"");
    to.attribute("id", &format!("tick-{name}")).attribute("data-tick", name);
    to.raw(if is_ticked { " checked" } else { "" }).raw(if is_chosen { " disabled>" } else { ">" });
    to.raw("<span>").text(words).text(if is_chosen { words::chosen_one() } else { "" });
    to.raw("</span></label>");
}

/// What the marks in the maps mean.
pub(crate) fn marks(map: HeatMap) -> &'static str {
    words::marks(map.detail)
}

/// Which of the estimators count an attempt as often as it has steps; `option` is what the page calls the
/// option, and its value, that lets it count once.
pub(crate) fn counted(compared: &Comparison, option: [&str; 2]) -> String {
    let by_steps = compared.columns.iter().filter(|column| column.counts_steps);
    let by_steps: Vec<&str> = by_steps.map(|column| estimator(column.name)).collect();
    words::counted(&by_steps, option)
}

/// What stands below the maps: the differences, as many rows of them as are to be drawn, and the groups.
pub(crate) fn below(batch: &Batch, compared: &Comparison, rows: usize) -> String {
    let mut to = Markup::default();
    differences::differences(&mut to, batch, compared, rows);
    sizes::sizes(&mut to, compared);
    to.finish()
}

/// A signed number in the colour of its sign.
fn amount(to: &mut Markup, value: f64, digits: usize) {
    to.raw("<data class=\"amount ").raw(super::sign(value)).raw("\"");
    to.attribute("value", &number::exact(value)).raw(">");
    to.text(&number::signed(value, digits)).raw("</data>");
}

#[cfg(test)]
mod tests {
    use super::{below, choice, frame};
    use crate::model::{
        Comparison,
        comparison::{
            Ticks,
            tests::{batch, methods},
        },
    };

    #[test]
    fn names_stay_text_and_numbers_carry_their_sign() {
        let batch = batch(
            r#"{"task":"g","trajectory":"<b> & \"t1\"","steps":[{"state":"a","reward":0}]}
{"task":"g","trajectory":"y","steps":[{"state":"a","reward":0.5}]}"#,
        );
        let compared = Comparison::new(&batch, &methods(1.0), "grpo", Ticks::none());
        let drawn = below(&batch, &compared.expect("taken"), 9);
        assert!(drawn.contains("<bdi>&lt;b&gt; &amp; &quot;t1&quot;, step 0</bdi>"), "{drawn}");
        // The mean of 0 and 0.5.
        let number = "<data class=\"amount negative\" value=\"-0.25\">\u{2212}0.25</data>";
        assert!(drawn.contains(number), "{drawn}");
        assert!(!drawn.contains("more-differences"), "two steps are all");
    }

    #[test]
    fn the_chosen_estimator_cannot_be_taken_away() {
        let ticks = Ticks::none().with("gigpo");
        let drawn = choice(["grpo", "gigpo", "hgpo"].into_iter(), "hgpo", ticks, true);
        let box_of = |name: &str| {
            format!("<input type=\"checkbox\" id=\"tick-{name}\" data-tick=\"{name}\"")
        };
        assert!(drawn.contains(&(box_of("grpo") + "><span>GRPO</span>")), "{drawn}");
        assert!(drawn.contains(&(box_of("gigpo") + " checked><span>GiGPO</span>")), "{drawn}");
        assert!(drawn.contains(&(box_of("hgpo") + " checked disabled><span>HGPO (chosen)</span>")));
        assert!(drawn.contains(&(box_of("") + " checked><span>One colour scale")), "{drawn}");
        assert!(frame().contains("id=\"comparison-choice\""));
    }
}
