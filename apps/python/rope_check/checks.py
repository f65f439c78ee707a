"""The functions to call: each writes its arrays to a folder of its own, runs the program, and removes the folder."""

from __future__ import annotations

import json
import math
import os
import re
import tempfile
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, TypeVar

from . import results
from .arrays import Tensor, common_row, is_array, read_npy, repeated_rows, tensor, write_safetensors
from .program import Completed, InvalidInput, ProgramFailed, run
from .words import in_python

Found = TypeVar("Found", bound=results.Answer)


class _Question:
    """A folder with the files of one call, and the arguments that name them."""

    def __init__(self, command: str) -> None:
        self.arguments: List[str] = [command]
        try:
            self._folder = tempfile.TemporaryDirectory(prefix="rope_check_")
        except OSError as error:
            raise ProgramFailed(f"no folder for the arrays can be made: {error}") from error

    def __enter__(self) -> _Question:
        return self

    def __exit__(self, *_: Any) -> None:
        self._folder.cleanup()

    def path(self, name: str) -> str:
        return os.path.join(self._folder.name, name)

    def option(self, name: str, value: Any) -> None:
        """Adds name=value as --name=value: a list with commas, an array as a file, True as a flag."""
        if value is None or value is False:
            return
        option = "--" + name.replace("_", "-")
        if value is True:
            self.arguments.append(option)
            return
        if is_array(value):
            value = self.file(name, tensor(value))
        elif isinstance(value, (list, tuple, range)):
            value = ",".join(_number(each) for each in value)
        self.arguments.append(f"{option}={_number(value)}")

    def file(self, name: str, value: Tensor) -> str:
        try:
            write_safetensors(self.path(f"{name}.safetensors"), value)
        except OSError as error:
            raise ProgramFailed(f"{name} cannot be written: {error}") from error
        return f"{name}.safetensors"

    def embedding(self, model: Any, config: Any, dim: Optional[int], options: Mapping[str, Any]) -> None:
        """Adds what is stated about the embedding: a preset, a config.json, or an object that contains one."""
        if model is not None and not isinstance(model, (str, os.PathLike)):
            model, config = None, getattr(model, "config", model) if config is None else config
        if model is not None and os.path.exists(model):
            model, config = None, model
        if config is not None and not isinstance(config, (str, os.PathLike)):
            config = self._config(config)
        elif config is not None:
            config = os.path.abspath(config)
        for name, value in {"model": model, "config": config, "dim": dim, **options}.items():
            self.option(name, value)

    def _config(self, config: Any) -> str:
        document = config.to_dict() if hasattr(config, "to_dict") else config
        if not isinstance(document, Mapping):
            raise InvalidInput(f"expected a preset's name, a config.json or a model with a config, got {type(config)}")
        with open(self.path("config.json"), "w", encoding="utf-8") as file:
            json.dump(document, file, default=str)
        return "config.json"

    def positions(self, positions: Any, shape: Tuple[int, ...] = (), token_axis: Optional[int] = None) -> None:
        """Adds [tokens] or [rows, tokens] as --positions, [axes, rows, tokens] as --axis-positions, and text unchanged. `shape` is that of the vectors; between rows and tokens, it may contain the heads, which share positions.
        """
        if positions is None or isinstance(positions, str):
            return self.option("positions", positions)
        numbers = tensor([positions] if isinstance(positions, int) else positions)
        if numbers.dtype[0] not in "IU":
            raise InvalidInput(f"positions: expected integers, got {numbers.dtype}")
        if len(numbers.shape) == 2:
            numbers = common_row(numbers) or numbers
        option = "axis-positions" if len(numbers.shape) == 3 else "positions"
        expected = {"positions": ["apply"], "axis-positions": ["apply", "verify"]}[option]  # expect a row per head
        if token_axis is not None and self.arguments[0] in expected:
            numbers = repeated_rows(numbers, math.prod(shape[1:token_axis]))
        self.arguments.append(f"--{option}={self.file('positions', numbers)}")

    def ask(self) -> Completed:
        return run(self.arguments, self._folder.name)

    def answer(self, read: Callable[[str, Mapping[str, Any], Tuple[str, ...]], Found]) -> Found:
        done = run([*self.arguments, "--output=answer.json"], self._folder.name)
        with open(self.path("answer.json"), encoding="utf-8") as file:
            document = json.load(file)
        text = re.sub(r"^wrote answer\.json\n?", "", done.text, flags=re.M)
        text = re.sub(r"run:\n  rope diagnose .*(\n   .*)*", "call rope_check.diagnose.", text)
        return read(in_python(text).rstrip(), document, done.warnings)


