"""docs/snippets.md: every command reproduces the code above it, as closely as the page says."""

import re
import subprocess

import pytest
from pages import blocks, page
from rope_check.program import find_program

np = pytest.importorskip("numpy")
TEXT = page("snippets.md")


def pairs():
    """(code so far, name of the function, its command, what the page says about it)."""
    code, found = "", []
    for language, block in blocks(TEXT):
        if language == "python":
            code, left = code + block, re.findall(r"^def (\w+)\((?:x, m|m, d=128)\):", block, re.M)
            continue
        for command, name, says in re.findall(r"^(rope .*?) +# (\w+): (.*)$", block, re.M):
            left.remove(name)
            found.append((code, name, command.split(), says))
        assert left == [], "a function without a command"
    return found


def ask(folder, *arguments):
    return subprocess.run([find_program(), *arguments], cwd=folder, capture_output=True, text=True, encoding="utf-8")


def agrees(measured, said):
    """Other versions of cos and sin change the last bits of a difference, not its size."""
    return float(said) / 2 <= measured <= float(said) * 2


@pytest.mark.parametrize("code, name, command, says", pairs(), ids=[name for _, name, _, _ in pairs()])
def test_snippet(code, name, command, says, tmp_path):
    space = {}
    exec(code, space)
    for dtype in (np.float64, np.float32):
        said = re.search(rf"{dtype.__name__} (\S+?)(,|$)", says)
        if command[1] == "decay":
            if dtype is np.float64:
                assert ask(tmp_path, *command[1:]).returncode == 0
                table = np.genfromtxt(tmp_path / "decay.csv", delimiter=",", names=True)
                measured = max(abs(space[name](m) - bound) for m, bound in zip(table["distance"], table["bound"]))
                assert agrees(measured, said[1]), measured
            continue
        x, m = space["x"].astype(dtype), space["m"].astype(dtype)
        y = space[name](x, m)
        assert y.dtype == dtype
        np.save(tmp_path / "x.npy", x)
        np.save(tmp_path / "y.npy", y)
        answer = ask(tmp_path, *command[1:])
        if command[1] == "diagnose":
            assert says in " ".join(answer.stdout.split()), answer.stdout
        elif said:
            assert answer.stdout.startswith("PASS"), answer.stdout + answer.stderr
            other = [word for word in command if word not in ("--layout", "half")]
            other += [] if "half" in command else ["--layout", "half"]
            assert ask(tmp_path, *other[1:]).stdout.startswith("FAIL"), other
            options = [option for option in command[4:] if option not in ("--policy", "ggml")]
            assert ask(tmp_path, "apply", "x.npy", *options, "-o", "exact.npy", "--quiet").returncode == 0
            exact = np.load(tmp_path / "exact.npy")
            assert exact.dtype == dtype
            measured = float(np.abs(y - exact).max())
            assert agrees(measured, said[1]), f"{name}, {dtype.__name__}: {measured:.1e}"

