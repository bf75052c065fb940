"""Environments of one's own, in this process, and loops of one's own."""

import json
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from hgpo_train import Trainer, train

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python/examples"))
import guess  # noqa: E402

SHORT = ["learn.iterations=6", "environment.max_steps=3", "rollout.tasks=4", "evaluation.tasks=16", "checkpoint.every=2"]


class Guess(guess.Guess):
    """The example, which also says how far off a guess is."""

    def step(self, action):
        observation, reward, terminated, truncated, _ = super().step(action)
        return observation, reward, terminated, truncated, {"distance": abs(int(action) - self.number)}


def learned(run):
    """What was seen and learned in a run."""
    metrics = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    told = [[line[name] for name in ("success_rate", "info/distance", "grad_norm", "loss/total")] for line in metrics]
    return told, (run / "checkpoints/iteration_000006/policy.csv").read_bytes()


def trained(name, *more, environment=Guess):
    return train(environment, preset="gridworld", set=[*SHORT, *more], name=name, device="cpu", threads=2)


def test_an_object_is_trained_in_and_resumed_to_the_same_bytes(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    whole = trained("whole")
    assert whole == Path("runs/whole")
    told, _ = learned(whole)
    assert len(told) == 6 and all(distance > 0.0 for _, distance, *_ in told)
    trained("part", "learn.iterations=4")
    said = capfd.readouterr()
    assert "one seed played twice gave the same" in said.err
    assert 'hgpo_train.train(environment=..., resume="runs/part", set=["learn.iterations=8"])' in said.out
    with pytest.raises(RuntimeError, match=r"is the object test_own_environment.Guess in Python"):
        train(resume="runs/part")
    part = train(Guess, resume="runs/part", set=["learn.iterations=6"], device="cpu")
    assert learned(part) == learned(whole)
    recorded = json.loads((whole / "inputs.json").read_text())["external"]
    assert (recorded["way"], list(recorded["files"])) == ("object", [__file__])


def test_ctrl_c_saves_and_raises(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    class Slow(Guess):
        def step(self, action):
            time.sleep(0.002)
            return super().step(action)

    threading.Timer(2.0, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        trained("slow", "learn.iterations=100000", environment=Slow)
    saved = sorted((tmp_path / "runs/slow/checkpoints").iterdir())
    assert saved and (saved[-1] / "policy.csv").exists()


def test_what_is_wrong_with_an_object_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    class Broken(Guess):
        def step(self, action):
            raise LookupError("no such door")

    with pytest.raises(RuntimeError, match="LookupError: no such door"):
        trained("broken", environment=Broken)
    with pytest.raises(RuntimeError, match="TypeError: an observation must be a text, not int"):
        trained("number", environment=type("Number", (Guess,), {"reset": lambda self, seed: (seed, {})}))
    with pytest.raises(TypeError, match="a class, or a function that gives an environment"):
        train(Guess())
    with pytest.raises(ValueError, match="--seed"):
        train(Guess, preset="gridworld", seed=1, resume="runs/broken")
    with pytest.raises(ValueError, match="nothing.like.it"):
        trained("unset", "nothing.like.it=1")


def test_a_trainer_plays_an_object_and_updates_as_its_loop_does():
    def trainer():
        return Trainer("gridworld", set=SHORT, environment=Guess, device="cpu", threads=1)

    by_hand, by_loop = trainer(), trainer()
    for _ in range(3):
        steps = by_hand.play(range(4))
        metrics = by_hand.update({**steps, "advantages": by_hand.estimate(steps)})
        expected = by_loop.iterate()
        assert metrics == {name: expected[name] for name in metrics}
    assert by_hand.state() == by_loop.state()
    assert by_hand.iteration == 3


def test_estimates_are_those_of_rows_in_any_order():
    trainer = Trainer("gridworld", set=SHORT, device="cpu")
    steps = trainer.play([0, 1])
    advantages = trainer.estimate(steps)
    names = ("task", "trajectory", "state", "rewards", "valid", "action")
    # Within a trajectory the order of rows is that of its steps.
    by_place = {}
    for row, name in enumerate(steps["trajectory"]):
        by_place.setdefault(name, []).append(row)
    longest = max(map(len, by_place.values()))
    mixed = [rows[at] for at in range(longest) for rows in by_place.values() if at < len(rows)]
    shuffled = {name: [steps[name][row] for row in mixed] for name in names}
    assert trainer.estimate(shuffled) == [advantages[row] for row in mixed]
    with pytest.raises(ValueError, match="columns of different lengths .task 1, "):
        trainer.estimate({**steps, "task": ["a"]})
    with pytest.raises(ValueError, match='no column "rewards"'):
        trainer.estimate({"task": ["a"], "trajectory": ["b"], "state": ["c"]})


def test_responses_to_prompts_are_scored_and_learned_from():
    trainer = Trainer("gridworld", set=SHORT, device="cpu")
    prompt = trainer.play([0])["prompt"][0]
    answers = trainer.respond([prompt] * 64)
    assert "text" not in answers and len(answers["response"]) == 64
    chosen = answers["response"][0]
    advantages = [1.0 if it == chosen else -1.0 for it in answers["response"]]
    before = trainer.score(answers)
    assert before[0] == pytest.approx(answers["log_probabilities"][0])
    for _ in range(5):
        trainer.update({**answers, "advantages": advantages})
    assert trainer.score(answers)[0][0] > before[0][0]
    assert trainer.score(answers, reference=True)[0] == pytest.approx(before[0])
    with pytest.raises(RuntimeError, match="this policy reads no text"):
        trainer.respond(["hello"])
    with pytest.raises(ValueError, match="prompt 1: give a text, a list of messages"):
        trainer.respond([prompt, 3.5])
    with pytest.raises(ValueError, match="no language model"):
        trainer.save_model("model")
    with pytest.raises(ValueError, match="no steps to learn from"):
        trainer.update({"prompt": [], "response": [], "log_probabilities": [], "advantages": []})
