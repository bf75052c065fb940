"""Environments and step-level advantages in SkyRL (skyrl-gym 0.4, skyrl 0.3).

Importing this module registers every environment of `hgpo.envs` with SkyRL-Gym: ``hgpo/Chores``, ``hgpo/Alfworld``
and so on. A row of the data set names one and what is played:

    {"prompt": [{"role": "system", "content": "You tidy up."}], "env_class": "hgpo/Chores", "task": 3}

``python -m hgpo.skyrl.main`` trains with advantages of steps (`hgpo.skyrl.train`).
"""

import skyrl_gym
from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput
from skyrl_gym.envs.registration import registry

from hgpo._chat import describe_situation, parse_response
from hgpo._serving import episode_of

__all__ = ["Environment", "register"]

STEPS = "hgpo_steps"
"""Where among an episode's extras its steps are kept for the trainer."""


class Environment(BaseTextEnv):
    """An episode of an environment of `hgpo.envs`, as a conversation: the model writes one action a turn.

    Parameters
    ----------
    name : class of `hgpo.envs`, such as "Chores".
    env_config : not read.
    extras : what the row of the data set holds besides: ``task``, the number of the task (or ``seed``: the first task
        of that seed), ``split``, and ``settings``, those of the environment. Without ``max_steps`` among them an
        episode is ended after SkyRL's ``generator.max_turns``.
    **settings : those of the environment, for all rows.
    """

    def __init__(self, name, env_config=None, extras=None, **settings):
        super().__init__()
        extras = {} if extras is None else extras
        settings = {**settings, **{key: value for key, value in (extras.get("settings") or {}).items() if value is not None}}
        if extras.get("max_turns") is not None:
            settings.setdefault("max_steps", int(extras["max_turns"]))
        if extras.get("split") is not None:
            settings["split"] = extras["split"]
        self.env, self.task, self.seed = episode_of(name, **settings), extras.get("task"), extras.get("seed")
        self.steps = extras.setdefault(STEPS, [])
        self.last_info = {}

    def init(self, prompt):
        """The data set's messages, and after them the task and what is seen."""
        self.state, info = self.env.reset(
            seed=None if self.seed is None else int(self.seed), options=None if self.task is None else {"task": int(self.task)}
        )
        return [*prompt, {"role": "user", "content": describe_situation(self.state, info, first=True)}], {"task": int(info["task"])}

    def step(self, action):
        """Carries out the action of a response (`<action>…</action>`)."""
        self.turns += 1
        chosen, valid = parse_response(action)
        text, reward, terminated, truncated, info = self.env.step(chosen)
        self.steps.append({"state": self.state, "action": chosen, "valid": valid})
        self.state, self.last_info, done = text, info, terminated or truncated
        observations = [] if done else [{"role": "user", "content": describe_situation(text, info)}]
        return BaseTextEnvStepOutput(
            observations=observations, reward=reward, done=done, metadata={"won": info["won"]}, postprocessed_action=None
        )

    def get_metrics(self):
        """Whether the task was achieved, by how many steps, and how many responses kept the format."""
        found = {"won": float(self.last_info.get("won", False)), "steps": self.turns}
        if self.steps:
            found["valid"] = sum(step["valid"] for step in self.steps) / len(self.steps)
        if self.last_info.get("score") is not None:
            found["score"] = float(self.last_info["score"])
        return found


def register(name, id=None, **settings):
    """Registers an environment of `hgpo.envs` with SkyRL-Gym, as ``hgpo/NAME`` or under an id of its own with
    settings of its own: ``register("Sokoban", "sokoban-large", height=8, width=8)``."""
    id = id or f"hgpo/{name}"
    if id not in registry:
        skyrl_gym.register(id=id, entry_point="hgpo.skyrl:Environment", kwargs={"name": name, **settings})


def _register_all():
    import hgpo.envs

    for name in hgpo.envs.environments():
        register(name)


_register_all()
