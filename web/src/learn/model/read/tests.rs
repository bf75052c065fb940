use super::course;
use crate::model::Preset;

fn fault(steps: &str) -> String {
    let text = [r#"{"version":1,"title":"T","steps":["#, steps, "]}"].concat();
    course("own", &text).expect_err(steps)
}

#[test]
fn every_mistake_is_said_with_its_step_and_key() {
    let of = |text: &str| course("own", text).expect_err(text);
    assert!(of("{").contains("line 1"));
    assert_eq!(of("[]"), "file: an object is needed");
    assert_eq!(of(r#"{"version":2}"#), "version: 1 is needed");
    assert_eq!(of(r#"{"version":1}"#), r#"title: a text is needed, or {"en": "…", "ko": "…"}"#);
    assert_eq!(of(r#"{"version":1,"title":"T"}"#), "steps: a list of steps is needed");
    assert!(of(r#"{"version":1,"titel":"T"}"#).starts_with("titel: no such key"));
    let step =
        |more: &str| fault(&[r#"{"heading":"H","text":"X","preset":"loop""#, more, "}"].concat());
    assert!(fault("{}").starts_with("step 1, heading: a text is needed"));
    assert_eq!(
        fault(r#"{"heading":"H","text":"X"}"#),
        "step 1, preset: an example is needed, or rollouts"
    );
    assert!(
        fault(r#"{"heading":"H","text":"X","preset":"x"}"#)
            .starts_with("step 1, preset: there are overview, ")
    );
    assert_eq!(step(r#","rollouts":"x""#), "step 1, rollouts: there is a preset beside it");
    assert!(step(r#","hint":1"#).starts_with("step 1, hint: no such key"));
    assert_eq!(step(r#","level":-1"#), "step 1, level: a whole number from 0 is needed");
    assert_eq!(
        step(r#","phase":"all""#),
        "step 1, phase: there are returns, groups, levels, weights, sum"
    );
    assert!(step(r#","highlight":"sum""#).starts_with("step 1, highlight: there are stage, "));
    assert_eq!(step(r#","select":"t9/9""#), "step 1, select: no such step; the first one is t1/0");
    assert!(step(r#","estimator":{"name":"ppo"}"#).starts_with("step 1, estimator: "));
    assert!(step(r#","discount":7"#).starts_with("step 1, estimator: "));
    assert_eq!(
        step(r#","question":{"text":"?"}"#),
        "step 1, question.answer: a number is needed, or a list of numbers"
    );
    assert!(step(r#","question":{"answer":1}"#).starts_with("step 1, question.text: "));
    let choices = |more: &str| step(&[r#","question":{"text":"?","choices":"#, more, "}"].concat());
    let two = "step 1, question.choices: a list of two texts or more is needed";
    assert_eq!([choices("3"), choices(r#"["a"]"#)], [two, two]);
    assert!(choices(r#"["a",3]"#).starts_with("step 1, question.choices: a text is needed"));
    for wrong in ["0", "3", "1.5"] {
        assert_eq!(
            choices(&[r#"["a","b"],"answer":"#, wrong].concat()),
            "step 1, question.answer: a whole number is needed, 1 to 2"
        );
    }
    assert_eq!(
        step(r#","question":{"text":"?","answer":1,"tolerance":-1}"#),
        "step 1, question.tolerance: a number is needed"
    );
    assert_eq!(step(r#","train":{"parts":["world"]}"#), "step 1, train.setup: a text is needed");
    assert!(
        step(r#","train":{"setup":"","parts":["map"]}"#)
            .starts_with("step 1, train.parts: a list of some of world, dials, ")
    );
    let second = r#"{"heading":"H","text":"X","preset":"loop"},{"heading":"H","text":"X","rollouts":[{"task":"g"}]}"#;
    assert!(fault(second).starts_with("step 2, rollouts: line 1"), "{}", fault(second));
}

#[test]
fn a_tolerance_is_for_numbers_and_not_for_choices() {
    let question = |more: &str| {
        let text = [
            r#"{"version":1,"title":"T","steps":[{"heading":"H","text":"X","preset":"loop","question":{"text":"?","answer":2"#,
            more,
            "}}]}",
        ];
        let mut course = course("own", &text.concat()).expect(more);
        course.stops.remove(0).question.expect("it asks")
    };
    let admits = |more: &str| [1.0, 2.0, 2.004, 3.0].map(|number| question(more).admits(number));
    assert_eq!(admits(""), [false, true, true, false]);
    assert_eq!(admits(r#","tolerance":1"#), [true; 4]);
    let choices = r#","choices":["a","b","c"],"tolerance":1"#;
    assert_eq!(admits(choices), [false, true, false, false]);
}

#[test]
fn what_learns_stands_in_place_of_an_example() {
    let text = r#"{"version":1,"title":"T","steps":[{"heading":"H","text":"X","train":{"setup":"world.comb","parts":["world","bar"]}}]}"#;
    let train = course("own", text).expect("right").stops.remove(0).train.expect("it learns");
    assert_eq!((&*train.setup, &*train.parts), ("world.comb", "world bar"));
}

#[test]
fn a_step_goes_on_with_what_the_one_before_it_shows() {
    let row = r#"{"task":"g","trajectory":"a","steps":[{"state":"s","reward":1}]}"#;
    let steps = [
        r#"{"heading":"H","text":{"ko":"글"},"preset":"loop","estimator":{"name":"gigpo"},"discount":0.5}"#,
        r#"{"heading":"H","text":"X","select":"t2/1"}"#,
        &format!(
            r#"{{"heading":"H","text":"X","rollouts":[{row}],"select":"a/0","estimator":{{"name":"grpo"}}}}"#
        ),
        r#"{"heading":"H","text":"X"}"#,
    ];
    let text = [r#"{"version":1,"title":"T","steps":["#, &steps.join(","), "]}"].concat();
    let course = course("own", &text).expect("right");
    assert_eq!(course.stops[0].text.text(), "글", "one language is enough");
    let shown: Vec<_> = course.stops.iter().map(|stop| (stop.preset, stop.rollouts)).collect();
    let loops = Preset::position("loop");
    assert!(loops.is_some());
    assert_eq!(shown, [(loops, None), (loops, None), (None, Some(0)), (None, Some(0))]);
    let name = |at: usize| course.stops[at].options.estimator.name();
    assert_eq!([0, 1, 2, 3].map(name), ["gigpo", "gigpo", "grpo", "grpo"]);
}
