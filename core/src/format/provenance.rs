//! Provenance: how rollouts were made, as the first line of their file may say.

use serde::de::DeserializeOwned;
use serde::{Deserialize as _, Serialize};
use serde_json::{Map, Value, from_value};

use crate::error::{Error, Place, Problem};
use crate::estimator::Options;
use crate::objective::Objective;

/// Whether it is a field that a trajectory or a row has, one of them at least, even if it is broken: here, and in what
/// other programs write.
fn is_of_rollouts(field: &str) -> bool {
    matches!(
        field,
        "task"
            | "trajectory"
            | "steps"
            | "uid"
            | "traj_uid"
            | "anchor_obs"
            | "rewards"
            | "state"
            | "reward"
            | "action"
            | "actions"
            | "observation"
            | "success"
            | "prompt"
            | "prompts"
            | "response"
            | "responses"
            | "completion"
            | "messages"
            | "conversations"
            | "trajectories"
            | "input"
            | "output"
            | "score"
            | "tokens"
    )
}

/// What the line itself may say; the last three are [`Options`].
const OWN: [&str; 8] = [
    "environment",
    "seed",
    "iteration",
    OBJECTIVE,
    ENTROPY_COEFFICIENT,
    "discount",
    "invalid_penalty",
    "estimator",
];
const OBJECTIVE: &str = "objective";
const ENTROPY_COEFFICIENT: &str = "entropy_coefficient";
const OPTIONS: &[&str] = OWN.split_at(5).1;

/// Whether a field of the first line means something there.
pub(super) fn is_own(field: &str) -> bool {
    OWN.contains(&field)
}

/// How a rollouts file was made: environment, seed, iteration, how its advantages were estimated, and the loss that they were
/// trained with.
///
/// Everything may be left out, but discount and penalty only with the estimator. In a file it is the first line, an
/// object with one of these fields and none that rollouts have; fields of other names mean nothing there.
///
/// ```
/// use hgpo_core::format::{self, Provenance, Reader};
/// let file = r#"{"environment":"chores","seed":1,"estimator":{"name":"grpo"}}
/// {"task":"g","trajectory":"t","steps":[{"state":"hall","reward":1}]}"#;
/// let made = Reader::new(file.as_bytes()).provenance()?.expect("the first line");
/// assert_eq!((made.environment.as_deref(), made.seed), (Some("chores"), Some(1)));
/// let options = made.options.expect("an estimator");
/// assert_eq!((options.estimator.name(), options.discount.get()), ("grpo", 0.95));
/// // Who does not ask for it reads the trajectories alone.
/// assert_eq!(format::read(file.as_bytes())?.len(), 1);
/// # Ok::<(), hgpo_core::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Provenance {
    /// Name of the environment that was acted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// Seed of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Iteration of the run, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u64>,
    /// Options of the loss in which the advantages were used, as [`Objective`](crate::Objective) has them. They are read by
    /// who needs them ([`Provenance::objective`]): what is unknown among them leaves the rest of the line as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<Map<String, Value>>,
    /// Weight of the entropy bonus in that loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entropy_coefficient: Option<f64>,
    /// How the advantages were estimated, in the fields `discount`, `invalid_penalty` and
    /// `estimator`; if the estimator is there, the others have their defaults.
    #[serde(flatten)]
    pub options: Option<Options>,
}

impl Provenance {
    /// What the fields of a line mean.
    ///
    /// # Errors
    /// A field of another kind, an estimator or an option that is not known.
    pub(super) fn read(line: usize, mut fields: Map<String, Value>) -> Result<Self, Error> {
        fields.retain(|_, value| !value.is_null());
        let mut made = || {
            Ok(Self {
                environment: take(&mut fields, "environment")?,
                seed: take(&mut fields, "seed")?,
                iteration: take(&mut fields, "iteration")?,
                objective: objective(&mut fields)?,
                entropy_coefficient: take(&mut fields, ENTROPY_COEFFICIENT)?,
                options: options(&mut fields)?,
            })
        };
        made().map_err(|problem| Place::line(line).error(Problem::Provenance(problem)))
    }

    /// The loss in which the advantages were used; none if the line says nothing of it.
    ///
    /// ```
    /// use hgpo_core::format::Provenance;
    /// let made = Provenance::from_line(r#"{"objective":{"clip_high":0.28,"divergence":"none"}}"#)?;
    /// assert_eq!(made.objective()?.map(|objective| objective.clip_high), Some(0.28));
    /// # Ok::<(), hgpo_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Problem::Provenance`]: an option that is not known, or a value that it cannot have.
    pub fn objective(&self) -> Result<Option<Objective>, Error> {
        let Some(options) = &self.objective else { return Ok(None) };
        let read = Objective::deserialize(Value::Object(options.clone()));
        let read = read.map_err(|error| format!("`objective`: {error}"));
        let checked = read.and_then(|it| it.validate().map(|()| it).map_err(|e| e.to_string()));
        checked.map(Some).map_err(|problem| Place::line(1).error(Problem::Provenance(problem)))
    }
}

fn take<T: DeserializeOwned>(
    fields: &mut Map<String, Value>,
    name: &str,
) -> Result<Option<T>, String> {
    let value = fields.get_mut(name).map(Value::take);
    value.map(from_value).transpose().map_err(|error| format!("`{name}`: {error}"))
}

fn objective(fields: &mut Map<String, Value>) -> Result<Option<Map<String, Value>>, String> {
    match fields.get_mut(OBJECTIVE).map(Value::take) {
        None => Ok(None),
        Some(Value::Object(options)) => Ok(Some(options)),
        Some(_) => Err("`objective`: an object is needed".to_owned()),
    }
}

fn options(fields: &mut Map<String, Value>) -> Result<Option<Options>, String> {
    fields.retain(|name, _| OPTIONS.contains(&name.as_str()));
    if fields.is_empty() {
        return Ok(None);
    }
    if let (false, Some(name)) = (fields.contains_key("estimator"), fields.keys().next()) {
        return Err(format!("`{name}` without `estimator`: which one is not said"));
    }
    let fields = Value::Object(std::mem::take(fields));
    Options::deserialize(fields).map(Some).map_err(|error| error.to_string())
}

/// Whether a line with these fields speaks of the others: it says something that only such a line does, and holds
/// nothing that rollouts do, of whatever program (or nothing at all). Anything else is a record, and refused as one if
/// it is not.
pub(super) fn is_first_line(fields: &Map<String, Value>) -> bool {
    // A record may well have an objective in words.
    let says = |(field, value): (&String, &Value)| {
        is_own(field) && (field != OBJECTIVE || value.is_object())
    };
    let says_something = fields.iter().any(says);
    fields.is_empty() || says_something && !fields.keys().any(|field| is_of_rollouts(field))
}
