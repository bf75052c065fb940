//! What docs/teaching.md says of lessons.

use crate::model::lesson::read::course;
use serde_json::Value;

const DOCUMENT: &str = include_str!("../../../../../docs/teaching.md");

/// The lessons of the page.
pub(super) const FILES: [(&str, &str); 7] = [
    ("credit", include_str!("../../../../../assets/lessons/credit.json")),
    ("anchors", include_str!("../../../../../assets/lessons/anchors.json")),
    ("context", include_str!("../../../../../assets/lessons/context.json")),
    ("memory", include_str!("../../../../../assets/lessons/memory.json")),
    ("race", include_str!("../../../../../assets/lessons/race.json")),
    ("limits", include_str!("../../../../../assets/lessons/limits.json")),
    ("agents", include_str!("../../../../../assets/lessons/agents.json")),
];

#[test]
fn the_examples_are_lessons() {
    let file = include_str!("../../../../../docs/two-doors.lesson.json");
    let read = course("two-doors", file).expect("the file");
    assert_eq!((read.stops.len(), read.rollouts.len()), (3, 1));
    let question = read.stops[1].question.as_ref().expect("it asks");
    assert!(question.admits(0.5) && !question.admits(0.51));
    let (_, example) = DOCUMENT.split_once("```json\n").expect("an example");
    let (example, _) = example.split_once("```").expect("its end");
    assert_eq!(course("example", example).expect("the example").stops.len(), 1);
}

/// The questions of the lessons with their answers.
fn answers() -> String {
    let mut text = String::new();
    for (name, file) in FILES {
        let lesson: Value = serde_json::from_str(file).expect(name);
        let title = lesson["title"]["en"].as_str().expect(name);
        text.extend(["\n### ", title, " (`", name, "`)\n\n"]);
        text += "| step | question | answer |\n|---|---|---|\n";
        for (at, step) in lesson["steps"].as_array().expect(name).iter().enumerate() {
            let question = &step["question"];
            if !question.is_null() {
                let words = |key: &str| question[key]["en"].as_str().expect(key);
                let (asked, why) = (words("text"), words("explanation"));
                let at = (at + 1).to_string();
                let (asked, answer) = match question["choices"].as_array() {
                    None => (asked.to_owned(), question["answer"].to_string()),
                    Some(all) => {
                        let all: Vec<&str> =
                            all.iter().filter_map(|one| one["en"].as_str()).collect();
                        let right: Vec<&str> = match &question["answer"] {
                            Value::Array(right) => right.iter().collect(),
                            right => vec![right],
                        }
                        .into_iter()
                        .map(|right| all[right.as_u64().expect(asked) as usize - 1])
                        .collect();
                        ([asked, " (", &all.join("; "), ")"].concat(), right.join(" or "))
                    }
                };
                text.extend(["| ", &at, " | ", &asked, " | ", &answer, ": ", why, " |\n"]);
            }
        }
    }
    text
}

#[test]
fn every_question_has_its_answer() {
    let (_, written) = DOCUMENT.split_once("## Answers\n").expect("the answers");
    let answers = answers();
    assert!(written == answers, "docs/teaching.md ends with the answers:\n{answers}");
}
