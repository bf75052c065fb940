"""Groups of episodes side by side."""

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space

from hgpo import _hgpo
from hgpo.envs._single import parts
from hgpo.envs._suites import Panels, as_text, check_integer, check_options, check_render_mode, coerce, suite_of
from hgpo.envs._text import AnyText


class GroupedVectorEnv(gymnasium.vector.VectorEnv):
    """`env_num` groups of `group_n` episodes; those of a group play the same task, at once, in one process.

    Environment i is of group i // group_n. Tasks come in the order of verl-agent's workers under `seed`:
    every reset goes on with the next of a group. Its parameters besides are those of the single
    environment, and

    autoreset : `AutoresetMode.DISABLED` (an episode that has ended is stepped on: nothing happens, reward
        0) or `AutoresetMode.NEXT_STEP` (the step after the end starts the next task).
    threads : how many work on the episodes; all cores by default. What comes out does not depend on it.

    Infos are columns: arrays over the environments, those of ``admissible`` of lists of texts.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4, "autoreset_mode": gymnasium.vector.AutoresetMode.DISABLED}
    entry = None

    def __init__(
        self, env_num, group_n=1, *, seed=0, split="train", data=None, max_steps=None, success_reward=None,
        autoreset=gymnasium.vector.AutoresetMode.DISABLED, threads=0, original=False,
        render_mode=None, **settings,
    ):
        modes = gymnasium.vector.AutoresetMode
        if autoreset not in (modes.DISABLED, modes.NEXT_STEP):
            raise ValueError(f"autoreset is {autoreset!r}: use AutoresetMode.DISABLED or AutoresetMode.NEXT_STEP")
        self.env_num, self.group_n = check_integer("env_num", env_num, 1, 1 << 20), check_integer("group_n", group_n, 1, 1 << 20)
        table = self.entry["table"]
        if table is not None and "tasks_per_iteration" in table["settings"]:
            # What the reference draws in a row is an iteration's tasks.
            settings.setdefault("tasks_per_iteration", self.env_num)
        self._suite = suite_of(self.entry, data, max_steps, success_reward, settings)
        self.num_envs = self.env_num * self.group_n
        self._episodes = _hgpo.Episodes(self._suite, self.num_envs, check_integer("threads", threads, 0, 1024), coerce("original", original, False))
        self.split, self.render_mode, self.autoreset = coerce("split", split, ""), check_render_mode(render_mode), autoreset
        self.metadata = {**self.metadata, "autoreset_mode": autoreset}
        self.single_observation_space, self.single_action_space = AnyText(), AnyText()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._seed = check_integer("seed", seed)
        self._panels = Panels(self._suite)
        self._suite.source(split, 0)  # refuses a split that there is not
        self._begin()

    def _begin(self):
        n = self.num_envs
        self._rounds = np.full(n, -1, dtype=np.int64)
        self._over, self._won = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
        self._texts, self._admissible = [""] * n, column([[]] * n)
        self._instruction, self._source = column([""] * n), column([None] * n)
        self._task = np.zeros(n, dtype=np.uint64)

    def reset(self, *, seed=None, options=None):
        """Starts the next task of every group; with a seed the first of that seed. With
        ``options={"reset_mask": mask}`` those environments alone of which the mask is true; with
        ``options={"panel": name, "task": [...]}`` the tasks at these places of a panel, one for each group."""
        options = check_options(options, ["reset_mask", "panel", "task"])
        mask = options.get("reset_mask")
        panel = self._panel_tasks(options)
        if seed is not None:
            self._seed = check_integer("seed", seed)
            self._begin()
        mask = np.ones(self.num_envs, dtype=bool) if mask is None else np.asarray(mask)
        if mask.shape != (self.num_envs,) or mask.dtype != bool:
            raise ValueError(f"reset_mask is of shape {mask.shape} and type {mask.dtype}: pass {self.num_envs} booleans")
        self._start(np.flatnonzero(mask), *panel)
        return tuple(self._texts), self._infos()

    def _panel_tasks(self, options):
        """The panel of the options of a reset and the tasks of its groups, if there is one."""
        name, tasks = options.get("panel"), options.get("task")
        if name is None:
            if tasks is not None:
                raise ValueError("reset has the option 'task' only with 'panel': pass both")
            return ()
        if self.autoreset != gymnasium.vector.AutoresetMode.DISABLED:
            raise ValueError("a panel is played with AutoresetMode.DISABLED: after the end of a task none follows by itself")
        if tasks is None or np.shape(tasks) != (self.env_num,):
            raise ValueError(f"task is of shape {np.shape(tasks)}: pass the places of {self.env_num} tasks, one for each group")
        return self._panels[name], list(tasks)

    def _start(self, places, panel=None, of_groups=None):
        groups = [int(place) // self.group_n for place in places]
        if panel is None:
            rounds = self._rounds[places] + 1
            split = self.split
            tasks = self._suite.task_seeds(split, self._seed, [(int(at), group) for at, group in zip(rounds, groups)], self.env_num)
            index = [[int(at), int(place)] for at, place in zip(rounds, places)]
        else:
            # Chance is the task's and its attempt's, however many are played at once.
            rounds, split = self._rounds[places], panel.split
            index = [[panel.place(of_groups[group]), int(place) % self.group_n] for place, group in zip(places, groups)]
            tasks = [panel.seeds[at] for at, _ in index]
        chance = [(int(place), task, self._seed, at) for place, task, at in zip(places, tasks, index)]
        (texts, admissible), instructions = self._episodes.start(split, chance)
        self._rounds[places], self._over[places], self._won[places] = rounds, False, False
        for at, place in enumerate(places):
            self._texts[place], self._admissible[place] = texts[at], admissible[at]
            self._instruction[place], self._task[place] = instructions[at], tasks[at]
            self._source[place] = self._suite.source(split, tasks[at])

    def step(self, actions):
        if isinstance(actions, (str, bytes, dict, set, frozenset)):
            raise ValueError(f"the actions are of type {type(actions).__name__}: pass a list of texts, one for each environment")
        actions = list(actions)
        if len(actions) != self.num_envs:
            raise ValueError(f"{len(actions)} actions for {self.num_envs} environments: pass one for each")
        actions = [as_text(place, action) for place, action in enumerate(actions)]
        n = self.num_envs
        rewards, scores = np.zeros(n), [None] * n
        terminated, truncated, won, carried_out = (np.zeros(n, dtype=bool) for _ in range(4))
        again = self.autoreset == gymnasium.vector.AutoresetMode.NEXT_STEP
        places = np.flatnonzero(~self._over) if again else np.arange(n)
        if again and len(places) < n:
            self._start(np.flatnonzero(self._over))
        texts, admissible, earned, flags, reached = self._episodes.step([(int(place), actions[place]) for place in places])
        rewards[places] = earned
        for whole_column, flag in zip((terminated, truncated, won, carried_out), flags):
            whole_column[places] = flag
        for at, place in enumerate(places):
            self._texts[place], self._admissible[place], scores[place] = texts[at], admissible[at], reached[at]
        self._over, self._won = terminated | truncated, won
        told = {"is_admissible": carried_out}
        if any(score is not None for score in scores):
            told["score"] = np.array([np.nan if score is None else score for score in scores])
        return tuple(self._texts), rewards, terminated, truncated, self._infos(**told)

    def _infos(self, **told):
        admissible = column([list(actions) for actions in self._admissible])
        infos = {"admissible": admissible, "instruction": self._instruction.copy(), "task": self._task.copy()}
        if any(source is not None for source in self._source):
            infos["source"] = self._source.copy()
        infos.update({"won": self._won.copy(), **told})
        for name in list(infos):
            infos[f"_{name}"] = np.ones(self.num_envs, dtype=bool)
        return infos

    def render(self):
        if self.render_mode is None:
            return None
        return tuple(self._episodes.drawing(place) or self._texts[place] for place in range(self.num_envs))

    def panel(self, name):
        """The panel of this name: `len` of it, its `tasks`, `split` and `digest`."""
        return self._panels[name]

    def plan(self, place):
        """The shortest way to finish in an environment; None where none is known."""
        return self._episodes.plan(check_integer("place", place, 0, self.num_envs - 1))

    def snapshot(self):
        """All episodes as they are, to go back to with `restore`."""
        episodes = [self._episodes.snapshot(place) for place in range(self.num_envs)]
        columns = (self._rounds, self._over, self._instruction, self._task, self._source)
        return episodes, self._seed, *(column.copy() for column in columns)

    def restore(self, snapshot, seed=None):
        """Goes back to a snapshot of as many episodes; what is left to chance repeats itself, or is drawn
        anew with a seed. The next reset goes on from there. Gives the observations and the infos."""
        episodes, tasks, rounds, over, instruction, task, source = parts(snapshot, 7, "GroupedVectorEnv")
        if len(episodes) != self.num_envs:
            raise ValueError(f"a snapshot of {len(episodes)} environments for {self.num_envs}: pass one of as many")
        chance = None if seed is None else check_integer("seed", seed)
        for place, episode in enumerate(episodes):
            self._texts[place], self._admissible[place], self._won[place] = self._episodes.restore(place, episode, chance)
        self._seed, self._rounds, self._over = tasks, rounds.copy(), over.copy()
        self._instruction, self._task, self._source = instruction.copy(), task.copy(), source.copy()
        return tuple(self._texts), self._infos()


def column(entries):
    """An array of objects, lists among them."""
    made = np.empty(len(entries), dtype=object)
    for place, entry in enumerate(entries):
        made[place] = entry
    return made
