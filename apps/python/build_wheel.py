#!/usr/bin/env python3
"""Builds the wheel with only the standard library: rope_check, the static program, and the metadata for pip.

    ROPE_PROGRAM=build/release/apps/rope/rope python3 apps/python/build_wheel.py dist

pip calls build_wheel() itself (PEP 517). The same files and program give the same bytes; SOURCE_DATE_EPOCH sets their timestamp.
"""

import base64
import hashlib
import os
import struct
import subprocess
import sys
import time
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
METADATA = """Metadata-Version: 2.1
Name: rope-check
Version: {version}
Summary: Find and prove how a rotary position embedding was applied, from tensors of any framework
License: {license}
Keywords: rope,rotary position embedding,transformers,pytest
Requires-Python: >=3.9
Description-Content-Type: text/markdown

"""
# The plugin bears its module's name, so that pytest loads it once even if a project asks for `-p rope_check.pytest_plugin`.
ENTRY_POINTS = """[console_scripts]
rope = rope_check.program:main

[pytest11]
rope_check.pytest_plugin = rope_check.pytest_plugin
"""


def platforms(program):
    """The tags of an ELF program: a static one runs on any Linux for its machine, others only on systems like this."""
    with open(program, "rb") as file:
        data = file.read()
    if data[:5] != b"\x7fELF\x02":
        raise SystemExit(f"{program} is not a 64-bit ELF program")
    machine = {62: "x86_64", 183: "aarch64"}[struct.unpack_from("<H", data, 18)[0]]
    start, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    interpreted = any(struct.unpack_from("<I", data, start + size * place)[0] == 3 for place in range(count))
    if interpreted:
        return [f"linux_{machine}"]
    return [f"{kind}_{machine}" for kind in ("manylinux_2_17", "manylinux2014", "musllinux_1_1")]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    program = os.environ.get("ROPE_PROGRAM")
    if not program:
        raise SystemExit("ROPE_PROGRAM: expected the path of the rope program that goes into the wheel")
    emulator = os.environ.get("ROPE_EMULATOR", "").split()  # runs a program built for another machine
    said = subprocess.run([*emulator, program, "--version"], capture_output=True, text=True, check=True).stdout.split()
    version, tags = said[1], [f"py3-none-{platform}" for platform in platforms(program)]
    with open(os.path.join(HERE, "..", "..", "LICENSE"), encoding="utf-8") as file:
        licence = file.read()
    with open(os.path.join(HERE, "..", "..", "docs", "python.md"), encoding="utf-8") as file:
        page = file.read()
    about = f"rope_check-{version}.dist-info"
    files = {"rope_check/bin/rope": program, f"{about}/licenses/LICENSE": licence.encode(),
             f"{about}/METADATA": (METADATA.format(version=version, license=licence.split("\n")[0]) + page).encode(),
             f"{about}/WHEEL": ("Wheel-Version: 1.0\nGenerator: build_wheel.py\nRoot-Is-Purelib: false\n"
                                + "".join(f"Tag: {tag}\n" for tag in tags)).encode(),
             f"{about}/entry_points.txt": ENTRY_POINTS.encode()}
    for name in sorted(os.listdir(os.path.join(HERE, "rope_check"))):
        if name.endswith((".py", ".typed")):
            files[f"rope_check/{name}"] = os.path.join(HERE, "rope_check", name)
    name = f"rope_check-{version}-py3-none-{'.'.join(platforms(program))}.whl"
    epoch = max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800)  # a zip cannot store a time before 1980
    os.makedirs(wheel_directory, exist_ok=True)
    record = ""
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        def add(path, data):
            entry = zipfile.ZipInfo(path, time.gmtime(epoch)[:6])
            entry.external_attr = (0o100755 if path == "rope_check/bin/rope" else 0o100644) << 16
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            wheel.writestr(entry, data, compresslevel=9)

        for path in sorted(files):
            data = files[path]
            if isinstance(data, str):
                with open(data, "rb") as file:
                    data = file.read()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(data)}\n"
            add(path, data)
        add(f"{about}/RECORD", (record + f"{about}/RECORD,,\n").encode())
    return name


if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else "dist"
    print(os.path.join(folder, build_wheel(folder)))
