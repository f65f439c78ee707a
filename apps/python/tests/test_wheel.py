"""The wheel: two builds give the same bytes, its tags are right, and it works in an environment with nothing else."""

import os
import shutil
import struct
import subprocess
import sys
import zipfile

import pytest

import rope_check

APP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
pytestmark = pytest.mark.skipif(not os.path.exists(os.path.join(APP, "build_wheel.py")), reason="not in the sources")


def build(folder, **variables):
    environment = {**os.environ, "ROPE_PROGRAM": rope_check.find_program(), **variables}
    done = subprocess.run([sys.executable, os.path.join(APP, "build_wheel.py"), str(folder)], env=environment,
                          capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_two_builds_are_the_same_bytes(tmp_path):
    with open(build(tmp_path / "a"), "rb") as one, open(build(tmp_path / "b"), "rb") as two:
        assert one.read() == two.read()
    dated = build(tmp_path / "c", SOURCE_DATE_EPOCH="1700000000")
    assert {entry.date_time for entry in zipfile.ZipFile(dated).infolist()} == {(2023, 11, 14, 22, 13, 20)}


def test_tags_say_what_the_program_needs(tmp_path):
    sys.path.insert(0, APP)
    try:
        from build_wheel import platforms
    finally:
        sys.path.remove(APP)

    def elf(machine, segment):
        header = b"\x7fELF\x02" + bytes(13) + struct.pack("<H", machine) + bytes(12) + struct.pack("<Q", 64) + bytes(14)
        return header + struct.pack("<HH", 56, 1) + bytes(6) + struct.pack("<I", segment) + bytes(52)
    for machine, segment, expected in [(62, 1, "manylinux_2_17_x86_64"), (183, 1, "manylinux_2_17_aarch64"),
                                       (62, 3, "linux_x86_64")]:
        (tmp_path / "program").write_bytes(elf(machine, segment))
        assert platforms(tmp_path / "program")[0] == expected


def test_installed_it_needs_nothing_else(tmp_path):
    wheel = build(tmp_path)
    home = tmp_path / "home"
    done = subprocess.run([sys.executable, "-m", "venv", str(home)], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip("no venv with pip here")
    environment = {name: value for name, value in os.environ.items() if name not in ("ROPE_PROGRAM", "PYTHONPATH")}
    environment["PATH"] = "/nowhere"
    python = str(home / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--no-index", "-q", wheel], env=environment, check=True)
    code = ("import rope_check as r; right = r.golden(dim=8, positions=range(4)); right.check(right.y); "
            "print(r.find_program())")
    found = subprocess.run([python, "-c", code], env=environment, cwd=tmp_path, check=True, stdout=subprocess.PIPE, text=True)
    assert found.stdout.strip().endswith("rope_check/bin/rope") and str(home) in found.stdout
    said = subprocess.run([str(home / "bin" / "rope"), "--version"], env=environment, capture_output=True, text=True)
    assert said.stdout == f"rope {rope_check.program_version()}\n"
    subprocess.run([python, "-m", "pip", "uninstall", "-q", "-y", "rope-check"], env=environment, check=True)
    assert not [path for path in home.rglob("*rope*")]
    shutil.rmtree(home)
