"""A trainer of this process: its parts, its state, and what it refuses."""

import doctest
import signal
import threading
import time

import pytest

import hgpo_train
from hgpo_train import Trainer

SMALL = ["rollout.tasks=2", "rollout.group_size=4", "evaluation.tasks=8", "environment.max_steps=8"]


def small(preset="gridworld", *more, seed=None):
    return Trainer(preset, set=[*SMALL, *more], seed=seed, device="cpu", threads=2)


def advantages(steps):
    """Each step's advantage: whether its attempt was won, beside the mean of all attempts."""
    won = [float(it) for it in steps["success"]]
    return [it - sum(won) / len(won) for it in won]


def an_iteration(trainer, tasks=(0, 1)):
    steps = trainer.play(list(tasks))
    gradient, report = trainer.gradient({**steps, "advantages": advantages(steps)})
    norm = trainer.apply(gradient, report["tokens"])
    trainer.end_iteration()
    return steps, norm


def test_an_iteration_is_made_of_its_parts():
    trainer = small()
    steps, norm = an_iteration(trainer)
    count = len(steps["state"])
    assert count > 0 and all(len(column) == count for column in steps.values())
    assert len(set(zip(steps["task"], steps["trajectory"]))) == 8
    assert all(len(response) == len(old) == 1 for response, old in zip(steps["response"], steps["log_probabilities"]))
    assert all(it <= 0.0 for old in steps["log_probabilities"] for it in old)
    assert norm >= 0.0 and trainer.iteration == 1 and trainer.trained_count > 0
    assert trainer.device == "CPU: chosen with --device cpu"


def test_what_is_played_by_hand_is_what_the_loop_plays():
    by_hand, by_loop = small(), small()
    steps = by_hand.play([0, 1])
    metrics = by_loop.iterate()
    assert metrics["iteration"] == 1 == by_loop.iteration
    assert sum(steps["rewards"]) / 8 == pytest.approx(metrics["reward/mean"])
    assert len(steps["state"]) == metrics["steps"]


def test_a_loss_over_responses_needs_their_number():
    trainer = small("gridworld", "learn.aggregation=responses", "learn.divergence=none")
    steps = trainer.play([0, 1])
    gradient, report = trainer.gradient({**steps, "advantages": [1.0 + it % 2 for it in range(len(steps["state"]))]})
    assert report["responses"] == len(steps["state"]) == report["tokens"]
    with pytest.raises(ValueError, match="learn.aggregation=responses divides by responses: pass the sum"):
        trainer.apply(gradient, report["tokens"])
    assert trainer.apply(gradient, report["tokens"], report["responses"]) > 0.0


def test_rewards_of_the_parts_hold_the_divergence_too():
    by_hand, by_loop = (
        small("gridworld", "learn.divergence=k1", "learn.divergence_in_reward=true", "learn.kl_coefficient=0.5")
        for _ in range(2)
    )
    for trainer in (by_hand, by_loop):
        steps = trainer.play([0, 1])
        chosen = [float(it % 2) for it in range(len(steps["state"]))]
        gradient, report = trainer.gradient({**steps, "advantages": chosen})
        trainer.apply(gradient, report["tokens"])
        trainer.end_iteration()
    steps, metrics = by_hand.play([0, 1]), by_loop.iterate()
    left = metrics["reward/mean"] - metrics["reward/divergence"]
    assert metrics["reward/divergence"] != 0.0 and sum(steps["rewards"]) / 8 == pytest.approx(left)


def test_two_trainers_share_an_adapter_and_find_the_gradient_of_the_processor():
    def on(device):
        trainer = Trainer("chores-tiny", set=SMALL, device=device, threads=2)
        trainer.restore(start)
        return trainer, trainer.gradient(steps)

    on_cpu = small("chores-tiny")
    steps = on_cpu.play([0, 1])
    steps["advantages"] = [0.5 if it % 3 else -1.0 for it in range(len(steps["state"]))]
    start = on_cpu.state()
    try:
        first, (gradient, report) = on("wgpu")
    except RuntimeError as error:
        if "no graphics adapter" not in str(error):
            raise
        pytest.skip("no graphics adapter: install a driver, or mesa-vulkan-drivers without one")
    second, (again, _) = on("wgpu")
    of_cpu, expected = on_cpu.gradient(steps)
    assert report["tokens"] == expected["tokens"]
    assert report["policy"] == pytest.approx(expected["policy"], rel=1e-3, abs=1e-3)
    assert report["entropy"] == pytest.approx(expected["entropy"], rel=1e-3)
    norm = on_cpu.apply(of_cpu, expected["tokens"])
    for trainer, found in ((first, gradient), (second, again)):
        assert trainer.apply(found, report["tokens"]) == pytest.approx(norm, rel=1e-2)


def test_shares_of_the_steps_add_up_to_all():
    trainer = small("chores-tiny")
    trainer.warm_start()
    steps = trainer.play([0, 1])
    steps["advantages"] = [0.5 if it % 3 else -1.0 for it in range(len(steps["state"]))]
    half = len(steps["state"]) // 2
    shares = [trainer.gradient({name: column[part] for name, column in steps.items()}) for part in (slice(half), slice(half, None))]
    whole, report = trainer.gradient(steps)
    tokens = sum(share["tokens"] for _, share in shares)
    assert tokens == report["tokens"]
    assert sum(share["entropy"] for _, share in shares) == pytest.approx(report["entropy"], rel=1e-5)
    state = trainer.state()
    norm = trainer.apply(whole, tokens)
    trainer.restore(state)
    assert trainer.apply(trainer.sum([gradient for gradient, _ in shares]), tokens) == pytest.approx(norm, rel=1e-4)


