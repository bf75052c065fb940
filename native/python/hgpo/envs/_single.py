"""One episode at a time."""

import gymnasium
import numpy as np

from hgpo import _hgpo
from hgpo.envs._suites import Panels, as_text, check_integer, check_options, check_render_mode, coerce, suite_of
from hgpo.envs._text import AnyText


class TextEnv(gymnasium.Env):
    """One episode at a time.

    Parameters
    ----------
    split : "train", "seen" (new tasks in known places) or "unseen" (in new places).
    data : folder of the environment's data, where it needs some; else the variable that `environments` names.
    max_steps : steps after which an episode is truncated; that of the published runs by default.
    success_reward : reward of the step that completes the task, 10 by default.
    original : observations as the original of the environment tells them, where those that grouping compares
        differ (WebShop's pages, with what is asked for).
    **settings : those of the environment, by `environments()[...]["table"]["settings"]`.

    `reset(seed=s)` begins the tasks of seed s with the first, `reset()` goes on with the next;
    `reset(options={"task": n})` plays the task of that number, `reset(options={"panel": name, "task": n})` the one
    at that place of a panel, whatever the split.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}
    entry = None

    def __init__(self, split="train", *, data=None, max_steps=None, success_reward=None, original=False, render_mode=None, **settings):
        self._suite = suite_of(self.entry, data, max_steps, success_reward, settings)
        self._episodes = _hgpo.Episodes(self._suite, 1, 1, coerce("original", original, False))
        self.split, self.render_mode = coerce("split", split, ""), check_render_mode(render_mode)
        self.observation_space, self.action_space = AnyText(), AnyText()
        self._seed, self._round = 0, -1
        self._panels = Panels(self._suite)
        self._suite.source(split, 0)  # refuses a split that there is not

    def reset(self, *, seed=None, options=None):
        options = check_options(options, ["task", "panel"])
        task, panel = options.get("task"), options.get("panel")
        super().reset(seed=seed)
        if seed is not None:
            self._seed, self._round = check_integer("seed", seed), -1
        self._round += 1
        split, at = self.split, self._round
        if panel is not None:
            panel = self._panels[panel]
            at = panel.place(task)
            split, task = panel.split, panel.seeds[at]
        elif task is None:
            (task,) = self._suite.task_seeds(split, self._seed, [(at, 0)], 1)
        task = check_integer("task", task)
        (texts, admissible), instructions = self._episodes.start(split, [(0, task, self._seed, [at, 0])])
        # Gymnasium's vector environments make an array of it, which holds no larger numbers of Python.
        self._text, self._told = texts[0], {"instruction": instructions[0], "task": np.uint64(task)}
        source = self._suite.source(split, task)
        if source is not None:
            self._told["source"] = source
        return texts[0], {"admissible": admissible[0], "won": False, **self._told}

    def step(self, action):
        texts, admissible, rewards, flags, scores = self._episodes.step([(0, as_text(0, action))])
        terminated, truncated, won, carried_out = (bool(flag[0]) for flag in flags)
        self._text = texts[0]
        info = {"admissible": admissible[0], "won": won, "is_admissible": carried_out, **self._told}
        if scores[0] is not None:
            info["score"] = scores[0]
        return texts[0], float(rewards[0]), terminated, truncated, info

    def render(self):
        return None if self.render_mode is None else self._episodes.drawing(0) or self._text

    def panel(self, name):
        """The panel of this name: `len` of it, its `tasks`, `split` and `digest`."""
        return self._panels[name]

    def plan(self):
        """The shortest way to finish, with full knowledge of what is hidden; None where none is known."""
        return self._episodes.plan(0)

    def snapshot(self):
        """The episode as it is, to go back to with `restore`."""
        return self._episodes.snapshot(0), self._told, self._seed, self._round

    def restore(self, snapshot, seed=None):
        """Goes back to a snapshot of this environment or of another one of the same settings; what is left
        to chance repeats itself, or is drawn anew with a seed. The next reset goes on from there. Gives the
        observation and the infos."""
        episode, told, tasks, round = parts(snapshot, 4, "TextEnv")
        text, admissible, won = self._episodes.restore(0, episode, None if seed is None else check_integer("seed", seed))
        self._text, self._told, self._seed, self._round = text, told, tasks, round
        return text, {"admissible": admissible, "won": won, **told}


def parts(snapshot, count, kind):
    """The parts of a snapshot, where it is one."""
    if not isinstance(snapshot, tuple) or len(snapshot) != count:
        raise ValueError(f"what is to be restored is no snapshot of a {kind}: pass what its snapshot() gave")
    return snapshot
