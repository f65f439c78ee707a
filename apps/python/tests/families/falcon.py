"""Falcon in transformers 4.31: the rotary module takes q and k and rotates them itself."""

import torch
from torch import nn

from . import common


class FalconRotaryEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("inv_freq", common.frequencies(dim, 10000.0), persistent=False)

    def forward(self, query, key, past_key_values_length=0):
        angles = torch.arange(query.shape[2])[:, None] * self.inv_freq
        cos, sin = (torch.cat((table, table), dim=-1) for table in (angles.cos(), angles.sin()))
        return query * cos + common.halves(query) * sin, key * cos + common.halves(key) * sin


class FalconAttention(common.Attention):
    def __init__(self, config, layer_idx):
        super().__init__(config, layer_idx)
        self.maybe_rotary = FalconRotaryEmbedding(self.dim)

    def rotate(self, query, key, position_embeddings, position_ids):
        return self.maybe_rotary(query, key)


def model():
    return common.Model(common.config("falcon", new_decoder_architecture=True, num_kv_heads=2), FalconAttention, None)
