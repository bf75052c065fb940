"""The metrics of a run of ``hgpo train`` in a tracker of experiments::

    python -m hgpo.log runs/NAME --to wandb
    python -m hgpo.log runs/NAME --to trackio --follow     # while it trains

Both through their own packages, which have to be installed, with their own settings (``WANDB_MODE=offline``,
``TRACKIO_DIR``, …). For TensorBoard the trainer writes event files itself (``hgpo train --log tensorboard``).
"""

import argparse
import hashlib
import json
import pathlib
import sys
import time

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

__all__ = ["log"]

#: Seconds between two looks at the files of a run that trains.
PAUSE = 2.0


def log(run, to, project="hgpo", name=None, follow=False):
    """Sends the metrics of a run to a tracker, every iteration as a step; gives the number of iterations that were sent.

    A run is one run there, however often this is called: what was sent is not sent again.

    ``run`` is the folder of a run, ``to`` is ``"wandb"`` or ``"trackio"``, ``name`` what it is called there (the folder's
    name), and with ``follow`` this ends when the run is finished.

    # Errors

    ``FileNotFoundError`` if the folder is none of a run, ``ValueError`` if a line of its metrics is damaged or ``to`` is
    another tracker, ``ModuleNotFoundError`` if the tracker is not installed.
    """
    folder = pathlib.Path(run)
    if not (folder / "config.toml").is_file():
        raise FileNotFoundError(f"{folder} is no folder of a run: there is no config.toml")
    if to not in TRACKERS:
        raise ValueError(f"to is {to!r}: choose {' or '.join(TRACKERS)}")
    settings = dict(_flat(tomllib.loads((folder / "config.toml").read_text(encoding="utf-8"))))
    name = name or folder.name
    sent = _Sent(folder, f"{to}:{project}/{name}")
    send, end = TRACKERS[to](project, name, settings)
    count = 0
    try:
        for iteration, numbers in _lines(folder, follow):
            if iteration > sent.iterations:
                send(numbers, iteration)
                sent.iterations = iteration
                count += 1
    finally:
        end()
        sent.keep()
    return count


class _Sent:
    """How many iterations a tracker has of a run: a file in its folder, since trackers without a network do not know."""

    def __init__(self, folder, tracker):
        self.path, self.tracker = folder / "sent.json", tracker
        try:
            self.all = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            self.all = {}
        self.iterations = self.all.get(tracker, 0)

    def keep(self):
        self.all[self.tracker] = self.iterations
        partial = self.path.with_name(".sent.json.partial")
        partial.write_text(json.dumps(self.all) + "\n", encoding="utf-8")
        partial.replace(self.path)


def _wandb(project, name, settings):
    import wandb

    identity = hashlib.sha256(f"{project}/{name}".encode()).hexdigest()[:16]
    run = wandb.init(project=project, name=name, id=identity, config=settings, resume="allow", allow_val_change=True)
    return lambda numbers, step: run.log(numbers, step=step), run.finish


def _trackio(project, name, settings):
    import trackio

    trackio.init(project=project, name=name, config=settings, resume="allow", embed=False)
    return lambda numbers, step: trackio.log(numbers, step=step), trackio.finish


TRACKERS = {"wandb": _wandb, "trackio": _trackio}


def _flat(table, before=""):
    """Settings by their dotted names."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield before + key, value


def _lines(folder, follow):
    """Every iteration with its numbers, once: the newest when nothing is added to it any more."""
    held, last, at = None, 0, 0
    while True:
        done = _iterations_when_finished(folder)
        # From the line that may have grown; from the first one where that is another now, as a run was resumed.
        lines = list(_complete(folder / "metrics.jsonl", at))
        if at > 0 and (not lines or lines[0][1] != held[0]):
            lines = list(_complete(folder / "metrics.jsonl", 0))
        for begins, number, line in lines:
            if number <= last:
                continue
            if held is not None and held[0] < number:
                last = held[0]
                yield held
            held, at = (number, line), begins
        if held is not None and held[0] > last and (done == held[0] or not follow):
            last = held[0]
            yield held
        if not follow or done is not None and done <= last:
            return
        time.sleep(PAUSE)


def _complete(path, start):
    """The lines that are whole, from a place in the file on: where each begins, its iteration, and its numbers. None from a
    place where no line begins any more."""
    try:
        with path.open("rb") as file:
            file.seek(start)
            text = file.read()
    except FileNotFoundError:
        return
    at = start
    for line in text.split(b"\n")[:-1]:
        try:
            values = json.loads(line)
            iteration = values["iteration"]
        except (ValueError, TypeError, KeyError) as error:
            if start > 0 and at == start:
                return
            number = path.read_bytes()[:at].count(b"\n") + 1
            raise ValueError(f"{path}: line {number} is damaged: {error}") from None
        yield at, iteration, {name: value for name, value in values.items() if type(value) in (int, float) and name != "iteration"}
        at += len(line) + 1


def _iterations_when_finished(folder):
    """How many iterations a run has made that is finished; none of another."""
    try:
        return json.loads((folder / "summary.json").read_text(encoding="utf-8"))["iterations"]
    except (FileNotFoundError, json.JSONDecodeError, KeyError):
        return None


def main(arguments=None):
    """`python -m hgpo.log`; gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m hgpo.log", allow_abbrev=False, description="Sends the metrics of a run to a tracker of experiments.")
    parser.add_argument("run", metavar="RUN", help="the folder of a run: runs/NAME")
    parser.add_argument("--to", required=True, choices=list(TRACKERS), help="the tracker, whose package has to be installed")
    parser.add_argument("--project", default="hgpo", help="the project there [default: hgpo]")
    parser.add_argument("--name", help="what the run is called there [default: the name of its folder]")
    parser.add_argument("--follow", action="store_true", help="go on until the run is finished")
    asked = parser.parse_args(arguments)
    try:
        count = log(asked.run, asked.to, asked.project, asked.name, asked.follow)
    except ModuleNotFoundError as error:
        print(f"error: {error.name} is not installed: pip install {error.name}", file=sys.stderr)
        return 1
    except (FileNotFoundError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(f"{count} iterations sent to {asked.to}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
