"""The package's advantages in Trinity-RFT's own classes, beside Trinity's GiGPO:

    python native/python/frameworks/try_trinity.py FOLDER

FOLDER is where the wheel trinity-rft 0.6.0 was unpacked (its dependencies ask for GPUs). Needs torch and the
package; what else its modules name is stood in for, Experience, EID and the registry of advantages are Trinity's.
"""

import importlib.abc
import importlib.machinery
import sys
from unittest import mock

import numpy as np
import torch

BATCHES = 200


class StandIns(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules that are not installed, as empty ones."""

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("trinity", "hgpo"):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = mock.MagicMock(name=spec.name)
        module.__path__, module.__spec__, module.__name__ = [], spec, spec.name
        return module

    def exec_module(self, module):
        stood_in.append(module.__name__)


stood_in = []


def experiences(Experience, EID, generator, sparse):
    """Runs over the states of their task, in any order."""
    made = []
    for task in range(int(generator.integers(1, 4))):
        for run in range(int(generator.integers(2, 7))):
            steps = int(generator.integers(1, 12))
            for step in range(steps):
                info = {"env_state_hash": f"{task}: {generator.integers(5)}"}
                if not sparse:
                    info["step_reward"] = float(generator.random())
                mask = torch.as_tensor(generator.integers(0, 2, 6), dtype=torch.bool)
                made.append(
                    Experience(eid=EID(batch=3, task=task, run=run, step=step), tokens=torch.zeros(8, dtype=torch.int64), prompt_length=2,
                               reward=float(generator.random()), info=info, action_mask=mask)
                )
    return [made[place] for place in generator.permutation(len(made))]


def main():
    sys.path.insert(0, sys.argv[1])
    sys.meta_path.append(StandIns())
    from trinity.algorithm.advantage_fn import ADVANTAGE_FN
    from trinity.algorithm.advantage_fn.gigpo_advantage import GiGPOAdvantageFn
    from trinity.common.experience import EID, Experience

    ours = ADVANTAGE_FN.get("hgpo.trinity.StepAdvantageFn")
    generator = np.random.default_rng(4)
    worst = rows = 0
    for number in range(BATCHES):
        batch = experiences(Experience, EID, generator, sparse=number % 3 == 0)
        fnorm, scale = [("none", "mean"), ("std", "mean-std")][number % 2]
        theirs, _ = GiGPOAdvantageFn(omega=0.5, gamma=0.9, fnorm=fnorm).process(batch)
        expected = [exp.advantages.clone() for exp in theirs]
        found, metrics = ours(
            estimator="gigpo", step_weight=0.5, discount=0.9, scale=scale, episode_statistics="trajectories",
        )(batch)
        assert found is batch and metrics["experience_count"] == len(batch)
        difference = max((it.advantages - other).abs().max().item() for it, other in zip(found, expected))
        worst, rows = max(worst, difference), rows + len(batch)
        assert difference < 1e-4, (number, difference)
    hgpo_metrics = ours(**ours.default_args())(experiences(Experience, EID, generator, sparse=False))[1]
    assert "hgpo/level_2/singleton_fraction" in hgpo_metrics and not ours.compute_in_trainer()
    print(f"trinity: {BATCHES} batches, {rows} experiences, largest difference from its GiGPO {worst:.1e}")
    print(f"stood in for: {', '.join(sorted({name.split('.')[0] for name in stood_in}))}")


if __name__ == "__main__":
    main()
