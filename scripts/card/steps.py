"""What is measured on a machine with a card, a step at a time."""

import glob
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from packing import ROOT

# Of scripts/speed.
SHAPES = ["tiny", "smollm2-135m", "qwen2.5-0.5b", "qwen2.5-1.5b"]

RECENT = 20  # iterations whose success is told together
STOP = 30  # seconds that a run has to stop
FIRST = 3  # iterations that are left out of medians: kernels are compiled in them


def call(command, limit, variables, folder=None):
    """Status, seconds and output of a process, which is ended after so many seconds."""
    start = time.perf_counter()
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              timeout=limit, env=variables, cwd=folder)
        status, output = "done" if done.returncode == 0 else "failed", done.stdout
    except subprocess.TimeoutExpired as late:
        status, output = "out of time", (late.stdout or b"").decode(errors="replace")
    except OSError as error:
        status, output = "failed", str(error)
    print(f"$ {' '.join(command)}\n{output[-3000:]}", flush=True)
    return status, time.perf_counter() - start, output


def machine(programs, variables):
    """What there is: card and driver, adapters, PyTorch."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader,nounits"]
    status, _, found = call(query, 30, variables)
    fields = [field.strip() for field in found.splitlines()[0].split(",")] if status == "done" and found else []
    card = {"name": fields[0], "driver": fields[1], "memory_bytes": int(fields[2]) * 2**20} if len(fields) == 3 else None
    _, _, adapters = call([programs["hgpo"], "devices"], 60, variables)
    _, _, version = call([programs["hgpo"], "--version"], 60, variables)
    status, _, torch = call([sys.executable, "-c", "import torch; print(torch.__version__)"], 120, variables)
    return {"program": version.strip(), "card": card, "adapters": adapters.splitlines(),
            "processors": len(os.sched_getaffinity(0)), "torch": torch.split()[-1] if status == "done" else None}


def tests(programs, limit, variables):
    """The adapter's tests against the CPU."""
    found = {"status": "done", "seconds": 0.0, "passed": 0, "failed": 0, "skipped": [], "output": ""}
    for program in (path for name, path in programs.items() if name.startswith("test-")):
        with tempfile.TemporaryDirectory() as scratch:
            skipped = os.path.join(scratch, "skipped")
            command = [program, "--test-threads=1", "--nocapture"]
            rest = limit - found["seconds"]
            status, seconds, output = call(command, rest, {**variables, "HGPO_SKIPPED": skipped})
            lines = open(skipped).read().splitlines() if os.path.exists(skipped) else []
        counts = re.search(r"(\d+) passed; (\d+) failed", output)
        # Of tests that were cut short, those that are over count.
        passed, failed = map(int, counts.groups()) if counts else (len(re.findall(r"\.\.\. ok|^ok$", output, re.M)), 0)
        found = {"status": found["status"] if status == "done" else status, "seconds": found["seconds"] + seconds,
                 "passed": found["passed"] + passed, "failed": found["failed"] + failed,
                 "skipped": sorted({*found["skipped"], *lines}), "output": found["output"] + output[-8000:]}
    return found


def train(program, preset, device, seconds, variables, settings=(), model=None):
    """A run that is stopped, as Ctrl-C does it, before so many seconds; what it says and what its metrics say."""
    seconds = max(seconds - STOP, seconds / 2)
    command = [program, "train", "--preset", preset, "--device", device, "--name", "card"]
    command += ["--model", model] if model else []
    # A short evaluation before the first iteration, and all time for iterations.
    for setting in ["evaluation.tasks=1", "evaluation.seeds=[123]", "checkpoint.traces_every=0", *settings]:
        command += ["--set", setting]
    with tempfile.TemporaryDirectory() as scratch, open(os.path.join(scratch, "output"), "w+") as output:
        begun, start = time.time(), time.perf_counter()
        process = subprocess.Popen(command, cwd=scratch, stdout=output, stderr=subprocess.STDOUT, env={
            name: value for name, value in variables.items() if name != "HGPO_RUNS"})
        to_stop = None
        try:
            status = "done" if process.wait(seconds) == 0 else "failed"
        except subprocess.TimeoutExpired:
            asked = time.perf_counter()
            status = stopped(process)
            to_stop = time.perf_counter() - asked
        took = time.perf_counter() - start
        output.seek(0)
        said = output.read()
        print(f"$ {' '.join(command)}\n{said[-1500:]}", flush=True)
        lines = []
        for path in glob.glob(os.path.join(scratch, "runs", "card", "metrics.jsonl")):
            with open(path) as file:
                lines = [json.loads(line) for line in file if line.endswith("\n")]
    if not lines and took >= seconds:
        status = "out of time"  # it was stopped before its first iteration
    return {"preset": preset, "device": device, "status": status, "seconds": took, "seconds_to_stop": to_stop,
            "seconds_of_imitation": imitation(said), **readings(lines, begun, took), "output": said[-2000:]}


