"""DeepSeek-V3: 16 of 24 dimensions rotate, one key for all heads, interleaved pairs come out as halves."""

import torch
from torch import nn

from . import common


def apply_rotary_pos_emb_interleave(q, k, cos, sin, position_ids=None, unsqueeze_dim=1):
    cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
    q, k = (x.unflatten(-1, (-1, 2)).transpose(-1, -2).flatten(-2) for x in (q, k))
    return q * cos + common.halves(q) * sin, k * cos + common.halves(k) * sin


class DeepseekV3Attention(common.Attention):
    def __init__(self, config, layer_idx):
        super().__init__(config, layer_idx)
        self.nope = config.qk_nope_head_dim
        self.k_rope = nn.Linear(config.hidden_size, config.qk_rope_head_dim, bias=False)

    def rotate(self, query_states, key_states, position_embeddings, position_ids):
        q_pass, q_rot = query_states[..., :self.nope], query_states[..., self.nope:]
        k_pass, k_rot = key_states[..., :self.nope], key_states[:, :1, :, self.nope:]
        q_rot, k_rot = apply_rotary_pos_emb_interleave(q_rot, k_rot, *position_embeddings)
        k_rot = k_rot.expand(-1, key_states.shape[1], -1, -1)
        return torch.cat((q_pass, q_rot), dim=-1), torch.cat((k_pass, k_rot), dim=-1)


def model():
    config = common.config("deepseek_v3", dim=24, qk_rope_head_dim=16, qk_nope_head_dim=8, v_head_dim=24,
                           rope_interleave=True)
    return common.Model(config, DeepseekV3Attention, common.RotaryEmbedding(16))
