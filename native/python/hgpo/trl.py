"""Step-level advantages and environments in TRL (1.16).

TRL compares whole completions; here every turn of a conversation is a step with an advantage of its own:

    from hgpo.trl import StepGRPOTrainer, environment
    from hgpo.envs import Chores

    trainer = StepGRPOTrainer(
        model=..., args=GRPOConfig(num_generations=8, ...), train_dataset=...,
        environment_factory=environment(Chores), estimator="hgpo", options={"context_length": 2},
    )

Prompts of one group are the same task; what tools or environments answer is masked by TRL, so that the
tokens between two answers are a turn.
"""

import numpy as np
import torch
from accelerate.utils import gather_object
from trl import GRPOTrainer

import hgpo

__all__ = ["StepGRPOTrainer", "environment"]


class StepGRPOTrainer(GRPOTrainer):
    """`GRPOTrainer` whose advantages are those of an estimator of this package, for every step.

    The steps of a completion are ``steps`` of its environment (`environment` below keeps them), or the field
    ``steps`` of what `rollout_func` returns: a list for every completion, with a dictionary for each step in the
    order of the turns: ``state``, ``reward``, and if need be ``valid``, ``action``, ``context``, and ``tokens``,
    the first token of the turn in the completion and the one after its last.

    Parameters besides those of `GRPOTrainer`: `estimator`, and `options`, those of `hgpo.options(estimator)`.
    Rewards of `reward_funcs` are logged and not trained on.
    """

    def __init__(self, *arguments, estimator="hgpo", options=None, **named):
        super().__init__(*arguments, **named)
        self.estimator, self.estimator_options = estimator, dict(options or {})

    def _generate_and_score_completions(self, inputs):
        output = super()._generate_and_score_completions(inputs)
        steps = [environment.steps for environment in self.environments] if self.environments else [row["steps"] for row in inputs]
        mask = output["completion_mask"] * output.get("tool_mask", 1)
        own = [turns(row, of_row) for row, of_row in zip(mask.cpu().numpy(), steps)]
        # A group may lie on several processes: each computes all, and takes its own.
        everyone = gather_object(steps)
        group = self.num_generations if self.model.training else self.num_generations_eval
        advantages = step_advantages(everyone, group, self.estimator, self.estimator_options)
        first = self.accelerator.process_index * len(steps)
        output["advantages"] = torch.as_tensor(
            spread(advantages[first : first + len(steps)], own, mask.shape), dtype=torch.float32, device=mask.device
        )
        return output


def step_advantages(steps, group, estimator, options):
    """A list of advantages for every completion: `group` of them in a row have the same task."""
    columns = {"rewards": [], "task": [], "trajectory": [], "state": []}
    optional = sorted({name for of_one in steps for step in of_one for name in step} & {"valid", "action", "context"})
    columns.update((name, []) for name in optional)
    for number, of_one in enumerate(steps):
        for step in of_one:
            columns["rewards"].append(step["reward"])
            columns["task"].append(number // group)
            columns["trajectory"].append(number)
            columns["state"].append(step["state"])
            for name in optional:
                columns[name].append(step.get(name, True if name == "valid" else None))
    ends = np.cumsum([len(of_one) for of_one in steps])
    if not ends[-1]:
        return [np.zeros(0) for _ in steps]
    return np.split(hgpo.advantages(columns, estimator=estimator, **options), ends[:-1])


def turns(mask, steps):
    """The tokens of every step: those that it says, or the runs of the mask in their order. A completion that
    is masked altogether has none."""
    if all("tokens" in step for step in steps):
        return [tuple(step["tokens"]) for step in steps]
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask, [0]])))
    runs = list(zip(edges[::2].tolist(), edges[1::2].tolist()))
    if runs and len(runs) < len(steps):
        raise ValueError(f"a completion of {len(runs)} turns has {len(steps)} steps: give each step its `tokens`")
    return runs[: len(steps)]


def spread(advantages, turns, shape):
    """Each step's advantage at the tokens of its turn, and 0 elsewhere."""
    tokens = np.zeros(tuple(shape))
    for row, (of_row, spans) in enumerate(zip(advantages, turns)):
        for advantage, (start, end) in zip(of_row, spans):
            tokens[row, start:end] = advantage
    return tokens


def environment(make, **settings):
    """The class of environments that TRL's `environment_factory` wants, of one of `hgpo.envs`: rows of the data
    set may have a column ``task``, the number of the task; else tasks come in the order of the environment's."""

    class Environment:
        def __init__(self):
            self._env = make(**settings)
            self.steps = []

        def reset(self, **row):
            task = row.get("task")
            self._state, info = self._env.reset(options=None if task is None else {"task": int(task)})
            self.steps, self._over = [], False
            return f"{info['instruction']}\n{self._prompt(self._state, info)}"

        def act(self, action: str) -> str:
            """Carries out one action in the environment.

            Args:
                action: One of the admissible actions, as it is written.

            Returns:
                What is seen afterwards, and the actions that are admissible then.
            """
            if self._over:
                return "The task is over."
            text, reward, terminated, truncated, info = self._env.step(str(action))
            self.steps.append({"state": self._state, "reward": reward, "valid": info["is_admissible"], "action": str(action)})
            self._state, self._over = text, terminated or truncated
            return self._prompt(text, info)

        def get_reward(self) -> float:
            return float(sum(step["reward"] for step in self.steps))

        @staticmethod
        def _prompt(text, info):
            actions = ", ".join(info["admissible"])
            return f"{text}\nAdmissible actions: {actions}." if actions else f"{text}\nThe task is over."

    Environment.__name__ = Environment.__qualname__ = f"{make.__name__}Environment"
    return Environment
