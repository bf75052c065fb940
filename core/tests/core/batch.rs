//! Batches: where their steps are, and what belongs to them.

use hgpo_core::{Batch, Error, Options, Step, Trajectory, estimate, format};

/// A batch with a trajectory of each of these lengths.
fn batch(lengths: &[usize]) -> Batch {
    let walk = |(name, length): (usize, &usize)| {
        Trajectory::new("g", name.to_string(), vec![Step::new("s", 1.0); *length])
    };
    Batch::new(lengths.iter().enumerate().map(walk).collect()).expect("valid")
}

#[test]
fn rows_go_through_the_trajectories_in_order() {
    let batch = batch(&[2, 1]);
    assert_eq!([batch.row(0, 0), batch.row(0, 1), batch.row(1, 0)], [0, 1, 2]);
    assert_eq!([0, 1, 2].map(|row| batch.position(row)), [(0, 0), (0, 1), (1, 0)]);
}

#[test]
#[should_panic(expected = "the trajectory has no such step")]
fn a_step_beyond_the_last_has_no_row() {
    // Row 2 is that of the next trajectory.
    let _ = batch(&[2, 1]).row(0, 2);
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn a_trajectory_beyond_the_last_has_no_rows() {
    let _ = batch(&[2, 1]).row(2, 0);
}

#[test]
#[should_panic(expected = "the batch has no such row")]
fn a_row_beyond_the_last_has_no_position() {
    let _ = batch(&[2, 1]).position(3);
}

#[test]
#[should_panic(expected = "the batch has no such row")]
fn a_row_beyond_the_last_has_no_step() {
    let _ = batch(&[2, 1]).step(3);
}

#[test]
fn the_estimate_of_another_batch_is_not_written() {
    let of = |lengths: &[usize]| estimate(&batch(lengths), &Options::default()).expect("estimated");
    let written = |lengths: &[usize]| {
        let mut file = Vec::new();
        let done = format::write_advantages(&mut file, &batch(&[2, 1]), &of(lengths));
        (done, file)
    };
    // Fewer and more trajectories, the same steps shared out differently, a longer trajectory.
    for lengths in [&[2][..], &[2, 1, 1], &[1, 2], &[3], &[2, 2]] {
        let (done, file) = written(lengths);
        assert!(matches!(done, Err(Error::OtherBatch)) && file.is_empty(), "{lengths:?}");
    }
    let (done, file) = written(&[2, 1]);
    assert!(done.is_ok() && file.ends_with(b"\n"));
    // As it is after it was stored.
    let estimate = of(&[2, 1]);
    let text = serde_json::to_string(&estimate).expect("plain");
    let stored = serde_json::from_str(&text).expect("read");
    let mut again = Vec::new();
    format::write_advantages(&mut again, &batch(&[2, 1]), &stored).expect("written");
    assert_eq!(again, file);
}
