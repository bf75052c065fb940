"""Environments against Gymnasium's own checks, recordings, and what they say of themselves."""

import json
import warnings
from concurrent.futures import ThreadPoolExecutor

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, AutoresetMode

import hgpo.envs as envs

WITHOUT_DATA = [name for name, entry in envs.environments().items() if entry["data"] is None]


def classes(name):
    return getattr(envs, name), getattr(envs, name + "Vec")


@pytest.mark.parametrize("name", WITHOUT_DATA)
def test_gymnasium_has_nothing_to_say(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(f"hgpo/{name}-v0", render_mode="ansi").unwrapped)
    single, many = classes(name)
    vec = many(2, 3)
    texts, infos = vec.reset(seed=1)
    assert vec.observation_space.contains(texts) and vec.action_space.contains(vec.action_space.sample())
    assert (vec.num_envs, len(texts), len(infos["admissible"])) == (6, 6, 6)
    assert vec.metadata["autoreset_mode"] == AutoresetMode.DISABLED
    assert single.entry["summary"] in single.__doc__


@pytest.mark.parametrize("name", WITHOUT_DATA)
def test_a_plan_wins_and_the_limit_truncates(name):
    env = classes(name)[0](success_reward=7.0)
    _, info = env.reset(seed=5)
    plan = env.plan()
    assert plan and info["instruction"]
    for action in plan:
        form = "search[<your query>]" if action.startswith("search[") else action
        assert form in info["admissible"]
        text, reward, terminated, truncated, info = env.step(action)
    assert terminated and not truncated and info["won"] and reward >= 6
    assert env.step("look")[1:4] == (0.0, True, False)
    short = classes(name)[0](max_steps=2)
    short.reset(seed=5)
    assert short.step("no such action")[2:4] == (False, False)
    _, _, terminated, truncated, info = short.step("no such action")
    assert (terminated, truncated, info["won"], info["is_admissible"]) == (False, True, False, False)
    # After the end nothing happens, whatever the action is.
    assert short.step(plan[0])[1:4] == (0.0, False, True)


@pytest.mark.parametrize("name", WITHOUT_DATA)
def test_groups_play_the_same_task_and_threads_do_not_matter(name):
    def play(threads):
        seen = []
        vec = classes(name)[1](3, 4, seed=9, threads=threads)
        for _ in range(2):
            texts, infos = vec.reset()
            seen.append((texts, infos["task"].tolist()))
            for group in range(3):
                assert len(set(texts[group * 4 : group * 4 + 4])) == 1
                assert len(set(infos["task"][group * 4 : group * 4 + 4])) == 1
            for turn in range(6):
                actions = [it[(turn + place) % len(it)] if it else "" for place, it in enumerate(infos["admissible"])]
                *step, infos = vec.step(actions)
                seen.append([np.asarray(column).tolist() for column in step])
        return seen

    assert play(1) == play(2) == play(5)


def test_threads_share_a_table_of_games():
    # Settings that no other test has, so that the table is made here.
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda _: envs.Chores(max_steps=17), range(16)))
    assert len({id(env.unwrapped._suite) for env in made}) == 1


@pytest.mark.parametrize("name", WITHOUT_DATA)
def test_the_vector_is_as_many_single_environments(name):
    single, many = classes(name)
    vec = many(1, 2, seed=3)
    env = single()
    texts, infos = vec.reset()
    text, info = env.reset(seed=3)
    assert texts == (text, text) and infos["admissible"][1] == info["admissible"]
    for turn in range(10):
        action = info["admissible"][turn % len(info["admissible"])] if info["admissible"] else ""
        text, *outcome, info = env.step(action)
        texts, *outcomes, infos = vec.step([action, action])
        assert texts[0] == text and [column[0] for column in outcomes] == outcome


