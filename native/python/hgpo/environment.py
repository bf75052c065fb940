"""An environment of your own, as a program that a run plays (docs/own-environments.md):

    from hgpo.environment import serve

    class Door:
        instruction = "Open the door."
        admissible_actions = ["push", "pull"]

        def reset(self, seed):
            self.answer = ["push", "pull"][seed % 2]
            return f"The sign says {self.answer}.", {}

        def step(self, action):
            return "Done.", float(action == self.answer), True, False, {}

    if __name__ == "__main__":
        serve(Door)

    hgpo train --environment-command 'python door.py'

This file needs nothing but Python.
"""

import inspect
import json
import math
import os
import sys
import traceback
from numbers import Real

__all__ = ["serve"]

VERSION = 1


def serve(factory, *, agents=()):
    """Play episodes until standard input ends.

    Parameters
    ----------
    factory : called without arguments, gives an environment with Gymnasium's ``reset(seed=...)`` and ``step(action)``
        and texts as observations, or a PettingZoo environment whose agents take turns (``AECEnv``); an environment
        whose episode is over is reset for another one.
    agents : the names of all agents, if several share an episode; ``info["agent"]`` then says who has to act. A
        PettingZoo environment says both itself.

    What the environment prints goes to standard error.
    """
    requests, answers = _claim_standard_streams()
    server = Server(factory, agents)
    for line in requests:
        answer = server.answer(line)
        if answer is not None:
            answers.write(answer + "\n")
            answers.flush()
    server.end()


def _claim_standard_streams():
    """Standard input and output, which nothing else reads or writes from now on."""
    sys.stdout.flush()
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return requests, answers


def _render(answer):
    try:
        return json.dumps(answer, allow_nan=False)
    except (TypeError, ValueError) as error:
        return json.dumps({"id": answer["id"], "error": f"the answer cannot be written as JSON: {error}"})


class Server:
    """The episodes that are played here. Each method with the name of a request answers it."""

    def __init__(self, factory, agents=()):
        self.factory, self.agents = lambda: _with_gymnasium_calls(factory()), list(agents)
        self.playing, self.free = {}, []

    def answer(self, line):
        """The line that answers a line; None if there is no answer."""
        request = json.loads(line)
        number = request.pop("id")
        try:
            answer = getattr(self, request.pop("method"))(**request)
        except Exception as error:
            traceback.print_exc()
            answer = {"error": f"{type(error).__name__}: {error}"}
        return None if answer is None else _render({"id": number, **answer})

    def hello(self, protocol):
        environment = self._free_environment()
        self.free.append(environment)
        copies = hasattr(environment, "snapshot") and hasattr(environment, "restore")
        return {
            "protocol": VERSION,
            "agents": self.agents or getattr(environment, "agents_in_turns", []),
            "agent_rewards": isinstance(environment, _Turns),
            "copies": copies,
            "plans": _attribute(environment, "plan") is not None,
        }

    def reset(self, episode, seed, split):
        environment = self.playing[episode] = self._free_environment()
        knows_options = "options" in inspect.signature(environment.reset).parameters
        options = {"options": {"split": split}} if knows_options else {}
        observation, info = _parts("reset", environment.reset(seed=seed, **options), ["observation", "info"])
        instruction = info.get("instruction", _attribute(environment, "instruction"))
        if not isinstance(instruction, str | None):
            raise TypeError(f"the instruction must be a text, not {type(instruction).__name__}")
        return {"instruction": instruction or "", **_scene(environment, observation, info)}

    def step(self, episode, action):
        environment = self.playing[episode]
        parts = ["observation", "reward", "terminated", "truncated", "info"]
        observation, reward, terminated, truncated, info = _parts("step", environment.step(action), parts)
        if not math.isfinite(reward):
            raise ValueError(f"the reward must be a finite number, not {reward}")
        answer = {
            **_scene(environment, observation, info),
            "reward": float(reward),
            "terminated": bool(terminated),
            "truncated": bool(truncated),
            "valid": bool(info.get("valid", True)),
        }
        if isinstance(environment, _Turns):
            answer["agent_rewards"] = environment.earned
        success = info.get("success", info.get("is_success"))
        return answer if success is None else {**answer, "success": bool(success)}

    def copy(self, episode, copy):
        snapshot = self.playing[episode].snapshot()
        self.playing[copy] = self._free_environment()
        self.playing[copy].restore(snapshot)
        return {}

    def plan(self, episode):
        plan = _attribute(self.playing[episode], "plan")()
        return {"plan": plan if plan is None else list(plan)}

    def close(self, episode):
        if episode in self.playing:
            self.free.append(self.playing.pop(episode))

    def end(self):
        for environment in [*self.free, *self.playing.values()]:
            getattr(environment, "close", lambda: None)()

    def _free_environment(self):
        return self.free.pop() if self.free else self.factory()


