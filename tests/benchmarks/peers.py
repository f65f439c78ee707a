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


def numpy_curve(points, dim):
    """Cosines, sines, cumulative sums and roots over whole arrays, in chunks that stay in the cache."""
    theta = 10000.0 ** (-2 * np.arange(dim // 2) / dim)
    chunk = max(1, 65536 // (dim // 2))
    bound = np.empty(points)
    for begin in range(0, points, chunk):
        angle = np.outer(np.arange(begin, min(begin + chunk, points), dtype=np.float64), theta)
        real = np.cumsum(np.cos(angle), axis=1)
        imaginary = np.cumsum(np.sin(angle), axis=1)
        bound[begin : begin + chunk] = np.sqrt(real * real + imaginary * imaginary).mean(axis=1)
    return bound


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


def torch_curve(points, dim):
    """As numpy_curve, in tensors of float64."""
    theta = 10000.0 ** (-2 * torch.arange(dim // 2, dtype=torch.float64) / dim)
    chunk = max(1, 65536 // (dim // 2))
    bound = torch.empty(points, dtype=torch.float64)
    for begin in range(0, points, chunk):
        angle = torch.outer(torch.arange(begin, min(begin + chunk, points), dtype=torch.float64), theta)
        real = torch.cumsum(torch.cos(angle), dim=1)
        imaginary = torch.cumsum(torch.sin(angle), dim=1)
        bound[begin : begin + chunk] = torch.sqrt(real * real + imaginary * imaginary).mean(dim=1)
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
PEERS = {"numpy": timed(numpy_curve), "script": timed(script_curve)}
if torch:
    PEERS["torch"] = timed(torch_curve)
    PEERS["torch-half"] = timed_rotation(half_rotation)
    PEERS["torch-complex"] = timed_rotation(complex_rotation)

print(*PEERS, flush=True)
for line in sys.stdin:
    peer, size, dim = line.split()
    print(PEERS[peer](int(size), int(dim)), flush=True)
