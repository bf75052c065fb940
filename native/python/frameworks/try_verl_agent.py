"""The package's part for verl-agent against verl-agent's own code, which is fetched and never kept:

    python native/python/frameworks/try_verl_agent.py CLONE [ALFWORLD_DATA TRANSCRIPTS]

CLONE is a checkout of verl-agent (d490e5b was tried). Needs torch, omegaconf, gymnasium and the package. Ray and
the parts of verl that only types name are stood in for by empty modules; estimators, projections, memory and
environment managers are verl-agent's.
"""

import importlib
import json
import os
import pathlib
import random
import sys
import types

import numpy as np
import torch

import hgpo.verl_agent as ours

BATCHES = 200


def main():
    sys.path.insert(0, sys.argv[1])
    stand_in("verl", DataProto=object)
    stand_in("ray")
    gigpo = importlib.import_module("gigpo.core_gigpo")
    hgpo = module_at("recipe.hgpo.core_hgpo", pathlib.Path(sys.argv[1]) / "recipe/hgpo/core_hgpo.py")
    gigpo.print = lambda *_: None
    estimators(hgpo, gigpo)
    installed()
    if len(sys.argv) > 2:
        alfworld(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    sokoban()


def stand_in(name, **attributes):
    module = types.ModuleType(name)
    vars(module).update(attributes)
    module.__spec__ = importlib.machinery.ModuleSpec(name, None)
    sys.modules[name] = module


def module_at(name, path):
    """A module without its package, whose other parts need all of verl."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def batch(generator):
    """Tasks of walks over few states, as they come from a rollout: trajectory after trajectory."""
    tasks, group = int(generator.integers(1, 5)), int(generator.integers(2, 9))
    states, longest = int(generator.integers(2, 12)), int(generator.integers(1, 30))
    rows = {"uid": [], "traj": [], "obs": [], "rewards": [], "scores": []}
    for task in range(tasks):
        for attempt in range(group):
            length = int(generator.integers(1, longest + 1))
            won = 10.0 * (generator.random() < 0.5)
            for step in range(length):
                penalty = 0.1 * (generator.random() < 0.2)
                rows["uid"].append(f"task-{task}")
                rows["traj"].append(f"task-{task}-{attempt}")
                rows["obs"].append(f"place {generator.integers(states)} of task {task}")
                rows["rewards"].append(won * 0.95 ** (length - 1 - step) - penalty)
                rows["scores"].append(won - penalty)
    count, tokens = len(rows["uid"]), 5
    mask = torch.zeros(count, tokens, dtype=torch.int64)
    token_rewards = torch.zeros(count, tokens)
    for row in range(count):
        length = int(generator.integers(1, tokens + 1))
        mask[row, :length] = 1
        token_rewards[row, length - 1] = rows["scores"][row]
    objects = {name: np.array(rows[name], dtype=object) for name in ("uid", "traj", "obs")}
    return dict(
        token_level_rewards=token_rewards, step_rewards=torch.tensor(rows["rewards"], dtype=torch.float32),
        response_mask=mask, anchor_obs=objects["obs"], index=objects["uid"], traj_index=objects["traj"],
    )


def estimators(hgpo, gigpo):
    """Every option of both on random batches. Where a group's rewards are equal, float32 leaves the reference
    deviations that are rounding: what rows of such groups have is counted apart, the others must agree."""
    generator = np.random.default_rng(11)
    worst, noisy, rows = {}, 0, 0
    for number in range(BATCHES):
        given = batch(generator)
        constant = touched_by_constant_groups(given, 4)
        rows += len(constant)
        noisy += int(constant.sum())
        cases = []
        for history in (0, 2, 4):
            for mode in ("mean_std_norm", "mean_norm"):
                options = dict(history_length=history, mode=mode, length_weight_alpha=float(generator.choice([0.0, 1.0, 2.0])), base_group=bool(number % 2))
                cases.append(("compute_hgpo_outcome_advantage", hgpo, options))
        for mode in ("mean_std_norm", "mean_norm"):
            cases.append(("compute_gigpo_outcome_advantage", gigpo, dict(mode=mode, step_advantage_w=0.7)))
        cases.append(("compute_gigpo_outcome_advantage", gigpo, dict(mode="mean_norm", enable_similarity=True, similarity_thresh=0.9)))
        for function, theirs, options in cases:
            copied = {name: it.clone() if torch.is_tensor(it) else it.copy() for name, it in given.items()}
            expected, expected_returns = getattr(theirs, function)(**copied, **options)
            found, returns = getattr(ours, function)(**given, **options)
            assert found.dtype == torch.float32 and found.shape == expected.shape and returns is found
            assert (expected_returns == expected).all()
            difference = (found - expected).abs().amax(dim=1).numpy()
            kind = f"{function.split('_')[1]} {options['mode']}{' similar' if 'enable_similarity' in options else ''}"
            here = difference[~constant].max(initial=0)
            worst[kind] = max(worst.get(kind, 0), here)
            assert here < 2e-4, (number, options, here)
    for kind, difference in sorted(worst.items()):
        print(f"{kind}: {BATCHES} batches, largest difference {difference:.1e}")
    print(f"{noisy} of {rows} rows are in a group of equal rewards, where float32 has noise: left out")


def touched_by_constant_groups(given, deepest):
    """Rows of a group, at any level or of the episodes, whose rewards are equal up to rounding."""
    rewards = given["step_rewards"].numpy()
    scores = given["token_level_rewards"].sum(dim=-1).numpy()
    groups = {}
    past = {}
    for row, (uid, traj, obs) in enumerate(zip(given["index"], given["traj_index"], given["anchor_obs"])):
        history = past.setdefault(traj, [])
        history.append(obs)
        groups.setdefault((uid,), []).append((row, scores[row]))
        for level in range(min(deepest + 1, len(history))):
            groups.setdefault((uid, tuple(history[-level - 1 :])), []).append((row, rewards[row]))
    touched = np.zeros(len(rewards), dtype=bool)
    for members in groups.values():
        values = np.array([value for _, value in members])
        if len(members) > 1 and np.ptp(values) < 1e-5:
            touched[[row for row, _ in members]] = True
    return touched


def installed():
    """What `install` changes in modules that are there and in those that come later."""
    sys.modules.pop("gigpo.core_gigpo", None)
    ours.install()
    ours.install()
    module = importlib.import_module("gigpo.core_gigpo")
    assert module.compute_gigpo_outcome_advantage is ours.compute_gigpo_outcome_advantage
    assert module.build_step_group.__module__ == "gigpo.core_gigpo"
    packages = importlib.import_module("agent_system.environments.env_package.sokoban")
    assert packages.build_sokoban_envs is ours.build_sokoban_envs
    assert packages.sokoban_projection.__module__.startswith("agent_system.")
    print("install: functions replaced, projections kept")


def manager(kind, envs, projection, **env):
    from agent_system.environments import env_manager
    from omegaconf import OmegaConf

    config = OmegaConf.create({"env": {"history_length": 2, **env}})
    return getattr(env_manager, kind)(envs, projection, config)


def response(action):
    return f"<think>on we go</think><action>{action}</action>"


def alfworld(data, transcripts):
    """verl-agent's manager over our games: recorded episodes of TextWorld, text for text."""
    package = importlib.import_module("agent_system.environments.env_package.alfworld")
    assert package.build_alfworld_envs is ours.build_alfworld_envs
    os.environ["ALFWORLD_DATA"] = str(data)
    config = pathlib.Path(package.__file__).parent / "configs/config_tw.yaml"
    recorded = {}
    for path in transcripts.rglob("*.json"):
        found = json.loads(path.read_text())
        recorded[path.stem] = found
    played = steps = 0
    envs = package.build_alfworld_envs(str(config), 1000, 70, 1, {}, is_train=False, env_kwargs={"eval_dataset": "eval_in_distribution"})
    over = manager("AlfWorldEnvironmentManager", envs, package.alfworld_projection)
    seen, infos = over.reset({})
    episodes = [transcript_of(recorded, info["extra.gamefile"]) for info in infos]
    wanted = [place for place, it in enumerate(episodes) if it is not None]
    for place in wanted:
        assert seen["anchor"][place] == episodes[place]["initial_obs"]
    longest = max(len(episodes[place]["steps"]) for place in wanted)
    for turn in range(longest):
        now = [it["steps"][turn] if it and turn < len(it["steps"]) else None for it in episodes]
        seen, rewards, dones, infos = over.step([response(it["cmd"] if it else "look") for it in now])
        for place, it in enumerate(now):
            if it is None:
                continue
            assert seen["anchor"][place] == it["obs"], (place, turn)
            assert sorted(infos[place]["admissible_commands"]) == sorted(it["admissible"]) or it["won"]
            assert infos[place]["won"] == it["won"] and rewards[place] == 10.0 * it["won"]
            assert infos[place]["is_action_valid"] == 1 and (dones[place] or not it["won"])
            for command in it["admissible"] if not it["won"] else ():
                assert command == "help" or f"'{command}'" in seen["text"][place]
            steps += 1
    played = len(wanted)
    assert played >= 50
    print(f"alfworld: {played} recorded episodes, {steps} steps, texts and infos equal through verl-agent's manager")


def transcript_of(recorded, gamefile):
    """The walkthrough recorded of a game."""
    trial = pathlib.Path(gamefile).parent.name
    found = next((it for name, it in recorded.items() if trial in name or trial in str(it.get("game", ""))), None)
    return None if found is None else found["episodes"][0]


def sokoban():
    """verl-agent's manager over our rooms, at random, to the end and beyond."""
    package = importlib.import_module("agent_system.environments.env_package.sokoban")
    envs = package.build_sokoban_envs(3, 4, 2, "tiny_rgb_array", {}, env_kwargs=dict(dim_room=(6, 6), num_boxes=1, max_steps=15, search_depth=30))
    over = manager("SokobanEnvironmentManager", envs, package.sokoban_projection)
    seen, infos = over.reset({})
    choose = random.Random(5)
    total = np.zeros(8)
    for _ in range(20):
        moves = [choose.choice(["up", "down", "left", "right", "still", "fly"]) for _ in range(8)]
        seen, rewards, dones, infos = over.step([response(move) for move in moves])
        assert all(line.count("\t") == 6 for text in seen["anchor"] for line in text.split("\n"))
        total += rewards
    assert all(dones) and (total < 0).any()
    print("sokoban: 8 rooms to their end through verl-agent's manager")


if __name__ == "__main__":
    main()