# What is said of an episode elsewhere than among its numbers.
_KNOWN = {"instruction", "admissible_actions", "agent", "success", "is_success", "valid"}


def _numbers(info):
    """The finite numbers of an info, which become metrics."""
    return {
        str(name): float(value)
        for name, value in info.items()
        if name not in _KNOWN and isinstance(value, Real) and math.isfinite(value)
    }


def _parts(call, result, names):
    """What a call of the environment gives, which has to be a tuple of these parts."""
    if not isinstance(result, tuple) or len(result) != len(names):
        found = f"a tuple of {len(result)}" if isinstance(result, tuple) else type(result).__name__
        raise TypeError(f"{call} must give ({', '.join(names)}), not {found}")
    return result


def _attribute(environment, name):
    """An attribute of the environment, or of the one that wrappers of Gymnasium are around."""
    return getattr(environment, name, getattr(getattr(environment, "unwrapped", None), name, None))


def _scene(environment, observation, info):
    """What is seen, and what can be done."""
    if not isinstance(observation, str):
        raise TypeError(f"an observation must be a text, not {type(observation).__name__}")
    actions = info.get("admissible_actions", _attribute(environment, "admissible_actions"))
    if actions is not None:
        wrong = [actions] if isinstance(actions, str) else [it for it in actions if not isinstance(it, str)]
        if wrong:
            raise TypeError(f"admissible_actions must be a list of texts, and there is {wrong[0]!r}")
        actions = list(actions)
    scene = {
        "observation": observation,
        "actions": actions,
        "info": _numbers(info),
    }
    return scene if "agent" not in info else {**scene, "agent": info["agent"]}


def _with_gymnasium_calls(environment):
    """The environment itself, or an adapter around a PettingZoo environment."""
    if hasattr(environment, "agent_iter"):
        return _Turns(environment)
    if hasattr(environment, "possible_agents"):
        problem = "its agents act at once, but here one acts at a time"
        raise TypeError(f"{problem}: serve pettingzoo.utils.parallel_to_aec(environment)")
    return environment


class _Turns:
    """Adapter that gives a PettingZoo environment whose agents take turns (AEC) Gymnasium's calls: each step is that of
    the agent whose turn it is, with the mean of what the agents earn, which is the reward of a team."""

    def __init__(self, environment):
        self.environment = environment
        self.agents_in_turns = [str(agent) for agent in getattr(environment, "possible_agents", [])]
        for name in ("instruction", "admissible_actions", "plan", "snapshot", "restore", "close"):
            if hasattr(environment, name):
                setattr(self, name, getattr(environment, name))

    def reset(self, seed, options):
        self.environment.reset(seed=seed, options=options)
        observation, _, _, _, info = self.environment.last()
        return observation, {**info, "agent": str(self.environment.agent_selection)}

    def step(self, action):
        environment, is_terminated, ended = self.environment, False, {}
        actor = environment.agent_selection
        environment.step(action)
        self.earned = {str(agent): float(reward) for agent, reward in environment.rewards.items()}
        for agent, reward in self.earned.items():
            if not math.isfinite(reward):
                raise ValueError(f"the reward of {agent} must be a finite number, not {reward}")
        # The mean of equal numbers, without rounding.
        first, *others = self.earned.values()
        reward = first if all(other == first for other in others) else sum(self.earned.values()) / len(self.earned)
        valid = environment.infos[actor].get("valid", True)
        while True:
            observation, _, terminated, truncated, info = environment.last()
            if not terminated and not truncated:
                info = {**info, "agent": str(environment.agent_selection), "valid": valid}
                return observation, reward, False, False, info
            # An agent whose part has ended is taken out by a step without an action.
            is_terminated, ended = is_terminated or terminated, {**ended, **info}
            environment.step(None)
            if not environment.agents:
                return observation, reward, is_terminated, not is_terminated, {**ended, "valid": valid}
