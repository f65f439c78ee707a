#!/usr/bin/env python3
"""rotate_half as an article writes it, with tables of three shapes."""
import record
import torch


def rotate_half(x):
    x1, x2 = x[..., :x.shape[-1] // 2], x[..., x.shape[-1] // 2:]
    return torch.cat((-x2, x1), dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin, position_ids):
    cos = cos[position_ids].unsqueeze(1)
    sin = sin[position_ids].unsqueeze(1)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    batch, heads, length, dim = 2, 4, 10, 16
    q = torch.randn(batch, heads, length, dim)
    positions = torch.arange(length)[None].expand(batch, length)
    half = torch.outer(torch.arange(length), 10000.0 ** (-torch.arange(0, dim, 2) / dim))
    angles = torch.cat((half, half), -1)

    def rotated(table):
        return apply_rotary_pos_emb(q, q, table.cos(), table.sin(), positions)[0]

    values = {"input.shape": list(q.shape), "full_table.shape": list(angles.shape)}
    values["full_table.raises"] = record.raises(lambda: rotated(angles), (IndexError, RuntimeError))
    values["full_table.output_shape"] = list(rotated(angles).shape)
    pairs = torch.complex(q[..., :dim // 2], q[..., dim // 2:]) * torch.polar(torch.ones_like(half), half)
    values["full_table.error"] = (rotated(angles) - torch.cat((pairs.real, pairs.imag), -1)).abs().max().item()
    values["cache_of_four_dimensions.raises"] = record.raises(lambda: rotated(angles[None, None]), IndexError)
    values["half_table.raises"] = record.raises(lambda: rotated(half), RuntimeError)
    record.show(values)


if __name__ == "__main__":
    main()
