"""How every script here prints what it found: where it comes from, then the numbers."""
import datetime
import json
import os
import platform
import sys

import numpy
import torch


def show(values):
    """The numbers as a record, one a line. A flag is 1 or 0."""
    origin = {
        "script": os.path.basename(sys.argv[0]),
        "made_by": {"python": platform.python_version(), "torch": torch.__version__, "numpy": numpy.__version__},
        "date": f"{datetime.date.today():%Y-%m}",
    }
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}," for name, value in origin.items()]
    numbers = [f"    {json.dumps(name)}: {json.dumps(value)}" for name, value in values.items()]
    print("\n".join(["{", *lines, '  "values": {', ",\n".join(numbers), "  }", "}"]))


def raises(call, error):
    """1 where the call raises that error, 0 where it runs; another error ends the script."""
    try:
        call()
    except error:
        return 1
    return 0
