"""Llama 4: a table of complex numbers, tokens before heads."""

import torch
from torch import nn

from . import common


class Llama4TextRotaryEmbedding(nn.Module):
    def __init__(self, dim, base):
        super().__init__()
        self.register_buffer("inv_freq", common.frequencies(dim, base), persistent=False)

    def forward(self, x, position_ids):
        angles = position_ids[..., None].float() * self.inv_freq
        return torch.polar(torch.ones_like(angles), angles)


def apply_rotary_emb(xq, xk, freqs_cis):
    turned = (torch.view_as_real(torch.view_as_complex(x.float().unflatten(-1, (-1, 2))) * freqs_cis[:, :, None])
              .flatten(3).type_as(x) for x in (xq, xk))
    return tuple(turned)


class Llama4TextAttention(common.Attention):
    def rotate(self, q, k, position_embeddings, position_ids):
        q, k = apply_rotary_emb(q.transpose(1, 2), k.transpose(1, 2), position_embeddings)
        return q.transpose(1, 2), k.transpose(1, 2)


def model():
    config = common.config("llama4_text")
    return common.Model(config, Llama4TextAttention, Llama4TextRotaryEmbedding(config.head_dim, config.rope_theta))
