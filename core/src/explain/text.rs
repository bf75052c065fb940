//! Text of an explanation.

use std::fmt;

use super::{ExplainedTerm, Explanation, Member, rule_text};
use crate::breakdown::{
    Difference, Factor, Prior, Source, StateSource, StateValue, Value, Visit, Weighting,
};
use crate::estimator::Whitening;
use crate::text::escape::single_line;
use crate::text::number::six_decimals;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let valid = if self.valid { "" } else { ", invalid" };
        let name = self.options.estimator.name();
        let address = single_line(&self.address.to_string());
        writeln!(f, "{address}  {name}  {}", shorten(&self.state))?;
        writeln!(f, "{}", rule_text::line(self))?;
        let [reward, discounted] = [self.reward, self.discounted_return].map(six_decimals);
        let [step_reward, episode] = [self.step_reward, self.episode_score].map(six_decimals);
        write!(f, "reward {reward}{valid}  return {discounted}")?;
        writeln!(f, "  step reward {step_reward}  episode score {episode}")?;
        for value in &self.values {
            write_value(f, value)?;
        }
        for state in self.states() {
            write_state(f, state)?;
        }
        for term in &self.terms {
            writeln!(f, "{term}")?;
        }
        for level in &self.missing {
            writeln!(f, "level {level}  skipped: no such context")?;
        }
        if let Some(Whitening { mean, std, .. }) = self.whitening {
            writeln!(f, "whitened: less {}, over {}", six_decimals(mean), six_decimals(std))?;
        }
        write!(f, "advantage {}", six_decimals(self.advantage))
    }
}

impl fmt::Display for ExplainedTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [mean, std, advantage] = [self.mean, self.std, self.advantage].map(six_decimals);
        let [weight, contribution] = [self.weight, self.contribution].map(six_decimals);
        write!(f, "{}  size {}  mean {mean}  std {std}", self.comparison, self.size)?;
        write!(f, "  advantage {advantage}  weight {weight}  contribution {contribution}")?;
        if let Some(skipped) = self.skipped {
            write!(f, "  skipped: {skipped}")?;
        }
        writeln!(f)?;
        if !self.context.is_empty() {
            let states: Vec<String> = self.context.iter().map(|state| shorten(state)).collect();
            writeln!(f, "  context  {}", states.join(" > "))?;
        }
        for factor in &self.factors {
            writeln!(f, "  factor {}  {factor}", six_decimals(factor.number()))?;
        }
        if let Weighting::Trust { between: Some(between), within } = self.weighting {
            let [trust, between, within] = [self.raw_weight, between, within].map(six_decimals);
            writeln!(f, "  trust {trust}  between {between}  within {within}")?;
        }
        if !self.left_out.is_empty() {
            writeln!(f, "  left out  {}", list(&self.left_out))?;
        }
        if !self.spread.is_empty() {
            writeln!(f, "  std of  {}", list(&self.spread))?;
        }
        write!(f, "  members  {}", list(&self.members))
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Others { size } => {
                write!(f, "less the mean of the others: {size} / ({size} - 1)")
            }
            Self::Trust { part, whole } => {
                write!(f, "trust: {} of {}", six_decimals(*part), six_decimals(*whole))
            }
            Self::Gate { count, needed } => write!(f, "gate: {count} of {needed} needed"),
            Self::Often { count, scale } => write!(f, "often: tanh({count} / {scale})"),
            Self::Failures { failed, attempts, exponent } => {
                write!(f, "failures: ({failed} / {attempts})^{exponent}")
            }
        }
    }
}

fn list(members: &[Member]) -> String {
    let member = |member: &Member| {
        let name = single_line(&member.trajectory);
        format!("{name}/{} {}", member.step, six_decimals(member.value))
    };
    members.iter().map(member).collect::<Vec<_>>().join(", ")
}

/// A line for every value that the first lines do not tell.
fn write_value(f: &mut fmt::Formatter<'_>, value: &Value) -> fmt::Result {
    let number = six_decimals(value.number);
    match &value.source {
        Source::Return { .. } | Source::Score { .. } => Ok(()),
        Source::Nearness { success, discount, distance, reaches } => {
            let [success, discount] = [*success, *discount].map(six_decimals);
            let out = if *reaches { "" } else { ", out of reach" };
            write!(f, "nearness {number}  success {success}  discount {discount}")?;
            writeln!(f, "  distance {distance}{out}")
        }
        Source::NextState(next) => {
            write!(f, "next state {number}  state {}", next.step)?;
            writeln!(f, "  penalty {}", six_decimals(value.penalty.unwrap_or(0.0)))
        }
        Source::Difference(difference) => write_difference(f, difference),
        Source::Differences { decay, differences } => {
            writeln!(f, "differences {number}  decay {}", six_decimals(*decay))?;
            differences.iter().try_for_each(|difference| write_difference(f, difference))
        }
        Source::Action { discount, visits, prior } => {
            write!(f, "action {number}  ")?;
            if let Some(Prior { visits, mean }) = prior {
                write!(f, "prior {visits} of {}  ", six_decimals(*mean))?;
            }
            write_visits(f, *discount, visits)
        }
    }
}

fn write_difference(f: &mut fmt::Formatter<'_>, difference: &Difference) -> fmt::Result {
    let Difference { reward, discount, next, own, number, .. } = difference;
    let [number, reward, discount] = [*number, *reward, *discount].map(six_decimals);
    write!(f, "difference {number}  reward {reward}  discount {discount}")?;
    writeln!(f, "  states {} and {}", next.step, own.step)
}

fn write_state(f: &mut fmt::Formatter<'_>, state: &StateValue) -> fmt::Result {
    write!(f, "state {} worth {}", state.step, six_decimals(state.number))?;
    match &state.source {
        StateSource::Over => writeln!(f, "  the end"),
        StateSource::Recorded => writeln!(f, "  recorded"),
        StateSource::End { success: true } => writeln!(f, "  the goal"),
        StateSource::End { success: false } => writeln!(f, "  a dead end"),
        StateSource::Visits { discount, visits } => {
            f.write_str("  ")?;
            write_visits(f, *discount, visits)
        }
    }
}

fn write_visits(f: &mut fmt::Formatter<'_>, discount: f64, visits: &[Visit]) -> fmt::Result {
    let visit = |visit: &Visit| {
        let Visit { trajectory, step, left, end, .. } = visit;
        format!("{}/{step} {} in {left}", single_line(trajectory), six_decimals(*end))
    };
    let visits: Vec<String> = visits.iter().map(visit).collect();
    writeln!(f, "discount {}  visits  {}", six_decimals(discount), visits.join(", "))
}

/// A state on one line, in at most 48 characters.
fn shorten(state: &str) -> String {
    const LENGTH: usize = 48;
    let line = state.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("\"{}...\"", &line[..end]),
        None => format!("\"{line}\""),
    }
}
