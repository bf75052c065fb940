"""Records the statistics and intervals that rliable gives for made-up scores.

    pip install "rliable==1.2.0" "arch==7.2.0" "numpy==2.4.6" "scipy==1.17.1" "pandas<3"
    python scripts/record/scores.py core/evidence/tests/recordings/rliable.json

Python 3.11. The ends of intervals are random: each is estimated `REPEATS` times, and mean and standard
deviation over these are recorded. It takes a quarter of an hour.
"""

import json
import multiprocessing
import pathlib
import sys

import numpy as np
from rliable import library, metrics

REPEATS = 20
RESAMPLES = 4000
PAIR_RESAMPLES = 2000
TARGET = 0.75
THRESHOLDS = [-1.0, 0.0, 0.25, 0.5, 0.6, 0.75, 1.0, 2.0]


def matrices():
    """Scores of runs x tasks."""
    chance = np.random.default_rng(1)
    drawn = {
        "fifty runs": chance.normal(0.6, 0.15, (50, 1)),
        "forty runs": chance.normal(0.5, 0.15, (40, 1)),
        "ties": chance.integers(0, 5, (10, 3)) / 4,
        "other ties": chance.integers(0, 4, (8, 3)) / 4,
        "negative": chance.normal([-3.0, 0.0, 0.5, 40.0], [1.0, 0.1, 2.0, 30.0], (7, 4)),
        "equal columns": np.repeat(chance.uniform(0, 1, (6, 1)), 3, axis=1),
        "a constant column": np.hstack([chance.uniform(0, 1, (6, 2)), np.full((6, 1), 0.3)]),
        "few": chance.uniform(0, 1, (3, 2)),
        "one run": chance.uniform(0, 1, (1, 5)),
        "one score": np.array([[0.1]]),
        "many tasks": chance.beta(2, 1, (16, 11)),
    }
    return {name: np.round(scores, 6) for name, scores in drawn.items()}


PAIRS = [("fifty runs", "forty runs"), ("forty runs", "fifty runs"), ("ties", "other ties"), ("ties", "ties"),
         ("equal columns", "a constant column"), ("one score", "fifty runs")]


def aggregates(scores):
    return np.array([metrics.aggregate_iqm(scores), metrics.aggregate_mean(scores),
                     metrics.aggregate_median(scores), metrics.aggregate_optimality_gap(scores, TARGET),
                     *library.score_distributions(scores, THRESHOLDS)])


def improvement(better, worse):
    return np.array([metrics.probability_of_improvement(better, worse)])


def estimates(scores, function, resamples):
    """Points, and mean and standard deviation of both ends over the repeats."""
    ends = []
    for repeat in range(REPEATS):
        # The resampling draws from numpy's global generator.
        np.random.seed(repeat)
        points, intervals = library.get_interval_estimates({"": scores}, function, reps=resamples)
        ends.append(intervals[""])
    over = {"mean": np.mean(ends, axis=0), "std": np.std(ends, axis=0, ddof=1)}
    return {"point": numbers(points[""]),
            **{end: {name: numbers(values[row]) for name, values in over.items()}
               for row, end in enumerate(["low", "high"])}}


def numbers(values):
    return [float(f"{value:.12g}") for value in values]


def of_matrix(name):
    return estimates(matrices()[name], aggregates, RESAMPLES)


def of_pair(better, worse):
    scores = matrices()
    return estimates([scores[better], scores[worse]], improvement, PAIR_RESAMPLES)


def main(target):
    with multiprocessing.Pool() as pool:
        pairs = pool.starmap_async(of_pair, PAIRS, chunksize=1)
        single = pool.map(of_matrix, matrices(), chunksize=1)
        pairs = pairs.get()
    matrix = [{"name": name, "scores": [[float(score) for score in row] for row in scores], **estimate}
              for (name, scores), estimate in zip(matrices().items(), single)]
    pair = [{"better": better, "worse": worse, **estimate} for (better, worse), estimate in zip(PAIRS, pairs)]
    settings = {"repeats": REPEATS, "resamples": RESAMPLES, "pair_resamples": PAIR_RESAMPLES, "target": TARGET,
                "thresholds": THRESHOLDS}
    # A line an entry.
    lists = {"matrices": matrix, "pairs": pair}
    lines = [f'"{key}":{json.dumps(value, separators=(",", ":"))}' for key, value in settings.items()]
    for key, entries in lists.items():
        rows = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries)
        lines.append(f'"{key}":[\n{rows}\n]')
    pathlib.Path(target).write_text("{" + ",\n".join(lines) + "}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
