"""GRPO by hand: scores of attempts, and their advantages with and without division by the deviation."""
import pathlib

from . import program
from .compare import Column

KEYS = ("task", "trajectory")
COLUMNS = ("score", "advantage", "scaled")
ROLLOUTS = pathlib.Path(__file__).parents[1] / "grpo" / "rollouts.csv"
GRPO = ("--estimator", "grpo", "--episode-statistics", "trajectories")
MEAN = ("--scale", "mean")


def first(*flags, quantity="advantages"):
    """Per attempt the number of its first step; with GRPO all its steps have the same."""
    return {name: line[quantity][0] for name, line in program.trajectories(ROLLOUTS, *flags).items()}


def opposite(numbers):
    return {key: -number for key, number in numbers.items()}


def columns(_):
    scores = first("--discount", "1", quantity="returns")
    advantage = first(*GRPO, *MEAN)
    scaled = first(*GRPO)
    by_steps = ("--estimator", "grpo", "--episode-statistics", "steps")
    return [
        Column("score", scores, [
            ("these are discounted returns. The score is the plain sum of an attempt's rewards.",
             first("--discount", "0.9", quantity="returns")),
        ]),
        Column("advantage", advantage, [
            ("this is the score. Subtract the mean score of the attempts at the same task.", scores),
            ("the sign is the wrong way round: it is score minus mean, not mean minus score.", opposite(advantage)),
            ("this mean counts an attempt once for each of its steps. Here every attempt counts once.",
             first(*by_steps, *MEAN)),
            ("this mean leaves out the attempt itself, which is RLOO. GRPO's mean is over all attempts.",
             first("--estimator", "rloo", "--episode-statistics", "trajectories")),
            ("these are divided by the deviation. That belongs into the column scaled.", scaled),
        ]),
        Column("scaled", scaled, [
            ("the deviation divides the sum of squares by n. Here it is that of a sample: divide by n - 1.",
             first(*GRPO, "--std", "population")),
            ("these are not divided by the deviation yet.", advantage),
            ("mean and deviation count an attempt once for each of its steps. Here every attempt counts once.",
             first(*by_steps)),
            ("the sign is the wrong way round: it is score minus mean, not mean minus score.", opposite(scaled)),
        ]),
    ]
