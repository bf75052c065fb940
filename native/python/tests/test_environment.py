"""Environments of one's own: the examples under the checks of Gymnasium and PettingZoo, and agents in turns."""

import json
import math
import os
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from conftest import ROOT
from gymnasium.spaces import Box, Text
from gymnasium.utils.env_checker import check_env
from pettingzoo import ParallelEnv
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils import BaseWrapper, parallel_to_aec

from hgpo import environment
from hgpo.envs import AnyText

EXAMPLES = ROOT / "native/python/examples"
sys.path.insert(0, str(EXAMPLES))
from guess import Guess  # noqa: E402
from hints import GUESSER, SPEAKER, Hints  # noqa: E402


class GuessWithSpaces(Guess, gymnasium.Env):
    """The first example with what Gymnasium's check needs: spaces, and a seed that may be left out."""

    observation_space, action_space = AnyText(), Text(1, charset="1234567")

    def reset(self, *, seed=None, options=None):
        gymnasium.Env.reset(self, seed=seed)
        return super().reset(seed)


class HintsInNumbers(BaseWrapper):
    """The second example with characters as numbers: `api_test` compares data types of numpy, and texts have none."""

    def __init__(self, env):
        super().__init__(env)
        self.spaces = {agent: Box(0, 127, (40,), np.uint8) for agent in env.possible_agents}

    def observation_space(self, agent):
        return self.spaces[agent]

    def observe(self, agent):
        return np.frombuffer(self.env.observe(agent).ljust(40).encode(), np.uint8)


def test_gymnasium_and_pettingzoo_find_nothing_in_the_examples():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(GuessWithSpaces(), skip_render_check=True)
        warnings.filterwarnings("ignore", "Action space for each agent probably should be")
        api_test(HintsInNumbers(Hints()), num_cycles=100)
        seed_test(Hints)


def answers(program, *requests):
    """What a program answers, played as a run plays it."""
    lines = [json.dumps({"id": at, **request}) for at, request in enumerate(requests)]
    sent, variables = "\n".join(lines), {**os.environ, "PYTHONPATH": os.path.dirname(__file__)}
    command = [sys.executable, program]
    ended = subprocess.run(command, input=sent, stdout=subprocess.PIPE, text=True, check=True, env=variables)
    found = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [it.pop("id") for it in found] == list(range(len(requests)))
    return found


HELLO = {"method": "hello", "protocol": 1}


def test_a_program_plays_agents_in_turns():
    reset = {"method": "reset", "episode": 0, "seed": 5, "split": "train"}
    steps = [{"method": "step", "episode": 0, "action": action} for action in ("red", "3")]
    hello, start, heard, end = answers(EXAMPLES / "hints.py", HELLO, reset, *steps)
    assert (hello["agents"], hello["agent_rewards"]) == ([SPEAKER, GUESSER], True)
    assert (start["agent"], start["observation"], start["actions"][0]) == (SPEAKER, "The number is 3.", "red")
    assert start["instruction"] == Hints.instruction
    assert (heard["agent"], heard["observation"], heard["actions"][0]) == (GUESSER, "The word is red.", "1")
    assert (heard["reward"], heard["terminated"], heard["truncated"]) == (0.0, False, False)
    assert (end["reward"], end["terminated"], end["truncated"]) == (1.0, True, False)
    assert end["agent_rewards"] == {SPEAKER: 1.0, GUESSER: 1.0}


class Chorus(ParallelEnv):
    """Two singers who sing at once, three times, and share a reward if they sing the same."""

    metadata, render_mode = {"name": "chorus_v0"}, None
    possible_agents = ["singer_0", "singer_1"]

    def reset(self, seed=None, options=None):
        self.agents, self.sung = list(self.possible_agents), []
        return self.each("The song begins."), self.each({"admissible_actions": ["do", "re"]})

    def step(self, actions):
        self.sung.append(" ".join(actions.values()))
        reward, is_over = float(len(set(actions.values())) == 1), len(self.sung) == 3
        seen = [self.each(it) for it in (self.sung[-1], reward, is_over, False, {"success": is_over})]
        self.agents = [] if is_over else self.agents
        return tuple(seen)

    def each(self, it):
        return {agent: it for agent in self.agents}


