//! What an iteration says of learning: a few of the numbers of a line of metrics, and their means over
//! seeds.

use super::curve::Band;
use serde_json::{Map, Value};

/// The groups of one level, or a mean of them over seeds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Level {
    /// Mean size of the groups.
    pub(crate) size: f64,
    /// Share of the steps that are alone in their group.
    pub(crate) alone: f64,
    /// Share of the steps whose group is of one value: alone, or all equal.
    pub(crate) silent: f64,
}

/// The numbers of an iteration of a lane.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Point {
    /// Share of the attempts that succeeded.
    pub(crate) success: Band,
    /// The same of every seed.
    pub(crate) seeds: Vec<f32>,
    /// Entropy of the policy, in nats.
    pub(crate) entropy: f64,
    /// KL divergence from the policy that learning began with, in nats.
    pub(crate) divergence: f64,
    /// Share of the steps whose advantage is 0.
    pub(crate) wasted: f64,
    /// The groups of every level; none if the estimator has no levels.
    pub(crate) levels: Vec<Level>,
}

/// A line of metrics.
type Line = Map<String, Value>;

impl Point {
    /// The means of an iteration's lines, one a seed; none if there is no line, or one without success.
    fn of(seeds: &[Line]) -> Option<Self> {
        let values = |name: &str| -> Option<Vec<f64>> {
            seeds.iter().map(|line| line.get(name)?.as_f64()).collect()
        };
        let mean = |name: &str| Some(values(name)?.iter().sum::<f64>() / seeds.len() as f64);
        let level = |k: usize| {
            let alone = mean(&format!("singleton_fraction/level_{k}"))?;
            let alike = mean(&format!("zero_std_fraction/level_{k}"))?;
            let size = mean(&format!("group_size/level_{k}/mean"))?;
            Some(Level { size, alone, silent: alone + alike })
        };
        let successes = values("success_rate")?;
        Some(Self {
            success: Band::of(&successes)?,
            seeds: successes.iter().map(|value| *value as f32).collect(),
            entropy: mean("entropy").unwrap_or_default(),
            divergence: mean("kl").unwrap_or_default(),
            wasted: mean("no_signal_fraction").unwrap_or_default(),
            levels: (0..).map_while(level).collect(),
        })
    }
}

/// The points of lines of metrics, given as a list of lines per seed: each with its iteration, as far
/// as all seeds have come.
pub(crate) fn points(lines: &[Vec<String>]) -> Vec<(u64, Point)> {
    let count = lines.iter().map(Vec::len).min().unwrap_or_default();
    let at = |place: usize| {
        let read = |seed: &Vec<String>| serde_json::from_str::<Line>(&seed[place]).ok();
        let seeds = lines.iter().map(read).collect::<Option<Vec<Line>>>()?;
        let iteration = |line: &Line| line.get("iteration")?.as_u64();
        let first = iteration(seeds.first()?)?;
        let is_same = seeds.iter().all(|line| iteration(line) == Some(first));
        is_same.then_some((first, Point::of(&seeds)?))
    };
    (0..count).filter_map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::points;

    fn line(iteration: u64, success: f64, alone: f64) -> String {
        format!(
            "{{\"iteration\":{iteration},\"success_rate\":{success},\"entropy\":1.2,\"kl\":0.5,\
             \"episode_length/mean\":12.0,\"no_signal_fraction\":{alone},\"group_size/level_0/mean\":6.0,\
             \"singleton_fraction/level_0\":{alone},\"zero_std_fraction/level_0\":0.25,\
             \"group_size/level_1/mean\":2.0,\"singleton_fraction/level_1\":0.5,\
             \"zero_std_fraction/level_1\":0.0}}"
        )
    }

    #[test]
    fn seeds_are_averaged_iteration_by_iteration() {
        let lines = [
            vec![line(3, 0.25, 0.0), line(4, 0.5, 0.0)],
            vec![line(3, 0.75, 0.5), line(4, 0.5, 0.5)],
        ];
        let found = points(&lines);
        assert_eq!(found.iter().map(|(iteration, _)| *iteration).collect::<Vec<_>>(), [3, 4]);
        let (_, point) = &found[0];
        assert!((point.success.mean - 0.5).abs() < 1e-12 && point.success.half > 0.0);
        assert_eq!(point.seeds, [0.25, 0.75]);
        assert!((point.wasted - 0.25).abs() < 1e-12);
        let [first, second] = point.levels[..] else { panic!("two levels") };
        // Alone 0 and 0.5, of one value 0.25 more in both.
        assert!((first.alone - 0.25).abs() < 1e-12 && (first.silent - 0.5).abs() < 1e-12);
        assert!((second.size - 2.0).abs() < 1e-12 && (second.silent - 0.5).abs() < 1e-12);
        assert!(found[1].1.success.half.abs() < 1e-12, "both seeds the same");
    }

    #[test]
    fn an_estimator_may_have_no_levels_and_a_broken_line_is_left_out() {
        let lines = [vec!["{\"iteration\":1,\"success_rate\":0.5}".to_owned(), "{".to_owned()]];
        let found = points(&lines);
        assert_eq!(found.len(), 1);
        assert!(found[0].1.levels.is_empty());
        assert!(points(&[vec![line(1, 0.0, 0.0)], vec![line(2, 0.0, 0.0)]]).is_empty());
        assert!(points(&[]).is_empty());
    }
}
