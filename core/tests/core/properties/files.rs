//! Files that are written, read and refused.

use super::*;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(
        trajectories in trajectories(),
        rewards in prop::collection::vec(-1e100..1e100_f64, 1..9),
        text in any::<String>(),
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
}
