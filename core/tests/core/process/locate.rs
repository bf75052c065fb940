//! The situations behind recorded attempts.

use hgpo_core::process::{Decision, Misfit, MisfitKind, Process};
use hgpo_core::{Step, Trajectory};

use super::{door, examples, words};

/// A state, an action and a reward.
type Taken<'a> = (&'a str, &'a str, f64);

fn attempt(steps: &[Taken<'_>]) -> Trajectory {
    let step =
        |&(state, action, reward): &(&str, &str, f64)| Step::new(state, reward).with_action(action);
    Trajectory::new("g", "t1", steps.iter().map(step).collect())
}

fn found(steps: &[Taken<'_>]) -> Result<Vec<Option<usize>>, Misfit> {
    let located = door().locate(&attempt(steps))?;
    Ok(located.into_iter().map(|it| it.map(|it| it.situation)).collect())
}

#[test]
fn what_follows_tells_what_was_hidden() {
    // A push that wins says that the door was open; one that does not, that it was locked.
    assert_eq!(found(&[("door", "push", 8.0)]), Ok(vec![Some(1)]));
    assert_eq!(found(&[("door", "push", 0.0), ("door", "push", 0.0)]), Ok(vec![Some(0); 2]));
    // Only the second step says what the first was, as only a locked one leads to it.
    assert_eq!(found(&[("door", "push", 0.0), ("door", "ring", -1.0)]), Ok(vec![Some(0), Some(0)]));
    let located = door().locate(&attempt(&[("door", "push", 8.0)])).unwrap();
    assert_eq!(located, [Some(Decision { situation: 1, steps_left: 2, action: 0 })]);
}

#[test]
fn what_cannot_be_told_is_not_told() {
    // To ring opens the door whether it was locked or not.
    assert_eq!(found(&[("door", "ring", -1.0), ("door", "push", 8.0)]), Ok(vec![None, Some(1)]));
}

#[test]
fn what_cannot_be_is_named_with_its_step() {
    use MisfitKind::{Action, Over, Reward, State, Stops};
    let push = ("door", "push", 0.0);
    let cases: [(&[Taken<'_>], usize, MisfitKind); 8] = [
        (&[("hall", "push", 0.0)], 0, State),
        (&[push, ("hall", "push", 0.0)], 1, State),
        (&[("door", "kick", 0.0)], 0, Action),
        (&[push, ("door", "push", 7.0)], 1, Reward),
        // After a push for nothing it is locked, and cannot open.
        (&[push, ("door", "push", 8.0)], 1, Reward),
        (&[("door", "push", 8.0), push], 1, Over),
        (&[push, push, push], 2, Over),
        (&[push], 0, Stops),
    ];
    for (steps, step, kind) in cases {
        assert_eq!(found(steps), Err(Misfit { step, kind }), "{steps:?}");
    }
}

#[test]
fn validity_and_agents_are_part_of_what_was_done() {
    let process = Process::read(
        r#"{"step_limit": 1, "start": [{"situation": "s"}], "situations": [{"state": "s", "agent": "worker", "actions": [
            {"action": "go", "probability": 0.5, "outcomes": [{}]},
            {"action": "go", "valid": false, "probability": 0.5, "outcomes": [{}]}]}]}"#,
    );
    let process = process.unwrap();
    let located = |agent: Option<&str>, valid| {
        let step = Step { agent: agent.map(str::to_owned), ..Step::new("s", 0.0) };
        let step = step.with_action("go").with_valid(valid);
        let located = process.locate(&Trajectory::new("g", "t1", vec![step]))?;
        Ok(located[0].map(|it| it.action))
    };
    assert_eq!(located(Some("worker"), true), Ok(Some(0)));
    assert_eq!(located(Some("worker"), false), Ok(Some(1)));
    let nobody = Err(Misfit { step: 0, kind: MisfitKind::State });
    assert_eq!([located(None, true), located(Some("planner"), true)], [nobody, nobody]);
}

#[test]
fn what_is_drawn_can_be_located() {
    let processes = examples().into_iter().map(|(_, process)| process).chain([door()]);
    for process in processes {
        let drawn = process.episodes("g", 200, &mut words(1));
        assert_eq!(drawn, process.episodes("g", 200, &mut words(1)));
        assert_ne!(drawn, process.episodes("g", 200, &mut words(2)));
        for attempt in drawn {
            let located = process.locate(&attempt).expect("an attempt of the process");
            for (step, decision) in attempt.steps.iter().zip(located) {
                let Some(Decision { situation, action, .. }) = decision else { continue };
                let situation = &process.situations()[situation];
                assert_eq!(situation.state, step.state);
                assert_eq!(Some(&situation.actions[action].action), step.action.as_ref());
            }
        }
    }
}
