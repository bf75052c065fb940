"""The program under attack: started, watched, ended."""

import os
import signal
import subprocess
import threading
import time

PATIENCE = 120  # seconds that any one call may take


class Call:
    """What a call came to."""

    def __init__(self, command, status, out, err, seconds, late=False):
        self.command, self.status, self.seconds, self.late = command, status, seconds, late
        self.out, self.err = out, err

    def __str__(self):
        shown = " ".join(self.command)
        return f"$ {shown}\nexit status {self.status}\n{self.out[-1500:]}{self.err[-1500:]}"

    def require_success(self):
        """The call, which nothing disturbed: without it there is nothing to compare with."""
        if self.status != 0:
            raise SystemExit(f"the undisturbed run fails\n{self}")
        return self

    def failure(self, killed=()):
        """What no call may ever do; `killed` holds the signals that were sent to it."""
        if self.late:
            return f"no end within {PATIENCE} s"
        if "panicked at" in self.err or "RUST_BACKTRACE" in self.err:
            return "a panic"
        if self.status < 0 and -self.status not in killed:
            return f"ended by signal {-self.status}"
        if self.status not in (0, 1, 2, 130) and self.status >= 0:
            return f"exit status {self.status}, which is not documented"
        if self.status in (1, 2) and not self.err.strip():
            return "a failure without a word"
        return None


class Program:
    """The program, with the library that stands between it and its files."""

    def __init__(self, path, shim):
        self.path, self.shim = os.path.abspath(path), shim

    def start(self, arguments, folder, settings=None):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ATTACK_")}
        if settings:
            environment.update({name: str(value) for name, value in settings.items()})
            environment.update(ATTACK_ROOT=folder, LD_PRELOAD=self.shim)
        return subprocess.Popen([self.path, *arguments], cwd=folder, env=environment, text=True, errors="replace",
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def call(self, arguments, folder, settings=None):
        """Runs to the end."""
        began = time.perf_counter()
        process = self.start(arguments, folder, settings)
        return finish(process, arguments, began)

    def stop(self, arguments, folder, seconds, number):
        """Runs and sends a signal after so many seconds, unless the end comes first."""
        began = time.perf_counter()
        process = self.start(arguments, folder)
        timer = threading.Timer(seconds, send, (process, number))
        timer.start()
        call = finish(process, arguments, began)
        timer.cancel()
        return call

    def stop_after(self, arguments, folder, lines, seconds, number=signal.SIGKILL):
        """Runs and sends a signal so many seconds after so many lines of output; the call, and the last
        line that came before."""
        began = time.perf_counter()
        process = self.start(arguments, folder)
        last, seen = "", []
        while len(seen) < lines:
            line = process.stdout.readline()
            if not line:
                break
            last, seen = line, [*seen, line]
        time.sleep(seconds)
        send(process, number)
        call = finish(process, arguments, began)
        call.out = "".join(seen) + call.out
        return call, last


def send(process, number):
    try:
        process.send_signal(number)
    except ProcessLookupError:
        pass


def finish(process, arguments, began):
    late = False
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        late = True
    return Call(["hgpo", *arguments], process.returncode, out, err, time.perf_counter() - began, late)
