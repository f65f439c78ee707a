"""Qwen2-VL: three positions per token, one for each section of the head."""

import torch

from . import common


def apply_multimodal_rotary_pos_emb(q, k, cos, sin, mrope_section, unsqueeze_dim=1):
    parts = mrope_section * 2
    cos, sin = (torch.cat([each[place % 3] for place, each in enumerate(table.split(parts, dim=-1))], dim=-1)
                .unsqueeze(unsqueeze_dim) for table in (cos, sin))
    return q * cos + common.halves(q) * sin, k * cos + common.halves(k) * sin


class Qwen2VLAttention(common.Attention):
    def rotate(self, q, k, position_embeddings, position_ids):
        cos, sin = position_embeddings
        return apply_multimodal_rotary_pos_emb(q, k, cos, sin, self.config.rope_scaling["mrope_section"])


def model():
    config = common.config("qwen2_vl", rope_scaling={"type": "mrope", "mrope_section": [2, 3, 3]})
    return common.Model(config, Qwen2VLAttention, common.RotaryEmbedding(config.head_dim))
