//! TOML of a study file, and its difference from another.

use toml::{Table, Value};

use crate::arms::flattened;
use crate::study_file::StudyFile;

impl StudyFile {
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
        let keys = left.keys().chain(right.keys());
        let differing = keys.map(|key| (key, left.get(key), right.get(key)));
        let first = differing.into_iter().find(|(_, left, right)| left != right);
        if let Some((key, left, right)) = first {
            return Some(format!("`{key}` is {} there and {} here", shown(right), shown(left)));
        }
        let order = |study: &Self| study.arms().unwrap_or_default();
        (order(self) != order(other)).then(|| "arms have another order".to_owned())
    }

    fn table(&self) -> Table {
        let mut table = Table::new();
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                table.insert(key.to_owned(), value);
            }
        };
        // Flat, as TOML has what is in tables of their own behind the rest, and the order makes the names of arms.
        let some = |inner: Table| (!inner.is_empty()).then_some(Value::Table(inner));
        let arm = |(name, arm): (&String, &Value)| match arm {
            Value::Table(settings) => (name.clone(), Value::Table(flattened(settings))),
            other => (name.clone(), other.clone()),
        };
        put("name", self.name.clone().map(Value::String));
        put("preset", self.preset.clone().map(Value::String));
        put("config", self.config.clone().map(Value::String));
        put("seeds", Some(Value::String(self.seeds.to_string())));
        // Larger budgets are refused as a setting.
        let budget = i64::try_from(self.environment_steps).unwrap_or(i64::MAX);
        put("environment_steps", Some(Value::Integer(budget)));
        put("set", some(flattened(&self.set)));
        put("arms", some(self.arms.iter().map(arm).collect()));
        put("grid", some(flattened(&self.grid)));
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUDY: &str = "name = \"first\"\nseeds = \"1-3,7\"\nenvironment_steps = 1000\n[set]\n\
        \"learn.learning_rate\" = 0.05\n[arms.b]\nestimator = \"grpo\"\n[arms.a]\n[grid]\nx.y = [1, 2]\n";

    fn read(text: &str) -> StudyFile {
        StudyFile::read("study.toml", text).unwrap()
    }

    #[test]
    fn written_study_files_read_as_the_same() {
        let study = read(STUDY);
        let again = read(&study.to_toml());
        assert_eq!((again.arms(), again.difference(&study)), (study.arms(), None));
    }

    #[test]
    fn order_of_settings_is_kept_across_tables() {
        let study = read(
            "seeds = \"1\"\n[grid.x]\ny = [1, 2]\n[grid]\nz = [3]\n[arms.a.estimator]\nname = \"hgpo\"\n\
             [arms.a]\n\"estimator.alpha\" = 0.5\n",
        );
        let again = read(&study.to_toml());
        let arms = again.arms().unwrap();
        assert_eq!((arms[0].name.as_str(), again.difference(&study)), ("a,y=1,z=3", None));
        assert_eq!(Ok(arms), study.arms());
    }

    #[test]
    fn differences_are_named_with_both_values() {
        let study = read(STUDY);
        let differs = |from: &str, to: &str| read(&STUDY.replace(from, to)).difference(&study);
        assert_eq!(differs("1-3,7", "1-3").unwrap(), "`seeds` is \"1-3,7\" there and \"1-3\" here");
        let rate = differs("0.05", "0.5").unwrap();
        assert_eq!(rate, "`set.learn.learning_rate` is 0.05 there and 0.5 here");
        let arm = differs("[arms.a]", "[arms.a]\nz = 1").unwrap();
        assert_eq!(arm, "`arms.a.z` is nothing there and 1 here");
        let order = "seeds = \"1\"\n[arms.a]\n[arms.b]\n";
        let other = read("seeds = \"1\"\n[arms.b]\n[arms.a]\n");
        assert_eq!(other.difference(&read(order)).unwrap(), "arms have another order");
    }
}
