"""Damage to the files of a run, and what of it can no longer be compared."""

import hashlib
import os
import shutil

import oracle


def files(run):
    """Every file of a run below its folder, by kind, so that each kind is met as often."""
    kinds = {}
    for folder, _, names in sorted(os.walk(run)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            inner = os.path.relpath(path, run)
            kind = name if inner.startswith("checkpoints") or os.sep not in inner else inner.split(os.sep)[0]
            kinds.setdefault(kind, []).append(path)
    return [kinds[kind] for kind in sorted(kinds)]


def snapshot(run):
    """Every file with its digest."""
    found = {}
    for paths in files(run):
        for path in paths:
            with open(path, "rb") as file:
                found[path] = hashlib.sha256(file.read()).hexdigest()
    return found


def choose(values, number):
    return values[min(int(number * len(values)), len(values) - 1)]


def damage_run(user, how, which, where, bit, also):
    kinds = files(user.run)
    if not kinds:
        return
    if how > 0.95 and oracle.checkpoints(user.run):
        shutil.rmtree(oracle.checkpoints(user.run)[-1][1] if which < 0.7 else os.path.join(user.run, "checkpoints"))
        return
    path = choose(choose(kinds, which), also)
    name = os.path.basename(path)
    if name == "config.toml" and os.path.dirname(path) == user.run:
        return os.remove(path) if how < 0.25 else damage_settings(user, path, where, bit)
    before = oracle.whole_lines(os.path.join(user.run, "metrics.jsonl"))
    damage_file(path, how, where, bit)
    if name == "evaluations.jsonl":
        user.unlike.add("evaluations")
    # A number that is another one and still a number is not seen.
    after = oracle.whole_lines(os.path.join(user.run, "metrics.jsonl"))
    if before[:len(after)] != after:
        user.unlike.add("metrics")


def damage_file(path, how, where, bit):
    if how < 0.25:
        os.remove(path)
        return
    with open(path, "rb") as file:
        data = bytearray(file.read())
    at = min(int(where * len(data)), max(len(data) - 1, 0))
    if how < 0.5:
        del data[at:]
    elif data:
        data[at] ^= 1 << min(int(bit * 8), 7)
    with open(path, "wb") as file:
        file.write(data)


def damage_settings(user, path, where, bit):
    """The settings are the user's to change, so that a flipped bit may be a change: nothing may break. Before
    there is a checkpoint, it may even be a change of what is fixed later."""
    if oracle.start(user.run)[0] != "from" or not oracle.checkpoints(user.run):
        return
    with open(path, "rb") as file:
        before = file.read()
    damage_file(path, 1, where, bit)
    call = user.call(user.resume_arguments())
    if call.status == 0:
        user.unlike |= {"numbers", "evaluations", "metrics"}
    with open(path, "wb") as file:
        file.write(before)
