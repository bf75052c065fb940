"""`hgpo.log`: what of a run's files is sent, and what is refused. frameworks/try_trackers.py has the trackers themselves."""

import json

import pytest

from hgpo import log


def write(folder, lines, rest=""):
    folder.mkdir(exist_ok=True)
    (folder / "config.toml").write_text('seed = 3\n[learn]\nlearning_rate = 0.5\n[evaluation]\nseeds = [1, 2]\n')
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "metrics.jsonl").write_text(text + rest)


def line(iteration, **more):
    return {"iteration": iteration, "success_rate": iteration / 8, "group_size/level_0/histogram": [[1, 2]], **more}


def test_whole_lines_are_sent_with_their_numbers(tmp_path):
    write(tmp_path, [line(1), line(2, kl=None), line(3, valid=True)], rest='{"iteration": 4, "succ')
    assert list(log._lines(tmp_path, follow=False)) == [(n, {"success_rate": n / 8}) for n in (1, 2, 3)]


def test_whoever_follows_waits_for_what_is_added_to_a_line(tmp_path, monkeypatch):
    write(tmp_path, [line(1), line(2)])

    def evaluated(_):
        write(tmp_path, [line(1), line(2, **{"eval/success_rate": 0.5})])
        (tmp_path / "summary.json").write_text('{"iterations": 2}')

    monkeypatch.setattr(log.time, "sleep", evaluated)
    assert list(log._lines(tmp_path, follow=True)) == [(1, {"success_rate": 0.125}), (2, {"success_rate": 0.25, "eval/success_rate": 0.5})]


def test_a_run_that_was_resumed_from_before_is_read_anew(tmp_path, monkeypatch):
    write(tmp_path, [line(1), line(2), line(3)])

    def resumed(_):
        # Lines of another length: where the third one began, there is none now.
        write(tmp_path, [line(1, time=0.5), line(2, time=0.25), line(3, time=0.125), line(4)])
        (tmp_path / "summary.json").write_text('{"iterations": 4}')

    monkeypatch.setattr(log.time, "sleep", resumed)
    assert [number for number, _ in log._lines(tmp_path, follow=True)] == [1, 2, 3, 4]


def test_settings_have_their_dotted_names():
    assert dict(log._flat({"seed": 1, "learn": {"rate": 2, "deep": {"er": [3]}}})) == {"seed": 1, "learn.rate": 2, "learn.deep.er": [3]}


def test_what_is_no_run_is_refused(tmp_path, capsys):
    assert log.main([str(tmp_path), "--to", "wandb"]) == 1
    assert "is no folder of a run" in capsys.readouterr().err
    with pytest.raises(ValueError, match="choose wandb or trackio"):
        write(tmp_path / "run", [])
        log.log(tmp_path / "run", "mlflow")
    write(tmp_path / "run", [line(1)], rest="{nonsense}\n")
    with pytest.raises(ValueError, match=r"metrics\.jsonl: line 2 is damaged"):
        list(log._lines(tmp_path / "run", follow=False))
