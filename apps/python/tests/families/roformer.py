"""RoFormer: a static method of the attention class, and one table of sines and cosines."""

import torch

from . import common


class RoFormerSelfAttention(common.Attention):
    @staticmethod
    def apply_rotary_position_embeddings(sinusoidal_pos, query_layer, key_layer, value_layer=None):
        sin, cos = sinusoidal_pos.chunk(2, dim=-1)
        sin, cos = (torch.stack([table, table], dim=-1).flatten(-2) for table in (sin, cos))
        return query_layer * cos + common.twos(query_layer) * sin, key_layer * cos + common.twos(key_layer) * sin

    def rotate(self, query_layer, key_layer, position_embeddings, position_ids):
        angles = position_ids[..., None].float() * common.frequencies(self.dim, 10000.0)
        table = torch.cat([angles.sin(), angles.cos()], dim=-1)[:, None]
        return self.apply_rotary_position_embeddings(table, query_layer, key_layer)


def model():
    config = common.config("roformer", key_heads=4)
    del config.rope_theta, config.head_dim
    config.head_dim = 16
    return common.Model(config, RoFormerSelfAttention, None)
