"""Cohere: interleaved, and computed in float32 whatever the type."""

from . import common


def rotate_half(x):
    return common.twos(x)


def apply_rotary_pos_emb(q, k, cos, sin, position_ids=None, unsqueeze_dim=1):
    dtype = q.dtype
    q, k, cos, sin = q.float(), k.float(), cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
    return (q * cos + rotate_half(q) * sin).to(dtype), (k * cos + rotate_half(k) * sin).to(dtype)


class CohereAttention(common.Attention):
    def rotate(self, q, k, position_embeddings, position_ids):
        return apply_rotary_pos_emb(q, k, *position_embeddings)


def model():
    config = common.config("cohere")
    return common.Model(config, CohereAttention, common.RotaryEmbedding(config.head_dim, interleaved=True))
