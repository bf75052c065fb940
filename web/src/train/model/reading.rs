//! What an iteration says of learning: a few of the numbers of a line of metrics, their means over seeds, and the
//! intervals of these.

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

/// An agent of a team, or a mean of it over seeds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Agent {
    /// Its name.
    pub(crate) name: String,
    /// Its turns in an attempt.
    pub(crate) turns: f64,
    /// Share of the attempts it acted in that succeeded.
    pub(crate) success: f64,
    /// Mean of its advantages' squares.
    pub(crate) second_moment: f64,
    /// Entropy of what it does, in nats.
    pub(crate) entropy: f64,
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
    /// The agents of a team; none if there is but one.
    pub(crate) agents: Vec<Agent>,
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
        let agent = |name: &str| {
            let own = |key: &str| mean(&["agent/", name, "/", key].concat());
            Some(Agent {
                name: name.to_owned(),
                turns: own("turns")?,
                success: own("success_rate")?,
                second_moment: own("advantage_second_moment")?,
                entropy: own("entropy")?,
            })
        };
        let names = seeds.first().into_iter().flat_map(Line::keys);
        let names = names.filter_map(|key| key.strip_prefix("agent/")?.strip_suffix("/turns"));
        let successes = values("success_rate")?;
        Some(Self {
            success: Band::of(&successes)?,
            seeds: successes.iter().map(|value| *value as f32).collect(),
            entropy: mean("entropy").unwrap_or_default(),
            divergence: mean("kl").unwrap_or_default(),
            wasted: mean("no_signal_fraction").unwrap_or_default(),
            levels: (0..).map_while(level).collect(),
            agents: names.filter_map(agent).collect(),
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

/// The mean of a number over the seeds of a lane, and the 95 % interval of that mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Band {
    /// The mean.
    pub(crate) mean: f64,
    /// Half the interval's width: t · s / √n with s over n − 1; 0 for one seed, which has no interval.
    pub(crate) half: f64,
}

/// The 97.5 % quantiles of Student's t for 1, 2, … degrees of freedom.
const T: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];

/// The same for degrees of freedom without bound.
const NORMAL: f64 = 1.960;

impl Band {
    /// The band of one number per seed; none without a seed.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let count = values.len();
        if count == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        if count == 1 {
            return Some(Self { mean, half: 0.0 });
        }
        let freedom = count - 1;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (squares / freedom as f64).sqrt();
        // Between the table's end and no bound, the quantile falls as 1 over the degrees of freedom.
        let quantile = T
            .get(freedom - 1)
            .copied()
            .unwrap_or(NORMAL + (T[29] - NORMAL) * 30.0 / freedom as f64);
        Some(Self { mean, half: quantile * deviation / (count as f64).sqrt() })
    }

    /// Its lower end, within what a share can be.
    pub(crate) fn low(self) -> f64 {
        (self.mean - self.half).max(0.0)
    }

    /// Its upper end, within what a share can be.
    pub(crate) fn high(self) -> f64 {
        (self.mean + self.half).min(1.0)
    }
}

/// Points that look the same on a screen: at most `most` of them, the first and the last among them.
pub(crate) fn thinned(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let every = count.div_ceil(most.max(1)).max(1);
    let last = count.saturating_sub(1);
    (0..count).filter(move |place| place % every == 0 || *place == last)
}

#[cfg(test)]
mod band_tests {
    use super::{Band, thinned};

    #[test]
    fn a_band_is_the_interval_of_the_mean() {
        assert_eq!(Band::of(&[]), None);
        assert_eq!(Band::of(&[0.25]), Some(Band { mean: 0.25, half: 0.0 }));
        // 0.2, 0.4, 0.6: mean 0.4, s = 0.2, t of 2 degrees 4.303, so 4.303 · 0.2 / √3 = 0.4969.
        let band = Band::of(&[0.2, 0.4, 0.6]).expect("seeds");
        assert!(
            (band.mean - 0.4).abs() < 1e-12 && (band.half - 0.496_868).abs() < 1e-5,
            "{band:?}"
        );
        assert!(band.low().abs() < 1e-12 && (band.high() - 0.896_868).abs() < 1e-5);
        // 41 values of 0 and 1 in turn: 40 degrees, 1.96 + 0.082 · 30 / 40 = 2.0215 (the table: 2.021).
        let many: Vec<f64> = (0..41).map(|place| f64::from(place % 2)).collect();
        let band = Band::of(&many).expect("seeds");
        let deviation = (20.0 * 21.0 / 41.0_f64 / 40.0).sqrt();
        assert!((band.half - 2.0215 * deviation / 41.0_f64.sqrt()).abs() < 1e-9);
    }

    #[test]
    fn thinning_keeps_both_ends() {
        assert_eq!(thinned(5, 10).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(thinned(10, 4).collect::<Vec<_>>(), [0, 3, 6, 9]);
        assert_eq!(thinned(11, 4).collect::<Vec<_>>(), [0, 3, 6, 9, 10]);
        assert_eq!(thinned(0, 4).count(), 0);
    }
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
    fn the_agents_of_a_team_are_averaged_each() {
        let team = |turns: f64| {
            let agent = |name: &str, more: f64| {
                format!(
                    "\"agent/{name}/turns\":{},\"agent/{name}/success_rate\":0.5,\
                     \"agent/{name}/advantage_second_moment\":1.0,\"agent/{name}/entropy\":0.25",
                    turns + more
                )
            };
            let agents = [agent("guide", 0.0), agent("walker", 1.0)].join(",");
            format!("{{\"iteration\":1,\"success_rate\":0.5,{agents}}}")
        };
        let found = points(&[vec![team(4.0)], vec![team(6.0)]]);
        let agents: Vec<_> =
            found[0].1.agents.iter().map(|it| (&*it.name, it.turns, it.entropy)).collect();
        assert_eq!(agents, [("guide", 5.0, 0.25), ("walker", 6.0, 0.25)]);
        assert!(points(&[vec![line(1, 0.5, 0.0)]])[0].1.agents.is_empty());
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
