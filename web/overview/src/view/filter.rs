//! What the reader looks for.

use super::Markup;
use crate::{
    model::{File, Filter},
    text,
};

/// The fields of the filter.
pub(crate) fn filter(file: &File, filter: &Filter) -> String {
    let mut to = Markup::default();
    to.raw("<fieldset class=\"wishes\"><legend>").raw(text::filter()).raw("</legend>");
    tick(&mut to, "only-opposite", text::only_opposite(), filter.opposite);
    tick(&mut to, "only-alone", text::only_alone(), filter.alone);
    tick(&mut to, "only-invalid", text::only_invalid(), filter.invalid);
    to.raw("<label><span>").raw(text::state_text());
    to.raw("</span><input type=\"search\" id=\"state-text\"").attribute("value", &filter.text);
    to.raw("></label>");
    if !file.agents.all().is_empty() {
        agents(&mut to, file, filter);
    }
    to.raw("<button type=\"button\" class=\"button\" id=\"clear\" data-do=\"clear\">");
    to.raw(text::clear()).raw("</button></fieldset>");
    to.finish()
}

fn tick(to: &mut Markup, id: &str, name: &str, is_set: bool) {
    to.raw("<label class=\"flag\"><input type=\"checkbox\"").attribute("id", id);
    to.raw(if is_set { " checked>" } else { ">" }).raw("<span>").raw(name).raw("</span></label>");
}

fn agents(to: &mut Markup, file: &File, filter: &Filter) {
    to.raw("<label><span>").raw(text::agent()).raw("</span><select id=\"agent\">");
    to.raw("<option value=\"\">").raw(text::any_agent()).raw("</option>");
    for (number, name) in file.agents.all().iter().enumerate() {
        to.raw("<option").attribute("value", &number.to_string());
        to.raw(if filter.agent.as_ref() == Some(name) { " selected>" } else { ">" });
        to.text(name).raw("</option>");
    }
    to.raw("</select></label>");
}

#[cfg(test)]
mod tests {
    use super::filter;
    use crate::model::{File, Filter, tests::both};

    #[test]
    fn fields_show_what_is_looked_for() {
        let wishes = Filter {
            alone: true,
            text: "a\"b".to_owned(),
            agent: Some("m".to_owned()),
            ..Filter::default()
        };
        let drawn = filter(&both(), &wishes);
        assert!(
            drawn.contains("id=\"only-alone\" checked>") && drawn.contains("id=\"only-opposite\">")
        );
        assert!(drawn.contains("value=\"a&quot;b\""));
        assert!(drawn.contains("<option value=\"0\" selected>m</option>"));
        assert!(!filter(&File::default(), &wishes).contains("id=\"agent\""), "no step has one");
    }
}
