//! Study file: what is compared, and with which seeds; how it is written, and how it differs from another.

use serde::Deserialize;
use toml::{Table, Value};

use crate::arm_names::{self, RULE, is_name};
use crate::arms::{self, Arm};
use crate::seeds::Seeds;
use crate::settings::{flattened, of_arm, setting_given_twice};

/// Why a study file cannot be used: where, what, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {reason}")]
pub struct FileError {
    /// The file.
    pub file: String,
    /// Which key, why, and what to do.
    pub reason: String,
}

/// A study as it is written.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyFile {
    /// Its name, by which its folder is called; that of the file if it is left out.
    pub name: Option<String>,
    /// What the settings of all runs begin with: a preset of the trainer …
    pub preset: Option<String>,
    /// … or a file of settings, from the folder of this one; neither: the trainer's defaults.
    pub config: Option<String>,
    /// The training seeds of every arm.
    pub seeds: Seeds,
    /// Environment steps that a run may take; 0: runs end by `learn.iterations`.
    #[serde(default)]
    pub environment_steps: u64,
    /// Settings of all runs.
    #[serde(default)]
    pub set: Table,
    /// What is compared, by name: the settings of each. The first is the one that others are held against.
    #[serde(default)]
    pub arms: Table,
    /// Values of settings, each of which is combined with each arm.
    #[serde(default)]
    pub grid: Table,
}

/// Settings that a study says elsewhere, and where.
const ELSEWHERE: [(&str, &str); 2] =
    [("seed", "`seeds`"), ("learn.environment_steps", "`environment_steps`")];

/// Runs of a study, at most: its summary holds them all.
const MOST_RUNS: usize = 100_000;

impl StudyFile {
    /// Reads a study that errors call `file`.
    ///
    /// # Errors
    /// It is not TOML, a key is not known or not of its kind, or an arm cannot be called so.
    pub fn read(file: &str, text: &str) -> Result<Self, FileError> {
        let refused = |reason: String| FileError {
            file: file.to_owned(),
            reason: arm_names::one_line(&reason),
        };
        let study: Self =
            toml::from_str(text).map_err(|error| refused(describe_toml_error(text, &error)))?;
        study.check().map_err(refused)?;
        Ok(study)
    }

    /// Checks what does not depend on the trainer.
    ///
    /// # Errors
    /// Names the key, and what to do.
    pub fn check(&self) -> Result<(), String> {
        if let Some(name) = self.name.as_ref().filter(|name| !is_name(name)) {
            let name = arm_names::short_name(name);
            return Err(format!("`name`: a study cannot be called `{name}`: {RULE}"));
        }
        if self.preset.is_some() && self.config.is_some() {
            return Err("`preset` and `config` exclude each other: leave one of them out".into());
        }
        let mut tables = vec![("set".to_owned(), &self.set), ("grid".to_owned(), &self.grid)];
        for (name, settings) in &self.arms {
            let Value::Table(settings) = settings else {
                let name = arm_names::short_name(name);
                return Err(format!("`arms.{name}`: write a table of settings, [arms.{name}]"));
            };
            tables.push((format!("arms.{name}"), settings));
        }
        let grid = flattened(&self.grid);
        for (table, settings) in tables {
            if let Some(twice) = setting_given_twice(settings) {
                let twice = arm_names::short_name(&twice);
                return Err(format!("`{table}`: `{twice}` is there twice: leave one of them out"));
            }
            let said = flattened(settings);
            let in_grid =
                said.keys().find(|key| table.starts_with("arms.") && grid.contains_key(*key));
            if let Some(key) = in_grid.map(|key| arm_names::short_name(key)) {
                return Err(format!(
                    "`{table}`: `{key}` has several values in `grid`: leave one of them out"
                ));
            }
            let elsewhere = |key: &str| ELSEWHERE.iter().find(|(setting, _)| *setting == key);
            if let Some((key, place)) = said.keys().find_map(|key| elsewhere(key)) {
                return Err(format!("`{table}`: `{key}` is what {place} says: set it there"));
            }
            for (key, value) in &said {
                let key = arm_names::short_name(key);
                refuse_value(value).map_err(|reason| format!("`{table}`: `{key}` {reason}"))?;
            }
        }
        let (arms, seeds) = (self.arms()?.len(), self.seeds.as_slice().len());
        if arms.saturating_mul(seeds) > MOST_RUNS {
            return Err(format!(
                "{arms} arms x {seeds} seeds are too many: at most {MOST_RUNS} runs; leave some out"
            ));
        }
        Ok(())
    }

