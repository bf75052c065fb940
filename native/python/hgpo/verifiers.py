"""Environments and step-level advantages in verifiers (0.4), whose tasksets prime-rl trains on:

    vf-eval hgpo-verifiers --env.taskset.environment Alfworld --env.taskset.tasks 64

The environment is the user: it answers each action of the model with what is seen then. `assign_advantages` gives
the sampled tokens of every step the step's own advantage, where verifiers has one for an episode.
"""

from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf
from pydantic import Field

import hgpo
from hgpo._chat import describe_situation, parse_response
from hgpo._metrics import metrics
from hgpo._serving import episode_of

__all__ = ["TextEnv", "TextTaskset", "assign_advantages"]

STEPS = "hgpo_steps"
SYSTEM_PROMPT = "You act in an environment, one action a turn. Think about what to do next, then act."


class TextTasksetConfig(vf.TasksetConfig):
    environment: str = "Chores"
    """Class of `hgpo.envs`."""
    split: str = "train"
    """"train", "seen" or "unseen"."""
    first: int = Field(0, ge=0)
    """Number of the first task."""
    tasks: int = Field(256, ge=1)
    """How many tasks there are."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """Settings of the environment, such as `max_steps`."""


class TextData(vf.TaskData):
    environment: str
    split: str
    number: int
    settings: dict[str, Any]


class TextTask(vf.Task[TextData]):
    """A task of an environment of `hgpo.envs`."""


class TextEnvConfig(vf.EnvConfig):
    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})


class TextEnv(vf.Env[TextEnvConfig]):
    """Plays a task to its end: the reward is the sum of the steps', and the steps are in the trace's ``info``."""

    async def run(self, task, agents):
        data = task.data
        env = episode_of(data.environment, split=data.split, **data.settings)
        state, info = env.reset(options={"task": data.number})
        steps = []
        async with agents.player.interaction(task) as interaction:
            before = len(interaction.trace.nodes)
            segment = await interaction.turn(describe_situation(state, info, first=True))
            while not segment.terminated:
                action, valid = parse_response(segment.last_reply)
                text, reward, terminated, truncated, info = env.step(action)
                after = len(interaction.trace.nodes)
                steps.append({"state": state, "action": action, "valid": valid, "reward": reward, "nodes": [before, after]})
                if terminated or truncated:
                    break
                state, before = text, after
                segment = await interaction.turn(describe_situation(text, info))
        trace = interaction.trace
        trace.info[STEPS] = steps
        trace.record_reward("environment_reward", sum(step["reward"] for step in steps))
        trace.record_metrics({"won": float(info["won"]), "steps": float(len(steps))})
        if info.get("score") is not None:
            trace.record_metric("score", float(info["score"]))


class TextTaskset(vf.Taskset[TextTask, TextTasksetConfig]):
    """Tasks `first`, `first` + 1, … of an environment."""

    def load(self) -> Iterator[TextTask]:
        config = self.config
        episode_of(config.environment, split=config.split, **config.settings)  # refuses what there is not
        for number in range(config.first, config.first + config.tasks):
            yield TextTask(
                TextData(
                    name=f"{config.environment}-{config.split}-{number}", system_prompt=SYSTEM_PROMPT, environment=config.environment,
                    split=config.split, number=number, settings=config.settings,
                ),
                config.task,
            )


def assign_advantages(episodes, estimator="hgpo", **options):
    """Writes the advantage of every step on the tokens that the model sampled for it (``node.advantages``).

    Parameters
    ----------
    episodes : those of one task or of several, as prime-rl's ``Algorithm.score_group`` has them; of `TextEnv`.
    estimator, **options : one of `hgpo.estimators()` and its options.

    Returns
    -------
    dict : the diagnostics of the batch, for the log.

    Raises
    ------
    ValueError : where an episode is not of `TextEnv`, or an option is none.
    """
    columns = {name: [] for name in ("rewards", "task", "trajectory", "state", "action", "valid")}
    placed = []
    for number, episode in enumerate(episodes):
        for trace in episode.traces:
            if STEPS not in trace.info:
                raise ValueError(f"episode {number} ({trace.id}) has no steps in its info: play it with the environment of hgpo.verifiers")
            for step in trace.info[STEPS]:
                columns["task"].append(trace.task.key or trace.task.data.name)
                columns["trajectory"].append(trace.id)
                columns["rewards"].append(step["reward"])
                for name in ("state", "action", "valid"):
                    columns[name].append(step[name])
                placed.append(trace.nodes[slice(*step["nodes"])])
            # What was said after the last step, such as an answer that a limit cut off, has no credit.
            for node in trace.nodes:
                node.advantages = [0.0] * sum(node.mask) if node.sampled else node.advantages
    if not placed:
        return {}
    advantages = hgpo.advantages(columns, estimator=estimator, **options)
    for advantage, nodes in zip(advantages.tolist(), placed):
        for node in nodes:
            if node.sampled:
                node.advantages = [advantage] * sum(node.mask)
    return metrics(hgpo.diagnostics(columns, estimator=estimator, **options))
