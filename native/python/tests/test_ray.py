"""What travels with a task of Ray, and what the command says; that studies come back whole is tried with Ray itself
(native/python/frameworks/try_ray.py)."""

import subprocess
import sys

import pytest

from hgpo.ray import _files

STUDY = 'name = "s"\nconfig = "sub/base.toml"\n[arms.a]\n'


def study(folder, text=STUDY):
    (folder / "sub").mkdir()
    (folder / "sub/base.toml").write_text("seed = 1\n")
    (folder / "s.toml").write_text(text)
    return str(folder / "s.toml")


def test_a_study_travels_with_the_settings_that_it_begins_with(tmp_path):
    pytest.importorskip("tomllib")
    files, there = _files.of_study(study(tmp_path))
    assert there == "s.toml" and files == {"s.toml": STUDY.encode(), "sub/base.toml": b"seed = 1\n"}
    _files.unpack(files, tmp_path / "else")
    assert _files.of_study(str(tmp_path / "else/s.toml")) == (files, there)
    (tmp_path / "s.toml").write_text('preset = "chores"\n')
    assert list(_files.of_study(str(tmp_path / "s.toml"))[0]) == ["s.toml"]
    assert _files.of_study("estimators") == ({}, "estimators") and _files.of_study(None) == ({}, None)


@pytest.mark.parametrize("config", ["/etc/base.toml", "../base.toml", "sub/../../base.toml"])
def test_settings_from_elsewhere_are_refused(tmp_path, config):
    pytest.importorskip("tomllib")
    with pytest.raises(ValueError, match=r"s\.toml: `config` is .*: put that file beside the study, or use --shared"):
        _files.of_study(study(tmp_path, f'config = "{config}"\n'))


def test_a_study_is_gone_on_with_by_its_folder(tmp_path):
    folder = tmp_path / "runs/other"
    folder.mkdir(parents=True)
    (folder / "study.toml").write_text("seeds = 1")
    (folder / "summary.json").write_text("{}")
    assert _files.of_study(str(folder)) == ({"runs/other/study.toml": b"seeds = 1"}, "runs/other")


def test_a_run_that_comes_back_takes_its_place(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    for root, word in ((here, "old"), (there, "new")):
        _files.unpack(
            {f"runs/s/{name}": word.encode() for name in ("study.toml", "summary.json", "a/settings.toml", "a/1/metrics.jsonl", "a/2/metrics.jsonl", "lock")}, root
        )
    _files.unpack({"runs/s/a/1/checkpoints/partial": b"old", "runs/s/a/1.error": b"old"}, here)
    _files.unpack({"runs/s/b/settings.toml": b"new"}, there)
    came = _files.pack(there, "runs")
    assert "runs/s/lock" not in came
    _files.take_in(came, "a/1", here)
    found = {path.relative_to(here / "runs/s").as_posix(): path.read_text() for path in here.rglob("*") if path.is_file()}
    assert found == {
        "study.toml": "old", "summary.json": "old", "lock": "old", "a/settings.toml": "old", "a/1/metrics.jsonl": "new", "a/2/metrics.jsonl": "old",
        "b/settings.toml": "new",
    }
    _files.take_in({}, "a/2", here)
    assert (here / "runs/s/a/2/metrics.jsonl").read_text() == "old"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["--help"], 0, "the work of one run, to actors"), (["compare", "--help"], 0, "OPTIONS of hgpo compare"), ([], 2, "compare,train"),
        (["tune"], 2, "compare, train|'compare', 'train'"), (["compare", "s.toml", "--cpus", "many"], 2, "--cpus"),
        (["train", "--actors", "many"], 2, "--actors"), (["train", "--actors", "0"], 2, "at least 1|needs hgpo-train: pip install|needs Ray: pip install"),
        (["compare", "s.toml", "--program", "no-such-program"], 2, "there is no program 'no-such-program': build it|needs Ray: pip install ray"),
    ],
)
def test_the_command_says_what_is_wrong(arguments, status, said):
    found = subprocess.run([sys.executable, "-m", "hgpo.ray", *arguments], capture_output=True, text=True)
    assert found.returncode == status
    assert any(part in found.stdout + found.stderr for part in said.split("|")), found


def test_machines_without_room_for_the_program_are_told():
    def machine(address, alive=True, **resources):
        return {"NodeManagerAddress": address, "Alive": alive, "Resources": resources}

    machines = [machine("10.0.0.1", object_store_memory=300e6), machine("10.0.0.2", object_store_memory=150e6), machine("10.0.0.3", alive=False)]
    (line,) = _files.cramped(machines, 104_000_000)
    assert line.startswith("10.0.0.2: Ray's object store has 150 MB, and the program is sent through it with 104")
    assert "--object-store-memory 208000000" in line