@pytest.mark.parametrize("name", WITHOUT_DATA)
def test_autoreset(name):
    vec = classes(name)[1](2, 1, autoreset=AutoresetMode.NEXT_STEP, max_steps=2)
    first, infos = vec.reset(seed=2)
    vec.step(["x", "x"])
    _, _, _, truncated, _ = vec.step(["x", "x"])
    assert truncated.all()
    texts, rewards, terminated, truncated, infos = vec.step(["x", "x"])
    # The action is not carried out: this is the start of the next task.
    assert not (terminated | truncated).any() and (rewards == 0).all()
    plain = classes(name)[1](2, 1, max_steps=2)
    plain.reset(seed=2)
    again, same = plain.reset()
    assert texts == again and (infos["task"] == same["task"]).all()


def test_a_shop_has_a_seed_of_its_own():
    same = [envs.WebShopGeneratedVec(2, seed=1).reset()[1]["instruction"].tolist() for _ in range(2)]
    other = envs.WebShopGeneratedVec(2, seed=1, generated_shop_seed=5).reset()[1]["instruction"].tolist()
    assert same[0] == same[1] != other


def test_some_are_reset():
    vec = envs.ChoresVec(3, 1, seed=4)
    first, infos = vec.reset()
    vec.step(["look"] * 3)
    tasks = infos["task"]
    texts, infos = vec.reset(options={"reset_mask": np.array([False, True, False])})
    assert (infos["task"] != tasks).tolist() == [False, True, False]
    for mask in ([True], np.ones(3), "x"):
        with pytest.raises(ValueError, match="reset_mask"):
            vec.reset(options={"reset_mask": mask})


@pytest.mark.parametrize("name", WITHOUT_DATA)
def test_snapshots(name):
    single, many = classes(name)
    settings = {"slip": 0.5} if name == "Gridworld" else {}
    env = single(max_steps=40, **settings)
    _, info = env.reset(seed=6)
    kept = env.snapshot()

    def play():
        shown = []
        told = env.restore(kept)[1]["admissible"]
        for turn in range(30):
            text, reward, terminated, truncated, info = env.step(told[turn % len(told)])
            shown.append((text, reward, terminated, truncated))
        return shown

    assert play() == play()
    vec = many(2, 2)
    vec.reset()
    before = vec.snapshot()
    texts = vec.step(vec.action_space.sample())[0]
    assert vec.restore(before)[0] == vec.reset(seed=0)[0] and len(texts) == 4
    with pytest.raises(ValueError, match="snapshot of 4 environments for 1"):
        many(1).restore(before)


def test_chance_repeats_itself_unless_it_is_drawn_anew():
    env = envs.Gridworld(slip=0.9, max_steps=1000)
    env.reset(seed=1)
    kept = env.snapshot()

    def walk(**restored):
        env.restore(kept, **restored)
        return [env.step("right")[0] for _ in range(30)]

    assert walk() == walk() == walk() and walk(seed=1) == walk(seed=1)
    assert len({tuple(walk(seed=seed)) for seed in range(5)}) > 1


