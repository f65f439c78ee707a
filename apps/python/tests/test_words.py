"""Messages use Python's terms: every option of a command appears as a keyword argument."""

import re
import subprocess

import numpy
import pytest

import rope_check
from rope_check.words import _FLAGS, in_python

COMMANDS = ("diagnose", "verify", "inspect", "apply", "matrix")  # that the package runs


def options():
    """The options of those commands and the values they take: "" for a flag."""
    found = {}
    for topic in (*COMMANDS, "rotary"):
        line = [rope_check.find_program(), *(["help", topic] if topic == "rotary" else [topic, "--help"])]
        said = subprocess.run(line, capture_output=True, text=True, check=True).stdout
        found.update(re.findall(r"(?m)^  (?:-\w, )?--([a-z][a-z0-9-]*)(?: ([A-Z]\S*))?(?=\s|$)", said))
    return found


def test_every_option_is_an_argument():
    found = options()
    assert len(found) > 40 and {"token-axis", "layout", "bfloat16", "axis-positions"} <= set(found)
    for name, value in found.items():
        for sentence in (f"--{name}: expected another", f"It may be --{name}, or not.", f"--{name} says which is meant",
                         f"Give --{name} 3, please", f"Give --{name} {value or 'or'} twice"):
            said = in_python(sentence)
            assert "--" not in said and "-" + name not in said, said
            assert not re.search(r"\w-\w+=", said), said
    flags = {name for name, value in found.items() if not value}
    assert flags & set(_FLAGS) and all(value == "" for name, value in found.items() if name in _FLAGS)
    for name in _FLAGS:
        assert f"{name}=True" in in_python(f"Add --{name}.")


@pytest.mark.parametrize("said, python", [
    ("They would pass with --layout half.", 'They would pass with layout="half".'),
    ("--start 7: they", "start=7: they"),
    ("--axis-positions: expected two axes", "positions: expected two axes"),
    ("--positions 0:23, or", 'positions="0:23", or'),
    ("--seq-len=4096 or --scaling linear:factor=2.", 'seq_len=4096 or scaling="linear:factor=2".'),
    ("--base 1e6 beside --model qwen3-8b", 'base=1e6 beside model="qwen3-8b"'),
    ("--token-axis\n-2 and --layout\nhalf", 'token_axis=-2 and layout="half"'),
    ("y.safetensors:tensor: expected the shape of x.safetensors:tensor", "y: expected the shape of x"),
    ("  rope inspect --list", "  rope inspect --list"),
    ("rope verify: --dim: expected an even number", "rope verify: dim: expected an even number"),
])
def test_words(said, python):
    assert in_python(said) == python


def test_messages_of_the_program():
    x = numpy.random.default_rng(1).standard_normal((1, 4, 24, 16)).astype("f4")
    y = rope_check.golden(x=x, positions=range(24), token_axis=2, layout="half", base=500000).y
    judged = rope_check.verify(x, y)
    assert judged.failing("tokens") == ((1, 23),), "an axis of length 1 is not that of the tokens"
    lines = judged.text.splitlines()
    assert "Not stated, so assumed: layout interleaved, base 10000, positions 0, 1, 2 …." in lines
    assert "set the right axis with token_axis=" in " ".join(lines) and "--" not in judged.text
    judged = rope_check.verify(x, y, base=500000, token_axis=2)
    assert 'layout="half"' in judged.text and "Not stated, so assumed: layout" in judged.text
    stated = rope_check.verify(x, y, base=10000, layout="half", token_axis=2, positions=range(24))
    assert stated.verdict == "fail" and "Not stated" not in stated.text
    for wrong in (dict(dim=15), dict(token_axis=9), dict(layout="neither"), dict(no_such=1), dict(start=1, positions=[0])):
        with pytest.raises(rope_check.InvalidInput) as raised:
            rope_check.verify(x, y, **wrong)
        assert "--" not in str(raised.value), raised.value
    with pytest.raises(rope_check.InvalidInput, match="y: expected the shape of x|expected shape"):
        rope_check.verify(x, y[..., :8])
