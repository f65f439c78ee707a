#!/usr/bin/env python3
"""RoPE by complex numbers as an article writes it, and what its calls do with other inputs."""
import contextlib
import io

import numpy as np
import record
import torch


def compute_theta(dim, base=10000.0):
    if dim % 2 != 0:
        print("dim must be even")
    i = torch.arange(1, (dim // 2) + 1, dtype=torch.float32)
    return base ** (-2 * (i - 1) / dim)


def precompute_freqs_cis(dim, seq_len, base=10000.0):
    theta = compute_theta(dim, base)
    m_theta = torch.outer(torch.arange(seq_len), theta)
    return torch.polar(torch.ones_like(m_theta), m_theta)


def reshape_for_broadcast(freqs_cis, x):
    assert x.ndim >= 2
    assert freqs_cis.shape == (x.shape[1], x.shape[-1]), "the last two dimension of freqs_cis, x must match"
    return freqs_cis.view(*[d if i in (1, x.ndim - 1) else 1 for i, d in enumerate(x.shape)])


def apply_rotary_emb(xq, xk, freqs_cis):
    xq_complex = torch.view_as_complex(xq.reshape(*xq.shape[:-1], -1, 2))
    xk_complex = torch.view_as_complex(xk.reshape(*xk.shape[:-1], -1, 2))
    freqs_cis = reshape_for_broadcast(freqs_cis, xq_complex)
    xq_out = torch.view_as_real(xq_complex * freqs_cis).flatten(3)
    xk_out = torch.view_as_real(xk_complex * freqs_cis).flatten(3)
    return xq_out.type_as(xq), xk_out.type_as(xk)


def turned(x, table):
    return apply_rotary_emb(x, x, table)[0]


def largest(x):
    return x.abs().max().item()


def by_cos_and_sin(x):
    """The same rotation of [batch, sequence, heads, dim], with real numbers in float64."""
    dim = x.shape[-1]
    angles = torch.outer(torch.arange(x.shape[1]).double(), 10000.0 ** (-torch.arange(0, dim, 2).double() / dim))
    cos, sin = angles.cos()[:, None], angles.sin()[:, None]
    a, b = x[..., 0::2].double(), x[..., 1::2].double()
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)


def angle_errors(first, last, dim=128):
    """For each position, the largest |fl(m) * fl(theta) - m theta| of the float32 angles, in radians."""
    exact = 10000.0 ** (-2 * np.arange(dim // 2) / dim)
    theta = compute_theta(dim)
    largest_of = []
    for start in range(first, last, 4096):
        m = torch.arange(start, min(start + 4096, last))
        angles = torch.outer(m, theta).double().numpy()
        largest_of.append(np.abs(angles - np.outer(m.numpy().astype(float), exact)).max(1))
    return np.concatenate(largest_of)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    batch, length, heads, dim = 2, 6, 3, 8
    x = torch.randn(batch, length, heads, dim)
    table = precompute_freqs_cis(dim, length)
    values = {"input.shape": list(x.shape), "table.shape": list(table.shape)}

    theta = compute_theta(128)
    values["theta"] = theta[[1, 2, 63]].tolist()
    values["table.is_complex64"] = int(table.dtype == torch.complex64)
    values["angle_error.largest_below_2048"] = angle_errors(0, 2048).max()
    values["angle_error.largest_below_131072"] = angle_errors(0, 131072).max()
    for m in (2047, 131071, 2**24 - 1, 2**24):
        values[f"angle_error.at_{m}"] = angle_errors(m, m + 1).max()

    with contextlib.redirect_stdout(io.StringIO()):  # the words about an odd dimension
        values["odd_dim.raises"] = record.raises(lambda: compute_theta(7), Exception)
        values["odd_dim.theta"] = compute_theta(7).tolist()
        odd = torch.randn(batch, length, heads, 7)
        values["odd_dim.rotating_raises"] = record.raises(
            lambda: turned(odd, precompute_freqs_cis(7, length)), RuntimeError)

    values["table.fitting_raises"] = record.raises(lambda: turned(x, table), AssertionError)
    values["table.of_head_dim_raises"] = record.raises(
        lambda: turned(x, precompute_freqs_cis(2 * dim, length)), AssertionError)
    longer = precompute_freqs_cis(dim, 16)
    values["table.longer_raises"] = record.raises(lambda: turned(x, longer), AssertionError)
    values["table.longer_cut_raises"] = record.raises(lambda: turned(x, longer[:length]), AssertionError)
    values["table.viewed_shape"] = list(reshape_for_broadcast(table, x[..., 0::2]).shape)

    values["four_dimensions.shape"] = list(turned(x, table).shape)
    values["three_dimensions.shape"] = list(turned(x[:, :, 0], table).shape)
    pairs = torch.empty(batch, length, heads, dim // 2, 2)
    values["flatten_2.shape"] = list(pairs.flatten(2).shape)
    values["flatten_3.shape"] = list(pairs.flatten(3).shape)

    values["sequence_first.error"] = largest(turned(x, table) - by_cos_and_sin(x))
    values["heads_first.raises"] = record.raises(lambda: turned(x.transpose(1, 2), table), AssertionError)
    square = torch.randn(batch, length, length, dim)  # as many heads as tokens
    values["heads_first_square.raises"] = record.raises(lambda: turned(square.transpose(1, 2), table), AssertionError)
    values["heads_first_square.error"] = largest(
        turned(square.transpose(1, 2), table).transpose(1, 2) - by_cos_and_sin(square))

    for name in ("float32", "float16", "bfloat16"):
        values[f"{name}.raises"] = record.raises(lambda: turned(x.to(getattr(torch, name)), table), RuntimeError)

    right, wrong = turned(x, table), turned(x, table.conj())
    values["first_element.change"] = abs(right[0, 0, 0, 0] - x[0, 0, 0, 0]).item()
    values["first_element.change_with_the_wrong_sign"] = abs(wrong[0, 0, 0, 0] - x[0, 0, 0, 0]).item()
    values["position_1.change"] = largest(right[:, 1] - x[:, 1])
    values["wrong_sign.error"] = largest(wrong - by_cos_and_sin(x))
    record.show(values)


if __name__ == "__main__":
    main()
