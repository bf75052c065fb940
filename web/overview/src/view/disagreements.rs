//! Where estimators disagree, step by step.

use super::{Markup, amount, columns::Head};
use crate::{
    model::{Disagreement, File, Method, number},
    text,
};

/// The table of some disagreements, as many of them as are to be drawn.
pub(crate) fn disagreements(file: &File, all: &[Disagreement], rows: usize) -> String {
    let mut to = Markup::default();
    if all.is_empty() {
        to.raw("<p class=\"none\">").raw(text::no_disagreement()).raw("</p>");
        return to.finish();
    }
    to.raw("<div class=\"scrolled\" tabindex=\"0\" role=\"group\" aria-labelledby=\"disagreements-title\">");
    to.raw("<table class=\"disagreements\" aria-labelledby=\"disagreements-title\"><thead><tr>");
    for (name, meaning) in heads(file) {
        to.raw("<th scope=\"col\"").attribute("title", &meaning).raw(">");
        to.text(&name).raw("</th>");
    }
    to.raw("</tr></thead><tbody>");
    for one in all.iter().take(rows) {
        row(&mut to, file, one);
    }
    to.raw("</tbody></table></div>");
    if all.len() > rows {
        to.raw("<button type=\"button\" class=\"button more-rows\" id=\"more-steps\" data-do=\"more-steps\">");
        to.raw(text::more()).raw("</button>");
    }
    to.finish()
}

/// The heads of the table.
pub(super) fn heads(file: &File) -> Vec<Head> {
    let own = |name: &str, meaning: &str| (name.to_owned(), meaning.to_owned());
    let mut heads = vec![
        own(text::task(), text::task_hint()),
        own(text::step(), text::step_hint()),
        own(text::state(), text::state_hint()),
    ];
    if let Some((chosen, others)) = file.methods.split_first() {
        heads.push((chosen.label.clone(), text::chosen_hint(&chosen.label)));
        let other =
            |other: &Method| (other.label.clone(), text::other_hint(&other.label, &chosen.label));
        heads.extend(others.iter().map(other));
    }
    heads.push(own(text::ranks_apart(), text::ranks_hint()));
    heads
}

fn row(to: &mut Markup, file: &File, one: &Disagreement) {
    let step = file.steps[one.step];
    let task = &file.tasks[step.task];
    let open = format!("open {} {} {}", step.task, step.attempt, step.at);
    to.raw("<tr").attribute("data-do", &open).raw("><td>").own(&task.name).raw("</td>");
    to.raw("<th scope=\"row\"><button type=\"button\" class=\"leads\"");
    to.attribute("id", &format!("apart-{}", one.step)).attribute("data-do", &open).raw(">");
    to.own(&text::step_name(&task.attempts[step.attempt], step.at)).raw("</button></th>");
    let texts = file.texts.all();
    to.raw("<td class=\"words\"><span>").own(&texts[step.state]);
    if let Some(action) = step.action {
        to.raw(" \u{2192} ").own(&texts[action]);
    }
    to.raw("</span></td>");
    for (method, advantages) in file.advantages.iter().enumerate() {
        to.raw("<td>");
        amount(to, advantages[one.step]);
        if method > 0 && file.is_opposite(one.step, method) {
            to.raw("<span class=\"turned\"").attribute("title", text::opposite_sign());
            to.raw("><span aria-hidden=\"true\">\u{21c5}</span><span class=\"unseen\">");
            to.raw(text::opposite_sign()).raw("</span></span>");
        }
        to.raw("</td>");
    }
    to.raw("<td>").raw(&number::percent(one.apart, 1)).raw("</td></tr>");
}

#[cfg(test)]
mod tests {
    use super::disagreements;
    use crate::model::{Disagreement, tests::both};

    #[test]
    fn a_row_leads_to_its_step() {
        let file = both();
        let one = Disagreement { step: 1, opposite: false, apart: 0.25 };
        let drawn = disagreements(&file, &[one, one], 1);
        assert!(drawn.contains("data-do=\"open 0 0 1\""));
        assert!(drawn.contains("<bdi>x, step 1</bdi>"));
        assert!(drawn.contains("<bdi>b</bdi> \u{2192} <bdi>go</bdi>"));
        // b: 0 under HGPO, −0.975 under GRPO, written with two digits.
        assert!(drawn.contains("<b class=\"zero\">0.00</b>"));
        assert!(
            drawn.contains("<b class=\"negative\">\u{2212}0.97</b>")
                || drawn.contains("\u{2212}0.98</b>")
        );
        assert!(drawn.contains("<td>25\u{a0}%</td>") && drawn.contains("more-steps"));
        assert!(!drawn.contains("turned"));
    }
}
