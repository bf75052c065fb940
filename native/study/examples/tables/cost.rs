//! Cost of the arms: seconds of a run by phase, and the estimator's share of them.

use hgpo_study::summary::ITERATION_PHASES;
use hgpo_study::text_table::TextTable;

use crate::archived_study::{ArchivedArm, ArchivedStudy};

/// Means over the seeds; seconds of all files together.
pub(crate) fn table(studies: &[ArchivedStudy]) -> Result<TextTable, String> {
    let mut made = TextTable::new([
        "arm",
        "playing, s",
        "estimating, s",
        "learning, s",
        "estimator's share, %",
        "memory, MB",
    ]);
    for arm in &studies[0].arms {
        let same: Vec<&ArchivedArm> = studies
            .iter()
            .filter_map(|study| study.arms.iter().find(|other| other.name == arm.name))
            .collect();
        let [playing, estimating, learning] = ITERATION_PHASES.map(|phase| {
            let of = |arm: &&ArchivedArm| arm.seconds.get(phase).copied();
            same.iter().map(of).sum::<Option<f64>>()
        });
        let (Some(playing), Some(estimating), Some(learning)) = (playing, estimating, learning)
        else {
            return Err(format!("no seconds are kept of {} in {}", arm.name, studies[0].study));
        };
        let share = 100.0 * estimating / (playing + estimating + learning);
        let memory = same.iter().filter_map(|arm| arm.peak_memory_bytes).max();
        let memory = memory.map_or("–".to_owned(), |bytes| (bytes / 1_000_000).to_string());
        made.rows.push(vec![
            arm.name.clone(),
            format!("{playing:.1}"),
            format!("{estimating:.2}"),
            format!("{learning:.1}"),
            format!("{share:.2}"),
            memory,
        ]);
    }
    Ok(made)
}