    /// Settings of all runs, by their dotted names.
    #[must_use]
    pub fn set(&self) -> Table {
        flattened(&self.set)
    }

    /// Gives a setting, or those of a table, one value in all runs, even if the grid has several.
    ///
    /// # Errors
    /// An arm has a value of its own, which goes before that of all runs, or nothing else is compared.
    pub fn fix(&mut self, setting: &str, value: Value) -> Result<(), String> {
        self.set = self.set();
        self.grid = flattened(&self.grid);
        for (setting, value) in flattened(&Table::from_iter([(setting.to_owned(), value)])) {
            for (name, arm) in &self.arms {
                if let Some(own) = of_arm(arm).get(&setting) {
                    let name = arm_names::short_name(name);
                    return Err(format!(
                        "`{setting}` cannot be {value} in all runs: the arm `{name}` sets it to {own}; change it there"
                    ));
                }
            }
            self.grid.remove(&setting);
            self.set.insert(setting, value);
        }
        if self.arms.is_empty() && self.grid.is_empty() {
            return Err(format!(
                "nothing is left to compare: the study compares `{setting}` alone"
            ));
        }
        Ok(())
    }

    /// Every arm of the study: those that are written, each with every combination of the grid.
    ///
    /// # Errors
    /// There is none, the grid has no values, or two are called alike.
    pub fn arms(&self) -> Result<Vec<Arm>, String> {
        arms::all_arms(&self.arms, &self.grid)
    }

    /// The study as a file that reads as the same.
    #[must_use]
    pub fn to_toml(&self) -> String {
        self.table().to_string()
    }

    /// The first key in which two studies differ, with both of its values.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        let (left, right) = (flattened(&self.table()), flattened(&other.table()));
        let shown = |value: Option<&Value>| value.map_or("nothing".to_owned(), ToString::to_string);
        let differs = |key: &&String| left.get(*key) != right.get(*key);
        if let Some(key) = left.keys().chain(right.keys()).find(differs) {
            let [there, here] = [&right, &left].map(|table| shown(table.get(key)));
            return Some(format!("`{key}` is {there} there and {here} here"));
        }
        let order = |study: &Self| study.arms().unwrap_or_default();
        (order(self) != order(other)).then(|| "arms have another order".to_owned())
    }

    /// The study as it is written.
    fn table(&self) -> Table {
        // Flat, as TOML has what is in tables of their own behind the rest, and the order makes the names of arms.
        let some = |inner: Table| (!inner.is_empty()).then_some(Value::Table(inner));
        let arm = |(name, arm): (&String, &Value)| (name.clone(), Value::Table(of_arm(arm)));
        // Larger budgets are refused as a setting.
        let budget = i64::try_from(self.environment_steps).unwrap_or(i64::MAX);
        let entries = [
            ("name", self.name.clone().map(Value::String)),
            ("preset", self.preset.clone().map(Value::String)),
            ("config", self.config.clone().map(Value::String)),
            ("seeds", Some(Value::String(self.seeds.to_string()))),
            ("environment_steps", Some(Value::Integer(budget))),
            ("set", some(flattened(&self.set))),
            ("arms", some(self.arms.iter().map(arm).collect())),
            ("grid", some(flattened(&self.grid))),
        ];
        entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
    }
}

/// Refuses what no setting can be: it would not be read as it is written.
fn refuse_value(value: &Value) -> Result<(), &'static str> {
    match value {
        Value::Float(number) if number.is_nan() => Err("is not a number: write one"),
        Value::Array(values) if values.iter().any(Value::is_table) => {
            Err("has a table in a list, which no setting has: write its values")
        }
        Value::Array(values) => values.iter().try_for_each(refuse_value),
        _ => Ok(()),
    }
}

