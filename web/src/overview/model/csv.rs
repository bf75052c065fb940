//! The comparison as a table: a step a line, a column an estimator.

use super::{File, Found, label};
use hgpo_core::format::csv_value;

/// The columns before those of levels and estimators.
const HEADER: &str = "task,trajectory,step,state,action,agent,valid";

/// The steps that meet a filter under every estimator. `level_k_size` is how many steps of the task have
/// the same last k + 1 states; a column of advantages is named after the estimator and all its settings.
pub(crate) fn csv(file: &File, found: &Found) -> String {
    let levels = (0..file.sizes.len()).map(|level| format!("level_{level}_size"));
    let methods = file.methods.iter().map(|method| {
        let settings = serde_json::to_string(method).unwrap_or_default();
        format!("{} {settings}", label(method))
    });
    let header = HEADER.split(',').map(str::to_owned).chain(levels).chain(methods);
    let mut text = String::new();
    line(&mut text, header);
    for step in (0..file.steps.len()).filter(|step| found.steps[*step]) {
        let own = &file.steps[step];
        let task = &file.tasks[own.task];
        let (texts, agents) = (file.texts.all(), file.agents.all());
        let first = [
            task.name.clone(),
            task.attempts[own.attempt].clone(),
            own.at.to_string(),
            texts[own.state].clone(),
            own.action.map(|number| texts[number].clone()).unwrap_or_default(),
            own.agent.map(|number| agents[number].clone()).unwrap_or_default(),
            own.valid.to_string(),
        ];
        let sizes = file.sizes.iter().map(|sizes| sizes[step].to_string());
        let advantages = file.advantages.iter().map(|of| of[step].to_string());
        line(&mut text, first.into_iter().chain(sizes).chain(advantages));
    }
    text
}

/// A line of fields.
pub(crate) fn line(text: &mut String, fields: impl Iterator<Item = String>) {
    for (place, value) in fields.enumerate() {
        if place > 0 {
            text.push(',');
        }
        text.push_str(&csv_value(&value));
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::csv;
    use crate::overview::model::Filter;
    use crate::overview::model::tests::both;

    #[test]
    fn a_line_holds_a_step_with_levels_and_estimators() {
        let file = both();
        let wishes = Filter { alone: true, ..Filter::default() };
        let table = csv(&file, &wishes.apply(&file));
        let mut lines = table.lines();
        let head = lines.next().unwrap_or_default();
        assert!(head.starts_with("task,trajectory,step,state,action,agent,valid,level_0_size,level_1_size,level_2_size,\"HGPO {"));
        assert!(
            head.contains("\"\"name\"\":\"\"hgpo\"\"")
                && head.contains("\"\"scale\"\":\"\"mean\"\"")
        );
        assert!(head.contains(",\"GRPO {") && head.contains("\"\"discount\"\":1.0"));
        // b is alone: 0 under HGPO; GRPO and GiGPO both give 4 − 4.975.
        let b: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        assert_eq!(b[..11], ["g", "x", "1", "b", "go", "", "true", "1", "1", "0", "0"]);
        assert!(b[11].starts_with("-0.97") && b[11] == b[12]);
        assert!(lines.next().is_some_and(|line| line.starts_with("alone,z,0,Hall,,,true,1,0,0,")));
        assert_eq!(lines.next(), None);
    }
}