def test_refusals():
    for wrong, pattern in [
        (lambda: envs.Chores("moon"), "unknown split 'moon'; choose from train, seen, unseen"),
        (lambda: envs.Chores(rooms=3), "chores has no setting `rooms`: it has split"),
        (lambda: envs.Gridworld(slip=2.0), "gridworld.slip.: must lie between 0.0 and 0.9"),
        (lambda: envs.Gridworld(world=3), "world is 3: pass text"),
        (lambda: envs.Gridworld(labels=-1), "labels is -1: pass a whole number"),
        (lambda: envs.Gridworld(slip="0.2"), "slip is '0.2': pass a finite number"),
        (lambda: envs.Gridworld(key=1), "key is 1: pass True or False"),
        (lambda: envs.AlfworldGenerated(task_types=3), "task_types is 3: pass a list"),
        (lambda: envs.AlfworldGenerated(task_types=[1, 2.5]), r"task_types\[1\] is 2.5: pass a whole number"),
        (lambda: envs.Sokoban(width=object()), "width is <object"),
        (lambda: envs.Chores(max_steps=-1), "max_steps is -1: pass a whole number from 1"),
        (lambda: envs.Chores(max_steps=0), "max_steps is 0: pass a whole number from 1"),
        (lambda: envs.Chores(None), "split is None"),
        (lambda: envs.Chores(original=3), "original is 3"),
        (lambda: envs.ChoresVec(2, render_mode="human"), "render_mode"),
        (lambda: envs.Chores().reset(options={"tsk": 3}), "no option 'tsk': it has task"),
        (lambda: envs.ChoresVec(2).reset(options={"task": 3}), "option 'task' only with 'panel'"),
        (lambda: envs.Chores(success_reward=0), "success_reward.: must lie between"),
        (lambda: envs.Chores(max_steps=2**70), "max_steps|settings"),
        (lambda: envs.Chores(success_reward=float("nan")), "settings|success_reward"),
        (lambda: envs.ChoresVec(0), "env_num"),
        (lambda: envs.ChoresVec(2**20, 2**20), "1048576"),
        (lambda: envs.ChoresVec(2, autoreset=AutoresetMode.SAME_STEP), "autoreset"),
        (lambda: envs.Alfworld(data="/no/such/folder"), "alfworld.*no/such/folder.*alfworld-download"),
        (lambda: envs.Chores().reset(seed=-1), "seed|Seed"),
        (lambda: envs.ChoresVec(2).reset(seed=2**64), "seed"),
        (lambda: envs.Chores().reset(options={"task": 1.5}), "task"),
    ]:
        with pytest.raises((ValueError, gymnasium.error.Error), match=pattern):
            wrong()
    for made in (envs.Chores(), envs.ChoresVec(2)):
        with pytest.raises(RuntimeError, match="call reset first"):
            made.step("look" if isinstance(made, gymnasium.Env) else ["look"] * 2)
        with pytest.raises(RuntimeError, match="call reset first"):
            made.snapshot()
    vec = envs.ChoresVec(2)
    vec.reset()
    for actions in (["look"], ["look", None], ["look", "\ud800"], ["look", 3], "ab", {"look": 1, "go": 2}, {"look", "go"}):
        with pytest.raises(ValueError, match="environments|environment 1|for each environment"):
            vec.step(actions)


def test_a_win_is_still_told_after_a_restore_and_a_reset_of_others():
    vec = envs.ChoresVec(2, 2, seed=3)
    vec.reset()
    plans = [vec.plan(place) for place in range(4)]
    for at in range(max(map(len, plans))):
        _, _, _, _, infos = vec.step([plan[at] if at < len(plan) else "" for plan in plans])
    assert infos["won"].all()
    assert vec.restore(vec.snapshot())[1]["won"].all()
    infos["admissible"][3].append("made up")
    infos = vec.reset(options={"reset_mask": np.array([True, False, False, False])})[1]
    assert infos["won"].tolist() == [False, True, True, True]
    assert "made up" not in infos["admissible"][3]
    one = envs.Chores()
    one.reset(seed=3)
    for action in one.plan():
        one.step(action)
    assert one.restore(one.snapshot())[1]["won"] is True


def test_a_snapshot_is_of_one_kind_of_environment_and_goes_on_with_its_tasks():
    chores, maze = envs.Chores(), envs.Gridworld()
    chores.reset(seed=5), maze.reset()
    vec, mazes = envs.ChoresVec(2, 2), envs.GridworldVec(2, 2)
    vec.reset(), mazes.reset()
    for made, other in ((chores, maze), (vec, mazes), (envs.Chores(max_steps=3), chores)):
        with pytest.raises(ValueError, match="other settings"):
            made.restore(other.snapshot())
    for made, other in ((chores, vec), (vec, chores)):
        with pytest.raises(ValueError, match="no snapshot"):
            made.restore(other.snapshot())
    with pytest.raises(ValueError, match="no snapshot"):
        chores.restore(None)
    # Another environment of the same settings goes on in the same way.
    for made, same in ((chores, envs.Chores()), (vec, envs.ChoresVec(2, 2))):
        before = made.snapshot()
        wanted = made.reset()[1]["task"]
        made.restore(before), same.restore(before)
        assert np.array_equal(made.reset()[1]["task"], wanted) and np.array_equal(same.reset()[1]["task"], wanted)


