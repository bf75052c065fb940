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

    hgpo train --preset gridworld --environment-command 'python door.py'

This file needs nothing but Python.
"""

import inspect
import json
import math
import os
import sys
import traceback
from numbers import Real

__all__ = ["Server", "serve"]

VERSION = 1


def serve(factory, *, agents=()):
    """Play episodes until standard input ends.

    Parameters
    ----------
    factory : called without arguments, gives an environment with Gymnasium's ``reset(seed=...)`` and ``step(action)``
        and texts as observations; an environment whose episode is over is reset for another one.
    agents : the names of all agents, if several share an episode; ``info["agent"]`` then says who has to act.

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
        self.factory, self.agents = factory, list(agents)
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
            "agents": self.agents,
            "copies": copies,
            "plans": hasattr(environment, "plan"),
        }

    def reset(self, episode, seed, split):
        environment = self.playing[episode] = self._free_environment()
        knows_options = "options" in inspect.signature(environment.reset).parameters
        options = {"options": {"split": split}} if knows_options else {}
        observation, info = environment.reset(seed=seed, **options)
        instruction = info.get("instruction", getattr(environment, "instruction", ""))
        return {"instruction": instruction, **_scene(environment, observation, info)}

    def step(self, episode, action):
        environment = self.playing[episode]
        observation, reward, terminated, truncated, info = environment.step(action)
        answer = {
            **_scene(environment, observation, info),
            "reward": float(reward),
            "terminated": bool(terminated),
            "truncated": bool(truncated),
            "valid": bool(info.get("valid", True)),
        }
        success = info.get("success", info.get("is_success"))
        return answer if success is None else {**answer, "success": bool(success)}

    def copy(self, episode, copy):
        snapshot = self.playing[episode].snapshot()
        self.playing[copy] = self._free_environment()
        self.playing[copy].restore(snapshot)
        return {}

    def plan(self, episode):
        plan = self.playing[episode].plan()
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


def _scene(environment, observation, info):
    """What is seen, and what can be done."""
    if not isinstance(observation, str):
        raise TypeError(f"an observation must be a text, not {type(observation).__name__}")
    actions = info.get("admissible_actions", getattr(environment, "admissible_actions", None))
    scene = {
        "observation": observation,
        "actions": actions if actions is None else list(actions),
        "info": _numbers(info),
    }
    return scene if "agent" not in info else {**scene, "agent": info["agent"]}
