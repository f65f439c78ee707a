"""Finds and runs the program, and turns its exit codes into exceptions."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
from typing import List, NamedTuple, NoReturn, Sequence, Tuple

from .words import in_python

CARRIED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "rope")
_SEARCHING = "ROPE_CHECK_SEARCHING"  # set while a `rope`, maybe our own console script, is asked for its version


class RopeError(Exception):
    """The base of this package's errors; the message is the program's own if it printed one."""


class ProgramNotFound(RopeError):
    """No rope program that runs was found."""


class InvalidInput(RopeError, ValueError):
    """An input is wrong: the program's exit code 2, or a value that is not an array."""


class ProgramFailed(RopeError, RuntimeError):
    """The system failed (exit code 3), the program failed its own test (5), or it crashed."""


class Completed(NamedTuple):
    status: int
    text: str
    warnings: Tuple[str, ...]


@functools.lru_cache(maxsize=None)
def _version_of(path: str) -> str:
    """The version that `path` prints, or "" if it is not this program."""
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60,
                              stdin=subprocess.DEVNULL, env={**os.environ, _SEARCHING: "1"})
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    found = re.fullmatch(r"rope (\d+\.\d+\.\d+\S*)\s*", said.stdout)
    return found.group(1) if found and said.returncode == 0 else ""


def find_program() -> str:
    """The path of the program: ROPE_PROGRAM, else the one in the wheel, else `rope` on the PATH.

    >>> os.access(find_program(), os.X_OK)
    True
    """
    named = os.environ.get("ROPE_PROGRAM")
    if named:
        if _version_of(named):
            return named
        raise ProgramNotFound(f"ROPE_PROGRAM is {named!r}, and that is no rope program that runs: "
                              "`rope --version` has to print its version.")
    on_path = shutil.which("rope")
    for path in [CARRIED, *([on_path] if on_path else [])]:
        if _version_of(path):
            return path
    other = f"{on_path} is another program or does not run here" if on_path else "no rope is on the PATH"
    raise ProgramNotFound(f"There is no rope program: this copy of rope_check carries none that runs, and {other}. "
                          "Install the wheel of rope-check for this machine, or set ROPE_PROGRAM to a program.")


def program_version() -> str:
    """The version of the program that is used.

    >>> program_version().count(".")
    2
    """
    return _version_of(find_program())


def run(arguments: Sequence[str], folder: str) -> Completed:
    """Runs the program in `folder`; any verdict is an answer; anything else raises an exception."""
    try:
        done = subprocess.run([find_program(), *arguments, "--color", "never"], cwd=folder, capture_output=True,
                              stdin=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "80"})
    except OSError as error:
        raise ProgramFailed(f"rope cannot be started: {error}") from error
    text = done.stdout.decode("utf-8", "replace")
    said = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode == 2:
        raise InvalidInput(in_python(said))
    if done.returncode not in (0, 1, 4):
        raise ProgramFailed(said or text or f"rope ended with {done.returncode}.")
    return Completed(done.returncode, text, _warnings(said))


def _warnings(said: str) -> Tuple[str, ...]:
    lines: List[str] = []
    for line in said.splitlines():
        start = re.match(r"rope \w+: warning: ", line)
        if start or not lines:
            lines.append(line[start.end():] if start else line)
        else:
            lines[-1] += " " + line.strip()
    return tuple(in_python(line) for line in lines)


def main() -> NoReturn:
    """The console script `rope`: replaces the Python process with the program."""
    if _SEARCHING in os.environ:
        sys.exit("this rope is the script of rope_check")
    try:
        path = find_program()
    except ProgramNotFound as error:
        sys.exit(f"rope: {error}")
    os.execv(path, ["rope", *sys.argv[1:]])
