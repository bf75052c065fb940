"""The package's advantages through verl's own trainer method and batches:

    python native/python/frameworks/try_verl.py FOLDER

FOLDER is where the wheel verl 0.9.1 was unpacked (its dependencies ask for GPUs). Needs torch, tensordict,
transformers, omegaconf and the package. Ray, TransferQueue and engines are stood in for, with the queue as a
dictionary; DataProto, TensorDict, the trainer's `_compute_advantage` and what it calls are verl's.
"""

import importlib.machinery
import sys
import types
from unittest import mock

import numpy as np
import omegaconf
import tensordict
import torch
import tqdm  # noqa: F401
import transformers  # noqa: F401

import hgpo

NOT_HERE = {
    "PIL", "aiohttp", "cachetools", "codetiming", "dill", "fastapi", "hydra", "liger_kernel", "megatron", "msgspec", "orjson", "peft",
    "pylatexenc", "qwen_vl_utils", "ray", "sglang", "starlette", "torchdata", "torchvision", "transfer_queue", "uvicorn", "vllm", "wandb", "zmq",
}


class StandIns:
    """Modules that are not installed, as empty ones."""

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if name.split(".")[0] in NOT_HERE else None

    def create_module(self, spec):
        module = mock.MagicMock(name=spec.name)
        module.__path__, module.__spec__, module.__name__, module.__version__ = [], spec, spec.name, "9.9"
        return module

    def exec_module(self, module):
        pass


class Queue:
    """Rows by key, as the trainer asks TransferQueue for them."""

    def __init__(self, rows):
        self.rows, self.put = rows, None

    def kv_batch_get(self, keys, partition_id, select_fields):
        fields = {}
        for name in select_fields:
            column = [self.rows[key][name] for key in keys if name in self.rows[key]]
            if column and torch.is_tensor(column[0]):
                fields[name] = torch.nested.as_nested_tensor(column, layout=torch.jagged)
            elif column:
                fields[name] = tensordict.NonTensorStack(*[tensordict.NonTensorData(entry) for entry in column])
        return tensordict.TensorDict(fields, batch_size=len(keys))

    def kv_batch_put(self, keys, partition_id, fields):
        self.put = fields
        return "put"


class Batch(types.SimpleNamespace):
    """The keys of a batch."""

    def __len__(self):
        return len(self.keys)


def main():
    sys.path.insert(0, sys.argv[1])
    sys.meta_path.append(StandIns())
    import hgpo.verl  # as verl's entry point does

    from verl.trainer.ppo.v1 import trainer_base

    generator = np.random.default_rng(6)
    rows, expected = {}, {"rewards": [], "task": [], "trajectory": [], "state": [], "valid": []}
    for task in ("a_1", "b"):
        for session in range(4):
            for turn in range(int(generator.integers(1, 6))):
                length, reward = int(generator.integers(1, 7)), float(generator.random())
                state, valid = f"place {generator.integers(3)}", bool(generator.random() < 0.8)
                rows[f"{task}_{session}_{turn}"] = {
                    "uid": task, "response_mask": torch.ones(length, dtype=torch.int64), "rm_scores": torch.zeros(length),
                    "extra_fields": {"state": state, "step_reward": reward, "is_action_valid": valid},
                }
                for name, entry in zip(expected, (reward, task, session, state, valid)):
                    expected[name].append(entry)
    keys = [list(rows)[place] for place in generator.permutation(len(rows))]
    trainer_base.tq = Queue(rows)
    for name, estimator in (("hgpo", "hgpo"), ("hgpo-gigpo", "gigpo")):
        config = omegaconf.OmegaConf.create(
            {"algorithm": {"adv_estimator": name, "gamma": 0.9, "lam": 1.0, "use_kl_in_reward": False, "hgpo": {"scale": "mean"}},
             "actor_rollout_ref": {"rollout": {"n": 4}}}
        )
        batch = Batch(keys=keys, partition_id="train", extra_info={})
        assert trainer_base.PPOTrainer._compute_advantage(types.SimpleNamespace(config=config), batch, {}) == "put"
        advantages = dict(zip(rows, hgpo.advantages(expected, estimator=estimator, discount=0.9, scale="mean")))
        assert max(map(abs, advantages.values())) > 0.1
        for place, key in enumerate(keys):
            found = trainer_base.tq.put["advantages"][place]
            assert found.shape == rows[key]["response_mask"].shape
            assert torch.allclose(found, torch.full_like(found, advantages[key]), atol=1e-6)
    # verl's own estimators still go their way.
    assert hgpo.verl.estimator_of("grpo") is None and hgpo.verl.estimator_of("hgpo-grpo") == "grpo"
    print(f"verl: {len(rows)} turns of 8 sessions with the advantages of hgpo, through the trainer's own method")


if __name__ == "__main__":
    main()
