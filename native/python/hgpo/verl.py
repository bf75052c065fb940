"""Step-level advantages in verl's trainer (0.9), which knows one reward and one advantage for a whole session.

With this package installed, verl finds it by its entry point. In the configuration:

    algorithm:
      adv_estimator: hgpo
      hgpo: {context_length: 2}          # options of the estimator

(any of `hgpo.estimators()` that verl has not by this name; ``hgpo-`` before it otherwise, such as ``hgpo-grpo``).
An agent loop returns one output for every turn, with ``state`` and ``step_reward`` among its ``extra_fields``, and
``is_action_valid`` if need be. Without ``step_reward`` a turn has the sum of its token-level rewards.
"""

import contextvars
import logging
import sys

import hgpo
from hgpo._imports import await_import
from hgpo._states import numbers

TRAINER = "verl.trainer.ppo.v1.trainer_base"
PREFIX = "hgpo-"
# verl executes this module while it is imported itself: what names there are is asked later.
_fields = contextvars.ContextVar("extra_fields")
_log = logging.getLogger(__name__)


def estimator_of(name):
    """The estimator that a name in verl's configuration means; None where it is one of verl's own."""
    name = str(getattr(name, "value", name))
    if name.startswith(PREFIX):
        if name[len(PREFIX) :] not in hgpo.estimators():
            raise ValueError(f"adv_estimator is {name!r}: use one of {', '.join(PREFIX + known for known in hgpo.estimators())}")
        return name[len(PREFIX) :]
    from verl.trainer.ppo.core_algos import ADV_ESTIMATOR_REGISTRY

    return name if name in hgpo.estimators() and name not in ADV_ESTIMATOR_REGISTRY else None


def step_advantages(data, batch_keys, extra_fields, estimator, options):
    """Writes `advantages` and `returns`: each turn's advantage at every token of its response. A key is
    ``{uid}_{session}_{turn}``: the task, the trajectory and the step."""
    keys = [key.rsplit("_", 2) for key in batch_keys]
    mask = data.batch["response_mask"]
    sums = (data.batch["token_level_rewards"] * mask).sum(dim=-1).tolist()
    columns = {"rewards": [], "task": [], "trajectory": [], "step": [], "state": [], "valid": []}
    for row, ((task, session, step), fields) in enumerate(zip(keys, extra_fields)):
        if "state" not in fields:
            raise ValueError(f"row {row} ({batch_keys[row]}): extra_fields has no `state`: set what the agent saw before this turn")
        columns["rewards"].append(float(fields.get("step_reward", sums[row])))
        columns["task"].append(task)
        columns["trajectory"].append(session)
        columns["step"].append(int(step))
        columns["state"].append(fields["state"])
        columns["valid"].append(bool(fields.get("is_action_valid", True)))
    columns["state"] = numbers(columns["state"])
    advantages = hgpo.advantages(columns, estimator=estimator, **options)
    scores = mask.new_tensor(advantages.tolist(), dtype=data.batch["token_level_rewards"].dtype).unsqueeze(-1) * mask
    data.batch["advantages"] = data.batch["returns"] = scores
    return data


def patch(trainer):
    """Puts step-level estimators into the trainer's module, beside its own."""
    compute, of_batch = trainer.compute_advantage_for_multi_trajectories, trainer.PPOTrainer._compute_advantage

    def compute_advantage_for_multi_trajectories(data, batch_keys, adv_estimator, *arguments, config=None, **named):
        estimator = estimator_of(adv_estimator)
        if estimator is None:
            return compute(data, batch_keys, adv_estimator, *arguments, config=config, **named)
        options = dict((config or {}).get("hgpo") or {})
        options.setdefault("discount", float(named.get("gamma", 1.0)))
        return step_advantages(data, batch_keys, _fields.get(), estimator, options)

    def _compute_advantage(self, batch, metrics):
        if estimator_of(self.config.algorithm.adv_estimator) is None:
            return of_batch(self, batch, metrics)
        got = trainer.tq.kv_batch_get(keys=batch.keys, partition_id=batch.partition_id, select_fields=["extra_fields"])
        told = [getattr(fields, "data", fields) for fields in got["extra_fields"]]
        token = _fields.set(told)
        try:
            return of_batch(self, batch, metrics)
        finally:
            _fields.reset(token)

    trainer.compute_advantage_for_multi_trajectories = compute_advantage_for_multi_trajectories
    trainer.PPOTrainer._compute_advantage = _compute_advantage
    _log.warning("hgpo: step-level estimators are there for algorithm.adv_estimator")


if TRAINER in sys.modules:
    patch(sys.modules[TRAINER])
else:
    await_import(TRAINER, patch)
