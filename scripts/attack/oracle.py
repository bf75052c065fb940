"""What a run's files say must happen, found without the program."""

import hashlib
import json
import os

from reproducible_files import list_folder, without_times


class Reference:
    """What runs of one seed come to, iteration by iteration, and what is said about them."""

    ITERATIONS = 12
    NAME = "r"
    SETTINGS = ["rollout.tasks=2", "rollout.group_size=3", "warm_start.epochs=2", "evaluation.tasks=16",
                "evaluation.seeds=[1,2]", f"learn.iterations={ITERATIONS}"]
    TABLE = ["policy.kind=table", "rollout.history_length=0", "warm_start.episodes=80"]
    TRANSFORMER = ["warm_start.episodes=32", "warm_start.learning_rate=0.01", "model.hidden_size=32",
                   "model.intermediate_size=64", "model.num_hidden_layers=1", "model.num_attention_heads=2",
                   "model.num_key_value_heads=1"]
    SAVING = ["checkpoint.every=3", "checkpoint.keep=2", "checkpoint.traces_every=2"]

    def __init__(self, program, seed, folder):
        self.program, self.seed, self.said = program, seed, {}
        self.settings = [*self.SETTINGS, *(self.TRANSFORMER if seed % 4 == 0 else self.TABLE)]
        self.folder = os.path.join(folder, f"reference-{seed}")
        os.makedirs(self.folder)
        arguments = self.train(["checkpoint.every=1", "checkpoint.keep=100", "checkpoint.traces_every=1"])
        program.call(arguments, self.folder).require_success()
        self.run = os.path.join(self.folder, "runs", self.NAME)
        self.metrics = whole_lines(os.path.join(self.run, "metrics.jsonl"))
        with open(os.path.join(self.run, "evaluations.jsonl"), "rb") as file:
            self.evaluations = file.read()
        self.weights = {int(name[-6:]): digests(os.path.join(self.run, "checkpoints", name))
                        for name in os.listdir(os.path.join(self.run, "checkpoints"))}

    def train(self, settings):
        arguments = ["train", "--device", "cpu", "--threads", "1", "--name", self.NAME, "--seed", str(self.seed)]
        for setting in [*self.settings, *settings]:
            arguments += ["--set", setting]
        return arguments

    def say(self, iteration, arguments):
        """What a command says about the run after so many iterations."""
        key = (iteration, *arguments)
        if key not in self.said:
            for name in os.listdir(os.path.join(self.run, "checkpoints")):
                hidden = os.path.join(self.run, "checkpoints", "." + name.strip("."))
                shown = os.path.join(self.run, "checkpoints", name.strip("."))
                wanted = int(name[-6:]) == iteration
                os.rename(os.path.join(self.run, "checkpoints", name), shown if wanted else hidden)
            self.said[key] = self.program.call(arguments, self.folder).out
        return self.said[key]

    def trace(self, iteration):
        path = os.path.join(self.run, "traces", f"iteration_{iteration:06}.rollouts.jsonl")
        with open(path, "rb") as file:
            return file.read()


def whole_lines(path):
    """Lines of consecutive iterations, without what the clock has put there."""
    try:
        with open(path, "rb") as file:
            lines = file.read().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    found = []
    for line in lines:
        try:
            number = json.loads(line).get("iteration")
        except (ValueError, AttributeError):
            break
        if type(number) is not int or number != len(found) + 1:
            break
        found.append(without_times(line))
    return found


def digests(checkpoint):
    """SHA-256 of what a checkpoint has learned, by name."""
    found = {}
    for name in sorted(os.listdir(checkpoint)):
        if name not in ("config.toml", "manifest.json"):
            with open(os.path.join(checkpoint, name), "rb") as file:
                found[name] = hashlib.sha256(file.read()).hexdigest()
    return found


def checkpoints(run):
    """Iterations and folders of the checkpoints that count, oldest first."""
    folder = os.path.join(run, "checkpoints")
    names = [name for name in list_folder(folder) if name.startswith("iteration_") and "." not in name]
    return [(int(name[-6:]), os.path.join(folder, name)) for name in names]


def damage(iteration, checkpoint):
    """The file because of which a checkpoint cannot be used; none where it is what was saved."""
    try:
        with open(os.path.join(checkpoint, "manifest.json"), "rb") as file:
            manifest = json.loads(file.read())
        if set(manifest) != {"iteration", "files"} or manifest["iteration"] != iteration:
            return "iteration"
        if any(set(entry) != {"bytes", "sha256"} for entry in manifest["files"].values()):
            return "manifest.json"
        for name, entry in manifest["files"].items():
            with open(os.path.join(checkpoint, name), "rb") as file:
                data = file.read()
            if entry != {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}:
                return name
    except FileNotFoundError as missing:
        return os.path.basename(missing.filename)
    except (ValueError, AttributeError, TypeError, OSError):
        return "manifest.json"
    return None


def start(run):
    """Where a run goes on: ("from", iteration), ("refused", words of the message), or ("unknown", None)
    where a checkpoint without manifest and settings, which counts as an old one, would be used."""
    recorded = len(whole_lines(os.path.join(run, "metrics.jsonl")))
    found, newest = checkpoints(run), None
    for iteration, folder in reversed(found):
        if not {"manifest.json", "config.toml"} & set(os.listdir(folder)):
            return "unknown", None
        problem = damage(iteration, folder)
        if problem is None and iteration <= recorded:
            return "from", iteration
        newest = newest or ("metrics.jsonl" if problem is None else problem)
    return ("refused", newest) if found else ("from", 0)
