"""How every script here prints what it found: where it comes from, then the numbers."""
import datetime
import json
import os
import platform
import sys


def show(values):
    """The numbers as a record, one a line. A flag is 1 or 0."""
    used = {name: sys.modules[name].__version__ for name in ("torch", "numpy") if name in sys.modules}
    origin = {
        "script": os.path.basename(sys.argv[0]),
        "made_by": {"python": platform.python_version(), **used},
        "date": f"{datetime.date.today():%Y-%m}",
    }
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}," for name, value in origin.items()]
    numbers = [f"    {json.dumps(name)}: {json.dumps(value)}" for name, value in values.items()]
    print("\n".join(["{", *lines, '  "values": {', ",\n".join(numbers), "  }", "}"]))


def over_seeds(values, name, runs):
    """Adds the mean, the least and the greatest of runs with several seeds: lists, or numbers."""
    columns = list(zip(*([run] if not isinstance(run, list) else run for run in runs)))
    values[f"{name}.mean"] = [round(float(sum(column)) / len(column), 4) for column in columns]
    values[f"{name}.least"] = [round(float(min(column)), 4) for column in columns]
    values[f"{name}.greatest"] = [round(float(max(column)), 4) for column in columns]


def raises(call, error):
    """1 where the call raises that error, 0 where it runs; another error ends the script."""
    try:
        call()
    except error:
        return 1
    return 0