def _number(value: Any) -> str:
    return repr(value) if isinstance(value, float) else str(value)


def _numbers(value: Any, bfloat16: bool) -> Tensor:
    """The tensor; with `bfloat16`, 16-bit integers are the bits of such numbers."""
    numbers = tensor(value)
    return numbers._replace(dtype="BF16") if bfloat16 and numbers.dtype in ("I16", "U16") else numbers


def _vectors(question: _Question, x: Any, y: Any, positions: Any, options: Dict[str, Any]) -> Tuple[int, ...]:
    """Adds x, y and their positions; returns their shape."""
    bits = options.pop("bfloat16", False)
    shape = tensor(x).shape
    question.positions(positions, shape, options.get("token_axis"))
    for name, value in (("x", x), ("y", y)):
        question.arguments.append(question.file(name, _numbers(value, bits)))
    return shape


def diagnose(x: Any, y: Any, *, model: Any = None, config: Any = None, positions: Any = None,
             dim: Optional[int] = None, **options: Any) -> results.Diagnosis:
    """Finds which convention turned x into y, and compares it with what is stated (a model, a base).

    x and y are the vectors before and after rotation, of the same shape. `model` is a preset's name, a config.json or
    a model with a `config`; `config` is a config.json, a dict or a configuration object. Further options are those of
    `rope diagnose`, with _ in place of -: `base=500000, layout="half", start=3, token_axis=2`.

    >>> right = golden(dim=8, layout="half", positions=range(12))
    >>> found = diagnose(right.x, right.y, positions=right.positions, layout="interleaved", base=500000)
    >>> found.verdict, found.best.layout, found.best.base
    ('unique', 'half', 10000.0)
    >>> [difference.remedy_id for difference in found.differences]
    ['layout', 'base']
    """
    with _Question("diagnose") as question:
        _vectors(question, x, y, positions, options)
        question.embedding(model, config, dim, options)
        return question.answer(results.diagnosis)


def verify(x: Any, y: Any, *, policy: Optional[str] = None, model: Any = None, config: Any = None,
           positions: Any = None, dim: Optional[int] = None, **options: Any) -> results.Verification:
    """Judges whether y is x rotated as stated, number by number, within the rounding that `policy` allows.

    Without a policy, one that fits the numbers of y is used; without positions, they are taken to be 0, 1, 2 …

    >>> right = golden(dim=8, layout="half", positions=range(12))
    >>> verify(right.x, right.y, layout="half", positions=right.positions).passed
    True
    >>> wrong = verify(right.x, right.y, layout="half", base=500000, positions=right.positions)
    >>> wrong.verdict, wrong.failing("tokens")
    ('fail', ((1, 11),))
    """
    with _Question("verify") as question:
        shape = _vectors(question, x, y, positions, options)
        if dim is None and model is None and config is None and shape:
            dim = shape[-1]
        question.embedding(model, config, dim, {"policy": policy, **options})
        return question.answer(results.verification)


def assert_rotated(x: Any, y: Any, **stated: Any) -> None:
    """Passes if `verify` passes; otherwise, the AssertionError shows where y fails and which convention it follows.

    >>> right = golden("llama-3.1-8b", positions=range(4))
    >>> assert_rotated(right.x, right.y, model="llama-3.1-8b", positions=right.positions)
    >>> assert_rotated(right.x, right.x, model="llama-3.1-8b", positions=right.positions)
    Traceback (most recent call last):
      ...
    AssertionError: FAIL: 384 of 512 pairs are beyond what float32 allows; ...
    """
    __tracebackhide__ = True  # pytest shows the caller's line
    judged = verify(x, y, **stated)
    if judged.passed:
        return
    stated.pop("policy", None)
    places = re.sub(r"\n(To find out which|\S+: \w+ \().*", "", judged.text, flags=re.S)  # file and table follow
    raise AssertionError(f"{places}\n\nrope diagnose:\n{diagnose(x, y, **stated)}")


