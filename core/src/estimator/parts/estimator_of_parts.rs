//! Composable estimators: those that are settings of the parts.

use super::anchors::Anchors;
use super::composed_estimator::Composed;
use super::composition::Composition;
use super::part_choices::{Among, Credit, Depth, Trust, Worth};
use super::process::Process;
use crate::batch::Batch;
use crate::batch::cohort::Cohort;
use crate::error::{Error, Problem};
use crate::estimator::method::Method;
use crate::estimator::terms::term::Terms;
use crate::option::fields::OptionFields;
use crate::returns::Scores;

/// An estimator that is a setting of the parts.
pub(crate) trait Composable: OptionFields {
    /// The parts.
    fn parts(&self) -> Composed;
}

/// Declares the options of an estimator that is a setting of the parts: each option is the part of its name, `with` says
/// what other parts are, and the rest are as by default.
macro_rules! composable {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $( $(#[$doc:meta])* $field:ident: $type:ty = $default:expr, $declared:expr; )*
        }
        with { $( $part:ident: $choice:expr, )* }
    ) => {
        $crate::option::fields::options! {
            $(#[$meta])*
            pub struct $name {
                $( $(#[$doc])* $field: $type = $default, $declared; )*
            }
        }

        impl $crate::estimator::parts::Composable for $name {
            fn parts(&self) -> $crate::estimator::parts::Composed {
                $crate::estimator::parts::Composed {
                    $( $part: $choice, )*
                    $( $field: self.$field, )*
                    ..Default::default()
                }
            }
        }
    };
}

pub(crate) use composable;

impl Composable for Composed {
    fn parts(&self) -> Composed {
        self.clone()
    }
}

// What the parts do is written once for all estimators: a page in a browser carries all of it.
impl<T: Composable> Method for T {
    fn context_length(&self) -> Option<usize> {
        self.parts().deepest()
    }

    fn prepare(&self, batch: &Batch, cohort: &Cohort, scores: &Scores) -> Box<dyn Terms> {
        Box::new(Composition::new(self.parts(), self.declarations(), batch, cohort, scores))
    }

    fn without_effect(&self) -> Vec<&'static str> {
        let own = self.declarations();
        self.parts()
            .idle()
            .into_iter()
            .filter(|name| own.iter().any(|it| it.name == *name))
            .collect()
    }

    fn check(&self, batch: &Batch) -> Result<(), Error> {
        self.parts().check_batch(batch)
    }
}

impl Composed {
    /// The deepest level at which steps are compared, if they are compared by what they share.
    fn deepest(&self) -> Option<usize> {
        let in_state = self.among == Among::State || self.return_weight > 0.0;
        let deepest = if self.compares_contexts() { self.context_length } else { 0 };
        in_state.then_some(deepest)
    }

    /// Options of parts that are not chosen.
    fn idle(&self) -> Vec<&'static str> {
        let differs = matches!(self.credit, Credit::Difference | Credit::Gae);
        let own_discount = matches!(self.state_value, Worth::Returns | Worth::Recorded);
        let has_levels = self.context_length > 0 && (self.compares_contexts() || differs);
        let all = [
            ("depth", self.state_value != Worth::Process),
            ("value_discount", own_discount),
            ("lambda", self.credit != Credit::Gae),
            ("shrinkage", self.credit != Credit::Action),
            ("saturation", self.trust != Trust::GatedVariance),
            ("variance_epsilon", self.trust != Trust::GatedVariance),
            ("failure_exponent", self.trust != Trust::Failures),
            ("alpha", !has_levels || !self.compares_contexts()),
        ];
        all.into_iter().filter_map(|(name, is_idle)| is_idle.then_some(name)).collect()
    }

    /// Checks that a batch has what the parts need.
    fn check_batch(&self, batch: &Batch) -> Result<(), Error> {
        if self.reads_actions() {
            let remedy = "the estimator compares actions: record what was done in every step, or \
                          choose an estimator that does not";
            batch.check_steps(|step| {
                let is_silent = step.valid && step.action.is_none();
                is_silent.then(|| Problem::missing("action", remedy))
            })?;
        }
        if self.state_value == Worth::Recorded {
            check_values(batch, self)?;
        }
        if (self.state_value, self.depth) == (Worth::Process, Depth::FixedPoint) {
            check_size(batch, self.context_length)?;
        }
        Ok(())
    }
}

/// Checks that every step says what its state is worth, and that it matters.
fn check_values(batch: &Batch, parts: &Composed) -> Result<(), Error> {
    if !matches!(parts.credit, Credit::Difference | Credit::Gae) {
        let problem = "`recorded` is for differences: set credit to `difference` or `gae`";
        return Err(Error::option("state_value", problem));
    }
    let remedy = "record what a critic or restarts say that every state is worth, or choose \
                  another state_value; in training, set critic.kind or learn.restarts";
    batch.check_steps(|step| {
        step.state_value.is_none().then(|| Problem::missing("state_value", remedy))
    })
}

/// Checks that the fixed point of every task can be had in seconds. What one agent does leads back
/// to no more contexts than what all do.
fn check_size(batch: &Batch, context_length: usize) -> Result<(), Error> {
    for (task, name) in batch.tasks().iter().enumerate() {
        let cohort = Cohort::of_task(batch, task);
        let levels = Anchors::levels(&cohort, context_length);
        if !Process::is_solvable(batch, &cohort, &levels) {
            let name = crate::text::escape::quoted(name);
            let problem = format!(
                "task {name} goes round among too many states to solve their equations: choose 0, 1, 2 or 3"
            );
            return Err(Error::option("depth", problem));
        }
    }
    Ok(())
}
