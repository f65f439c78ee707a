#!/usr/bin/env python3
"""The calls of torch that an article explains, one after the other."""
import numpy as np
import record
import torch


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    values = {}

    outer = torch.outer(torch.tensor([2, 3, 1, 1, 2], dtype=torch.int8), torch.tensor([4, 2, 3], dtype=torch.int8))
    values["outer.shape"] = list(outer.shape)
    values["outer"] = outer.flatten().tolist()
    values["outer.is_int8"] = int(outer.dtype == torch.int8)

    a, b = torch.randn(10, 3, 4), torch.randn(10, 4, 7)
    values["matmul.shape"] = list(torch.matmul(a, b).shape)
    values["matmul.from_bmm"] = (torch.matmul(a, b) - torch.bmm(a, b)).abs().max().item()
    values["matmul.from_reversed"] = (torch.matmul(a, b) - torch.bmm(a, b).flip(0)).abs().max().item()

    angle = torch.tensor([np.pi / 2, 5 * np.pi / 4], dtype=torch.float64)
    polar = torch.polar(torch.ones_like(angle), angle)
    values["polar.real"] = polar.real.tolist()
    values["polar.imaginary"] = polar.imag.tolist()
    values["polar.of_two_types_raises"] = record.raises(lambda: torch.polar(torch.ones(2), angle), RuntimeError)
    values["polar.of_one_type_raises"] = record.raises(lambda: torch.polar(torch.ones(2), angle.float()), RuntimeError)
    values["polar.of_integers_raises"] = record.raises(
        lambda: torch.polar(torch.ones(2, dtype=torch.int64), torch.ones(2, dtype=torch.int64)), RuntimeError)
    values["cos.float64"] = torch.cos(angle[:1]).item()
    values["cos.float32"] = torch.cos(angle[:1].float()).item()

    keys = torch.empty(2, 12, 8, 512)
    values["repeat.keys_shape"] = list(torch.repeat_interleave(keys, 8, dim=2).shape)
    x = torch.tensor([[1, 2], [3, 4]])
    along = torch.repeat_interleave(x, 3, dim=1)
    values["repeat.along"] = along.flatten().tolist()
    values["repeat.along_dimensions"] = along.ndim
    values["repeat.flat"] = torch.repeat_interleave(x, 3).tolist()
    values["repeat.flat_dimensions"] = torch.repeat_interleave(x, 3).ndim
    values["repeat.flat_of_1345"] = torch.repeat_interleave(torch.tensor([[1, 3], [4, 5]]), 3).tolist()
    values["repeat.row"] = torch.repeat_interleave(torch.tensor([1, 2, 3, 4]), 3).tolist()
    values["repeat.whole_row"] = torch.tensor([1, 2, 3, 4]).repeat(3).tolist()

    projected = torch.empty(2, 10, 4096)  # batch, sequence, hidden
    heads = projected.view(2, 10, 32, 128)
    values["heads.shape"] = list(heads.shape)
    values["heads.transposed_shape"] = list(heads.transpose(1, 2).shape)
    record.show(values)


if __name__ == "__main__":
    main()