def imitation(output):
    """Seconds that the warm start took, from the line that tells its loss; none if it is not over."""
    line = re.search(r"warm start: loss \S+ in (?:(\d+) h )?(?:(\d+) min ?)?(?:([\d.]+) s)?", output)
    return sum(float(part or 0) * unit for part, unit in zip(line.groups(), (3600, 60, 1))) if line else None


def stopped(process):
    """Asks a process to stop as Ctrl-C does. An update of a large model goes on to its end, which may be long."""
    process.send_signal(signal.SIGTERM)
    try:
        return "done" if process.wait(STOP) in (0, 130) else "failed"
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return "out of time"


def readings(lines, begun, took):
    """What the metrics of a run come to that began at a time and took so many seconds."""
    counted = lines[FIRST:] or lines
    each = [line["seconds/iteration"] for line in counted]
    phases = {name: [line.get(f"seconds/{name}", 0) for line in counted] for name in ("rollout", "advantage", "update")}
    success = []
    for after in [15, 30, 60, 120, 240, 480]:
        over = [line for line in lines if line["time"] - begun <= after]
        if after <= took and over:
            rates = [line["success_rate"] for line in over[-RECENT:]]
            success.append({"after": after, "iterations": len(over), "rate": statistics.mean(rates)})
    if lines:
        rates = [line["success_rate"] for line in lines[-RECENT:]]
        success.append({"after": took, "iterations": len(lines), "rate": statistics.mean(rates)})
    return {
        "iterations": len(lines),
        "before_first": max(0.0, lines[0]["time"] - lines[0]["seconds/iteration"] - begun) if lines else None,
        "seconds_per_iteration": statistics.median(each) if each else None,
        "tokens_per_second": statistics.median(line["tokens_per_second"] for line in counted) if counted else None,
        "phases": {name: statistics.median(seconds) for name, seconds in phases.items()} if each else {},
        "success": success,
    }


def speed(program, unit, options, limit, variables):
    """scripts/speed for a unit (shape, what, batch, ways of hgpo and PyTorch): status and its rows."""
    with tempfile.TemporaryDirectory() as scratch:
        file = os.path.join(scratch, "rows.json")
        command = [sys.executable, os.path.join(ROOT, "scripts", "speed"), "--shape", unit["shape"], "--what", unit["what"],
                   "--batch", *map(str, unit["batch"]), "--hgpo", *unit.get("hgpo", []), "--torch", *unit.get("torch", []),
                   "--device", options.device, "--program", program, "--torch-device", options.torch_device,
                   "--seconds", f"{limit:.0f}", "--repetitions", str(unit.get("repetitions", options.repetitions)),
                   "--prompt-tokens", str(options.prompt_tokens), "--response-tokens", str(options.response_tokens),
                   "--json", file]
        command += ["--kernels"] if unit.get("kernels") else []
        code = subprocess.run(command, env=variables).returncode
        found = json.load(open(file)) if os.path.exists(file) else {"facts": {}, "rows": []}
    facts = {name: found["facts"].get(name) for name in ("peak", "weights_of_layers")}
    common = {"shape": unit["shape"], "prompt_tokens": options.prompt_tokens, "response_tokens": options.response_tokens}
    rows = [{**common, "device": options.device if row["program"] == "hgpo" else options.torch_device, **facts, **row}
            for row in found["rows"]]
    is_whole = code == 0 and any(row["tokens_per_second"] for row in rows)
    return "done" if is_whole else "failed", rows


def first_steps(program, shape, options, limit, variables):
    """How long a process takes to its first step: with the drivers' and cubecl's caches empty, and once more."""
    rows = []
    for what, batch in (("training", 8), ("generation", 1)):
        # Whatever is kept on disk is kept under a home of its own.
        with tempfile.TemporaryDirectory() as home:
            caches = {**variables, "HOME": home, "XDG_CACHE_HOME": os.path.join(home, ".cache")}
            command = [program, "--shape", shape, "--what", what, "--batch", str(batch), "--device", options.device,
                       "--precision", "f16", "--one-graph", "--repetitions", "1", "--prompt-tokens",
                       str(options.prompt_tokens), "--response-tokens", str(options.response_tokens)]
            for is_cached in (False, True):
                status, seconds, output = call(command, limit / 4, caches, home)
                line = next((json.loads(it) for it in output.splitlines() if it.startswith("{")), {})
                rows.append({"shape": shape, "what": what, "batch": batch, "device": options.device, "status": status,
                             "is_cached": is_cached, "bytes_cached": size(home), "seconds_of_process": seconds,
                             "seconds_to_load": line.get("seconds_to_load"),
                             "seconds_of_first_round": line.get("seconds_of_first_round"),
                             "seconds_of_second_round": (line.get("seconds") or [None])[0]})
    return "done" if all(row["status"] == "done" for row in rows) else "failed", rows


def size(folder):
    """Bytes of all files in it."""
    return sum(os.lstat(os.path.join(place, name)).st_size for place, _, names in os.walk(folder) for name in names)
