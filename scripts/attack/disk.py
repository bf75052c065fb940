"""Fills the disk: at some byte, at some operation, or really, where a small file system may be mounted."""

import os
import shutil
import subprocess

from scenario import end_trial

KINDS = ["bytes", "operations", "file system"]


def attack(chosen, points, generator, folder, report):
    """`points` points; trials by kind, and what failed."""
    kinds = KINDS if can_mount(folder) else KINDS[:2]
    trials, failures = dict.fromkeys(KINDS, 0), []
    for point in range(points):
        scenario, kind = chosen[point % len(chosen)], kinds[point % len(kinds)]
        place = os.path.join(folder, f"disk-{point}")
        os.makedirs(place)
        trials[kind] += 1
        share = generator.random()
        if kind == "file system":
            wrong, said = fill_small_disk(scenario, place, share)
        else:
            wrong, said = fill_preloaded(scenario, place, kind, share)
        if wrong:
            wrong = f"disk {point} ({scenario.name}, seed {scenario.seed}, {kind}): {wrong}\n{said}"
        end_trial(place, wrong, failures)
        report(point + 1, points, len(failures))
    return trials, failures


def fill_preloaded(scenario, place, kind, share):
    """A disk without room, by the library that is preloaded."""
    if kind == "bytes":
        settings = {"ATTACK_FULL_BYTES": int(share * scenario.bytes)}
    else:
        settings = {"ATTACK_FULL": int(share * scenario.operations)}
    call = scenario.program.call([*scenario.begin, "--threads", "1"], place, settings)
    wrong = describe_unclear_failure(call)
    if wrong:
        return wrong, call
    call, wrong = scenario.complete(place)
    return wrong, call


def describe_unclear_failure(call):
    """What is wrong with the end of a call that found no room."""
    if wrong := call.failure():
        return wrong
    if call.status != 1:
        return f"exit status {call.status} with a full disk"
    if "No space left on device" not in call.err or "cannot write" not in call.err:
        return "the message does not say what could not be written, and why"
    return None


def can_mount(folder):
    script = f"mount -t tmpfs none '{folder}'"
    return subprocess.run(["unshare", "-m", "sh", "-c", script], stderr=subprocess.DEVNULL).returncode == 0


def fill_small_disk(scenario, place, share):
    """A small file system in memory, which is made larger after the program has failed."""
    most = max(4, int(0.95 * share * scenario.peak / 1024))
    program, out = scenario.program.path, place + ".out"
    quoted = lambda arguments: " ".join("'" + it + "'" for it in [program, *arguments, "--threads", "1"])
    script = f"""
      mount -t tmpfs -o size={most}k none '{place}' && cd '{place}' || exit 99
      {quoted(scenario.begin)} >'{out}.1' 2>&1; echo "status $?" >>'{out}.1'
      mount -o remount,size=1g '{place}'
      {quoted(scenario.resume)} >'{out}.2' 2>&1; echo "status $?" >>'{out}.2'
      if grep -q 'no run at' '{out}.2'; then
        {quoted(scenario.begin)} >'{out}.2' 2>&1; echo "status $?" >>'{out}.2'
      fi
      cp -a runs '{out}'"""
    if subprocess.run(["unshare", "-m", "sh", "-c", script]).returncode != 0:
        return "the file system could not be prepared", script
    shutil.copytree(out, os.path.join(place, "runs"))
    said = ""
    for name in (out + ".1", out + ".2"):
        with open(name) as file:
            said += file.read()
        os.remove(name)
    shutil.rmtree(out)
    first, last = said.split("status ")[1:3]
    if "panicked at" in said:
        return "a panic", said
    if first.split()[0] != "1" or "No space left on device" not in said:
        return f"exit status {first.split()[0]} with {most} KiB, or no clear error", said
    if last.split()[0] != "0":
        return "it cannot be resumed", said
    return scenario.difference(place), said
