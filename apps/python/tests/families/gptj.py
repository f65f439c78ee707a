"""GPT-J: one tensor at a time, sin before cos, keys first, tokens before heads, neighbouring numbers as pairs."""

import torch

from . import common


def apply_rotary_pos_emb(tensor, sin, cos):
    sin = torch.repeat_interleave(sin[:, :, None, :], 2, 3)
    cos = torch.repeat_interleave(cos[:, :, None, :], 2, 3)
    return tensor * cos + common.twos(tensor) * sin


class GPTJAttention(common.Attention):
    def rotate(self, query, key, position_embeddings, position_ids):
        query, key, part = query.transpose(1, 2), key.transpose(1, 2), self.config.rotary_dim
        angles = position_ids[..., None].float() * common.frequencies(part, 10000.0)
        sin, cos = angles.sin(), angles.cos()
        k_rot, q_rot = key[..., :part], query[..., :part]
        k_rot = apply_rotary_pos_emb(k_rot, sin, cos)
        q_rot = apply_rotary_pos_emb(q_rot, sin, cos)
        key, query = torch.cat((k_rot, key[..., part:]), dim=-1), torch.cat((q_rot, query[..., part:]), dim=-1)
        return query.transpose(1, 2), key.transpose(1, 2)


def model():
    config = common.config("gptj", key_heads=4, rotary_dim=8)
    del config.rope_theta
    config.n_embd, config.n_head, config.n_positions = config.hidden_size, config.num_attention_heads, 512
    return common.Model(config, GPTJAttention, None)
