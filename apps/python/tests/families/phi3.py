"""Phi-3 and Phi-4: the function takes the whole head and rotates as many dimensions as cos has."""

import torch

from . import common


def apply_rotary_pos_emb(q, k, cos, sin, position_ids=None, unsqueeze_dim=1):
    cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
    part = cos.shape[-1]

    def turned(x):
        rotated = x[..., :part] * cos + common.halves(x[..., :part]) * sin
        return torch.cat([rotated, x[..., part:]], dim=-1)
    return turned(q), turned(k)


class Phi3Attention(common.Attention):
    def rotate(self, q, k, position_embeddings, position_ids):
        return apply_rotary_pos_emb(q, k, *position_embeddings)


def model():
    config = common.config("phi3", dim=32, partial_rotary_factor=0.75, original_max_position_embeddings=512)
    return common.Model(config, Phi3Attention, common.RotaryEmbedding(24))
