"""Guess a number from 1 to 7 in three guesses. Each answer is only about the last guess, so that whoever does not
remember the earlier ones cannot know what is left.

    hgpo train --environment-command 'python guess.py' --set environment.max_steps=3 \\
        --set rollout.tasks=16 --set learn.iterations=600
"""

import random

from hgpo.environment import serve


class Guess:
    instruction = "Guess the number from 1 to 7."
    admissible_actions = ["1", "2", "3", "4", "5", "6", "7"]

    def reset(self, seed):
        self.number = random.Random(seed).randint(1, 7)
        return "Which number is it?", {}

    def step(self, action):
        guess = int(action)
        if guess == self.number:
            return "That is it.", 1.0, True, False, {}
        return ("More." if guess < self.number else "Less."), 0.0, False, False, {}


if __name__ == "__main__":
    serve(Guess)
