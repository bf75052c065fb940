"""The numbers of the reference programs, recorded, and of the library."""

import numpy as np
import pytest
from conftest import ORACLE, cases, skipped

import hgpo


def settings(key, weights):
    """Estimator and options of a recorded key, such as ``hgpo|K=2|mean_std_norm|alpha=1.0|base=0``."""
    name, *parts = key.split("|")
    given = dict(part.split("=") for part in parts if "=" in part)
    modes = {"mean_std_norm": "mean-std", "mean_norm": "mean"}
    scale = {"scale": modes[part] for part in parts if part in modes}
    statistics = {"1": "steps", "0": "trajectories"}
    if name == "hgpo":
        return name, {
            "context_length": int(given["K"]), "alpha": float(given["alpha"]), "weights": weights,
            "base_group": given["base"] == "1", **scale,
        }
    if name == "gigpo":
        return name, {"step_weight": float(given["w"]), **scale}
    if name == "grpo":
        return name, {
            "scale": {"1": "mean-std", "0": "mean"}[given["std"]],
            "episode_statistics": statistics[given["cross_steps"]],
        }
    if name == "rloo":
        return name, {"episode_statistics": statistics[given["cross_steps"]]}
    assert name == "g2po", key
    return name, scale


# Exact ones were computed in rational numbers, those of float32 by the reference itself, whose noise in
# constant groups is up to this: the bounds of the library's own test.
@pytest.mark.parametrize(
    ("recording", "weights", "bound"),
    [("verl_exact", "verl", 1e-6), ("paper_exact", "paper", 1e-6), ("verl_f32", "verl", 1e-4)],
)
def test_every_recorded_output(recording, weights, bound):
    found = cases()
    if not ORACLE.is_dir():
        skipped("recordings of other programs", "set HGPO_ORACLE", "test_parity.py")
    compared = 0
    for case in found.values():
        columns = {
            "task": case["uid"], "trajectory": np.array(case["traj"]),
            "state": np.array(case["obs"], dtype=object), "valid": case["valid"],
        }
        for key, recorded in case[recording].items():
            estimator, options = settings(key, weights)
            advantages = hgpo.advantages(
                np.array(case["rewards"]), **columns, estimator=estimator, discount=case["gamma"],
                invalid_penalty=case["invalid_coef"], **options,
            )
            assert np.abs(advantages - recorded).max() <= bound, key
            compared += 1
    # Every case has all the keys of its recording.
    assert compared == sum(len(case[recording]) for case in found.values()) > 100


def test_rows_in_any_order_have_the_same_advantages():
    case = next(iter(cases().values()))
    count = len(case["uid"])
    names = {"uid": "task", "traj": "trajectory", "obs": "state", "rewards": "rewards", "valid": "valid"}
    columns = {name: np.array(case[of]) for of, name in names.items()}
    # The place in the trajectory, from 0.
    seen = {}
    columns["step"] = np.array([seen.setdefault(key, iter(range(count))).__next__() for key in zip(case["uid"], case["traj"])])
    straight = {estimator: hgpo.advantages(columns, estimator=estimator) for estimator in ("hgpo", "gigpo", "rloo")}
    generator = np.random.default_rng(1)
    for _ in range(20):
        order = generator.permutation(count)
        mixed = {name: column[order] for name, column in columns.items()}
        for estimator, expected in straight.items():
            # Sums in another order: some units in the last place.
            assert np.allclose(hgpo.advantages(mixed, estimator=estimator), expected[order], rtol=0, atol=1e-9)