def test_agents_that_act_at_once_are_refused_unless_they_are_given_turns(tmp_path):
    program = tmp_path / "chorus.py"
    program.write_text("from test_environment import Chorus\nfrom hgpo.environment import serve\nserve(Chorus)\n")
    (hello,) = answers(program, HELLO)
    assert "here one acts at a time: serve pettingzoo.utils.parallel_to_aec(environment)" in hello["error"]
    turns = environment._with_gymnasium_calls(parallel_to_aec(Chorus()))
    seen, info = turns.reset(0, {})
    assert (seen, info["agent"], info["admissible_actions"]) == ("The song begins.", "singer_0", ["do", "re"])
    steps = [turns.step(action) for action in ("do", "do", "re", "do", "re", "re")]
    # The reward of a round is that of its last step.
    assert [step[1] for step in steps] == [0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    assert [step[0] for step in steps[:3]] == ["The song begins.", "do do", "do do"]
    assert [step[2] for step in steps] == [False] * 5 + [True] and steps[-1][-1]["success"] is True


class Relay(Hints):
    """Three runners in turns, with all that may end: `plan` has for every step what it changes."""

    possible_agents = ["runner_0", "runner_1", "runner_2"]

    def __init__(self, *plan):
        self.plan = list(plan)

    def reset(self, seed=None, options=None):
        self.agents = list(self.possible_agents)
        self.agent_selection = self.agents[0]
        self.rewards, self._cumulative_rewards = ({agent: 0.0 for agent in self.agents} for _ in range(2))
        self.terminations, self.truncations = ({agent: False for agent in self.agents} for _ in range(2))
        self.infos = {agent: {"admissible_actions": [f"{agent} runs"]} for agent in self.agents}

    def observe(self, agent):
        return f"{agent} of {len(self.agents)}"

    def step(self, action):
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            return self._was_dead_step(action)
        at, now = self.agents.index(self.agent_selection), self.plan.pop(0)
        self.rewards = dict(zip(self.agents, now.get("rewards", [now.get("reward", 0.0)] * len(self.agents))))
        for name in ("terminations", "truncations"):
            getattr(self, name).update({agent: True for agent in now.get(name, [])})
        self.infos[self.agent_selection]["valid"] = now.get("valid", True)
        for agent, info in now.get("infos", {}).items():
            self.infos[agent].update(info)
        self.agent_selection = self.agents[(at + 1) % len(self.agents)]
        self._deads_step_first()


def relay(*plan):
    turns = environment._with_gymnasium_calls(Relay(*plan))
    turns.reset(0, {})
    steps = []
    for _ in plan:
        observation, *outcome, info = turns.step("run")
        steps.append((observation, *outcome, info.get("agent"), info["valid"]))
    return steps, info


def test_agents_leave_and_the_episode_ends_with_the_last():
    everyone = Relay.possible_agents
    steps, info = relay(
        {"reward": 0.5, "valid": False},
        {"reward": 1.0, "terminations": ["runner_0"]},
        {"reward": 0.25},
        {"reward": 2.0, "truncations": everyone[1:], "infos": {"runner_2": {"success": True}}},
    )
    assert steps[0] == ("runner_1 of 3", 0.5, False, False, "runner_1", False)
    # Who has left is not waited for, and whose turn it was has it still.
    assert steps[1] == ("runner_2 of 2", 1.0, False, False, "runner_2", True)
    assert steps[2] == ("runner_1 of 2", 0.25, False, False, "runner_1", True)
    # The end is that of those who were left: it was cut off, though another had ended before.
    assert steps[3][1:4] == (2.0, False, True) and info["success"] is True
    (step,), _ = relay({"terminations": everyone[:1], "truncations": everyone[1:]})
    assert step[1:4] == (0.0, True, False)


def test_steps_have_the_mean_of_what_agents_earn():
    turns = environment._with_gymnasium_calls(Relay({"rewards": [1.0, -1.0, 0.5]}, {"reward": 0.1}))
    turns.reset(0, {})
    assert turns.step("run")[1] == pytest.approx(0.5 / 3)
    assert turns.earned == {"runner_0": 1.0, "runner_1": -1.0, "runner_2": 0.5}
    # Of equal rewards it is that reward, to the last bit.
    assert turns.step("run")[1] == 0.1
    with pytest.raises(ValueError, match="the reward of runner_1 must be a finite number, not nan"):
        relay({"rewards": [0.0, math.nan, 0.0]})
    # A step's reward is that of the step alone, whoever acted: nothing is added up until an agent acts again.
    steps, _ = relay({"reward": 1.0}, {"reward": 0.0}, {"reward": 1.0}, {"reward": 0.0})
    assert [step[1] for step in steps] == [1.0, 0.0, 1.0, 0.0]
