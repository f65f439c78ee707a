#!/usr/bin/env python3
"""y_m = x_{m-3} without a mask: positions added once, RoPE in one layer or in all, in three layers and in six."""
import record
from transformer import Transformer, gradient_error

STEPS, EARLY = 300, 75
SEEDS = (0, 1, 2)


def trained(encoding, layers, rotated, seed):
    """Accuracy at 32 tokens after EARLY steps and after all."""
    model = Transformer(encoding, seed, layers, causal=False, rotated=rotated)
    early = []

    def watch(step):
        if step == EARLY:
            early.append(model.accuracy(32))

    model.train(STEPS, seed, watch=watch)
    return [early[0], model.accuracy(32)]


def main():
    values = {"steps": [EARLY, STEPS], "seeds": list(SEEDS), "gradient_error": gradient_error("rope", 3, False, [2])}
    for name, encoding, layers, rotated in (
            ("none", "none", 3, None), ("sinusoidal", "sinusoidal", 3, None), ("learned", "learned", 3, None),
            ("rope_first", "rope", 3, [0]), ("rope_last", "rope", 3, [2]), ("rope_every", "rope", 3, None),
            ("six_sinusoidal", "sinusoidal", 6, None), ("six_rope_first", "rope", 6, [0]),
            ("six_rope_every", "rope", 6, None)):
        record.over_seeds(values, name, [trained(encoding, layers, rotated, seed) for seed in SEEDS])
    record.show(values)


if __name__ == "__main__":
    main()
