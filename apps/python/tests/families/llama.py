"""Llama since transformers 4.38: (q, k, cos, sin, position_ids=None, unsqueeze_dim=1)."""

from . import common

def apply_rotary_pos_emb(q, k, cos, sin, position_ids=None, unsqueeze_dim=1):
    cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
    return q * cos + common.halves(q) * sin, k * cos + common.halves(k) * sin


class LlamaAttention(common.Attention):
    def rotate(self, q, k, position_embeddings, position_ids):
        cos, sin = position_embeddings
        return apply_rotary_pos_emb(q, k, cos, sin)


def model(**others):
    config = common.config(**others)
    return common.Model(config, LlamaAttention, common.RotaryEmbedding(config.head_dim, config.rope_theta))
