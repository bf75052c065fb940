#!/usr/bin/env python3
"""Checks answers to the assignments with the program hgpo:

    python3 check.py grpo answers.csv
    python3 check.py gigpo answers.csv | mine.py
    python3 check.py hgpo mine.py TRACE
    python3 check.py experiment answers.csv | mine.py RUNS

A program (.py) is run with the rollouts, the trace or the folder of runs as its argument, and prints the CSV.
--show tells the right numbers, too. Exit status: 0 right, 1 wrong, 2 wrong usage.
"""
import argparse
import pathlib
import sys

from checking import answers, compare, experiment, gigpo, grpo, hgpo
from checking.wrong import Wrong

ASSIGNMENTS = {"grpo": grpo, "gigpo": gigpo, "experiment": experiment}


def by_columns(name, path, folder, shows):
    """Compares a table of answers, column by column."""
    assignment = ASSIGNMENTS[name]
    argument = folder or assignment.ROLLOUTS
    given = answers.read(path, assignment.KEYS, assignment.COLUMNS, argument)
    tolerance = compare.BY_PROGRAM if answers.is_program(path) else compare.BY_HAND
    return compare.compare(given, assignment.columns(folder), tolerance, shows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assignment", choices=[*ASSIGNMENTS, "hgpo"])
    parser.add_argument("answers", help="answers.csv, or a program of yours that prints it")
    parser.add_argument("data", nargs="?", type=pathlib.Path, help="hgpo: a trace; experiment: the folder of the runs")
    parser.add_argument("--show", action="store_true", help="tell the right numbers, too")
    given = parser.parse_args()
    needs_data = given.assignment in ("hgpo", "experiment")
    if needs_data != bool(given.data):
        parser.error(f"{given.assignment} {'needs a third argument: see above' if needs_data else 'has its own data'}")
    try:
        if given.assignment == "hgpo":
            wrong = hgpo.check(given.answers, given.data, given.show)
        else:
            wrong = by_columns(given.assignment, given.answers, given.data, given.show)
    except Wrong as found:
        wrong = [str(found)]
    print("\n".join(["not right yet:", *wrong]) if wrong else "right")
    sys.exit(1 if wrong else 0)


main()
