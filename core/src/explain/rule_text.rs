//! Rule text: the line of an explanation that says how its terms come about: the rule, the weights, and
//! the options that are not the defaults.

use std::fmt;

use super::{ExplainedTerm, Explanation};
use crate::breakdown::{Rule, Weighting, is_one};
use crate::estimator::Options;
use crate::option::declaration::describe_value;
use crate::statistics::{Scale, StdRule};

/// The line, without its end.
pub(super) fn line(explanation: &Explanation) -> String {
    let rules = distinct(explanation.terms.iter().map(|term| term.rule.to_string()));
    let weights = distinct(explanation.terms.iter().map(weight));
    format!("rule  {rules}  weight {weights}  options  {}", changed(&explanation.options))
}

/// Each of the texts once, in their order.
fn distinct(texts: impl Iterator<Item = String>) -> String {
    let mut all: Vec<String> = Vec::new();
    for text in texts {
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all.join(" and ")
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value => f.write_str("value"),
            Self::Deviation { scale: Scale::Mean, .. } => f.write_str("value - mean"),
            Self::Deviation { scale: Scale::MeanStd, std_rule, epsilon, floor, .. } => {
                let divisor = match std_rule {
                    StdRule::Population => "n",
                    StdRule::Sample => "n - 1",
                };
                if *floor > 0.0 {
                    return write!(f, "(value - mean) / max(std, {floor}), std over {divisor}");
                }
                write!(f, "(value - mean) / (std + {epsilon:e}), std over {divisor}")
            }
        }
    }
}

fn weight(term: &ExplainedTerm) -> String {
    match &term.weighting {
        Weighting::One => "1".to_owned(),
        Weighting::LeftOut => "0".to_owned(),
        Weighting::Option { name } => name.clone(),
        Weighting::Share { base, exponent, epsilon, total } => {
            let base = match term.comparison.level() {
                Some(level) => format!("(level + {})", base - level.0),
                None => base.to_string(),
            };
            let sum = if *epsilon == 0.0 { "sum".into() } else { format!("(sum + {epsilon:e})") };
            let share = format!("{base}^{exponent} / {sum}");
            if is_one(total) { share } else { format!("{total} {share}") }
        }
        Weighting::Trust { .. } => "by trust, the longest context first".to_owned(),
    }
}

/// Who works inside another estimator, and every option that is not its default.
fn changed(options: &Options) -> String {
    let usual = Options::default();
    let inside = options.get("inside").map(|inside| ("inside".to_owned(), inside));
    let of_returns = Options::of_returns().into_iter().filter_map(|of| {
        let value = options.get(of.name).filter(|value| Some(value) != usual.get(of.name).as_ref());
        Some((of.name.to_owned(), value?))
    });
    let all = inside.into_iter().chain(options.estimator.changed()).chain(of_returns);
    let all: Vec<String> =
        all.map(|(name, value)| format!("{name} {}", describe_value(&value))).collect();
    if all.is_empty() { "default".to_owned() } else { all.join(", ") }
}
