//! How fast lanes go: iterations a round, and how long a round takes.

/// What lanes are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Drive {
    /// To go to the wanted iteration.
    #[default]
    Still,
    /// To stop where the one that is farthest will have come to.
    Stop,
    /// To go on from there.
    Play,
}

/// How fast lanes go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Speed {
    /// An iteration a second.
    Slow,
    /// Five a second.
    Steady,
    /// As many as there can be.
    #[default]
    Full,
}

impl Speed {
    /// Every speed, from the slowest on.
    pub(crate) const ALL: [Self; 3] = [Self::Slow, Self::Steady, Self::Full];

    /// Milliseconds between the beginnings of two rounds.
    pub(crate) fn interval(self) -> f64 {
        [1000.0, 200.0, 0.0][self as usize]
    }
}

/// Milliseconds that a round takes at full speed: as often is drawn.
const ROUND: f64 = 120.0;

/// The most iterations of a round.
const MOST: u64 = 50;

/// Milliseconds of a request to train, after which a lane can be told to stop.
pub(crate) const SLICE: f64 = 60.0;

/// Milliseconds between two looks at what the policy does.
pub(crate) const LOOK: f64 = 240.0;

/// The iterations of the next round, after one of `iterations` that took `milliseconds`.
pub(crate) fn next_round(speed: Speed, iterations: u64, milliseconds: f64) -> u64 {
    if speed != Speed::Full {
        return 1;
    }
    let fitting = iterations as f64 * ROUND / milliseconds.max(1.0);
    // No faster than twice as many: a short round may have been chance.
    (fitting as u64).clamp(1, (2 * iterations).clamp(1, MOST))
}

#[cfg(test)]
mod tests {
    use super::{Speed, next_round};

    #[test]
    fn rounds_grow_until_they_take_their_time() {
        assert_eq!(next_round(Speed::Slow, 8, 10.0), 1);
        assert_eq!(next_round(Speed::Full, 4, 10.0), 8, "no more than twice");
        assert_eq!(next_round(Speed::Full, 8, 240.0), 4);
        assert_eq!(next_round(Speed::Full, 1, 5000.0), 1);
        assert_eq!(next_round(Speed::Full, 50, 1.0), 50);
        assert_eq!(next_round(Speed::Full, 0, 0.0), 1);
    }
}
