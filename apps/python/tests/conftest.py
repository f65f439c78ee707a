import os
import sys
import tempfile

import pytest

pytest_plugins = ["pytester"]
FOLDER = os.path.dirname(os.path.abspath(__file__))
INSTALLED = "ROPE_CHECK_INSTALLED" in os.environ  # set when the wheel itself is tested
if not INSTALLED:
    sys.path.insert(0, os.path.dirname(FOLDER))
    os.environ["PYTHONPATH"] = os.path.dirname(FOLDER)  # for the tests that start a Python
sys.path.insert(0, FOLDER)


@pytest.fixture
def run_tests(pytester):
    """Runs a test file in a pytest of its own, with the plugin."""
    def run(text):
        pytester.makepyfile(text)
        plugin = [] if INSTALLED else ["-p", "rope_check.pytest_plugin"]
        return pytester.runpytest_subprocess(*plugin, "-p", "no:cacheprovider")
    return run


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path_factory, monkeypatch):
    """No test leaves a file behind, whether it passes or fails."""
    folder = str(tmp_path_factory.mktemp("temporary"))
    monkeypatch.setattr(tempfile, "tempdir", folder)
    monkeypatch.setenv("TMPDIR", folder)
    yield
    assert [name for name in os.listdir(folder) if name.startswith("rope_check")] == []