def inspect(model_or_config: Any, **options: Any) -> results.Inspection:
    """The rotary embedding that a model really uses, given a preset's name, a config.json, a dict, or a model.

    >>> inspect("llama-3.1-8b").rotary
    Rotary(head_dim=128, rotary_dim=128, base=500000.0, layout='half', ...)
    """
    with _Question("inspect") as question:
        question.embedding(model_or_config, None, None, options)
        return question.answer(results.inspection)


def table(model: Any = None, positions: Any = range(16), *, config: Any = None, dim: Optional[int] = None,
          **options: Any) -> results.Table:
    """Exact cos and sin of each position and pair, times the attention factor, to compare a table with.

    >>> exact = table("llama-3.1-8b", [0, 100000])
    >>> float(exact.cos[0, 0]), round(float(exact.cos[1, 0]), 12)
    (1.0, -0.999360807438)
    """
    with _Question("matrix") as question:
        question.embedding(model, config, dim, {**options, "layout": "half"})
        question.arguments += ["--positions=0", "--form=pairs", "--json"]
        rotary = json.loads(question.ask().text)["rotary"]
        del rotary["layout"]  # cos and sin are the same in both layouts
    if isinstance(positions, str):
        raise InvalidInput("table: positions: expected integers or an array of them, got text")
    given = tensor([positions] if isinstance(positions, int) else positions)
    tokens = given.shape[-1] if given.shape else 1
    half = rotary["rotary_dim"] // 2
    row = [1.0] * half + [0.0] * (rotary["head_dim"] - half)  # (1, 0) in each pair turns into (cos, sin)
    with _Question("apply") as question:
        question.arguments += [question.file("x", tensor([row] * tokens)), "--output=y.npy"]
        question.positions(positions)
        question.embedding(model, config, dim, {**options, "layout": "half"})
        question.ask()
        turned = read_npy(question.path("y.npy"))
    if isinstance(turned, memoryview):
        lists: Any = turned.tolist()
        return results.Table([each[:half] for each in lists], [each[half:2 * half] for each in lists], rotary)
    return results.Table(turned[:, :half].copy(), turned[:, half:2 * half].copy(), rotary)


@dataclass(frozen=True)
class Golden:
    """Vectors, their exact rotations y, and how far each number may be off under `policy`: all float64."""
    x: Any = field(repr=False)
    y: Any = field(repr=False)
    bound: Any = field(repr=False)
    positions: Any
    rotary: Mapping[str, Any]
    policy: str
    inv_freq: Tuple[float, ...] = field(repr=False)
    stated: Mapping[str, Any] = field(repr=False)

    def check(self, result: Any) -> None:
        """Raises an AssertionError that shows where, unless `result` is x rotated within the policy's rounding."""
        __tracebackhide__ = True
        assert_rotated(self.x, result, positions=self.positions, policy=self.policy, **self.stated)


def golden(model: Any = None, x: Any = None, positions: Any = None, *, config: Any = None, dim: Optional[int] = None,
           policy: str = "float32", seed: Optional[int] = None, **options: Any) -> Golden:
    """Test vectors for an implementation: random ones, or x [tokens, …, head_dim], rotated exactly.

    >>> right = golden("llama-3.1-8b", positions=[0, 1, 100000])
    >>> right.x.shape, right.policy
    ((3, 2, 128), 'float32')
    >>> right.check(right.y)
    """
    bits = options.pop("bfloat16", False)
    stated = {"model": model, "config": config, "dim": dim, **options}
    token_axis = options.pop("token_axis", None)
    with _Question("apply") as question:
        given = _numbers(x, bits) if x is not None else None
        if given is not None:
            question.arguments.append(question.file("x", given))
        question.positions(positions, given.shape if given else (), token_axis)
        question.embedding(model, config, dim, options)
        for name, value in {"golden": "g_", "policy": policy, "seed": seed, "token_axis": token_axis}.items():
            question.option(name, value)
        question.ask()
        with open(question.path("g_golden.json"), encoding="utf-8") as file:
            document = json.load(file)
        found = [read_npy(question.path(f"g_{name}.npy")) for name in ("x", "y", "bound", "positions")]
    x, y, bound, counted = found
    if len(counted.shape) == 1:  # else one row per head: keep them as given
        positions = counted
    if stated["dim"] is None and model is None and config is None:
        stated["dim"] = document["rotary"]["head_dim"]
    stated["token_axis"] = document["token_axis"]
    return Golden(x, y, bound, positions, document["rotary"], document["policy"]["name"], tuple(document["inv_freq"]),
                  stated)
