"""A small transformer with softmax attention, forwards and backwards by hand, and Adam.

Shapes: B sequences, T tokens, d numbers a token in H heads of d/H. A block is x + attention(norm(x)), then
x + mlp(norm(x)); norms have no parameters. All parameters are views of one array, and so are their gradients.
"""
import numpy as np

SYMBOLS = 8
OFFSET = 3
WIDTH = 64
HEADS = 4
HEAD_DIM = WIDTH // HEADS
BASE = 10000.0
BUCKETS, FARTHEST = 32, 128  # of T5
TRAINED = 32  # tokens


def sinusoidal(length):
    angles = np.outer(np.arange(length), BASE ** (-np.arange(0, WIDTH, 2) / WIDTH))
    return np.stack((np.sin(angles), np.cos(angles)), -1).reshape(length, WIDTH)


def alibi(length):
    """-slope (i - j) [H, T, T], with the slopes 1/4, 1/16, 1/64, 1/256."""
    slopes = 2.0 ** (-8 * np.arange(1, HEADS + 1) / HEADS)
    apart = np.arange(length)[:, None] - np.arange(length)
    return -slopes[:, None, None] * np.abs(apart)


def t5_buckets(length):
    """The bucket of m - n [T, T], for causal attention: 16 of one offset each, 16 logarithmic ones."""
    apart = np.maximum(np.arange(length)[:, None] - np.arange(length), 0)
    exact = BUCKETS // 2
    far = exact + (np.log(np.maximum(apart, 1) / exact) / np.log(FARTHEST / exact) * (BUCKETS - exact)).astype(int)
    return np.where(apart < exact, apart, np.minimum(far, BUCKETS - 1))


def angles_of(length, rule, factor):
    """m theta_i [T, d/2H], as trained ("none"), interpolated ("linear") or with a larger base ("ntk")."""
    base = BASE * factor ** (HEAD_DIM / (HEAD_DIM - 2)) if rule == "ntk" else BASE
    position = np.arange(length) / (factor if rule == "linear" else 1.0)
    return np.outer(position, base ** (-np.arange(0, HEAD_DIM, 2) / HEAD_DIM))


def turned(x, cos, sin):
    """Pairs (i, i + half) of each head's vectors by their angles; by the opposite ones where sin is -sin."""
    a, b = x[..., :HEAD_DIM // 2], x[..., HEAD_DIM // 2:]
    return np.concatenate((a * cos - b * sin, a * sin + b * cos), -1)


def normed(x):
    centred = x - x.mean(-1, keepdims=True)
    scale = 1 / np.sqrt((centred * centred).mean(-1, keepdims=True) + x.dtype.type(1e-5))
    return centred * scale, scale


def norm_backward(y, scale, dy):
    return scale * (dy - dy.mean(-1, keepdims=True) - y * (dy * y).mean(-1, keepdims=True))


def heads_of(x):
    return x.reshape(*x.shape[:2], HEADS, HEAD_DIM).transpose(0, 2, 1, 3)  # [B, H, T, d/H]


def joined(x):
    return x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], WIDTH)


