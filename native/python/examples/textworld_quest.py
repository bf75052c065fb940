"""Quests in TextWorld: in two rooms, a thing has to be found and put somewhere. Eight games are made of the seeds 0
to 7, another eight for unseen tasks, each when it is first played; they stay in the folder for temporary files.

    pip install textworld
    hgpo train --environment-command 'python textworld_quest.py' --environment-processes 2 \\
        --set environment.max_steps=20 --set rollout.history_length=0 --set rollout.tasks=8 --set learn.iterations=60
"""

import os
import tempfile

import textworld
from hgpo.environment import serve
from textworld.generator import compile_game, make_game

GAMES = 8
FOLDER = os.path.join(tempfile.gettempdir(), f"hgpo-textworld-{textworld.__version__}")
SHOWN = textworld.EnvInfos(objective=True, description=True, inventory=True, admissible_commands=True, won=True)


def game_file(number):
    """The game of a number, which several processes may make at a time: the first that is done is kept."""
    folder = os.path.join(FOLDER, str(number))
    if not os.path.exists(folder):
        os.makedirs(FOLDER, exist_ok=True)
        own = tempfile.mkdtemp(dir=FOLDER)
        options = textworld.GameOptions()
        options.seeds, options.path = number, os.path.join(own, "quest.z8")
        options.nb_rooms, options.nb_objects, options.quest_length = 2, 3, 3
        compile_game(make_game(options), options)
        try:
            os.rename(own, folder)
        except OSError:
            pass
    return os.path.join(folder, "quest.z8")


class Quest:
    def reset(self, seed, options):
        number = seed % GAMES + GAMES * (options["split"] == "unseen")
        self.game, self.score = textworld.start(game_file(number), request_infos=SHOWN), 0
        state = self.game.reset()
        return self.seen(state), {"instruction": state.objective, "admissible_actions": state.admissible_commands}

    def step(self, action):
        state, score, done = self.game.step(action)
        reward, self.score = score - self.score, score
        info = {"admissible_actions": state.admissible_commands, "success": state.won}
        return self.seen(state), reward, done, False, info

    def seen(self, state):
        return f"{state.description.strip()}\n{state.inventory.strip()}"


if __name__ == "__main__":
    serve(Quest)
