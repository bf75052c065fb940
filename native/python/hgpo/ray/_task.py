"""A run of a study, on whatever machine Ray has chosen."""

import ctypes
import hashlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import ray

from hgpo.ray._files import pack, unpack

SPOKEN = 2000
"""Most characters of what a run that failed said last."""


def die_with_parent():
    """Has Linux end this process when the one that started it ends, as a worker of Ray may at any time."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def program_here(content):
    """The program, as a file of this machine: written once, whatever else is installed."""
    folder = pathlib.Path(tempfile.gettempdir()) / f"hgpo-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} is somebody else's: what lies in it is not run; remove it, or set TMPDIR to another folder")
    path = folder / f"hgpo-{hashlib.sha256(content).hexdigest()[:16]}"
    if not path.exists():
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            file.write(content)
        os.chmod(file.name, 0o700)
        os.replace(file.name, path)
    return path


def run_program(program, arguments, folder):
    """What `hgpo` came to: its exit status, and the end of what it said."""
    done = subprocess.run(
        [str(program), *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", preexec_fn=die_with_parent,
    )
    return done.returncode, done.stdout[-SPOKEN:]


def run_of_study(program, arguments, run, files, shared):
    """Runs one run, in a folder that all machines see, or in one of its own whose files are sent back.

    Returns
    -------
    (machine, exit status, last words, files)
    """
    machine = ray.util.get_node_ip_address()
    arguments = [*arguments, "--only", run, "--jobs", "1"]
    if shared is not None:
        return (machine, *run_program(program_here(program), arguments, shared), {})
    with tempfile.TemporaryDirectory(prefix="hgpo-") as folder:
        unpack(files, folder)
        status, said = run_program(program_here(program), arguments, folder)
        return machine, status, said, pack(folder, "runs")
