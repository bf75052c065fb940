"""Calls of the package that somebody has written are still taken: scripts/witnesses/README.md."""

import json
import sys

from conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts/witnesses/python"))
import signatures  # noqa: E402

WITNESS = json.loads((ROOT / "scripts/witnesses/python/hgpo.json").read_text())


def test_recorded_calls_are_still_taken():
    lines = signatures.broken(WITNESS["calls"], signatures.calls("hgpo"))
    assert not lines, "\n".join(["scripts/witnesses/python/hgpo.json:", *lines, signatures.RULE])


def test_recorded_keywords_have_their_names_and_defaults():
    now = signatures.options()
    lines = []
    for of, keywords in WITNESS["keywords"].items():
        for name, default in keywords.items():
            if of not in now or name not in now[of]:
                lines.append(f"{of}: `{name}` is gone")
            elif now[of][name] != default:
                lines.append(f"{of}: `{name}` was {default!r} by default and is {now[of][name]!r}")
    assert not lines, "\n".join(["scripts/witnesses/python/hgpo.json:", *lines, signatures.RULE])


def test_a_signature_takes_old_calls_where_what_is_new_can_be_left_out():
    plain, kind = [["a", "POSITIONAL_OR_KEYWORD"], ["b", "KEYWORD_ONLY", "1"]], "POSITIONAL_OR_KEYWORD"
    assert signatures.takes(plain, [["a", kind], ["c", kind, "None"], ["b", "KEYWORD_ONLY", "1"]])
    for other in (
        [["x", kind], ["b", "KEYWORD_ONLY", "1"]],  # renamed
        [["a", kind], ["b", "KEYWORD_ONLY", "2"]],  # another default
        [["c", kind, "0"], *plain],  # another place
        [*plain, ["c", "KEYWORD_ONLY"]],  # one more that must be given
    ):
        assert not signatures.takes(plain, other)
