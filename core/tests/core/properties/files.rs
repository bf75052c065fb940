//! Files that are written, read and refused.

use super::*;

use std::fs;
use std::path::Path;

/// The worked examples of the page, and what the fuzzer of files begins with.
fn samples() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders =
        ["../assets/presets", "fuzz/seeds/jsonl", "fuzz/seeds/read"].map(|path| root.join(path));
    let mut paths = Vec::new();
    for folder in folders {
        paths.extend(
            fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()),
        );
    }
    paths.sort();
    paths.iter().filter_map(|path| fs::read_to_string(path).ok()).collect()
}

/// Whether `read_written` takes a text, and `Batch::new` what it read. Then `read` reads the same.
fn is_taken(text: &str) -> bool {
    let Ok((_, trajectories)) = format::read_written(text) else { return false };
    if Batch::new(trajectories.clone()).is_err() {
        return false;
    }
    let whole = format::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(trajectories, whole, "{text}");
    true
}

/// Places in a text, how many letters to leave out there, and what to put in their place.
fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, usize, String)>> {
    let letters = "[{}\\[\\]\",: \n\r\t0-9a-z\u{feff}]";
    prop::collection::vec((any::<prop::sample::Index>(), 0_usize..3, letters), 0..4)
}

#[test]
fn examples_are_read_the_same_by_the_small_reader() {
    let taken = samples().iter().filter(|text| is_taken(text)).count();
    assert!(taken >= 10, "{taken} of the files are taken");
}

#[test]
fn lines_that_other_readers_may_take_otherwise_are_no_exception() {
    let line = |more: &str| {
        format!(r#"{{"task":"g","trajectory":"t","steps":[{{"state":"s","reward":1}}]{more}}}"#)
    };
    let rows = r#","uid":"u","traj_uid":"v","anchor_obs":"a","rewards":2"#;
    for taken in ["", rows, r#","active_masks":false"#, r#","seed":1,"iteration":2"#] {
        assert!(is_taken(&line(taken)), "{taken}");
    }
    for refused in [r#","x":{"a":1,"a":2}"#, r#","task":"h""#, r#","seed":-1"#] {
        assert!(!is_taken(&line(refused)), "{refused}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(
        trajectories in trajectories(),
        rewards in prop::collection::vec(-1e100..1e100_f64, 1..9),
        text in any::<String>().prop_map(|text| text + "."),
        seed in any::<Option<u64>>(),
    ) {
        let mut trajectories = trajectories;
        let steps = rewards.iter().map(|&reward| Step { prompt: Some(text.clone()), ..Step::new(&text, reward).with_action(&text) });
        let mut odd = Trajectory { seed, success: Some(true), ..Trajectory::new(&text, &text, steps.collect()) };
        odd.extra.insert(format!("my {text}"), serde_json::json!({"kept": [1, 2.5, text]}));
        odd.steps[0].extra.insert("logprob".to_owned(), serde_json::json!(-0.1));
        trajectories.push(odd);
        let mut file = Vec::new();
        format::write_jsonl(&mut file, &trajectories).expect("written");
        prop_assert_eq!(format::read_jsonl(&file[..]).expect("read"), trajectories);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = format::read(&bytes[..]);
        let _ = format::read_csv(&bytes[..]);
    }

    #[test]
    fn any_damage_is_refused_on_one_line(trajectories in trajectories(), cut in any::<prop::sample::Index>()) {
        let mut file = Vec::new();
        format::write_jsonl(&mut file, &trajectories).expect("written");
        file.truncate(cut.index(file.len()));
        if let Err(error) = format::read(&file[..]) {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }

    #[test]
    fn what_the_small_reader_takes_is_read_the_same(
        trajectories in trajectories(),
        sample in prop::option::of(prop::sample::select(samples())),
        changes in changes(),
    ) {
        let mut file = Vec::new();
        format::write_jsonl(&mut file, &trajectories).expect("written");
        let written = String::from_utf8(file).expect("text");
        let mut letters: Vec<char> = sample.unwrap_or(written).chars().collect();
        for (place, left_out, put_in) in changes {
            let place = place.index(letters.len() + 1);
            let end = letters.len().min(place + left_out);
            letters.splice(place..end, put_in.chars());
        }
        is_taken(&letters.into_iter().collect::<String>());
    }
}
