"""What others write, timed on request, on one processor: the first line says which libraries are here; each line of
standard input names a peer and the size of its work ("numpy 1000000 128"); the answer is the seconds that it took."""

import math
import sys
import time

import numpy as np

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None

HEAD = 128


def array_curve(library):
    """Cosines, sines, cumulative sums and roots over whole arrays, in chunks that stay in the cache."""

    def curve(points, dim):
        counted = lambda first, end: library.arange(first, end, dtype=library.float64)
        theta = 10000.0 ** (-2 * counted(0, dim // 2) / dim)
        chunk = max(1, 65536 // (dim // 2))
        bound = library.empty(points, dtype=library.float64)
        for begin in range(0, points, chunk):
            angle = library.outer(counted(begin, min(begin + chunk, points)), theta)
            real = library.cumsum(library.cos(angle), axis=1)
            imaginary = library.cumsum(library.sin(angle), axis=1)
            bound[begin : begin + chunk] = library.sqrt(real * real + imaginary * imaginary).mean(axis=1)
        return bound

    return curve


def script_curve(points, dim):
    """As articles print it: one distance after the other, every partial sum from its beginning."""
    theta = [10000.0 ** (-2 * i / dim) for i in range(dim // 2)]
    bound = []
    for distance in range(points):
        total = 0.0
        for j in range(1, dim // 2 + 1):
            total += abs(sum(complex(math.cos(distance * t), math.sin(distance * t)) for t in theta[:j]))
        bound.append(total / (dim // 2))
    return bound


def half_rotation(x, angle):
    """As model code writes the half layout: x cos + (−x₂, x₁) sin."""
    angle = torch.cat((angle, angle), dim=-1)[:, None, :]
    turned = torch.cat((-x[..., HEAD // 2 :], x[..., : HEAD // 2]), dim=-1)
    return x * angle.cos() + turned * angle.sin()


def complex_rotation(x, angle):
    """As model code writes the interleaved layout: complex numbers times e^{imθ}."""
    turn = torch.polar(torch.ones_like(angle), angle)[:, None, :]
    return torch.view_as_real(torch.view_as_complex(x.view(*x.shape[:-1], -1, 2)) * turn).flatten(-2)


def timed(curve):
    def seconds(points, dim):
        begin = time.perf_counter()
        curve(points, dim)
        return time.perf_counter() - begin

    return seconds


def timed_rotation(rotation):
    """Of [tokens, heads, 128] in float32, which is there before the clock starts; its angles are not."""

    def seconds(tokens, width):
        x = held.setdefault((tokens, width), torch.ones(tokens, width // HEAD, HEAD))
        begin = time.perf_counter()
        theta = 1.0 / (10000.0 ** (torch.arange(0, HEAD, 2).float() / HEAD))
        rotation(x, torch.outer(torch.arange(tokens).float(), theta))
        return time.perf_counter() - begin

    return seconds


held = {}
PEERS = {"numpy": timed(array_curve(np)), "script": timed(script_curve)}
if torch:
    PEERS["torch"] = timed(array_curve(torch))
    PEERS["torch-half"] = timed_rotation(half_rotation)
    PEERS["torch-complex"] = timed_rotation(complex_rotation)

print(*PEERS, flush=True)
for line in sys.stdin:
    peer, size, dim = line.split()
    print(PEERS[peer](int(size), int(dim)), flush=True)
