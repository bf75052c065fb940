"""Calls of the package that somebody has written are still taken: scripts/witnesses/README.md."""

import json
import pathlib
import sys

WITNESSES = pathlib.Path(__file__).resolve().parents[3] / "scripts/witnesses/python"
sys.path.insert(0, str(WITNESSES))
import signatures  # noqa: E402


def test_recorded_calls_are_still_taken():
    was = json.loads((WITNESSES / "hgpo_train.json").read_text())["calls"]
    lines = signatures.broken(was, signatures.calls("hgpo_train"))
    assert not lines, "\n".join(["scripts/witnesses/python/hgpo_train.json:", *lines, signatures.RULE])