def test_gymnasiums_own_vector_environments():
    # Sokoban's texts have characters of all kinds; seed 1's tasks have numbers beyond 2^63.
    kinds = [envs.Chores, envs.Sokoban]
    with pytest.raises(ValueError, match="shared_memory=False"):
        AsyncVectorEnv([envs.Chores] * 2)
    for made in (gymnasium.make_vec("hgpo/Chores-v0", num_envs=3), *(AsyncVectorEnv([kind] * 3, shared_memory=False) for kind in kinds)):
        texts, infos = made.reset(seed=1)
        kind = kinds[1] if "#" in texts[0] else kinds[0]
        for place, text in enumerate(texts):
            one = kind()
            alone, info = one.reset(seed=1 + place)
            assert text == alone and infos["task"][place] == info["task"]
        moves = [str(actions[0]) for actions in infos["admissible"]]
        assert made.step(moves)[0][2] == one.step(moves[2])[0]
        made.close()


def test_alfworld_plays_the_official_games(alfworld):
    vec = envs.AlfworldVec(8, 2, data=alfworld, split="seen", seed=1000)
    texts, infos = vec.reset()
    # The first game of worker g under seed 1000 + g, of 140: numpy's RandomState(seed).shuffle of their places.
    paths = sorted(str(path.relative_to(alfworld)) for path in alfworld.glob("json_2.1.1/valid_seen/**/game.tw-pddl"))
    assert len(paths) == 140
    for place in range(16):
        order = list(paths)
        np.random.RandomState(1000 + place // 2).shuffle(order)
        assert infos["source"][place] == order[0]
        assert "Your task is to: " in texts[place] and "help" in infos["admissible"][place]
    won = 0
    for place in range(16):
        walkthrough = json.loads((alfworld / infos["source"][place]).read_text())["walkthrough"]
        env = envs.Alfworld(data=alfworld, split="seen")
        task = int(infos["task"][place])
        env.reset(options={"task": task})
        for command in walkthrough:
            _, reward, terminated, truncated, info = env.step(command)
        won += terminated and reward == 10.0
    assert won == 16
    check_env(env, skip_render_check=True)


def test_webshop_sells(webshop):
    vec = envs.WebShopVec(4, 2, data=webshop, split="train", seed=0)
    texts, infos = vec.reset()
    # numpy's choice of the goals from 500 on, none twice: 6,910 in all.
    expected = np.random.RandomState(0).choice(range(500, 6910), size=4, replace=False)
    assert infos["task"].tolist() == np.repeat(expected, 2).tolist()
    assert all(it == ["search[<your query>]", "click[search]"] or "search[<your query>]" in it for it in infos["admissible"])
    env = envs.WebShop(data=webshop, original=True)
    text, info = env.reset(options={"task": int(expected[0])})
    assert "Instruction:" in text and info["instruction"] in text
    # Where buying the product as it is is not all that is asked for, there is no plan.
    planned = (task for task in range(500, 600) if env.reset(options={"task": task}) and env.plan())
    env.reset(options={"task": next(planned)})
    for action in env.plan():
        text, reward, terminated, truncated, info = env.step(action)
    assert terminated and info["score"] == 1.0 and reward == 10.0 and info["won"]
    check_env(env, skip_render_check=True)


def test_sokoban_draws_rooms_as_the_published_runs_did():
    vec = envs.SokobanVec(32, 2, seed=0)
    random = np.random.RandomState(0)
    for _ in range(3):
        _, infos = vec.reset()
        assert infos["task"].tolist() == np.repeat(random.randint(0, 2**16 - 1, size=32), 2).tolist()
