"""Panels: the same tasks and the same chance, whatever is played at once."""

import json

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import hgpo.envs as envs


def played(many, panel, env_num, group_n, threads, of):
    """What comes of playing a panel with the plans of its tasks, spoiled at every third step, `env_num` tasks at once."""
    vec = many(env_num, group_n, seed=5, threads=threads, **of)
    outcomes = {}
    for first in range(0, len(vec.panel(panel)), env_num):
        tasks = [min(first + group, len(vec.panel(panel)) - 1) for group in range(env_num)]
        texts, infos = vec.reset(options={"panel": panel, "task": tasks})
        record = [[text] for text in texts]
        for at in range(6):
            actions = [actions[-1 - at % 2] if actions else "" for actions in infos["admissible"]]
            texts, rewards, terminated, truncated, infos = vec.step(actions)
            for place in range(vec.num_envs):
                record[place].append((texts[place], rewards[place], terminated[place], infos["won"][place]))
        for place, episode in enumerate(record):
            outcomes[tasks[place // group_n], place % group_n] = episode
    return json.dumps([outcomes[key] for key in sorted(outcomes) if key[1] == 0], default=str).encode()


@pytest.mark.parametrize(
    "name, panel, settings", [("Gridworld", "maze-seen", {"world": "generated"}), ("WebShopGenerated", "webshop-generated-unseen", {})]
)
def test_panels_are_played_alike_whatever_is_played_at_once(name, panel, settings):
    single, many = getattr(envs, name), getattr(envs, name + "Vec")
    expected = played(many, panel, 1, 1, 1, settings)
    for env_num, group_n, threads, split in [(7, 1, 1, "train"), (32, 2, 2, "unseen"), (64, 1, 4, "seen")]:
        assert played(many, panel, env_num, group_n, threads, {"split": split, **settings}) == expected
    env, opened = single(**settings), many(2, **settings).panel(panel)
    assert (len(opened), len(opened.digest), len(set(opened.tasks))) == (len(env.panel(panel)), 64, len(opened))
    env.reset(seed=5)
    text, info = env.reset(options={"panel": panel, "task": 3})
    texts, infos = many(2, **settings).reset(seed=5, options={"panel": panel, "task": np.array([0, 3])})
    assert (text, info["instruction"], info["task"]) == (texts[1], infos["instruction"][1], infos["task"][1])


def test_panels_that_there_are_not_are_refused():
    env, vec = envs.Sokoban(), envs.SokobanVec(2)
    assert envs.environments()["Sokoban"]["panels"] == ["sokoban-seen", "sokoban-unseen"]
    for options, problem in [
        ({"panel": "moon", "task": 0}, "unknown panel 'moon'"),
        ({"panel": "sokoban-seen", "task": 500}, "task is 500: pass a whole number from 0 to 499"),
        ({"panel": "sokoban-seen"}, "task is None"),
        ({"panel": 3, "task": 0}, "panel is 3: pass text"),
        ({"panel": "chores-seen", "task": 0}, "it is of another environment"),
    ]:
        with pytest.raises(ValueError, match=problem):
            env.reset(options=options)
    with pytest.raises(ValueError, match="settings or data are not those"):
        envs.Sokoban(published_rooms=True).reset(options={"panel": "sokoban-seen", "task": 0})
    with pytest.raises(ValueError, match="one for each group"):
        vec.reset(options={"panel": "sokoban-seen", "task": [1]})
    again = envs.SokobanVec(2, autoreset=AutoresetMode.NEXT_STEP)
    with pytest.raises(ValueError, match="AutoresetMode.DISABLED"):
        again.reset(options={"panel": "sokoban-seen", "task": [1, 2]})
    # Tasks that are left out need not be there.
    vec.reset()
    vec.reset(options={"panel": "sokoban-seen", "task": [499, 500], "reset_mask": np.array([True, False])})


def test_panels_of_the_official_data(alfworld, webshop):
    env = envs.Alfworld(data=alfworld)
    text, info = env.reset(options={"panel": "alfworld-unseen", "task": 133})
    opened = env.panel("alfworld-unseen")
    assert (len(opened), opened.split, info["source"]) == (134, "unseen", opened.tasks[133])
    goals = envs.WebShop(data=webshop).panel("webshop-500")
    assert len(goals) == 500 and all("/" in task for task in goals.tasks)
