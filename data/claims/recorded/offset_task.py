#!/usr/bin/env python3
"""Two layers trained on y_m = x_{m-3} at 32 tokens, read at up to 512, with six encodings."""
import record
from transformer import SYMBOLS, TRAINED, Transformer, gradient_error

STEPS = 1000
SEEDS = (0, 1, 2)
LENGTHS = (32, 64, 128, 256, 512)


def main():
    values = {"lengths": list(LENGTHS), "seeds": list(SEEDS), "steps": STEPS, "chance": 1 / SYMBOLS}
    for encoding in ("none", "sinusoidal", "learned", "rope", "alibi", "t5"):
        values[f"{encoding}.gradient_error"] = gradient_error(encoding)
        models = [Transformer(encoding, seed).train(STEPS, seed) for seed in SEEDS]
        record.over_seeds(values, encoding, [[model.accuracy(t) for t in LENGTHS] for model in models])
        if encoding != "rope":
            continue
        for rule, name in (("ntk", "rope_ntk"), ("linear", "rope_linear")):  # no step of training more
            runs = []
            for model in models:
                model.rule = rule
                runs.append([])
                for length in LENGTHS:
                    model.factor = length / TRAINED
                    runs[-1].append(model.accuracy(length))
            record.over_seeds(values, name, runs)
    record.show(values)


if __name__ == "__main__":
    main()
