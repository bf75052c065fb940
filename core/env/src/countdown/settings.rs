//! Settings of `countdown-team`.

use serde::{Deserialize, Serialize};

use crate::SettingError;
use crate::registry::Table;
use crate::team::{ActionForm, Agents};

/// What tasks are like, and who solves them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CountdownSettings {
    /// Numbers that are given: 3 or 4.
    pub numbers: usize,
    /// The largest number that is given: 8 to 20.
    pub largest: u32,
    /// Expressions that may be proposed: 1 to 8. The last one is final: nobody checks it.
    pub attempts: usize,
    /// Tasks that training draws from: 1 to 1,000,000; 0: all. A table of preferences learns a few.
    pub training_tasks: u64,
    /// Whether the solver chooses listed operations one by one, or writes whole expressions.
    pub actions: ActionForm,
    /// A solver and a checker, or one agent that does both.
    pub agents: Agents,
}

impl Default for CountdownSettings {
    fn default() -> Self {
        Self {
            numbers: 3,
            largest: 12,
            attempts: 3,
            training_tasks: 0,
            actions: ActionForm::default(),
            agents: Agents::default(),
        }
    }
}

impl Table for CountdownSettings {
    const NAME: &str = "countdown";

    fn check(&self) -> Result<(), SettingError> {
        SettingError::within("numbers", self.numbers, &(3..=4))?;
        SettingError::within("largest", self.largest, &(8..=20))?;
        SettingError::within("attempts", self.attempts, &(1..=8))?;
        SettingError::within("training_tasks", self.training_tasks, &(0..=1_000_000))
    }
}
