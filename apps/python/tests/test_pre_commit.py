"""The hook of .pre-commit-hooks.yaml, started as pre-commit starts it, without pre-commit and without a network."""

import json
import os
import re
import shlex
import subprocess

import pytest

yaml = pytest.importorskip("yaml")
HOOKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", ".pre-commit-hooks.yaml")
pytestmark = pytest.mark.skipif(not os.path.exists(HOOKS), reason="not in the sources")
GOOD = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 500000.0,
        "max_position_embeddings": 8192}
MISSPELT = {**GOOD, "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "orignal_max_position_embeddings": 8192}}
UNREADABLE = {**GOOD, "rope_theta": "abc"}


@pytest.fixture
def hook():
    with open(HOOKS, encoding="utf-8") as file:
        hooks = yaml.safe_load(file)
    assert [one["id"] for one in hooks] == ["rope-inspect"]
    assert {"id", "name", "entry", "language"} <= set(hooks[0])  # what pre-commit requires
    assert hooks[0]["language"] == "system"
    return hooks[0]


@pytest.fixture
def run(hook, tmp_path):
    """Runs the hook on files with these contents, whose names contain a blank."""
    if not os.environ.get("ROPE_PROGRAM"):
        pytest.skip("ROPE_PROGRAM names no program to put on the PATH")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "rope").symlink_to(os.environ["ROPE_PROGRAM"])

    def start(*contents):
        names = []
        for number, content in enumerate(contents):
            (tmp_path / f"model {number}").mkdir()
            names.append(f"model {number}/config.json")
            (tmp_path / names[-1]).write_text(json.dumps(content))
        return subprocess.run([*shlex.split(hook["entry"]), *names], cwd=tmp_path, text=True, capture_output=True,
                              env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"})
    return start


@pytest.mark.parametrize("name, matches", [("config.json", True), ("models/a/config.json", True),
                                           ("tokenizer_config.json", False), ("config.json.bak", False)])
def test_looks_at_the_files_of_models(hook, name, matches):
    assert bool(re.search(hook["files"], name)) == matches


def test_passes_what_gives_no_cause(run):
    outcome = run(GOOD, GOOD, GOOD)  # more than two, which inspect would refuse
    assert (outcome.returncode, outcome.stderr) == (0, "")


@pytest.mark.parametrize("bad, said", [(MISSPELT, "did you mean original_max_position_embeddings?"),
                                       (UNREADABLE, "expected a number, found 'abc'")])
@pytest.mark.parametrize("place", [0, 1])
def test_refuses_what_does(run, bad, said, place):
    contents = [GOOD, GOOD]
    contents[place] = bad
    outcome = run(*contents)
    assert outcome.returncode == 1
    assert said in outcome.stderr
    assert f"model {place}/config.json" in outcome.stderr
    assert f"model {1 - place}/config.json" not in outcome.stderr