@pytest.mark.parametrize("preset", ["gridworld", "chores-tiny"])
def test_a_restored_trainer_goes_on_as_if_it_had_not_stopped(preset):
    first = small(preset)
    first.warm_start()
    first.iterate()
    second = small(preset)
    second.restore(first.state())
    times = ("seconds/", "time", "tokens_per_second")
    told = [{name: value for name, value in it.iterate().items() if not name.startswith(times)} for it in (first, second)]
    assert told[0] == told[1] and told[0]["iteration"] == 2
    assert first.state() == second.state()
    assert first.evaluate("unseen", 5) == second.evaluate("unseen", 5)


def test_the_seed_says_everything():
    states = [small(seed=seed).state() for seed in (1, 1, 2)]
    played = [small(seed=seed).play([0, 1])["action"] for seed in (1, 1, 2)]
    assert states[0] == states[1] and played[0] == played[1] != played[2]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (dict(preset="no-such"), "no-such.*chores"), (dict(set=["learn.iteration=3"]), "learn.iterations"), (dict(set=["seed"]), "KEY=VALUE"),
        (dict(set=["rollout.tasks=-1"]), "rollout.tasks"), (dict(set=["rollout.tasks=0"]), "rollout.tasks"), (dict(device="gpu"), "wgpu:N"),
        (dict(config="/no/such/file.toml"), "/no/such/file.toml.*`hgpo train --dry-run"), (dict(seed=2**64 - 1), "out of range"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options, said):
    with pytest.raises(ValueError, match=said):
        Trainer(**options)


def test_an_environment_without_data_is_refused(monkeypatch):
    monkeypatch.delenv("ALFWORLD_DATA", raising=False)
    with pytest.raises(RuntimeError, match="ALFWORLD_DATA"):
        Trainer(set=["environment.name=alfworld"])


def test_a_state_of_something_else_is_refused():
    table, decoder = small(), small("chores-tiny")
    state = decoder.state()
    with pytest.raises(RuntimeError, match=r"policy\.csv.*cannot be read"):
        table.restore(state)
    with pytest.raises(RuntimeError, match=r"trainer\.json.*cannot be read"):
        small("chores-tiny").restore({})
    with pytest.raises(RuntimeError, match=r"policy\.safetensors.*damaged"):
        small("chores-tiny").restore({**state, "policy.safetensors": state["policy.safetensors"][:-100]})
    with pytest.raises(RuntimeError, match=r"policy\.safetensors.*damaged"):
        small("chores-tiny", "model.hidden_size=48").restore(state)
    with pytest.raises(TypeError):
        table.restore({"trainer.json": "text"})


def test_samples_that_make_no_sense_are_refused():
    trainer = small()
    good = {"prompt": [[0, 1, 0, 2]], "response": [[0]], "log_probabilities": [[-0.5]], "advantages": [1.0]}
    assert trainer.gradient(good)[1]["tokens"] == 1
    for name in good:
        with pytest.raises(ValueError, match=f"no column '?\"?{name}"):
            trainer.gradient({key: value for key, value in good.items() if key != name})
    for change, said in [
        (dict(advantages=[1.0, 2.0]), "one entry a step in each"), (dict(log_probabilities=[[]]), "row 0.*one a token"), (dict(response=[[]], log_probabilities=[[]]), "row 0"),
        (dict(advantages=[float("nan")]), "row 0.*finite"), (dict(prompt=[["a"]]), 'column "prompt"'), (dict(prompt=[[-1]]), 'column "prompt"'),
        (dict(prompt=[[2**32]]), 'column "prompt"'),
    ]:
        with pytest.raises(ValueError, match=said):
            trainer.gradient({**good, **change})


def test_gradients_of_something_else_are_refused():
    table, decoder = small(), small("chores-tiny")
    empty, report = table.gradient({"prompt": [], "response": [], "log_probabilities": [], "advantages": []})
    assert empty == b"" and report["tokens"] == 0
    with pytest.raises(RuntimeError, match="no response tokens"):
        table.apply(empty, 0)
    with pytest.raises(RuntimeError, match="it has 3 bytes"):
        decoder.apply(b"abc", 1)
    with pytest.raises(RuntimeError):
        table.sum([b"\xff\xff"])
    with pytest.raises(ValueError, match="seen"):
        table.evaluate("train")


def test_threads_may_use_one_trainer():
    trainer, found = small(), []
    threads = [threading.Thread(target=lambda: found.append(trainer.play([0, 1]))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(it == found[0] for it in found)


def test_ctrl_c_stops_long_work_and_changes_nothing():
    trainer = small("chores", "rollout.tasks=64", "warm_start.episodes=0")
    before = trainer.state()
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100):
            trainer.iterate()
    assert time.monotonic() - started < 60
    assert trainer.state() == before or trainer.iteration > 0


def test_examples_in_docstrings_hold():
    finder = doctest.DocTestFinder()
    examples = finder.find(hgpo_train.Trainer, "Trainer", globs={"Trainer": Trainer})
    assert sum(len(it.examples) for it in examples) >= 6
    runner = doctest.DocTestRunner()
    for it in examples:
        assert runner.run(it).failed == 0
