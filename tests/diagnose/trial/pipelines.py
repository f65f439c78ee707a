#!/usr/bin/env python3
"""Draws rotary embeddings as engines compute them and asks `rope diagnose` and `rope verify` about them.

  pipelines.py --rope build/release/apps/rope/rope --right 200 --faults 200

RIGHT cases compute a published model as it should be, in float64, float32, or 16 bits as Hugging Face's code and as
fused kernels round them, in the shapes that engines hold: nobody may be blamed for one. FAULTS plant one known mistake
each: nothing may be named that is not there, and what is broken must not be certified.

Every case is drawn from (--seed, its kind, its number) alone. `--only right:17` replays one, keeps its files and prints
its commands. Needs numpy and nothing else; exit 1 where anyone was blamed.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import math
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

f32, f64 = np.float32, np.float64

# ---------------------------------------------------------------------------------------------------------- numbers


def bf16(a):
    """Rounds to bfloat16, to nearest and even, and keeps the numbers in float32."""
    bits = np.ascontiguousarray(a, dtype=f32).view(np.uint32)
    kept = (bits + (((bits >> 16) & 1) + np.uint32(0x7FFF))) & np.uint32(0xFFFF0000)
    return kept.view(f32).reshape(np.shape(a))


def f16(a):
    return np.asarray(a, dtype=f32).astype(np.float16).astype(f32)


def same(a):
    return a


@dataclasses.dataclass(frozen=True)
class Pipe:
    """How an engine computes: the type of angles, tables and products, and what is rounded where."""

    name: str
    wide: type  # of angles and of what is not rounded
    table: callable = same  # rounds cos and sin
    each: callable = same  # rounds every product
    store: callable = same  # rounds y, and x
    storage: str = "f32"

    def digits(self):
        """A relative error that every stage of it may make."""
        return {"f64": 2.0**-52, "f32": 2.0**-23, "bf16": 2.0**-8, "f16": 2.0**-10}[self.storage]


PIPES = [
    Pipe("float64", f64, storage="f64"),
    Pipe("float32", f32),
    Pipe("hf-bf16", f32, bf16, bf16, bf16, "bf16"),
    Pipe("kernel-bf16-cache", f32, bf16, same, bf16, "bf16"),
    Pipe("kernel-bf16", f32, same, same, bf16, "bf16"),
    Pipe("hf-f16", f32, f16, f16, f16, "f16"),
    Pipe("kernel-f16-cache", f32, f16, same, f16, "f16"),
    Pipe("kernel-f16", f32, same, same, f16, "f16"),
]

# ----------------------------------------------------------------------------------------------------------- models


@dataclasses.dataclass(frozen=True)
class Model:
    name: str  # of rope's preset
    dim: int
    rotary: int
    base: float
    layout: str = "half"
    rule: str = ""  # as --scaling takes it
    sections: tuple = ()  # of M-RoPE: pairs of time, height and width
    dealt: bool = False  # sections interleaved in turn
    heads: tuple = (32, 8)

    def numbers(self):
        return {k: float(v) for k, v in (kv.split("=") for kv in self.rule.partition(":")[2].split(",") if kv)}

    def kind(self):
        return self.rule.partition(":")[0] or "default"

    def factor(self):
        """What cos and sin are multiplied by."""
        return 0.1 * math.log(self.numbers()["factor"]) + 1 if self.kind() == "yarn" else 1.0

    def theta(self, wide=f64):
        """Radians per token of every pair, computed in the type that `wide` is, as Hugging Face's code does."""
        r, b, n = self.rotary, self.base, self.numbers()
        plain = (1 / wide(b) ** (np.arange(0, r, 2).astype(wide) / wide(r))).astype(wide)
        if self.kind() == "llama3":
            wavelength = 2 * math.pi / plain
            low, high, old = n["low"], n["high"], n["original"]
            smooth = (old / wavelength - low) / (high - low)
            mixed = (1 - smooth) * plain / wide(n["factor"]) + smooth * plain
            out = np.where(wavelength > old / low, plain / wide(n["factor"]), plain)
            return np.where((wavelength <= old / low) & (wavelength >= old / high), mixed, out).astype(wide)
        if self.kind() == "yarn":
            turns = lambda t: r * math.log(n["original"] / (t * 2 * math.pi)) / (2 * math.log(b))
            first, last = max(math.floor(turns(32)), 0), min(math.ceil(turns(1)), r - 1)
            ramp = np.clip((np.arange(r // 2, dtype=wide) - wide(first)) / wide(max(last - first, 1e-3)), 0, 1)
            return (plain / wide(n["factor"]) * ramp + plain * (1 - ramp)).astype(wide)
        return plain

    def axis_of_pair(self):
        """Which axis turns each pair: 0, 1 or 2."""
        pairs = self.rotary // 2
        if not self.sections:
            return np.zeros(pairs, int)
        if not self.dealt:
            return np.repeat([0, 1, 2], self.sections)
        axis = np.zeros(pairs, int)
        for a in (1, 2):
            axis[a : 3 * self.sections[a] : 3] = a
        return axis

    def options(self):
        """The options that state it without its name."""
        args = ["--layout", self.layout, "--base", f"{self.base:.0f}", "--dim", str(self.dim)]
        if self.rotary != self.dim:
            args += ["--rotary-dim", str(self.rotary)]
        if self.rule:
            args += ["--scaling", self.rule]
        if self.sections:
            args += ["--sections", ",".join(map(str, self.sections)) + (":interleaved" if self.dealt else "")]
        return args


LLAMA3 = "llama3:factor={},low=1,high=4,original=8192"
YARN = "yarn:factor=4,original={}"
MODELS = [
    Model("llama-2", 128, 128, 1e4, heads=(32, 40)),
    Model("llama-3", 128, 128, 5e5),
    Model("llama-3.1-8b", 128, 128, 5e5, rule=LLAMA3.format(8)),
    Model("llama-3.2-1b", 64, 64, 5e5, rule=LLAMA3.format(32)),
    Model("qwen2.5-7b", 128, 128, 1e6, heads=(28, 4)),
    Model("qwen2.5-0.5b", 64, 64, 1e6, heads=(14, 2)),
    Model("qwen2.5-7b-yarn", 128, 128, 1e6, rule=YARN.format(32768), heads=(28, 4)),
    Model("qwen3-8b", 128, 128, 1e6),
    Model("qwen3-8b-yarn", 128, 128, 1e6, rule=YARN.format(32768)),
    Model("mistral-7b-v0.1", 128, 128, 1e4),
    Model("mixtral-8x7b", 128, 128, 1e6),
    Model("phi-2", 80, 32, 1e4, heads=(32,)),
    Model("phi-3-mini-4k", 96, 96, 1e4, heads=(32,)),
    Model("gpt-neox-20b", 96, 24, 1e4, heads=(64,)),
    Model("pythia-12b", 128, 32, 1e4, heads=(40,)),
    Model("stablelm-3b-4e1t", 80, 20, 1e4, heads=(32,)),
    Model("gemma-7b", 256, 256, 1e4, heads=(16,)),
    Model("gemma-2-9b", 256, 256, 1e4, heads=(16, 8)),
    Model("gpt-j-6b", 256, 64, 1e4, "interleaved", heads=(16,)),
    Model("glm-4-9b", 128, 64, 5e6, "interleaved", heads=(32, 2)),
    Model("qwen3-next-80b", 256, 64, 1e7, heads=(16, 2)),
    Model("yi-34b", 128, 128, 5e6, heads=(56, 8)),
    Model("smollm3-3b", 128, 128, 5e6, heads=(16, 4)),
]
M_ROPE = [
    Model("", 128, 128, 1e6, sections=(16, 24, 24), heads=(28, 4)),  # Qwen2-VL
    Model("", 128, 128, 5e6, sections=(24, 20, 20), dealt=True),  # Qwen3-VL
]

# --------------------------------------------------------------------------------------------------------- pipelines


def tables(positions, theta, factor, pipe, axis=None):
    """cos and sin of [rows, tokens, pairs]; positions [rows, tokens], or with the axes of M-RoPE last."""
    p = np.asarray(positions).astype(pipe.wide)
    p = p[..., axis] if axis is not None and p.ndim == 3 else p[..., None]
    angle = p * theta.astype(pipe.wide)
    return tuple(pipe.table((fn(angle) * pipe.wide(factor)).astype(pipe.wide)) for fn in (np.cos, np.sin))


def turn(x, cos, sin, layout, pipe):
    """Rotates all of x [rows, tokens, heads, r] by tables [rows, tokens, r/2]."""
    c, s, w = cos[:, :, None], sin[:, :, None], x.shape[-1] // 2
    a, b = (x[..., :w], x[..., w:]) if layout == "half" else (x[..., 0::2], x[..., 1::2])
    first = pipe.each(a * c) - pipe.each(b * s)
    second = pipe.each(b * c) + pipe.each(a * s)
    if layout == "half":
        return pipe.store(np.concatenate([first, second], -1))
    return pipe.store(np.stack([first, second], -1).reshape(x.shape))


def rotate(x, positions, model, pipe, *, theta=None, factor=None, layout=None, rotary=None, clockwise=False):
    """What an engine makes of x [rows, tokens, heads, head_dim]."""
    rotary = rotary or model.rotary
    theta = model.theta(pipe.wide) if theta is None else theta
    cos, sin = tables(positions, theta, model.factor() if factor is None else factor, pipe, model.axis_of_pair())
    y = turn(x[..., :rotary], cos, -sin if clockwise else sin, layout or model.layout, pipe)
    return np.concatenate([y, x[..., rotary:]], -1).astype(pipe.wide)


def vectors(rng, shape, pipe):
    """Normal numbers with a scale and a mean for every dimension, a few of them loud, as q and k have them."""
    d = shape[-1]
    scale, mean, loud = np.exp(rng.normal(0, 0.4, d)), rng.normal(0, 0.4, d), rng.random(d) < 0.02
    scale[loud] *= 4
    mean[loud] *= 5
    return pipe.store((rng.standard_normal(shape) * scale + mean).astype(pipe.wide))


# -------------------------------------------------------------------------------------------------------------- cases

SHAPES = ["T,H,D", "H,T,D", "1,H,T,D", "B,H,T,D", "B,T,H,D", "T,HD", "B,T,HD", "T,D"]
MOST_BYTES = 4 << 20


def arranged(a, shape):
    """[rows, tokens, heads, ...] as the engine holds it."""
    rows, tokens, heads = a.shape[:3]
    if shape == "T,H,D":
        return a[0]
    if shape == "H,T,D":
        return a[0].swapaxes(0, 1)
    if shape in ("1,H,T,D", "B,H,T,D"):
        return a.swapaxes(1, 2)
    if shape == "T,HD":
        return a[0].reshape(tokens, -1)
    if shape == "B,T,HD":
        return a.reshape(rows, tokens, -1)
    return a[0, :, 0] if shape == "T,D" else a


TOKEN_AXIS = {"T,H,D": 0, "H,T,D": 1, "1,H,T,D": 2, "B,H,T,D": 2, "B,T,H,D": 1, "T,HD": 0, "B,T,HD": 1, "T,D": 0}


@dataclasses.dataclass
class Case:
    section: str
    number: int
    rng: np.random.Generator
    model: Model = None
    pipe: Pipe = None
    shape: str = ""
    rows: int = 1
    tokens: int = 1
    heads: int = 1
    way: str = "run"  # how positions go: run, padded, packed, image
    positions: np.ndarray = None  # [rows, tokens], those that are meant
    noise: str = ""
    state: str = "nothing"
    say_positions: bool = False
    container: str = "npy"
    x: np.ndarray = None
    y: np.ndarray = None
    right: np.ndarray = None  # what y should be
    # what y really follows where that is a convention
    actual: dict = dataclasses.field(default_factory=dict)
    actual_positions: np.ndarray = None
    fault: str = ""
    convention: bool = True  # whether y follows one convention throughout
    may_say: frozenset = frozenset()  # what may be named
    bad: np.ndarray = None  # [rows, tokens, heads]: the vectors with the fault
    files: dict = dataclasses.field(default_factory=dict)
    key_x: np.ndarray = None  # k beside q, where both are asked about
    key_y: np.ndarray = None

    def key(self):
        return f"{self.section}:{self.number}"

    def about(self):
        stated = {"nothing": "nothing stated", "model": "--model", "options": "--layout/--base/--dim"}[self.state]
        return (
            f"{self.fault or 'right'}; {self.model.name or 'M-RoPE'}, {self.pipe.name}, [{self.shape}] of {self.rows} "
            f"x {self.tokens} x {self.heads}, positions {self.way} from {int(self.positions.min())}, {stated}, "
            f"positions {'stated' if self.say_positions else 'withheld'}{', noise ' + self.noise if self.noise else ''}"
        )


def draw_positions(case):
    """Positions [rows, tokens] of a prompt, a decode step, left-padded rows or packed sequences."""
    rng, rows, tokens = case.rng, case.rows, case.tokens
    start = int(rng.choice([0, rng.integers(1, 4096), rng.integers(4096, 100000)], p=[0.6, 0.3, 0.1]))
    run = start + np.arange(tokens)
    case.positions = np.tile(run, (rows, 1))
    if case.model.sections:
        case.way = "image"
        case.positions = np.tile(image_positions(tokens, start)[None], (rows, 1, 1))
    elif rows > 1 and tokens > 2 and rng.random() < 0.5:
        case.way = "padded"
        fill = int(rng.integers(0, 2))  # Hugging Face puts 1 where the mask is 0, others 0
        for row in range(1, rows):
            pad = int(rng.integers(1, tokens))
            case.positions[row] = np.where(np.arange(tokens) < pad, fill, np.arange(tokens) - pad)
        case.positions[0] = np.arange(tokens)
    elif rows == 1 and tokens >= 8 and rng.random() < 0.12:
        case.way = "packed"
        cuts = np.sort(rng.choice(np.arange(1, tokens), size=int(rng.integers(1, 4)), replace=False))
        lengths = np.diff(np.concatenate([[0], cuts, [tokens]]))
        case.positions[0] = np.concatenate([np.arange(n) for n in lengths])


def image_positions(tokens, start):
    """Time, height and width of a text with an image in it: [tokens, 3]."""
    out, at, wide = [], start, 5
    while len(out) < tokens:
        out += [(at + i,) * 3 for i in range(4)]
        at += 4
        out += [(at, at + r, at + c) for r in range(4) for c in range(wide)]
        at += wide
    return np.array(out[:tokens])


def draw(section, number, seed, fault_names=None):
    """One case, from its number alone."""
    rng = np.random.default_rng([seed, {"right": 1, "fault": 2}[section], number])
    case = Case(section, number, rng)
    if section == "fault":
        names = sorted(FAULTS) if not fault_names else fault_names
        case.fault = names[number % len(names)]  # each as often
    fault = FAULTS.get(case.fault, Fault(None))
    models = fault.models() if section == "fault" else (M_ROPE if rng.random() < 0.03 else MODELS)
    case.model = models[int(rng.integers(len(models)))]
    case.pipe = PIPES[int(rng.choice(len(PIPES), p=[0.14, 0.22, 0.2, 0.12, 0.08, 0.1, 0.07, 0.07]))]
    shapes = [s for s in SHAPES if fault.fits(s)]
    case.shape = shapes[int(rng.integers(len(shapes)))]
    low, high = [(1, 1), (2, 16), (17, 200), (201, 2000)][int(rng.choice(4, p=[0.08, 0.22, 0.62, 0.08]))]
    case.tokens = max(int(rng.integers(low, high + 1)), fault.tokens)
    usual = [1, 2, 3, 4, 5, 7, 8, 12, 16, 28, 32, 40] + 4 * list(case.model.heads)
    case.heads = 1 if case.shape == "T,D" else max(int(rng.choice(usual)), fault.heads)
    if case.shape.startswith("B"):
        case.rows = max(int(rng.choice([1, 2, 2, 3, 4])), fault.rows)
    size = 8 if case.pipe.storage == "f64" else 4
    most = MOST_BYTES // int(rng.choice([1, 4, 16, 32], p=[0.04, 0.1, 0.36, 0.5]))
    while case.rows * case.tokens * case.heads * case.model.dim * size > most:
        if case.tokens > max(24, fault.tokens):
            case.tokens = max(case.tokens * 2 // 3, 24, fault.tokens)
        elif case.heads > max(4, fault.heads):
            case.heads -= max(1, case.heads // 4)
        else:
            break
    draw_positions(case)
    if fault.before:
        fault.before(case)
    model_states = ["nothing", "model", "options"] if case.model.name else ["nothing", "options"]
    case.state = str(rng.choice(model_states, p=[0.25, 0.45, 0.3] if case.model.name else [0.2, 0.8]))
    case.say_positions = bool(rng.random() < 0.55) or (bool(case.model.sections) and rng.random() < 0.9)
    case.container = str(rng.choice({"bf16": ["npy", "bits", "safetensors"], "f16": ["npy", "half", "safetensors"]}.get(
        case.pipe.storage, ["npy", "npy", "safetensors"])))
    case.x = vectors(rng, (case.rows, case.tokens, case.heads, case.model.dim), case.pipe)
    if section == "fault":
        case.convention, case.may_say = fault.convention, fault.may_say
        case.right = rotate(case.x, case.positions, case.model, case.pipe)
        case.y = fault.plant(case)
    else:
        source = case.x
        if rng.random() < 0.4:
            # two engines that multiply matrices in another order: y is of another x
            case.noise = str(rng.choice(["of each number", "of each vector"]))
            each = np.abs(case.x) if case.noise == "of each number" else np.sqrt((case.x**2).mean(-1, keepdims=True))
            source = case.pipe.store((case.x + 1e-3 * each * rng.standard_normal(case.x.shape)).astype(case.pipe.wide))
        case.y = case.right = rotate(source, case.positions, case.model, case.pipe)
    if case.actual_positions is None:
        case.actual_positions = case.positions
    if section == "right" and not case.noise and case.shape != "T,D" and number % 10 == 3:
        add_keys(case, case.positions)
    return case


def add_keys(case, positions, **how):
    """k beside q: of the same tokens, with fewer heads."""
    rng = np.random.default_rng([case.number, 3])
    heads = int(rng.choice([h for h in {1, *case.model.heads} if h <= case.heads]))
    case.key_x = vectors(rng, (case.rows, case.tokens, heads, case.model.dim), case.pipe)
    case.key_y = rotate(case.key_x, positions, case.model, case.pipe, **how)


# ------------------------------------------------------------------------------------------------------------- faults


@dataclasses.dataclass(frozen=True)
class Fault:
    plant: callable  # of a case: makes y
    convention: bool = False  # whether what comes out is a convention, though not the one that is meant
    may_say: frozenset = frozenset()
    partial: bool = False  # only where a part of the head is rotated
    rule: str = ""  # only under this scaling rule
    plain: bool = False  # only without scaling
    axes: bool = False  # only M-RoPE
    batch: bool = False
    shapes: tuple = ()
    rows: int = 1
    tokens: int = 1
    heads: int = 1
    before: callable = None

    def models(self):
        if self.axes:
            return M_ROPE
        return [
            m
            for m in MODELS
            if (not self.partial or m.rotary < m.dim)
            and (not self.rule or m.kind() == self.rule)
            and (not self.plain or not m.rule)
        ]

    def fits(self, shape):
        if self.shapes:
            return shape in self.shapes
        return (not self.batch or shape.startswith("B")) and (self.heads == 1 or shape != "T,D")


FAULTS = {}


def fault(name, **how):
    how["may_say"] = frozenset(how.get("may_say", "").split())

    def add(plant):
        FAULTS[name] = Fault(plant, **how)
        return plant

    return add


def spread(case, axis, most=0.45):
    """A mask [rows, tokens, heads] of some rows, tokens or heads, fewer than half of them where that can be."""
    count = case.x.shape[axis]
    if count < 2:
        raise ValueError(f"{case.fault}: one alone")
    bad = int(case.rng.integers(1, max(2, int(count * most) + 1)))
    chosen = np.zeros(count, bool)
    if case.rng.random() < 0.5:
        chosen[-bad:] = True  # a kernel's grid ends early
    else:
        chosen[case.rng.choice(count, size=bad, replace=False)] = True
    shape = [1, 1, 1]
    shape[axis] = count
    return np.broadcast_to(chosen.reshape(shape), case.x.shape[:3])


def plant_vectors(axis, what):
    def plant(case):
        case.bad = spread(case, axis)
        y = case.right.copy()
        other = {
            "zero": np.zeros_like(y),
            "unrotated": case.x,
            "garbage": case.pipe.store(vectors(case.rng, y.shape, case.pipe) * case.pipe.wide(case.rng.choice([0.01, 1]))),
        }[what]
        y[case.bad] = other[case.bad]
        return y

    return plant


for _axis, _noun in enumerate(("rows", "tokens", "heads")):
    for _what in ("zero", "unrotated", "garbage"):
        fault(
            f"{_noun}-{_what}",
            batch=_axis == 0,
            rows=2 if _axis == 0 else 1,
            tokens=4 if _axis == 1 else 1,
            heads=2 if _axis == 2 else 1,
            may_say={
                "zero": "parts tokens unwritten",
                "unrotated": "parts tokens unrotated positions regimes",
                "garbage": "parts tokens garbage",
            }[_what],
        )(plant_vectors(_axis, _what))


def plant_tail(what):
    def plant(case):
        y, r = case.right.copy(), case.model.rotary
        flat = case.x.reshape(-1)
        y[..., r:] = {
            "zero": lambda: np.zeros_like(y),
            "garbage": lambda: vectors(case.rng, y.shape, case.pipe),
            "next-head": lambda: np.roll(case.x, 1, 2 if case.heads > 1 else 1),
            # read as though q were contiguous where it is a view into q, k and v of one buffer
            "strided": lambda: np.resize(np.concatenate([flat, vectors(case.rng, (flat.size * 2,), case.pipe)])
                                         .reshape(case.rows * case.tokens, 3, -1).swapaxes(0, 1), y.size).reshape(y.shape),
        }[what]()[..., r:]
        return y

    return plant


for _what in ("zero", "garbage", "next-head", "strided"):
    fault(f"tail-{_what}", partial=True, tokens=2, may_say="tail")(plant_tail(_what))


def of_meant(case):
    """The tables that are meant, rotating x[..., :rotary]."""
    return tables(case.positions, case.model.theta(case.pipe.wide), case.model.factor(), case.pipe)


@fault("sin-of-another-column", tokens=4, may_say="sine linear")
def _(case):
    """The sine of pair i is read a few columns on, as where a kernel pads the width to a power of two."""
    cos, sin = of_meant(case)
    shift = max(1, case.model.rotary // 2 // int(case.rng.choice([3, 4, 8])))
    r = case.model.rotary
    late = np.concatenate([sin[..., shift:], np.roll(cos, -1, 1)[..., :shift]], -1)
    y = turn(case.x[..., :r], cos, late, case.model.layout, case.pipe)
    return np.concatenate([y, case.x[..., r:]], -1)


def whole_head_by_row_and_next(case):
    """rotary_dim is not passed: the whole head is turned by cos = a row of the cos | sin cache and sin = the next."""
    m, wide = case.model, case.pipe.wide
    row = lambda p: np.concatenate(tables(p, m.theta(wide), m.factor(), case.pipe), -1)[..., : m.dim // 2]
    return turn(case.x, row(case.positions), row(case.positions + 1), m.layout, case.pipe)


def _half_of_head_models(self):
    return [m for m in MODELS if 2 * m.rotary == m.dim]


@dataclasses.dataclass(frozen=True)
class HalfRotated(Fault):
    def models(self):
        return _half_of_head_models(self)


FAULTS["row-overrun"] = HalfRotated(whole_head_by_row_and_next, tokens=4, may_say=frozenset("rotary tail linear sine".split()))


@fault("half-of-another-tensor", tokens=4, may_say="half linear pairs")
def _(case):
    """One half of q's pairs comes from k."""
    other = rotate(vectors(case.rng, case.x.shape, case.pipe), case.positions, case.model, case.pipe)
    r, y = case.model.rotary, case.right.copy()
    part = slice(r // 2, r) if case.rng.random() < 0.5 else slice(0, r // 2)
    y[..., part] = other[..., part]
    return y


@fault("second-half-unwritten", tokens=2, may_say="half unwritten")
def _(case):
    r, y = case.model.rotary, case.right.copy()
    part = slice(r // 2, r) if case.model.layout == "half" else slice(1, r, 2)
    y[..., part] = case.x[..., part]
    return y


@fault("second-half-zero", tokens=2, may_say="half unwritten")
def _(case):
    r, y = case.model.rotary, case.right.copy()
    y[..., slice(r // 2, r) if case.model.layout == "half" else slice(1, r, 2)] = 0
    return y


@fault("sines-left-out", tokens=2, may_say="sine")
def _(case):
    cos, sin = of_meant(case)
    r = case.model.rotary
    y = turn(case.x[..., :r], cos, 0 * sin, case.model.layout, case.pipe)
    return np.concatenate([y, case.x[..., r:]], -1)


def astray(case, positions=None, **how):
    """Rotates by another convention than the one that is meant, and remembers it."""
    case.actual = dict(how)
    case.actual_positions = case.positions if positions is None else positions
    return rotate(case.x, case.actual_positions, case.model, case.pipe, **how)


@fault("wrong-base", convention=True, plain=True, tokens=3, may_say="base frequencies")
def _(case):
    base = float(case.rng.choice([b for b in (1e4, 5e5, 1e6, 5e6, 1e7) if b != case.model.base]))
    return astray(case, theta=dataclasses.replace(case.model, base=base).theta(case.pipe.wide))


@fault("wrong-layout", convention=True, tokens=2, may_say="layout reorder")
def _(case):
    return astray(case, layout="interleaved" if case.model.layout == "half" else "half")


@fault("off-by-one", convention=True, tokens=2, may_say="positions")
def _(case):
    step = -1 if case.positions.min() > 0 and case.rng.random() < 0.5 else 1
    return astray(case, case.positions + step)


@fault("offset-lost", convention=True, tokens=2, may_say="positions", shapes=("T,H,D", "H,T,D", "1,H,T,D", "T,HD", "T,D"),
       before=lambda case: setattr(case, "positions", case.positions - case.positions[:, :1] + int(case.rng.integers(5, 4000))))
def _(case):
    return astray(case, case.positions - case.positions[:, :1])


@fault("no-scaling-llama3", convention=True, rule="llama3", tokens=4, may_say="frequencies base")
def _(case):
    return astray(case, theta=dataclasses.replace(case.model, rule="").theta(case.pipe.wide))


@fault("no-scaling-yarn", convention=True, rule="yarn", tokens=4, may_say="frequencies base factor")
def _(case):
    return astray(case, theta=dataclasses.replace(case.model, rule="").theta(case.pipe.wide), factor=1.0)


@fault("other-scaling-factor", convention=True, rule="llama3", tokens=4, may_say="frequencies base")
def _(case):
    rule = LLAMA3.format(8 if "factor=32" in case.model.rule else 32)
    return astray(case, theta=dataclasses.replace(case.model, rule=rule).theta(case.pipe.wide))


@fault("linear-for-scaled", convention=True, rule="yarn", tokens=4, may_say="frequencies base factor steps positions")
def _(case):
    return astray(case, theta=dataclasses.replace(case.model, rule="").theta(case.pipe.wide) / case.pipe.wide(4), factor=1.0)


@fault("clockwise", convention=True, tokens=2, may_say="clockwise files layout positions")
def _(case):
    return astray(case, clockwise=True)


@fault("factor-missing", convention=True, rule="yarn", tokens=2, may_say="factor")
def _(case):
    return astray(case, factor=1.0)


@fault("factor-squared", convention=True, rule="yarn", tokens=2, may_say="factor")
def _(case):
    return astray(case, factor=case.model.factor() ** 2)


@fault("scores-scale-folded", convention=True, tokens=2, may_say="factor")
def _(case):
    return astray(case, factor=case.model.factor() / math.sqrt(case.model.dim))


@fault("rotary-dim-ignored", convention=True, partial=True, tokens=3, may_say="rotary frequencies base tail")
def _(case):
    whole = dataclasses.replace(case.model, rotary=case.model.dim)
    return astray(case, theta=whole.theta(case.pipe.wide), rotary=whole.rotary)


@fault("exponent-over-head", convention=True, partial=True, tokens=3, may_say="base frequencies exponent")
def _(case):
    r, d, w = case.model.rotary, case.model.dim, case.pipe.wide
    return astray(case, theta=1 / w(case.model.base) ** (np.arange(0, r, 2).astype(w) / w(d)))


@fault("rotated-twice", convention=True, tokens=2, may_say="twice steps positions frequencies factor base")
def _(case):
    """A key of the cache is rotated again."""
    case.actual = {"theta": 2 * case.model.theta(), "factor": case.model.factor() ** 2}
    return rotate(case.right, case.positions, case.model, case.pipe)


def sixteen_bit(what):
    def plant(case):
        cast = bf16 if case.rng.random() < 0.6 else f16
        theta, m = case.model.theta(f32), case.model
        p = case.positions.astype(f32)[..., None]
        angle = {
            "positions": lambda: cast(p) * theta,
            "angles": lambda: cast(p * theta),
            "frequencies": lambda: p * cast(theta),
        }[what]()
        cos, sin = (case.pipe.table((fn(angle) * f32(m.factor())).astype(f32)) for fn in (np.cos, np.sin))
        y = turn(case.x[..., : m.rotary].astype(f32), cos, sin, m.layout, case.pipe)
        case.actual_positions = cast(case.positions.astype(f32)).astype(int) if what == "positions" else case.positions
        return np.concatenate([y, case.x[..., m.rotary :]], -1).astype(case.pipe.wide)

    return plant


def far(case):
    case.positions = case.positions - case.positions.min() + int(case.rng.integers(3000, 9000))


for _what in ("positions", "angles", "frequencies"):
    _said = "rounded positions" + (" frequencies base" if _what == "frequencies" else "")
    fault(f"16-bit-{_what}", convention=True, tokens=8, before=far, may_say=_said)(sixteen_bit(_what))


@fault("restarts", convention=True, tokens=16, shapes=("T,H,D", "H,T,D", "1,H,T,D", "T,HD", "T,D"), may_say="positions",
       before=lambda case: setattr(case, "positions", np.arange(case.tokens)[None]))
def _(case):
    """Context parallelism: each rank counts from 0, or from the start of its part of every packed sequence."""
    ranks = int(case.rng.choice([2, 4]))
    each = -(-case.tokens // ranks)
    return astray(case, case.positions % each)


def _one_token(case):
    case.tokens, case.rows = 1, 1 if case.shape.startswith("1") else case.rows
    case.positions = np.full((case.rows, 1), int(case.rng.integers(0, 3000)))
    case.way = "run"


@fault("heads-for-tokens", shapes=("B,T,H,D", "T,H,D", "1,H,T,D"), heads=2, before=_one_token, may_say="heads-as-tokens positions parts")
def _(case):
    """One token: head h is turned by position + h, as code does that takes the axis of heads for that of tokens."""
    swapped = case.x.swapaxes(1, 2)
    y = rotate(swapped, case.positions + np.arange(case.heads)[None], case.model, case.pipe)
    case.bad = np.broadcast_to(np.arange(case.heads) > 0, case.x.shape[:3])
    return y.swapaxes(1, 2)


def slipped(how):
    def plant(case):
        theta, axis = case.model.theta(case.pipe.wide), case.model.axis_of_pair()
        out = theta.copy()
        for a in (1, 2):
            own = np.flatnonzero(axis == a)
            out[own] = theta[: own.size] if how == "restart" else theta[np.minimum(own + 1, theta.size - 1)]
        case.actual = {"theta": out}
        return rotate(case.x, case.positions, case.model, case.pipe, theta=out)

    return plant


for _how in ("restart", "next"):
    fault(f"m-rope-{_how}", convention=True, axes=True, tokens=40, may_say="frequencies axes pairs")(slipped(_how))


@fault("m-rope-plain", convention=True, axes=True, tokens=40, may_say="axes pairs positions")
def _(case):
    """Every pair follows the axis of time."""
    return rotate(case.x, case.positions[..., 0], dataclasses.replace(case.model, sections=()), case.pipe)


@fault("k-late", convention=True, tokens=3, may_say="positions", shapes=tuple(s for s in SHAPES if s != "T,D"))
def _(case):
    """q is right, k stands one token later or earlier: a cache's offset was read after it had moved."""
    add_keys(case, case.positions + (1 if case.positions.min() == 0 or case.rng.random() < 0.5 else -1))
    return astray(case)


@fault("both-clockwise", convention=True, tokens=3, may_say="clockwise files layout positions", shapes=("T,H,D", "1,H,T,D", "B,T,H,D"))
def _(case):
    add_keys(case, case.positions, clockwise=True)
    return astray(case, clockwise=True)


# ------------------------------------------------------------------------------------------------------ files, commands


def write_files(case, folder):
    """Writes x and y; returns how rope is told of them."""
    arrays = [("x", case.x), ("y", case.y)]
    if case.key_x is not None:
        arrays += [("key_x", case.key_x), ("key_y", case.key_y)]
    arrays = [(name, np.ascontiguousarray(arranged(a, case.shape))) for name, a in arrays]
    if case.container == "safetensors":
        kind = {"f64": "F64", "f32": "F32", "bf16": "BF16", "f16": "F16"}[case.pipe.storage]
        raw = [stored(a, case.pipe.storage).tobytes() for _, a in arrays]
        head, at = {}, 0
        for (name, a), bits in zip(arrays, raw):
            head[name] = {"dtype": kind, "shape": list(a.shape), "data_offsets": [at, at + len(bits)]}
            at += len(bits)
        text = json.dumps(head).encode()
        text += b" " * (-len(text) % 8)
        with open(os.path.join(folder, "t.safetensors"), "wb") as file:
            file.write(len(text).to_bytes(8, "little") + text + b"".join(raw))
        case.files = {"x": "t.safetensors:x", "y": "t.safetensors:y", "more": []}
    else:
        narrow = case.container in ("bits", "half")
        for name, a in arrays:
            np.save(os.path.join(folder, name + ".npy"), stored(a, case.pipe.storage) if narrow else a)
        case.files = {"x": "x.npy", "y": "y.npy", "more": ["--bfloat16"] if case.container == "bits" else []}
    p = case.positions
    if p.ndim == 3:
        np.save(os.path.join(folder, "p.npy"), np.ascontiguousarray(p[0].T.astype(np.int64)))
    else:
        np.save(os.path.join(folder, "p.npy"), (p[0] if (p == p[0]).all() else p).astype(np.int64))


def stored(a, storage):
    if storage == "bf16":
        return (np.ascontiguousarray(a, dtype=f32).view(np.uint32) >> 16).astype(np.uint16)
    return a.astype({"f64": f64, "f32": f32, "f16": np.float16}[storage])


def positions_args(case, always=False):
    p = case.positions
    if not case.say_positions and not always:
        return []
    if p.ndim == 3:
        square = p.shape[1] == p.shape[2]  # nothing but a word tells tokens and axes apart
        return ["--axis-positions", "p.npy", *(["--axis-order", "axes-first"] if square else [])]
    run = (p == p[0]).all() and (np.diff(p[0]) == 1).all()
    draw = (case.number * 7 + case.rows) % 3
    if run and draw < 2:
        return ["--start", str(int(p[0, 0]))]
    if case.way == "packed" and draw == 0 and p[0, 0] == 0:
        starts = np.append(np.flatnonzero(p[0] == 0), p.shape[1])
        return ["--lengths", ",".join(map(str, np.diff(starts)))]
    return ["--positions", "p.npy"]


def model_args(case, always=False):
    if case.state == "model" or (case.state == "nothing" and always and case.model.name):
        return ["--model", case.model.name]
    return case.model.options() if case.state == "options" or always else []


def diagnose_command(case):
    f = case.files
    operands = [f["x"], f["y"]]
    if case.key_x is not None:
        at = (lambda name: "t.safetensors:" + name) if "safetensors" in f["x"] else (lambda name: name + ".npy")
        operands = [a for x, y in (("x", "y"), ("key_x", "key_y")) for a in ("--input", at(x), "--result", at(y))]
    return ["diagnose", *operands, *f["more"], *model_args(case), *positions_args(case)]


def verify_command(case, operands):
    """verify always needs the embedding stated. Before it took operands, it did not look for the axis of tokens either."""
    f = case.files
    stated = [*f["more"], *model_args(case, True), *positions_args(case, True)]
    if operands:
        return ["verify", f["x"], f["y"], *stated]
    if case.shape.endswith("HD"):
        return None
    return ["verify", "--input", f["x"], "--result", f["y"], *stated, "--token-axis", str(TOKEN_AXIS[case.shape])]


@dataclasses.dataclass
class Answer:
    args: list
    code: int  # None: it took too long
    text: str
    seconds: float  # of all CPUs
    data: dict


def ask(rope, args, folder, limit):
    target = args[0] + ".json"
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as warned:  # warnings are no answer
        child = subprocess.Popen([rope, *args, "-o", target], cwd=folder, stdout=said, stderr=warned)
        resource.prlimit(child.pid, resource.RLIMIT_CPU, (limit, limit + 1))
        _, status, used = os.wait4(child.pid, 0)
        code = child.returncode = os.waitstatus_to_exitcode(status)
        for stream in (said, warned):
            stream.seek(0)
        text = (said.read() + b" " + warned.read()).decode()
    seconds = used.ru_utime + used.ru_stime
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        code, text = None, ""
    data = {}
    path = os.path.join(folder, target)
    if code is not None and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    text = " ".join(re.sub(r"wrote \S+\.json", "", text).split())
    return Answer(args, code, text, seconds, data)


# -------------------------------------------------------------------------------------------------------------- judging

# What a text names, by category. Words that only describe a convention, as "counter-clockwise (mθ)", are none.
NAMES = {
    "xpos": r"xPos",
    "scores-same": r"scores (are|stay) the same|scores do not change",
    "bias": r"\bbias\b",
    "norm": r"RMSNorm|is normalised|LayerNorm",
    "weight": r"weight of its own|weight per dimension|and weighted",
    "vector-factor": r"every vector has a factor|[Vv]ectors? [\d …,and–]+ of every token (is|are) multiplied by",
    "token-factor": r"every token has a factor|\blogn\b|temperature",
    "reorder": r"(were|was|are|is) reordered|reorders them|reordered once too often|[Rr]eorder the (rows|weights)|reordering of",
    "head-order": r"(stand|are) in another order",
    "matrix-noise": r"noise of a float32 matrix product",
    "reshape": r"reshape",
    "one-vector": r"rotated as one vector",
    "table-columns": r"repeat_interleave|columns are repeated as",
    "minus": r"minus sign (in rotate_half )?is missing",
    "halves-exchanged": r"halves of the rotated vector are exchanged",
    "in-place": r"rotated in place",
    "rotate_half": r"rotate_half does not exchange|rotate_half is applied",
    "half": r"is left as it was|only the first numbers|second (half|numbers)|first half",
    "sine": r"sines? (are|is|was|were) left out|\bsin(es?)?\b[^.]{0,60}(another|other|wrong|shifted) (column|pair)",
    "twice": r"rotated twice|every angle is doubled|second rotation|twice the angle",
    "units": r"degrees|half-turns|sincospi|(given|taken for) whole turns",
    "clockwise": r"(?<!counter-)\bclockwise\b(?! \(−mθ\))|by −mθ|turns? the other way|[Ff]lip the sign",
    "files": r"files (are|were|may be|stand) (exchanged|swapped|given)|(before|x) and (after|y) (are|may be|were) exchanged",
    "fast-math": r"fast-math|__sinf",
    "rounded": r"(are|were|is|was)( all)? (rounded|cast) to (b?float|TF32|half|16)|fewer digits|yours rounded to|one rounding to|rounding in float32",
    "sums": r"added up from|multiplied from (pair|token)|that were multiplied by b",
    "quantised": r"\bint8\b|\bint4\b|\bfp8\b|quantis",
    "x-rounded": r"the rounding of x:",
    "axes": r"several axes|[Pp]ositions have \d axes|positions on \d axes",
    "base": r"[Tt]he base is [^.]*you assume|this base is",
    "layout": r"[Tt]he pairs are [^.]*you assume|[Pp]airs of x and y stand as|(has its|have their) pairs in",
    "rotary": r"dimensions are rotated; you assume|rotated dimensions are|over the whole head, where",
    "frequencies": r"frequencies differ|frequencies follow|frequencies you assume leave|have frequencies; you assume|[Tt]he frequencies are (those of|yours)",
    "heads-in-axis": r"[Ff]requencies repeat every \d+ dimensions|half-in-\d+-blocks",
    "factor": r"attention factor is|attention factor [\d.e-]+ is",
    "positions": r"[Pp]ositions are \d+ (higher|lower)|positions count up|positions run|positions are every|every token is at position \d+, not|positions are neither|positions are wrong",
    "start": r"positions start at",
    "regimes": r"different sets of frequencies",
    "steps": r"positions in steps|count positions one by one",
    "slow-first": r"slowest pair comes first",
    "sign": r"(is|are) negated|wrong sign",
    "tokens": r"all but \d+ of \d+ tokens",
    "pairs": r"all but \d+ of \d+ pairs|explains all pairs",
    "parts": r"not all vectors are rotated in the same way",
    "unrotated": r"(is|are) not rotated",
    "unwritten": r"(never|not) written|\bzeros?\b[^.]{0,40}\b(row|head|token|vector)|\b(row|head|token|vector)s?\b[^.]{0,60}\bzero",
    "heads-as-tokens": r"heads were mistaken for tokens|taken for tokens",
    "transposed": r"transposed: one is|y is x transposed",
}
NAMES = {name: re.compile(words, re.I if name in ("tokens", "pairs", "parts") else 0) for name, words in NAMES.items()}
FACTS = frozenset({"start"})  # true wherever it is said of withheld positions

# Told apart from accusations: what a name implies. If the key may be said, so may its aliases.
ALIASES = {
    "layout": {"reorder", "clockwise"},  # the other layout's remedy is to reorder; −mθ is an exchange within pairs
    "positions": {"start", "steps"},
    "clockwise": {"sign", "files", "positions", "start"},
    "unrotated": {"positions", "parts", "tokens", "start"},
    "rounded": {"frequencies", "sums", "fast-math"},
    "twice": {"steps", "frequencies", "start"},
    "frequencies": {"base"},
    "tail": {"unwritten"},
    "parts": {"unrotated", "unwritten"},
    "unwritten": {"parts", "tokens"},
}


def named(answer):
    return {name for name, words in NAMES.items() if words.search(answer.text)}


def follows(e, case, model, actual):
    """Whether an explanation is what was done, as far as JSON tells it."""
    theta = np.asarray(actual.get("theta", model.theta()), f64)
    layout = e.get("layout") or ""
    rotary = actual.get("rotary", model.rotary)
    heads_in_axis = re.fullmatch(r"half-in-(\d+)-blocks", layout)
    told = e.get("theta") or []
    if heads_in_axis and e["rotary_dim"] == rotary * int(heads_in_axis[1]) and model.layout == "half":
        told = told[: theta.size]
    else:
        if layout != actual.get("layout", model.layout) and theta.size > 1:
            return False
        if e.get("rotary_dim") != rotary:
            return False
    if (e.get("direction") == "clockwise") != bool(actual.get("clockwise")):
        return False
    if len(told) != theta.size:
        return False
    error = e.get("theta_error") or [0] * len(told)
    for found, true, off in zip(told, theta, error):
        if found is not None and abs(found - true) > 3 * (off or 0) + 0.01 * true + 1e-9:
            return False
    factor = actual.get("factor", model.factor())
    return abs(e.get("attention_factor", 1) - factor) < 0.02 * factor


def visible(case):
    """Whether y differs from what is meant by more than rounding does."""
    off = np.abs(case.y.astype(f64) - case.right.astype(f64))
    size = np.sqrt((case.right.astype(f64) ** 2).mean(-1, keepdims=True)) + 1e-30
    far = float(np.abs(case.actual_positions).max()) * 2.0 ** (-50 if case.pipe.wide is f64 else -22)
    return float((off / size).max()) > 40 * case.pipe.digits() + 4 * far


# How an answer begins that blames.
BLAMES = re.compile(r"No (convention|rotation|pairing)|Not all|All (tokens|pairs)|The pairs turn")


def first_words(text):
    return re.sub(r"\d[\d.,…]*(e[+-]?\d+)?", "#", text.split(". ")[0])[:150]


def judge_diagnose(case, a):
    """The kinds of blame or false accusation in an answer of diagnose."""
    if a.code is None:
        return ["slow: diagnose"]
    if a.code not in (0, 1, 4):
        return [f"diagnose: refused (exit {a.code})"]
    if not a.data:
        return ["diagnose: no JSON"]
    tensors = a.data.get("tensors")
    if not tensors:
        return judge_tensor(case, a, a.data)
    kinds = [kind for d in tensors[: 1 if case.fault else 2] for kind in judge_tensor(case, a, d)]
    alike = re.search(r"Tensors 1 and 2 are rotated in the same way", a.text) is not None
    if case.section == "right" and re.search(r"Tensors 1 and 2 differ", a.text):
        kinds.append("diagnose: sets q and k apart")
    if case.fault == "k-late" and alike:
        kinds.append("diagnose: calls alike what is not")
    if case.fault == "k-late" and not alike and a.code == 0:
        kinds.append("diagnose: exit 0 beside a difference")
    return sorted(set(kinds))


def judge_tensor(case, a, d):
    kinds, said = [], named(a) - FACTS
    if case.model.sections:
        said.discard("axes")  # it has them
    if "if it runs over the heads of one token" in a.text:
        said.discard("heads-as-tokens")  # a condition
    if case.state == "nothing" or not case.shape.endswith("HD"):
        said.discard("heads-in-axis")  # what is not stated may be asked for
    verdict, explanations = d["verdict"], d.get("explanations") or []
    open_ = d.get("undetermined") or d.get("unchanged") or any(e.get("open") for e in explanations)
    fit = d.get("best_fit") or {}
    if case.section == "right":
        # What nothing tells is no blame, where noise leaves it open and little was stated.
        few = case.tokens < 3 or bool(case.model.sections)
        little = case.state == "nothing" or (few and not case.say_positions)
        said_open = a.code == 4 and little and (case.noise or few) and \
            a.text.startswith("The pairs turn")
        if BLAMES.match(a.text) and not said_open:
            kinds.append(f"diagnose{', noise' if case.noise else ''}: begins with blame")
        if case.noise and (verdict == "none" or fit.get("noise")):
            kinds += nearest_blame(case, fit)
            said -= {"x-rounded", "matrix-noise"}
        elif verdict == "none":
            kinds.append("diagnose: none")
        elif verdict == "unique" and not any(follows(e, case, case.model, {}) for e in explanations):
            kinds.append("diagnose: certain and wrong")
        elif verdict == "ambiguous" and not open_ and not any(follows(e, case, case.model, {}) for e in explanations):
            kinds.append("diagnose: ambiguous, truth not listed")
        if d.get("stated") == "differs" and not case.noise and not d.get("unchanged"):
            kinds.append("diagnose: differs from what is rightly stated")
        if a.code == 1 and verdict != "none":
            kinds.append("diagnose: exit 1 beside a verdict")
        for name in sorted(said):
            kinds.append(f"diagnose{', noise' if case.noise else ''}: names {name}")
        return kinds
    # a planted fault
    may = set(case.may_say)
    for name in case.may_say:
        may |= ALIASES.get(name, set())
    seen = visible(case)
    stated = d.get("stated")
    free = positions_were_free(case) or at_zero(case, a) or of_heads(case, a)
    if seen and stated == "fits" and case.state != "nothing" and not free:
        kinds.append("diagnose: certifies what is broken")
    if seen and not case.convention and verdict == "unique" and not at_zero(case, a) and not of_heads(case, a):
        kinds.append("diagnose: one convention, exit 0, where none is followed")
    if case.convention and case.actual and verdict == "unique":
        if not any(follows(e, case, case.model, case.actual) for e in explanations) and not aliased(case, explanations):
            kinds.append("diagnose: certain and wrong")
    for name in sorted(said - may):
        kinds.append(f"diagnose: names {name}")
    kinds += parts_blame(case, fit, d)
    return kinds


def at_zero(case, a):
    """Vectors that are not rotated stand at position 0: an answer that says so is right."""
    return case.fault in ("tokens-unrotated", "rows-unrotated") and re.search(
        r"tokens? [\d …]+: positions? 0", a.text
    ) is not None


def of_heads(case, a):
    """[1, n, head_dim] may be n tokens: an answer that reads it so must say that they may be heads."""
    words = r"axis[^.]{0,90}\bheads\b|\bheads\b[^.]{0,90}(axis|taken|one token)"
    return case.fault == "heads-for-tokens" and re.search(words, a.text) is not None


def positions_were_free(case):
    """Whether only the positions are wrong and they were not stated: then what is stated does fit."""
    return case.convention and not case.say_positions and "positions" in case.may_say


def aliased(case, explanations):
    """Readings that are the same numbers: positions negated for clockwise, steps for frequencies, 16-bit frequencies."""
    return case.fault.startswith(("16-bit-", "m-rope-")) or case.fault in (
        "clockwise",
        "rotated-twice",
        "linear-for-scaled",
    )


def nearest_blame(case, fit):
    """Where y is off by noise: the convention that is named nearest must be the right one."""
    if not fit:
        return ["diagnose, noise: nothing is nearest"]
    kinds = []
    if fit.get("known_bug"):
        kinds.append("diagnose, noise: a known bug")
    parts = fit.get("parts") or []
    if len(parts) > 1:
        kinds.append("diagnose, noise: vectors turned unlike")
    if parts:
        first, m = parts[0], case.model
        rule = first.get("frequencies") or ""
        alike = first.get("layout") == m.layout and (first.get("rotary_dim") == m.rotary)
        alike = alike and (m.kind() in rule or (m.kind() == "default")) and not first.get("clockwise")
        alike = alike and (first.get("base") is None or abs(first["base"] / m.base - 1) < 0.02)
        if not alike and (case.state != "nothing" or case.tokens > 16):
            kinds.append("diagnose, noise: another convention is nearest")
    return kinds


def lanes_of(case, mask):
    """The lanes of rope's JSON, which count the axes other than the tokens' and the head's, where all tokens agree."""
    shown = arranged(mask[..., None], case.shape)[..., 0]
    shown = np.moveaxis(shown, TOKEN_AXIS[case.shape], 0) if shown.ndim > 1 else shown[:, None]
    return shown.reshape(shown.shape[0], -1)


def parts_blame(case, fit, d):
    """Vectors, tokens and pairs that are named must be the ones with the fault."""
    kinds = []
    parts = fit.get("parts") or []
    of_lanes = case.fault.startswith(("heads-", "rows-")) and case.fault != "heads-for-tokens"
    if len(parts) > 1 and of_lanes and not case.shape.endswith("HD"):
        bad = lanes_of(case, case.bad)[0]
        for part in parts:
            own = bad[[lane for lane in part["lanes"] if lane < bad.size]]
            if own.size and own.any() != own.all():
                kinds.append("diagnose: names the wrong vectors")
                break
    elif len(parts) > 1 and "parts" not in case.may_say:
        kinds.append("diagnose: names parts where all vectors are alike")
    broken = (d.get("nearest") or {}).get("broken_tokens") or []
    if broken and case.fault.startswith("tokens-") and case.rows == 1:
        bad = set(np.flatnonzero(case.bad[0, :, 0]))
        good = set(range(case.tokens)) - bad
        if set(broken) - bad and set(broken) - good:
            kinds.append("diagnose: names the wrong tokens")
    return kinds


def judge_verify(case, a):
    if a is None:
        return []
    if a.code is None:
        return ["slow: verify"]
    if a.code not in (0, 1, 4):
        return [f"verify: refused (exit {a.code})"]
    said = named(a) - {"half"}
    if "if it runs over the heads of one token" in a.text:
        said.discard("heads-as-tokens")  # a condition
    if case.section == "right":
        if a.code == 1 and not case.noise:
            return ["verify: FAIL"]  # of what is right
        if a.code == 1 and not re.search(r"noise|another order", a.text):
            return ["verify, noise: FAIL without a word of noise"]
        return [f"verify: names {name}" for name in sorted(said - FACTS)] if not case.noise else []
    if a.code == 0 and visible(case) and not case.fault.startswith("16-bit"):
        return ["verify: PASS of what is broken"]
    may = set(case.may_say)
    for name in case.may_say:
        may |= ALIASES.get(name, set())
    return [f"verify: names {name}" for name in sorted(said - may - FACTS)]


# --------------------------------------------------------------------------------------------------------------- running


def safe_draw(section, number, options):
    """A case that can be planted: where the draw leaves one row or head alone, the next draw of the same number."""
    for again in range(20):
        try:
            return draw(section, number, options.seed + 1000003 * again, options.fault)
        except ValueError:
            continue
    raise RuntimeError(f"{section}:{number} cannot be drawn")


def run_case(section, number, options):
    case = safe_draw(section, number, options)
    folder = tempfile.mkdtemp(prefix="pipelines_")
    try:
        write_files(case, folder)
        d = ask(options.rope, diagnose_command(case), folder, options.limit)
        command = verify_command(case, options.operands) if not options.no_verify else None
        v = ask(options.rope, command, folder, options.limit) if command else None
        kinds = judge_diagnose(case, d) + judge_verify(case, v)
        kept = None
        if kinds and options.keep:
            kept = os.path.join(options.keep, f"{section}-{number}")
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept)
        return {
            "key": case.key(), "about": case.about(), "fault": case.fault, "kinds": kinds, "kept": kept,
            "storage": case.pipe.storage, "noise": case.noise, "visible": section == "right" or visible(case),
            "verdict": d.data.get("verdict"), "bytes": case.x.nbytes,
            "diagnose": (shlex.join(["rope", *d.args]), d.code, d.seconds, d.text),
            "verify": (shlex.join(["rope", *v.args]), v.code, v.seconds, v.text) if v else None,
        }
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def replay(options):
    section, _, number = options.only.partition(":")
    case = safe_draw(section, int(number), options)
    folder = options.keep or tempfile.mkdtemp(prefix=f"pipelines_{section}_{number}_")
    os.makedirs(folder, exist_ok=True)
    write_files(case, folder)
    print(f"{case.key()}: {case.about()}\ncd {folder}")
    answers = []
    for command, judge in ((diagnose_command(case), judge_diagnose), (verify_command(case, options.operands), judge_verify)):
        if not command:
            continue
        print(f"\n$ {shlex.join([options.rope, *command])}")
        answer = ask(options.rope, command, folder, options.limit)
        shown = subprocess.run([options.rope, *command], cwd=folder, capture_output=True, text=True)
        kinds = judge(case, answer)
        print(f"{shown.stdout}{shown.stderr}exit {answer.code}, {answer.seconds:.1f} s\njudged: {kinds or 'nobody is blamed'}")
        answers += kinds
    return 1 if answers else 0


def report(results, options, elapsed):
    """Every kind of blame, the most frequent first, with its smallest case."""
    by_kind = collections.defaultdict(list)
    for r in results:
        for kind in sorted(set(r["kinds"])):
            by_kind[(r["key"].partition(":")[0], kind)].append(r)
    lines = []
    for section, what in (("right", "right pipelines"), ("fault", "planted faults")):
        own = [r for r in results if r["key"].startswith(section)]
        if not own:
            continue
        of = lambda begins: sum(any(k.startswith(begins) for k in r["kinds"]) for r in own)
        times = sorted(r["diagnose"][2] for r in own)
        lines.append(
            f"{len(own)} {what}: {of('diagnose')} with blame or a false accusation by diagnose, {of('verify')} by verify "
            f"({sum(1 for r in own if r['verify'])} asked); diagnose takes {times[len(times) // 2]:.2f} s of a CPU in the middle, "
            f"{times[int(len(times) * 0.95)]:.1f} s at 95 %, {times[-1]:.1f} s at most"
        )
        for noise in ([False, True] if section == "right" else []):
            group = [r for r in own if bool(r["noise"]) == noise]
            lines.append(
                f"  {'with noise of 1e-3' if noise else 'without noise'}: {len(group)}, blamed by diagnose "
                f"{sum(any(k.startswith('diagnose') for k in r['kinds']) for r in group)}, by verify "
                f"{sum(any(k.startswith('verify') for k in r['kinds']) for r in group)}"
            )
        if section == "fault":
            for name in sorted({r["fault"] for r in own}):
                group = [r for r in own if r["fault"] == name]
                bad = [r for r in group if r["kinds"]]
                lines.append(f"  {name}: {len(bad)} of {len(group)}")
    for (section, kind), group in sorted(by_kind.items(), key=lambda item: -len(item[1])):
        group.sort(key=lambda r: r["bytes"])
        first = group[0]
        answer = first["verify" if kind.startswith("verify") else "diagnose"]
        words = collections.Counter(first_words(r["verify" if kind.startswith("verify") else "diagnose"][3]) for r in group)
        lines += [
            "",
            f"{section}, {kind}: {len(group)}",
            f"  smallest: {first['key']}, {first['about']}",
            f"    {answer[0]}  (exit {answer[1]}, {answer[2]:.1f} s)" + (f"  in {first['kept']}" if first["kept"] else ""),
            f"    {answer[3][:options.width]}",
            "  cases: " + ", ".join(r["key"].partition(":")[2] for r in group[:12]) + (" …" if len(group) > 12 else ""),
        ]
        if section == "fault":
            faults = collections.Counter(r["fault"] for r in group)
            lines.append("  faults: " + ", ".join(f"{n} {c}" for n, c in faults.most_common(12)))
        lines += [f"    {count} x {text}" for text, count in words.most_common(4)]
    lines.append(f"\n{len(results)} cases in {elapsed:.0f} s, seed {options.seed}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rope", default="rope", metavar="PATH")
    parser.add_argument("--right", type=int, default=0, metavar="N", help="right pipelines")
    parser.add_argument("--faults", type=int, default=0, metavar="N", help="pipelines with one planted fault")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the number of the first case of each kind")
    parser.add_argument("--fault", action="append", metavar="NAME", help="plant these alone (may be repeated)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", metavar="KIND:N", help="replay one case, right:17 or fault:3, and print its commands")
    parser.add_argument("--keep", metavar="FOLDER", help="keep the files of those that were blamed")
    parser.add_argument("--limit", type=int, default=60, metavar="SECONDS", help="of a CPU for one command")
    parser.add_argument("--no-verify", action="store_true", help="ask diagnose alone")
    parser.add_argument("--json", metavar="FILE", help="write every result")
    parser.add_argument("--width", type=int, default=700, help="characters of an answer that are shown")
    parser.add_argument("--list-faults", action="store_true")
    options = parser.parse_args()
    if options.list_faults:
        print("\n".join(sorted(FAULTS)))
        return 0
    options.rope = os.path.abspath(options.rope) if os.sep in options.rope else options.rope
    usage = subprocess.run([options.rope, "verify", "--help"], capture_output=True, text=True).stdout
    options.operands = bool(re.search(r"\[X Y\]", usage))
    if options.only:
        return replay(options)
    work = [("right", options.first + n) for n in range(options.right)]
    work += [("fault", options.first + n) for n in range(options.faults)]
    begun, results = time.time(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(run_case, *w, options) for w in work]
        for done in concurrent.futures.as_completed(waiting):
            result = done.result()
            results.append(result)
            if options.json:
                with open(options.json, "a", encoding="utf-8") as file:
                    file.write(json.dumps(result) + "\n")
    print(report(results, options, time.time() - begun))
    return 1 if any(r["kinds"] for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
