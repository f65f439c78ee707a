"""GPT-NeoX in transformers 4: cached tables, position_ids passed to the function, the head split outside it."""

import torch
from torch import nn

from . import common


class GPTNeoXRotaryEmbedding(nn.Module):
    def __init__(self, dim, base):
        super().__init__()
        angles = torch.arange(512)[:, None].float() * common.frequencies(dim, base)
        self.register_buffer("both", torch.cat((angles, angles), dim=-1), persistent=False)

    def forward(self, x, seq_len=None):
        return self.both[:seq_len].cos(), self.both[:seq_len].sin()


def apply_rotary_pos_emb(q, k, cos, sin, position_ids, unsqueeze_dim=1):
    cos, sin = cos[position_ids].unsqueeze(unsqueeze_dim), sin[position_ids].unsqueeze(unsqueeze_dim)
    return q * cos + common.halves(q) * sin, k * cos + common.halves(k) * sin


class GPTNeoXAttention(common.Attention):
    def __init__(self, config, layer_idx):
        super().__init__(config, layer_idx)
        self.part = int(self.dim * config.rotary_pct)
        self.rotary_emb = GPTNeoXRotaryEmbedding(self.part, config.rotary_emb_base)

    def rotate(self, query, key, position_embeddings, position_ids):
        query_rot, query_pass = query[..., :self.part], query[..., self.part:]
        key_rot, key_pass = key[..., :self.part], key[..., self.part:]
        cos, sin = self.rotary_emb(query, seq_len=64)
        query_rot, key_rot = apply_rotary_pos_emb(query_rot, key_rot, cos, sin, position_ids)
        return torch.cat((query_rot, query_pass), dim=-1), torch.cat((key_rot, key_pass), dim=-1)


def model():
    config = common.config("gpt_neox", dim=32, key_heads=4, rotary_pct=0.25, rotary_emb_base=10000)
    del config.head_dim, config.rope_theta
    config.head_dim = 32
    return common.Model(config, GPTNeoXAttention, None)
