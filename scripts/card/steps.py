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
FIRST = 3  # iterations that are left out of medians: kernels are compiled in them


def call(command, limit, variables):
    """Status, seconds and output of a process, which is ended after so many seconds."""
    start = time.perf_counter()
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              timeout=limit, env=variables)
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


def tests(program, limit, variables):
    """The adapter's tests against the CPU."""
    with tempfile.TemporaryDirectory() as scratch:
        skipped = os.path.join(scratch, "skipped")
        command = [program, "--test-threads=1", "--nocapture"]
        status, seconds, output = call(command, limit, {**variables, "HGPO_SKIPPED": skipped})
        lines = open(skipped).read().splitlines() if os.path.exists(skipped) else []
    counts = re.search(r"(\d+) passed; (\d+) failed", output)
    # Of tests that were cut short, those that are over count.
    passed, failed = map(int, counts.groups()) if counts else (len(re.findall(r"\.\.\. ok|^ok$", output, re.M)), 0)
    return {"status": status, "seconds": seconds, "passed": passed, "failed": failed,
            "skipped": sorted(set(lines)), "output": output[-8000:]}


def train(program, preset, device, seconds, variables, model=None):
    """A run that is stopped, as Ctrl-C does it, after so many seconds; what its metrics say."""
    command = [program, "train", "--preset", preset, "--device", device, "--name", "card"]
    command += ["--model", model] if model else []
    # A short imitation and evaluation before the first iteration, and all time for iterations.
    for setting in ["warm_start.episodes=30", "evaluation.tasks=1", "evaluation.seeds=[123]",
                    "checkpoint.every=1000", "checkpoint.traces_every=0"]:
        command += ["--set", setting]
    with tempfile.TemporaryDirectory() as scratch, open(os.path.join(scratch, "output"), "w+") as output:
        begun, start = time.time(), time.perf_counter()
        process = subprocess.Popen(command, cwd=scratch, stdout=output, stderr=subprocess.STDOUT, env={
            name: value for name, value in variables.items() if name != "HGPO_RUNS"})
        try:
            status = "done" if process.wait(seconds) == 0 else "failed"
        except subprocess.TimeoutExpired:
            status = stopped(process)
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
    return {"preset": preset, "device": device, "status": status, "seconds": took,
            **readings(lines, begun, took), "output": said[-2000:]}


def stopped(process):
    """Asks a process to stop as Ctrl-C does. An update of a large model goes on to its end, which may be long."""
    process.send_signal(signal.SIGTERM)
    try:
        return "done" if process.wait(45) in (0, 130) else "failed"
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return "out of time"


def readings(lines, begun, took):
    """What the metrics of a run come to that began at a time and took so many seconds."""
    counted = lines[FIRST:] or lines
    each = [line["seconds/iteration"] for line in counted]
    phases = {name: sum(line.get(f"seconds/{name}", 0) for line in counted) for name in ("rollout", "advantage", "update")}
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
        "shares": {name: seconds / max(sum(each), 1e-9) for name, seconds in phases.items()} if each else {},
        "success": success,
    }


def speed(program, unit, options, limit, variables, peak):
    """scripts/speed for a shape, a precision and a kind of work: status, seconds, and its rows."""
    shape, dtype, what = unit
    with tempfile.TemporaryDirectory() as scratch:
        rows = os.path.join(scratch, "rows.json")
        # As many processes as scripts/speed starts: ours, PyTorch's, the compiled one's.
        each = limit / (1 if options.without_torch else 3 if options.compile and what != "generation" else 2)
        command = [sys.executable, os.path.join(ROOT, "scripts", "speed"), "--shape", shape, "--dtype", dtype,
                   "--device", options.device, "--program", program, "--torch-device", options.torch_device,
                   "--seconds", f"{each:.0f}", "--repetitions", str(options.repetitions), "--json", rows,
                   "--prompt-tokens", str(options.prompt_tokens), "--response-tokens", str(options.response_tokens),
                   "--what", what, "--batch", *map(str, options.batch)]
        command += ["--compile"] if options.compile else []
        command += ["--without-torch"] if options.without_torch else []
        command += ["--peak", str(peak)] if peak else []
        start = time.perf_counter()
        code = subprocess.run(command, env=variables).returncode
        found = json.load(open(rows)) if os.path.exists(rows) else []
    common = {"shape": shape, "dtype": dtype, "device": options.device, "torch_device": options.torch_device,
              "prompt_tokens": options.prompt_tokens, "response_tokens": options.response_tokens}
    found = [{**common, **row} for row in found]
    is_whole = code == 0 and any(row["hgpo"] for row in found)
    return "done" if is_whole else "failed", time.perf_counter() - start, found
