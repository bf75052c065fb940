//! Warnings on logs that can be read and are not what their reader takes them for.

use hgpo_core::format::{Layout, read_with};

/// What is said of a log.
fn remarks(text: &str, group_size: Option<usize>) -> Vec<String> {
    let layout = Layout { group_size, ..Layout::default() };
    let (_, warnings) = read_with(text.as_bytes(), &layout).expect(text);
    warnings.remarks().collect()
}

/// A log of eleven tasks, which have as many trajectories each as is said, but for the last.
fn log(size: usize, last: usize) -> [String; 2] {
    let sizes = (0..11).map(|task| (task, if task < 10 { size } else { last }));
    let names: Vec<(usize, usize)> =
        sizes.flat_map(|(task, size)| (0..size).map(move |name| (task, name))).collect();
    let csv = names.iter().map(|(task, name)| format!("g{task},{name},hall,1\n"));
    let lines = names.iter().map(|(task, name)| {
        format!(
            r#"{{"task":"g{task}","trajectory":"{name}","steps":[{{"state":"hall","reward":1}}]}}"#
        ) + "\n"
    });
    [["task,trajectory,state,reward\n".to_owned(), csv.collect()].concat(), lines.collect()]
}

#[test]
fn tasks_without_all_of_their_trajectories_are_counted() {
    for (size, last, group_size, expected) in [
        (4, 4, None, None),
        (4, 4, Some(4), None),
        (4, 3, None, Some("1 of 11 tasks does not have 4 trajectories (task \"g10\" has 3)")),
        (4, 5, Some(4), Some("1 of 11 tasks does not have 4 trajectories (task \"g10\" has 5)")),
        (4, 3, Some(8), Some("11 of 11 tasks do not have 8 trajectories (task \"g10\" has 3)")),
    ] {
        for text in log(size, last) {
            let found = remarks(&text, group_size);
            let begin = expected.map(|text| text.to_owned() + "; if some are missing, add them");
            assert_eq!(found, Vec::from_iter(begin), "{text}");
        }
    }
    // Of two tasks with different numbers, neither is the usual one.
    let rows = "task,trajectory,state,reward\ng,a,s,1\ng,b,s,0\nh,a,s,1\n";
    assert_eq!(remarks(rows, None), Vec::<String>::new());
}

#[test]
fn fields_that_are_not_read_are_told() {
    let told = "not read, but kept: `done`, `score`; if one of these holds a field, name it (FIELD=COLUMN)";
    let csv = "task,trajectory,state,reward,score,done\ng,t,hall,1,0.5,1\n";
    let row = r#"{"task":"g","trajectory":"t","state":"hall","reward":1,"score":0.5,"done":true}"#;
    let messages = r#"{"task":"g","messages":[{"role":"assistant","content":"x"}],"reward":1,"score":0.5,"done":1}"#;
    for text in [csv, row, messages] {
        assert_eq!(remarks(text, None), [told], "{text}");
    }
    // Of trajectories, all fields but those of rollouts are whoever's who wrote them.
    let line =
        r#"{"task":"g","trajectory":"t","score":1,"steps":[{"state":"hall","reward":1,"done":1}]}"#;
    assert_eq!(remarks(line, None), Vec::<String>::new());
    let many: Vec<String> = (0..1000).map(|name| format!(r#""x{name:03}":1"#)).collect();
    let row = row.replace(r#""score":0.5"#, &many.join(","));
    let found = remarks(&row, None);
    assert!(
        found[0].contains("`x019`, others; if one") && !found[0].contains("`x020`"),
        "{found:?}"
    );
}

#[test]
fn a_first_line_with_other_fields_is_told() {
    let line = r#"{"task":"g","trajectory":"t","steps":[{"state":"hall","reward":1}]}"#;
    let with = |first: &str| remarks(&format!("{first}\n{line}"), None);
    assert_eq!(with(r#"{"environment":"chores","seed":1,"iteration":3}"#), Vec::<String>::new());
    let found = with(r#"{"environment":"chores","obs":"hall","points":1}"#);
    let begin =
        "the first line is taken for how the file was made, where `obs`, `points` mean nothing";
    assert!(found[0].starts_with(begin), "{found:?}");
}
