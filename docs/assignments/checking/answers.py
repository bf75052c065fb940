"""Reads answers: a CSV file, or what a program of the student prints as CSV."""
import csv
import fractions
import math
import pathlib
import subprocess
import sys

from .wrong import Wrong

WORDS = {"yes": 1.0, "no": 0.0}
PATIENCE = 300  # seconds


def is_program(path):
    return pathlib.Path(path).suffix == ".py"


def text_of(path, argument):
    """The text of a CSV file, or what `python3 FILE ARGUMENT` prints."""
    if not pathlib.Path(path).is_file():
        raise Wrong(f"there is no file {path}")
    if not is_program(path):
        try:
            return pathlib.Path(path).read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            raise Wrong(f"{path} is not in UTF-8: save it as CSV in UTF-8") from None
    try:
        done = subprocess.run([sys.executable, path, str(argument)], capture_output=True, text=True, check=False,
                              timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise Wrong(f"{path} has not ended after {PATIENCE} seconds") from None
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it says nothing"])[-1]
        raise Wrong(f"{path} {argument} stopped with an error: {last}")
    return done.stdout


def number(text, where):
    """A number, a fraction such as 5/2, or yes and no."""
    text = text.strip().replace("\u2212", "-")
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    if not text:
        raise Wrong(f"{where} is still empty")
    try:
        found = float(fractions.Fraction(text) if "/" in text else text)
    except (ValueError, ZeroDivisionError, OverflowError):
        found = math.nan
    if not math.isfinite(found):
        raise Wrong(f"{where} is '{text}', which is no number: write 2.5 or 5/2")
    return found


def cells(row, names, line):
    """The cells of a row under their names."""
    if len(row) != len(names):
        more = "write 2.5, not 2,5" if len(row) > len(names) else "a comma stands between two cells"
        raise Wrong(f"line {line} has {len(row)} cells, the first line has {len(names)}: {more}")
    return dict(zip(names, (cell.strip() for cell in row)))


def read(path, keys, columns, argument):
    """Per key (the cells under `keys`) the numbers under `columns`."""
    rows = list(csv.reader(text_of(path, argument).splitlines()))
    names = [name.strip() for name in rows[0]] if rows else []
    lacking = [name for name in (*keys, *columns) if name not in names]
    if lacking:
        raise Wrong(f"the first line must be {','.join((*keys, *columns))}: it lacks {', '.join(lacking)}")
    found = {}
    for line, row in enumerate(rows[1:], 2):
        if not row:
            continue
        row = cells(row, names, line)
        key = tuple(row[name] for name in keys)
        if key in found:
            raise Wrong(f"{'/'.join(key)} occurs twice, the second time in line {line}")
        found[key] = {name: number(row[name], f"{'/'.join(key)}: {name}") for name in columns}
    return found
