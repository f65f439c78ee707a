"""Every Python example in docs/python.md and every docstring example runs and prints what the text shows."""

import doctest
import importlib
import os
import re

import pytest

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "..", "docs", "python.md")


@pytest.mark.parametrize("name", ["", ".arrays", ".capture", ".checks", ".program", ".results"])
def test_docstrings(name):
    result = doctest.testmod(importlib.import_module("rope_check" + name), optionflags=FLAGS)
    assert result.failed == 0


def blocks(language="python"):
    with open(PAGE, encoding="utf-8") as file:
        return re.findall(rf"```{language}\n(.*?)```", file.read(), re.S)


def test_the_page(capsys, run_tests):
    """Blocks run in order in one namespace; their output is below `# prints: `; a block of tests runs in pytest."""
    pytest.importorskip("torch")
    space = {"__name__": "page"}
    assert len(blocks()) >= 6
    for block in blocks():
        code, _, expected = block.partition("# prints: ")
        if block.startswith("# test_"):
            result = run_tests(block)
            result.assert_outcomes(passed=1, failed=1)
            said = [re.sub("…$", "*", line) for line in blocks("text")[0].splitlines()]
            result.stdout.fnmatch_lines([re.sub("^E +", "E *", line) for line in said])
        else:
            capsys.readouterr()
            exec(compile(code, PAGE, "exec"), space)
            assert capsys.readouterr().out.split() == re.sub("^# ", "", expected, flags=re.M).split(), block


def test_the_first_example_is_eight_lines():
    assert len([line for line in blocks()[0].partition("# prints:")[0].splitlines() if line.strip()]) <= 8
