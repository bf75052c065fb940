//! Arms of a study: those that are written, times the grid.

use toml::{Table, Value};

use crate::arm_names::{self, RULE};
use crate::settings::{flattened, of_arm};

/// One choice of settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// Its name, which holds what the grid chose.
    pub name: String,
    /// What it sets, by dotted names, in the order in which it is written.
    pub settings: Table,
}

/// Arms of a study, at most.
const MOST: usize = 10_000;

/// Every arm with every combination of the grid.
pub(crate) fn all_arms(written: &Table, grid: &Table) -> Result<Vec<Arm>, String> {
    if written.is_empty() && grid.is_empty() {
        return Err("there is nothing to compare: add a table [arms.NAME] or [grid]".into());
    }
    let many = |place: &str| format!("`{place}`: more than {MOST} arms; leave some out");
    if written.len() > MOST {
        return Err(many("arms"));
    }
    let arm = |(name, arm): (&String, &Value)| Arm { name: name.clone(), settings: of_arm(arm) };
    let mut arms: Vec<Arm> = written.iter().map(arm).collect();
    if arms.is_empty() {
        arms.push(Arm { name: String::new(), settings: Table::new() });
    }
    let grid = flattened(grid);
    let settings: Vec<String> = grid.keys().cloned().collect();
    for ((setting, given), short) in grid.iter().zip(arm_names::names_of_settings(&settings)) {
        let values = given.as_array().filter(|values| !values.is_empty()).ok_or_else(|| {
            let example = if given.is_array() { "1, 2".to_owned() } else { given.to_string() };
            format!("`grid`: `{setting}`: write a list of values, [{example}]")
        })?;
        if arms.len().saturating_mul(values.len()) > MOST {
            return Err(many("grid"));
        }
        arms = arms
            .iter()
            .flat_map(|arm| values.iter().map(|it| with_setting(arm, setting, &short, it)))
            .collect();
    }
    arms.iter().try_for_each(|arm| check_name(&arm.name, written))?;
    name_given_twice(&arms).map_or(Ok(arms), Err)
}

/// Checks that an arm can have its name, which the grid may have had a part in.
fn check_name(name: &str, written: &Table) -> Result<(), String> {
    let shown = arm_names::short_name(name);
    if arm_names::is_taken(name) {
        return Err(format!(
            "`arms`: an arm cannot be called `{shown}`: the study has a file of that name; rename it"
        ));
    }
    if arm_names::is_name(name) {
        return Ok(());
    }
    if written.contains_key(name) {
        return Err(format!("`arms`: an arm cannot be called `{shown}`: {RULE}"));
    }
    Err(format!(
        "`grid`: an arm would be called `{shown}`: {RULE}; write such values as arms, [arms.NAME]"
    ))
}

/// An arm with another setting.
fn with_setting(arm: &Arm, setting: &str, short: &str, value: &Value) -> Arm {
    let mut with = arm.clone();
    with.settings.remove(setting);
    with.settings.insert(setting.to_owned(), value.clone());
    let chosen = format!("{short}={}", arm_names::name_of_value(value));
    with.name = if arm.name.is_empty() { chosen } else { format!("{},{chosen}", arm.name) };
    with
}

/// Two arms whose folders would be one, at least on disks that do not tell capitals from small letters.
fn name_given_twice(arms: &[Arm]) -> Option<String> {
    let mut names: Vec<(String, &str)> =
        arms.iter().map(|arm| (arm.name.to_lowercase(), arm.name.as_str())).collect();
    names.sort_unstable();
    let alike = names.windows(2).find(|pair| pair[0].0 == pair[1].0)?;
    let [one, other] = [alike[0].1, alike[1].1].map(arm_names::short_name);
    Some(if alike[0].1 == alike[1].1 {
        format!("two arms are called `{one}`: rename or remove one")
    } else {
        format!(
            "`{one}` and `{other}` differ in case alone, which some disks do not tell apart: rename one"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        text.parse().unwrap()
    }

    #[test]
    fn arms_of_a_grid_are_named_by_its_values() {
        let grid = table("\"estimator.alpha\" = [0.0, 1.0]\nestimator.context_length = [2]");
        let arms = all_arms(&Table::new(), &grid).unwrap();
        let names: Vec<&str> = arms.iter().map(|arm| arm.name.as_str()).collect();
        // Both are options of HGPO, which has its name from the base.
        assert_eq!(names, ["alpha=0.0,context_length=2", "alpha=1.0,context_length=2"]);
        assert_eq!(
            arms[1].settings,
            table("\"estimator.alpha\" = 1.0\n\"estimator.context_length\" = 2")
        );
    }

    #[test]
    fn values_of_the_grid_override_those_of_arms() {
        let arms = all_arms(&table("[a]\nx.y = 1\nz = 2"), &table("x.y = [3]")).unwrap();
        assert_eq!(
            arms[0]
                .settings
                .iter()
                .map(|(key, value)| format!("{key}={value}"))
                .collect::<Vec<_>>(),
            ["z=2", "x.y=3"]
        );
    }
}
