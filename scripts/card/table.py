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
    yield "| run | device | imitation | before the first | iterations | s an iteration | rollout, update | stopped after | " + \
        "".join(f"success after {after} s | " for after in times) + "at the end |"
    yield "|---" * (9 + len(times)) + "|"
    for run in found:
        points = {point["after"]: point for point in run["success"]}
        phases = run.get("phases") or {}
        cells = [f"`{run['preset']}`", run["device"], number(run.get("seconds_of_imitation"), "{:.1f} s"),
                 number(run["before_first"], "{:.0f} s"), str(run["iterations"]),
                 number(run.get("seconds_per_iteration"), "{:.2f}"),
                 ", ".join(f"{phases.get(name, 0):.2f} s" for name in ("rollout", "update")) if phases else "-",
                 number(run.get("seconds_to_stop"), "{:.1f} s")]
        cells += [number(points[after]["rate"], "{:.1%}") if after in points else "-" for after in times]
        last = run["success"][-1] if run["success"] else None
        cells.append(f"{last['rate']:.1%} ({last['after']:.0f} s)" if last else "-")
        yield "| " + " | ".join(cells) + " |"


def spoken(program, way):
    """A way as the head of a column."""
    return ("hgpo" if program == "hgpo" else "PyTorch") + " " + way.replace("+", ", ")


def speed(report):
    """A table for each kind of work; columns are programs and their ways."""
    for what in ("training", "generation", "prompt"):
        rows = [row for row in report.get("speed", []) if row["what"] == what]
        if not rows:
            continue
        ways = sorted({(row["program"], row["way"]) for row in rows}, key=lambda it: (it[0], it[1].count("compiled"), it[1]))
        found = {(row["shape"], row["batch"], row["program"], row["way"]): row for row in rows}
        yield f"| {what}: tokens/s (s, GiB) | batch | " + " | ".join(spoken(*way) for way in ways) + " |"
        yield "|---" * (2 + len(ways)) + "|"
        for shape, batch in sorted({(row["shape"], row["batch"]) for row in rows}):
            cells = [speed_cell(found.get((shape, batch, *way))) for way in ways]
            yield f"| {shape} | {batch} | " + " | ".join(cells) + " |"
        yield ""


def speed_cell(row):
    if not row:
        return "-"
    if not row["tokens_per_second"]:
        return "out of memory" if "memory" in row.get("error", "").lower() else row.get("error", "-")[:60].replace("|", " ")
    memory = row.get("peak_memory_bytes")
    beside = [f"{min(row['seconds']):.3f}"] + ([f"{memory / 2**30:.1f}"] if memory else [])
    return f"{row['tokens_per_second']:,.0f} ({', '.join(beside)})"


def kernels(report):
    rows = [row for row in report.get("kernels", []) if row.get("kernels")]
    if not rows:
        return
    yield "| kernels of | batch | way | started | ms | of which products | most time |"
    yield "|---" * 7 + "|"
    for row in rows:
        found = row["kernels"]
        products = sum(it["seconds"] for it in found["by_name"] if is_product(it["name"]))
        most = ", ".join(f"{it['name'].split(' | ')[0]} {it['started']:,.0f} × {it['seconds'] / max(it['started'], 1) * 1e6:.0f} µs"
                         for it in found["by_name"][:5])
        clock = "" if found["is_device_time"] else " (host's clock)"
        step = "training step" if row["what"] == "training" else "decode step"
        yield f"| {row['shape']}, {step} | {row['batch']} | {row['way'].replace('+', ', ')} | {found['started']:,.0f} | " \
            f"{found['seconds'] * 1e3:,.2f}{clock} | {products * 1e3:,.2f} | {most} |"


def is_product(name):
    return any(part in name.lower() for part in ("matmul", "gemm", "gemv", "vecmat"))


def first(report):
    rows = report.get("first", [])
    if not rows:
        return
    yield "| first step after a start | batch | caches on disk | device and weights | first step | second step | cached |"
    yield "|---" * 7 + "|"
    for row in rows:
        seconds = [number(row[name], "{:.2f} s") for name in ("seconds_to_load", "seconds_of_first_round", "seconds_of_second_round")]
        yield f"| {row['shape']}, {row['what']} | {row['batch']} | {'filled' if row['is_cached'] else 'empty'} | " + \
            " | ".join(seconds) + f" | {row['bytes_cached'] / 2**20:.1f} MiB |"


def markdown(reports):
    parts = []
    for report in reports:
        parts += ["\n".join(part(report)).strip() for part in (heading, speed, kernels, first, runs)]
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