class Transformer:
    """`encoding`: none, sinusoidal, learned, rope, alibi or t5; rope acts in the layers `rotated`, or in all."""

    def __init__(self, encoding, seed, layers=2, causal=True, rotated=None, dtype=np.float32):
        self.encoding, self.layers, self.causal, self.dtype = encoding, layers, causal, dtype
        self.rotated = range(layers) if rotated is None else rotated
        self.rule, self.factor = "none", 1.0  # of rope: see angles_of
        shapes = {"embedding": (SYMBOLS, WIDTH), "output": (WIDTH, SYMBOLS)}
        if encoding == "learned":
            shapes["positions"] = (TRAINED, WIDTH)
        if encoding == "t5":
            shapes["bias"] = (HEADS, BUCKETS)  # shared by the layers, as in T5
        for i in range(layers):
            shapes |= {f"qkv{i}": (WIDTH, 3 * WIDTH), f"out{i}": (WIDTH, WIDTH), f"up{i}": (WIDTH, 2 * WIDTH),
                       f"shift{i}": (2 * WIDTH,), f"down{i}": (2 * WIDTH, WIDTH)}
        self.numbers = np.zeros(sum(int(np.prod(s)) for s in shapes.values()), dtype)
        self.slopes = np.zeros_like(self.numbers)
        self.parameter, self.gradient, self.places, start = {}, {}, {}, 0
        random = np.random.default_rng(seed)
        for name, shape in shapes.items():
            end = start + int(np.prod(shape))
            self.places[name] = np.arange(start, end)
            self.parameter[name] = self.numbers[start:end].reshape(shape)
            self.gradient[name] = self.slopes[start:end].reshape(shape)
            if name == "embedding":
                self.parameter[name][:] = random.normal(size=shape)
            elif name == "positions":
                self.parameter[name][:] = random.normal(size=shape) * 0.5
            elif name != "bias" and not name.startswith("shift"):
                self.parameter[name][:] = random.normal(size=shape) / np.sqrt(shape[0])
            start = end

    def added_positions(self, length):
        """What is added to the embeddings [T, d], once; a learned table goes on with its last row."""
        if self.encoding == "sinusoidal":
            return sinusoidal(length).astype(self.dtype)
        if self.encoding == "learned":
            return self.parameter["positions"][np.minimum(np.arange(length), TRAINED - 1)]
        return self.dtype(0)

    def score_bias(self, length):
        """What is added to the scores, [H, T, T] or [T, T], the mask with it."""
        bias = np.zeros((length, length), self.dtype)
        if self.causal:
            bias[np.triu_indices(length, 1)] = -1e9
        if self.encoding == "alibi":
            bias = bias + alibi(length).astype(self.dtype)
        if self.encoding == "t5":
            bias = bias + self.parameter["bias"][:, t5_buckets(length)]
        return bias

    def forward(self, symbols, keep=None):
        """Logits [B, T, 8] of symbols [B, T]; what the way back needs goes to the list `keep`."""
        p, length = self.parameter, symbols.shape[1]
        angles = angles_of(length, self.rule, self.factor)
        cos, sin = np.cos(angles).astype(self.dtype), np.sin(angles).astype(self.dtype)
        bias = self.score_bias(length)
        x = p["embedding"][symbols] + self.added_positions(length)
        for i in range(self.layers):
            turns = self.encoding == "rope" and i in self.rotated
            y, scale = normed(x)
            q, k, v = (heads_of(part) for part in np.split(y @ p[f"qkv{i}"], 3, -1))
            if turns:
                q, k = turned(q, cos, sin), turned(k, cos, sin)
            weights = q @ k.swapaxes(-1, -2)
            weights *= self.dtype(HEAD_DIM ** -0.5)
            weights += bias
            weights -= weights.max(-1, keepdims=True)
            np.exp(weights, out=weights)
            weights /= weights.sum(-1, keepdims=True)
            mixed = joined(weights @ v)
            x = x + mixed @ p[f"out{i}"]
            z, scale_z = normed(x)
            hidden = np.maximum(z @ p[f"up{i}"] + p[f"shift{i}"], 0)
            x = x + hidden @ p[f"down{i}"]
            if keep is not None:
                keep.append((turns, y, scale, q, k, v, weights, mixed, z, scale_z, hidden))
        y, scale = normed(x)
        if keep is not None:
            keep.append((symbols, cos, sin, y, scale))
        return y @ p["output"]

    def backward(self, keep, dlogits):
        p, g = self.parameter, self.gradient
        symbols, cos, sin, y, scale = keep.pop()
        rows, length = symbols.shape

        def weight_gradient(name, inputs, doutputs):
            g[name][:] = inputs.reshape(-1, inputs.shape[-1]).T @ doutputs.reshape(-1, doutputs.shape[-1])

        weight_gradient("output", y, dlogits)
        dx = norm_backward(y, scale, dlogits @ p["output"].T)
        if self.encoding == "t5":
            dbias = np.zeros((HEADS, length, length), self.dtype)
        for i in reversed(range(self.layers)):
            turns, y, scale, q, k, v, weights, mixed, z, scale_z, hidden = keep.pop()
            weight_gradient(f"down{i}", hidden, dx)
            dhidden = (dx @ p[f"down{i}"].T) * (hidden > 0)
            weight_gradient(f"up{i}", z, dhidden)
            g[f"shift{i}"][:] = dhidden.sum((0, 1))
            dx = dx + norm_backward(z, scale_z, dhidden @ p[f"up{i}"].T)
            weight_gradient(f"out{i}", mixed, dx)
            dmixed = heads_of(dx @ p[f"out{i}"].T)
            dv = weights.swapaxes(-1, -2) @ dmixed
            dscores = dmixed @ v.swapaxes(-1, -2)
            dscores -= (dscores * weights).sum(-1, keepdims=True)
            dscores *= weights
            if self.encoding == "t5":
                dbias += dscores.sum(0)
            dscores *= self.dtype(HEAD_DIM ** -0.5)
            dq, dk = dscores @ k, dscores.swapaxes(-1, -2) @ q
            if turns:
                dq, dk = turned(dq, cos, -sin), turned(dk, cos, -sin)
            dqkv = np.concatenate((joined(dq), joined(dk), joined(dv)), -1)
            weight_gradient(f"qkv{i}", y, dqkv)
            dx = dx + norm_backward(y, scale, dqkv @ p[f"qkv{i}"].T)
        one_hot = np.eye(SYMBOLS, dtype=self.dtype)[symbols]
        weight_gradient("embedding", one_hot, dx)
        if self.encoding == "learned":
            g["positions"][:] = 0
            np.add.at(g["positions"], np.minimum(np.arange(length), TRAINED - 1), dx.sum(0))
        if self.encoding == "t5":
            buckets = t5_buckets(length).ravel()
            for head in range(HEADS):
                g["bias"][head] = np.bincount(buckets, dbias[head].ravel(), BUCKETS)

    def loss(self, symbols):
        """Mean cross entropy of x_{m-3} at m >= 3; its gradient is left in `slopes`."""
        keep = []
        logits = self.forward(symbols, keep)[:, OFFSET:]
        logits -= logits.max(-1, keepdims=True)
        shares = np.exp(logits)
        shares /= shares.sum(-1, keepdims=True)
        right = np.eye(SYMBOLS, dtype=self.dtype)[symbols[:, :-OFFSET]]
        count = right.shape[0] * right.shape[1]
        dlogits = np.zeros((*symbols.shape, SYMBOLS), self.dtype)
        dlogits[:, OFFSET:] = (shares - right) / count
        self.backward(keep, dlogits)
        return -np.log((shares * right).sum(-1)).sum() / count

    def accuracy(self, length, seed=1, tokens=16384, rows=4):
        """Share of tokens m >= 3 of fresh sequences whose x_{m-3} gets the largest logit."""
        random = np.random.default_rng([seed, length])
        right, count = 0, 0
        while count < tokens:
            symbols = random.integers(SYMBOLS, size=(rows, length))
            answers = self.forward(symbols)[:, OFFSET:].argmax(-1)
            right += (answers == symbols[:, :-OFFSET]).sum()
            count += answers.size
        return right / count

    def train(self, steps, seed, length=TRAINED, rows=32, rate=3e-3, watch=None):
        """Adam, with a rate that rises over 50 steps and falls to nothing; `watch(step)` ends it where true."""
        random = np.random.default_rng([seed, length, 2])
        first, second = np.zeros_like(self.numbers), np.zeros_like(self.numbers)
        for step in range(1, steps + 1):
            self.loss(random.integers(SYMBOLS, size=(rows, length)))
            first += (self.slopes - first) * self.dtype(0.1)
            second += (self.slopes * self.slopes - second) * self.dtype(0.01)
            now = rate * min(step / 50, 1.0) * min(1.0, 2 * (1 - step / (steps + 1)))
            size = np.sqrt(second / self.dtype(1 - 0.99 ** step)) + self.dtype(1e-8)
            self.numbers -= self.dtype(now / (1 - 0.9 ** step)) * first / size
            if watch is not None and watch(step):
                break
        return self


def gradient_error(encoding, layers=2, causal=True, rotated=None):
    """How far gradients of 12 numbers of each parameter are from quotients of differences, at most, relative to the
    largest gradient."""
    model = Transformer(encoding, 5, layers, causal, rotated, np.float64)
    random = np.random.default_rng(6)
    symbols = random.integers(SYMBOLS, size=(2, TRAINED))
    model.loss(symbols)
    slopes, worst, step = model.slopes.copy(), 0.0, 1e-6
    for places in model.places.values():
        for i in random.choice(places, min(12, places.size), replace=False):
            middle = model.numbers[i]
            model.numbers[i] = middle + step
            above = model.loss(symbols)
            model.numbers[i] = middle - step
            below = model.loss(symbols)
            model.numbers[i] = middle
            worst = max(worst, abs((above - below) / (2 * step) - slopes[i]))
    return worst / np.abs(slopes).max()
