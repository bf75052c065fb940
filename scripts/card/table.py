"""What was measured, as the tables of docs/results.md."""

import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
BEGIN, END = "<!-- begin: scripts/gpu table -->", "<!-- end: scripts/gpu table -->"


def check(report):
    """Refuses what is not as the schema says; needs the package jsonschema."""
    import jsonschema

    with open(os.path.join(HERE, "schema.json")) as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    found = jsonschema.Draft202012Validator(schema).iter_errors(report)
    problems = [f"{'/'.join(map(str, error.absolute_path)) or 'report'}: {error.message}" for error in found]
    if problems:
        raise SystemExit("error: " + "\n".join(problems))


def number(value, form="{:,.0f}"):
    return form.format(value) if value is not None else "-"


def gigabytes(side):
    bytes_ = side and side["peak_memory_bytes"]
    return f"{bytes_ / 2**30:.2f} GiB" if bytes_ else "-"


def heading(report):
    machine = report["machine"]
    card = machine["card"]
    name = f"{card['name']}, {card['memory_bytes'] / 2**30:.0f} GiB, driver {card['driver']}" if card else \
        next(iter(machine["adapters"]), "no adapter")
    torch = f"PyTorch {machine['torch']}" if machine["torch"] else "no PyTorch"
    yield f"**{name}**, {machine['processors']} processors, {torch}, {machine['program']}, {report['date']}."
    tests = report.get("tests")
    if tests:
        skipped = f", {len(tests['skipped'])} skipped" if tests["skipped"] else ""
        late = "" if tests["status"] == "done" else f" ({tests['status']})"
        yield f"The adapter's tests against the CPU: {tests['passed']} passed, {tests['failed']} failed{skipped}{late}."


def runs(report):
    found = report.get("runs", [])
    if not found:
        return
    times = sorted({point["after"] for run in found for point in run["success"] if point["after"] % 15 == 0})
    yield "| run | device | before the first | iterations | s an iteration | rollout, update | " + \
        "".join(f"success after {after} s | " for after in times) + "at the end |"
    yield "|---" * (7 + len(times)) + "|"
    for run in found:
        points = {point["after"]: point for point in run["success"]}
        cells = [f"`{run['preset']}`", run["device"], number(run["before_first"], "{:.0f} s"), str(run["iterations"]),
                 number(run.get("seconds_per_iteration"), "{:.2f}"),
                 ", ".join(f"{run['shares'].get(name, 0):.0%}" for name in ("rollout", "update")) if run.get("shares") else "-"]
        cells += [number(points[after]["rate"], "{:.1%}") if after in points else "-" for after in times]
        last = run["success"][-1] if run["success"] else None
        cells.append(f"{last['rate']:.1%} ({last['after']:.0f} s)" if last else "-")
        yield "| " + " | ".join(cells) + " |"


def speed(report):
    rows = report.get("speed", [])
    if not rows:
        return
    yield "| shape | precision | work | batch | hgpo, tokens/s | PyTorch | compiled | hgpo / best | memory | PyTorch | compiled |"
    yield "|---" * 11 + "|"
    units = {}
    for row in rows:
        units.setdefault(tuple(row[name] for name in ("shape", "dtype", "what", "batch")), {})[row["compiled"]] = row
    for (shape, dtype, what, batch), ways in units.items():
        mine = next((row["hgpo"] for row in ways.values() if row["hgpo"]), None)
        eager, compiled = ((ways.get(way) or {}).get("torch") for way in (False, True))
        best = max((side["tokens_per_second"] for side in (eager, compiled) if side), default=None)
        speeds = [number(side and side["tokens_per_second"], "{:,.1f}") for side in (mine, eager, compiled)]
        ratio = f"{mine['tokens_per_second'] / best:.2f}" if mine and best else "-"
        cells = [shape, dtype, what, str(batch), *speeds, ratio, *map(gigabytes, (mine, eager, compiled))]
        yield "| " + " | ".join(cells) + " |"


def markdown(reports):
    parts = []
    for report in reports:
        parts += ["\n".join(part(report)) for part in (heading, runs, speed)]
    return "\n\n".join(filter(None, parts)) + "\n"


def replace_tables(document, text):
    """The document with the text between the marks."""
    if BEGIN not in document or END not in document:
        raise SystemExit(f"error: the document has no lines {BEGIN} and {END}: add them where the tables belong")
    before, rest = document.split(BEGIN, 1)
    return f"{before}{BEGIN}\n\n{text}\n{END}{rest.split(END, 1)[1]}"


def table(files, into):
    reports = []
    for name in files:
        with open(name) as file:
            reports.append(json.load(file))
        check(reports[-1])
    text = markdown(reports)
    if not into:
        print(text, end="")
        return
    with open(into, encoding="utf-8") as file:
        document = replace_tables(file.read(), text)
    with open(into, "w", encoding="utf-8") as file:
        file.write(document)
    print(f"wrote the tables into {into}")
