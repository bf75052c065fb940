"""Two agents of one team: the first sees a number and says a word, the second hears the word and guesses the number.
No word means anything until they agree on one. A PettingZoo environment, whose agents take turns.

    pip install pettingzoo
    hgpo train --environment-command 'python hints.py' --set estimator.name=dr-mas \\
        --set environment.max_steps=2 --set learn.iterations=300
"""

import random
from string import ascii_letters, digits

from gymnasium.spaces import Text
from hgpo.environment import serve
from pettingzoo import AECEnv

SPEAKER, GUESSER = "speaker_0", "guesser_0"
ACTIONS = {SPEAKER: ["red", "green", "blue"], GUESSER: ["1", "2", "3"]}


class Hints(AECEnv):
    metadata = {"name": "hints_v0"}
    instruction = "The speaker sees a number and gives a hint of one word, by which the guesser guesses the number."
    possible_agents = [SPEAKER, GUESSER]

    def __init__(self):
        self.action_spaces = {agent: Text(8) for agent in ACTIONS}
        self.observation_spaces = {agent: Text(40, charset=ascii_letters + digits + " .") for agent in ACTIONS}

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        self.number, self.word = random.Random(seed).choice(ACTIONS[GUESSER]), "missing"
        self.agents, self.agent_selection = list(self.possible_agents), SPEAKER
        self.rewards, self._cumulative_rewards = ({agent: 0.0 for agent in self.agents} for _ in range(2))
        self.terminations, self.truncations = ({agent: False for agent in self.agents} for _ in range(2))
        self.infos = {agent: {"admissible_actions": ACTIONS[agent]} for agent in self.agents}

    def observe(self, agent):
        return f"The number is {self.number}." if agent == SPEAKER else f"The word is {self.word}."

    def step(self, action):
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
        elif self.agent_selection == SPEAKER:
            self.word, self.agent_selection = action, GUESSER
        else:
            self.rewards = {agent: float(action == self.number) for agent in self.agents}
            self._accumulate_rewards()
            self.terminations = {agent: True for agent in self.agents}


if __name__ == "__main__":
    serve(Hints)