/// What is wrong with a file, and in which line.
fn describe_toml_error(text: &str, error: &toml::de::Error) -> String {
    let line =
        error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
    let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
    format!("{place}{}", error.message().replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUDY: &str = "name = \"first\"\nseeds = \"1-3,7\"\nenvironment_steps = 1000\n[set]\n\
        \"learn.learning_rate\" = 0.05\n[arms.b]\nestimator = \"grpo\"\n[arms.a]\n[grid]\nx.y = [1, 2]\n";

    fn read(text: &str) -> Result<StudyFile, String> {
        StudyFile::read("study.toml", text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_study_has_a_base_arms_and_a_grid() {
        let study = read(
            "name = \"first\"\npreset = \"gridworld\"\nseeds = \"101-150\"\nenvironment_steps = 400000\n\
             [set]\n\"learn.learning_rate\" = 0.05\n[arms.grpo]\nestimator = \"grpo\"\n[arms.hgpo-k2]\n\
             estimator.name = \"hgpo\"\n\"estimator.context_length\" = 2\n[grid]\n\
             \"environment.gridworld.world\" = [\"signpost\", \"comb\"]\n",
        )
        .unwrap();
        assert_eq!(study.seeds.as_slice().len(), 50);
        let arms = study.arms().unwrap();
        let names: Vec<&str> = arms.iter().map(|arm| arm.name.as_str()).collect();
        let expected = [
            "grpo,world=signpost",
            "grpo,world=comb",
            "hgpo-k2,world=signpost",
            "hgpo-k2,world=comb",
        ];
        assert_eq!(names, expected);
        let keys: Vec<&str> = arms[2].settings.keys().map(String::as_str).collect();
        let expected =
            ["estimator.name", "estimator.context_length", "environment.gridworld.world"];
        assert_eq!(keys, expected);
    }

    #[test]
    fn fixed_settings_leave_the_grid_and_are_refused_for_arms() {
        let mut study = read(
            "seeds = \"1\"\n[set]\nx.y = 0\n[arms.a]\nestimator = \"grpo\"\n[grid.x]\ny = [1, 2]\nz = [3]\n",
        )
        .unwrap();
        study.fix("x.y", Value::Integer(4)).unwrap();
        let names: Vec<String> = study.arms().unwrap().into_iter().map(|arm| arm.name).collect();
        assert_eq!((names, study.set()["x.y"].clone()), (vec!["a,z=3".to_owned()], 4.into()));
        study.fix("x", Value::Table("y = 5\nz = 6".parse().unwrap())).unwrap();
        assert_eq!(study.arms().unwrap()[0].name, "a");
        assert_eq!((&study.set()["x.y"], &study.set()["x.z"]), (&5.into(), &6.into()));
        let mut alone = read("seeds = \"1\"\n[grid]\nx = [1, 2]\n").unwrap();
        let said = alone.fix("x", Value::Integer(1)).unwrap_err();
        assert_eq!(said, "nothing is left to compare: the study compares `x` alone");
        for name in ["estimator.name", "estimator"] {
            let said = study.fix(name, "hgpo".into()).unwrap_err();
            assert_eq!(
                said,
                "`estimator.name` cannot be \"hgpo\" in all runs: the arm `a` sets it to \"grpo\"; change it there"
            );
        }
    }

    #[test]
    fn unusable_study_files_are_refused_with_the_remedy() {
        let arm = "[arms.a]\nestimator = \"grpo\"\n";
        for (text, parts) in [
            ("seeds = ", &["study.toml: line 1: "][..]),
            (arm, &["missing field `seeds`"]),
            ("seed = 1\n", &["line 1: unknown field `seed`, expected one of `name`", "`seeds`"]),
            ("seeds = \"3-1\"\n[arms.a]\n", &["line 1: `3-1`: write seeds as 1-8"]),
            ("seeds = 3\n[arms.a]\n", &["line 1: write seeds as \"1-8\""]),
            ("seeds = \"1\"\n", &["there is nothing to compare", "[arms.NAME]"]),
            (
                "seeds = \"1\"\nname = \"a/b\"\n[arms.a]\n",
                &["`name`: a study cannot be called `a/b`"],
            ),
            ("seeds = \"1\"\nname = \"\\na\"\n[arms.a]\n", &["cannot be called `\\na`"]),
            ("seeds = \"1\"\n[grid]\n\"\\n\" = 1\n", &["`grid`: `\\n`: write a list"]),
            ("seeds = \"1\"\n[arms.\"a b\"]\n", &["an arm cannot be called `a b`"]),
            ("seeds = \"1\"\n[arms]\na = 1\n", &["`arms.a`: write a table of settings, [arms.a]"]),
            ("seeds = \"1\"\npreset = \"a\"\nconfig = \"b\"\n[arms.a]\n", &["exclude each other"]),
            ("seeds = \"1\"\n[arms.a]\nseed = 3\n", &["`arms.a`: `seed` is what `seeds` says"]),
            (
                "seeds = \"1\"\n[set]\nlearn.environment_steps = 3\n[arms.a]\n",
                &["`set`: `learn.environment_steps` is what `environment_steps` says"],
            ),
            ("seeds = \"1\"\n[grid]\nx = 1\n", &["`grid`: `x`: write a list of values, [1]"]),
            ("seeds = \"1\"\n[grid]\nx = []\n", &["`grid`: `x`: write a list of values"]),
            ("seeds = \"1\"\n[grid]\nx = [[{ y = 1 }]]\n", &["`grid`: `x` has a table in a list"]),
            ("seeds = \"1\"\n[set]\nx.y = [1, nan]\n", &["`set`: `x.y` is not a number"]),
            ("seeds = \"1\"\n[grid]\nx = [1, 1]\n", &["two arms are called `x=1`"]),
            ("seeds = \"1\"\n[grid]\n-x = [1]\n", &["`grid`: an arm would be called `-x=1`"]),
            ("seeds = \"1\"\n[arms.Lock]\n", &["cannot be called `Lock`", "has a file"]),
            ("seeds = \"1\"\n[arms.a]\n[arms.A]\n", &["`A` and `a` differ in case alone"]),
            (
                "seeds = \"1-100000\"\n[arms.a]\n[arms.b]\n",
                &["2 arms x 100000 seeds are too many: at most 100000 runs"],
            ),
        ] {
            let said = read(text).unwrap_err();
            for part in parts {
                assert!(said.contains(part), "{text}: `{part}` is not in: {said}");
            }
        }
    }

    #[test]
    fn written_study_files_read_as_the_same() {
        let study = read(STUDY).unwrap();
        let again = read(&study.to_toml()).unwrap();
        assert_eq!((again.arms(), again.difference(&study)), (study.arms(), None));
    }

    #[test]
    fn order_of_settings_is_kept_across_tables() {
        let study = read(
            "seeds = \"1\"\n[grid.x]\ny = [1, 2]\n[grid]\nz = [3]\n[arms.a.estimator]\nname = \"hgpo\"\n\
             [arms.a]\n\"estimator.alpha\" = 0.5\n",
        )
        .unwrap();
        let again = read(&study.to_toml()).unwrap();
        let arms = again.arms().unwrap();
        assert_eq!((arms[0].name.as_str(), again.difference(&study)), ("a,y=1,z=3", None));
        assert_eq!(Ok(arms), study.arms());
    }

    #[test]
    fn differences_are_named_with_both_values() {
        let study = read(STUDY).unwrap();
        let differs =
            |from: &str, to: &str| read(&STUDY.replace(from, to)).unwrap().difference(&study);
        assert_eq!(differs("1-3,7", "1-3").unwrap(), "`seeds` is \"1-3,7\" there and \"1-3\" here");
        let rate = differs("0.05", "0.5").unwrap();
        assert_eq!(rate, "`set.learn.learning_rate` is 0.05 there and 0.5 here");
        let arm = differs("[arms.a]", "[arms.a]\nz = 1").unwrap();
        assert_eq!(arm, "`arms.a.z` is nothing there and 1 here");
        let order = "seeds = \"1\"\n[arms.a]\n[arms.b]\n";
        let other = read("seeds = \"1\"\n[arms.b]\n[arms.a]\n").unwrap();
        let difference = other.difference(&read(order).unwrap());
        assert_eq!(difference.unwrap(), "arms have another order");
    }
}
