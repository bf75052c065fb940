//! What is open of some runs: metrics, and rollouts of several iterations.

use super::Markup;
use crate::{model::Run, text};

/// What is open of some runs, as it is shown.
pub(crate) struct Runs<'a> {
    /// Their metrics.
    pub(crate) metrics: &'a [Run],
    /// The metric that the reader chose.
    pub(crate) key: &'a str,
    /// The names of the rollouts files, by iteration, and which one is shown.
    pub(crate) traces: &'a [String],
    /// The one that is shown, if one of them is.
    pub(crate) shown: Option<usize>,
    /// What could not be opened, and why.
    pub(crate) problems: &'a [String],
}

/// The files of some runs and the controls of what is shown of them.
pub(crate) fn runs(all: &Runs<'_>) -> String {
    let mut to = Markup::default();
    to.raw("<p class=\"problem\" role=\"alert\">").text(&all.problems.join(" ")).raw("</p>");
    to.raw("<div class=\"fields\"><div class=\"field file\"><input type=\"file\" id=\"run-files\"");
    to.raw(" class=\"unseen\" multiple accept=\".jsonl,.ndjson,.json,.csv\" aria-describedby=\"runs-hint\">");
    to.raw("<label class=\"button\" for=\"run-files\">")
        .raw(text::open_run())
        .raw("</label></div>");
    if !all.metrics.is_empty() {
        legend(&mut to, all.metrics);
        metrics(&mut to, all);
    }
    if all.traces.len() > 1 {
        slider(&mut to, all);
    }
    to.raw("</div><p class=\"hint\" id=\"runs-hint\">").raw(text::runs_hint());
    if all.metrics.iter().flat_map(|run| &run.points).any(|points| points.len() >= 40) {
        to.raw(" ").raw(text::bold_line());
    }
    to.raw("</p>");
    to.finish()
}

/// The runs by the looks of their curves, each with a button that takes it away.
fn legend(to: &mut Markup, runs: &[Run]) {
    to.raw("<ul class=\"legend-of-runs\">");
    for (place, run) in runs.iter().enumerate() {
        to.raw("<li class=\"run").number(place).raw("\"><span>").own(&run.name).raw("</span>");
        to.raw("<button type=\"button\" class=\"button\"");
        to.attribute("id", &format!("drop-{place}")).attribute("data-do", &format!("drop {place}"));
        to.raw(">").raw(text::remove()).raw("<span class=\"unseen\"> ").text(&run.name);
        to.raw("</span></button></li>");
    }
    to.raw("</ul>");
}

/// The choice of a metric besides the rate of success.
fn metrics(to: &mut Markup, all: &Runs<'_>) {
    to.raw("<label class=\"field\"><span>")
        .raw(text::metric())
        .raw("</span><select id=\"metric\">");
    let mut keys: Vec<&String> = all.metrics.iter().flat_map(|run| &run.keys).collect();
    let mut known = std::collections::BTreeSet::new();
    keys.retain(|key| known.insert(*key));
    for key in keys {
        to.raw("<option").attribute("value", key);
        to.raw(if key == all.key { " selected>" } else { ">" }).text(key).raw("</option>");
    }
    to.raw("</select></label>");
}

fn slider(to: &mut Markup, all: &Runs<'_>) {
    let shown = all.shown.unwrap_or(all.traces.len() - 1);
    let told = text::trace_of(shown + 1, all.traces.len(), &all.traces[shown]);
    to.raw("<label class=\"field trace\"><span>").raw(text::traces()).raw("</span>");
    to.raw("<input type=\"range\" id=\"trace\" min=\"0\"");
    to.attribute("max", &(all.traces.len() - 1).to_string());
    to.attribute("value", &shown.to_string()).attribute("aria-valuetext", &told);
    to.raw("><output for=\"trace\" id=\"trace-name\">").own(&told).raw("</output></label>");
}

#[cfg(test)]
mod tests {
    use super::{Runs, runs};
    use crate::model::Run;

    #[test]
    fn metrics_are_listed_once_and_traces_have_a_slider() {
        let read = |name: &str, key: &str| {
            let text = format!("{{\"iteration\":1,\"success_rate\":1,\"{key}\":2}}\n");
            Run::read(name, &text).expect("metrics")
        };
        let open = [read("A", "kl"), read("B", "entropy")];
        let traces = ["10".to_owned(), "20".to_owned(), "30".to_owned()];
        let all =
            Runs { metrics: &open, key: "kl", traces: &traces, shown: Some(1), problems: &[] };
        let drawn = runs(&all);
        assert_eq!(drawn.matches("value=\"success_rate\"").count(), 1);
        assert!(
            drawn.contains("<option value=\"kl\" selected>") && drawn.contains("value=\"entropy\"")
        );
        assert!(drawn.contains("max=\"2\" value=\"1\" aria-valuetext=\"2 of 3: 20\""));
        let one = Runs { metrics: &[], key: "", traces: &traces[..1], shown: None, problems: &[] };
        let drawn = runs(&one);
        assert!(!drawn.contains("id=\"trace\"") && !drawn.contains("id=\"metric\""));
    }
}
