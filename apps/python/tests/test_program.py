"""Which program is used, and the message if there is none."""

import os
import subprocess
import sys

import pytest

import rope_check
from rope_check import program

REAL = program.find_program()


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    program._version_of.cache_clear()
    monkeypatch.setattr(program, "CARRIED", "/nowhere/rope")
    yield
    program._version_of.cache_clear()


def script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_order(monkeypatch, tmp_path):
    on_path = tmp_path / "rope"
    on_path.symlink_to(REAL)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert rope_check.find_program() == os.environ["ROPE_PROGRAM"] if "ROPE_PROGRAM" in os.environ else True
    monkeypatch.delenv("ROPE_PROGRAM", raising=False)
    assert rope_check.find_program() == str(on_path)
    monkeypatch.setattr(program, "CARRIED", REAL)
    assert rope_check.find_program() == REAL


@pytest.mark.parametrize("says", ["echo rope, the refactoring library", "echo 'rope 0.1.0'; exit 3", "exit 0",
                                  "echo rope", "printf '\\377'"])
def test_another_rope_is_not_taken(monkeypatch, tmp_path, says):
    other = script(tmp_path / "rope", says)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    monkeypatch.delenv("ROPE_PROGRAM", raising=False)
    with pytest.raises(rope_check.ProgramNotFound, match="is another program or does not run here"):
        rope_check.find_program()
    monkeypatch.setenv("ROPE_PROGRAM", other)
    with pytest.raises(rope_check.ProgramNotFound, match="ROPE_PROGRAM is .*rope"):
        rope_check.find_program()


def test_none(monkeypatch):
    monkeypatch.delenv("ROPE_PROGRAM", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(rope_check.ProgramNotFound, match="no rope is on the PATH.*Install the wheel"):
        rope_check.find_program()


def test_our_own_script_on_the_path_is_not_asked_for_ever(monkeypatch, tmp_path):
    folder = os.path.dirname(os.path.dirname(program.__file__))
    script(tmp_path / "rope", f"PYTHONPATH={folder} exec {sys.executable} -c "
                              "'import rope_check.program as p; p.CARRIED = \"/nowhere\"; p.main()' \"$@\"")
    environment = {**os.environ, "PATH": str(tmp_path)}
    environment.pop("ROPE_PROGRAM", None)
    done = subprocess.run([tmp_path / "rope", "--version"], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "There is no rope program" in done.stderr


def test_the_script_is_the_program(monkeypatch):
    done = subprocess.run([sys.executable, "-c", "import rope_check.program as p; p.main()", "verify", "--trials", "3"],
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "ROPE_PROGRAM": REAL},
                          capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("PASS")


@pytest.mark.parametrize("status, kind", [(2, rope_check.InvalidInput), (3, rope_check.ProgramFailed),
                                          (5, rope_check.ProgramFailed), (139, rope_check.ProgramFailed)])
def test_exit_codes(monkeypatch, tmp_path, status, kind):
    fake = script(tmp_path / "fake", '[ "$1" = --version ] && echo rope 0.1.0 && exit\n'
                                     f'echo "rope diagnose: sorry" >&2\nexit {status}')
    monkeypatch.setenv("ROPE_PROGRAM", fake)
    with pytest.raises(kind, match="rope diagnose: sorry"):
        rope_check.diagnose([[1.0, 2.0]], [[1.0, 2.0]])


def test_nothing_is_left_when_interrupted(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt
    monkeypatch.setattr("rope_check.checks.run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rope_check.diagnose([[1.0, 2.0]], [[1.0, 2.0]])  # conftest checks that nothing is left


def test_a_full_disk_is_said(monkeypatch):
    def full(path, value):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(rope_check.checks, "write_safetensors", full)
    with pytest.raises(rope_check.ProgramFailed, match="x cannot be written: .*No space left"):
        rope_check.diagnose([[1.0, 2.0]], [[1.0, 2.0]])
    monkeypatch.setattr(rope_check.checks.tempfile, "tempdir", "/nowhere")
    with pytest.raises(rope_check.ProgramFailed, match="no folder"):
        rope_check.diagnose([[1.0, 2.0]], [[1.0, 2.0]])
