"""What others write, timed on request: each line of standard input names a peer and the size of its
work ("numpy 1000000 128"); the answer is the seconds that it took."""

import math
import sys
import time

import numpy as np


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


PEERS = {"numpy": numpy_curve, "script": script_curve}

print("ready", flush=True)
for line in sys.stdin:
    peer, points, dim = line.split()
    begin = time.perf_counter()
    PEERS[peer](int(points), int(dim))
    print(time.perf_counter() - begin, flush=True)
