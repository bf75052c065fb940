//! Rollouts and advantages as one table.

use super::whole;
use crate::model::{Controls, Rollouts, number};
use hgpo_core::{Step, Trajectory};

/// What a column holds of a step.
type Of = fn(&Step) -> Option<&String>;

/// The columns that every table has.
const HEADER: &str = "task,trajectory,step,state,action,reward,valid,return,advantage";

/// What some rollouts have besides, and what estimators read.
const OPTIONAL: [(&str, Of); 2] =
    [("agent", |step| step.agent.as_ref()), ("context", |step| step.context.as_ref())];

/// A step a line, with a header; core reads it as rollouts again.
pub(crate) fn csv(rollouts: &Rollouts, controls: &Controls) -> String {
    let (batch, estimate) = whole(rollouts, controls);
    let has = |of: Of| {
        batch.trajectories().iter().any(|own| own.steps.iter().any(|step| of(step).is_some()))
    };
    let optional: Vec<_> = OPTIONAL.into_iter().filter(|(_, of)| has(*of)).collect();
    let mut text = HEADER.to_owned();
    for (name, _) in &optional {
        text.push(',');
        text.push_str(name);
    }
    text.push('\n');
    for (index, own) in batch.trajectories().iter().enumerate() {
        for (at, step) in own.steps.iter().enumerate() {
            let numbers = (estimate.step_rewards[index][at], estimate.advantages[index][at]);
            line(&mut text, (own, at), numbers);
            for (_, of) in &optional {
                text.push(',');
                field(&mut text, of(step).map_or("", String::as_str));
            }
            text.push('\n');
        }
    }
    text
}

/// The columns that every table has, of one step.
fn line(text: &mut String, (own, at): (&Trajectory, usize), (value, advantage): (f64, f64)) {
    let step = &own.steps[at];
    let fields: [&str; 9] = [
        &own.task,
        &own.trajectory,
        &at.to_string(),
        &step.state,
        step.action.as_deref().unwrap_or_default(),
        &number::exact(step.reward),
        if step.valid { "true" } else { "false" },
        &number::exact(value),
        &number::exact(advantage),
    ];
    for (place, one) in fields.into_iter().enumerate() {
        if place > 0 {
            text.push(',');
        }
        field(text, one);
    }
}

/// A field, in quotes where it would be taken for several or for the end of the line.
fn field(text: &mut String, value: &str) {
    if !value.contains([',', '"', '\n', '\r']) {
        text.push_str(value);
        return;
    }
    text.push('"');
    text.push_str(&value.replace('"', "\"\""));
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::{csv, field};
    use crate::model::{Advantages, Controls, PRESETS, Rollouts};

    #[test]
    fn fields_that_would_be_split_are_quoted() {
        let of = |value: &str| {
            let mut text = String::new();
            field(&mut text, value);
            text
        };
        assert_eq!(of("plain words; \u{d55c}"), "plain words; \u{d55c}");
        assert_eq!(of("a,b"), "\"a,b\"");
        assert_eq!(of("say \"no\""), "\"say \"\"no\"\"\"");
        assert_eq!(of("two\r\nlines"), "\"two\r\nlines\"");
    }

    #[test]
    fn a_table_holds_every_step_with_its_numbers() {
        let text = r#"{"task":"g","trajectory":"x","steps":[{"state":"a, \"b\"","reward":4,"action":"go"}]}
{"task":"g","trajectory":"y","steps":[{"state":"a, \"b\"","reward":0.5,"valid":false,"agent":"m"}]}"#;
        let controls = Controls::default().with("scale", "mean").expect("admitted");
        // Returns 4 and 0.5 − 0.1 = 0.4: mean 2.2.
        let expected = "task,trajectory,step,state,action,reward,valid,return,advantage,agent
g,x,0,\"a, \"\"b\"\"\",go,4,true,4,1.7999999999999998,
g,y,0,\"a, \"\"b\"\"\",,0.5,false,0.4,-1.8000000000000003,m
";
        assert_eq!(csv(&Rollouts::read(text).expect("two attempts"), &controls), expected);
    }

    #[test]
    fn a_table_is_read_again_with_the_same_advantages() {
        let controls = Controls::default();
        for preset in PRESETS.iter() {
            let before = preset.load().0;
            let table = csv(&before, &controls);
            let read = hgpo_core::format::read(table.as_bytes()).expect("readable");
            let after = Rollouts::new(read).expect("trajectories");
            let of = |rollouts: &Rollouts| Advantages::new(&rollouts.tasks[0], &controls).of;
            assert_eq!(of(&after), of(&before), "{}", preset.name);
        }
    }
}
