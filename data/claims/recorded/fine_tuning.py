#!/usr/bin/env python3
"""A RoPE model trained on y_m = x_{m-3} at 32 tokens, taken to longer ones: steps until it is right again."""
import record
from transformer import TRAINED, Transformer

STEPS, MOST, EVERY = 1000, 1000, 5
SEEDS = (0, 1, 2)
LENGTHS = (40, 64, 128)
ENOUGH = 0.99


def steps_needed(model, length, seed):
    """Steps at `length` until ENOUGH answers are right, looked at every EVERY; MOST where that is never."""
    taken = [0]

    def watch(step):
        taken[0] = step
        return step % EVERY == 0 and model.accuracy(length, rows=1, tokens=4096) >= ENOUGH

    if model.accuracy(length) < ENOUGH:
        model.train(MOST, seed, length, rows=1024 // length, watch=watch)
    return taken[0]


def main():
    values = {"lengths": list(LENGTHS), "seeds": list(SEEDS), "trained_steps": STEPS, "enough": ENOUGH}
    trained = [Transformer("rope", seed).train(STEPS, seed).numbers for seed in SEEDS]
    for length in LENGTHS:
        for name, rule in (("interpolated", "linear"), ("unchanged", "none"), ("anew", "none")):
            before, steps, after = [], [], []
            for seed in SEEDS:
                model = Transformer("rope", seed + 100)
                if name != "anew":
                    model.numbers[:] = trained[seed]
                model.rule, model.factor = rule, length / TRAINED
                before.append(model.accuracy(length))
                steps.append(steps_needed(model, length, seed))
                after.append(model.accuracy(length))
            values[f"{name}.{length}.steps"] = steps
            record.over_seeds(values, f"{name}.{length}.before", before)
            record.over_seeds(values, f"{name}.{length}.after", after)
    record.show(values)


if __name__ == "__main__":
    main()
