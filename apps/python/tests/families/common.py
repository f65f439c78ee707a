"""What all families share: projections, attention, two layers, and rotary modules that make cos and sin."""

from types import SimpleNamespace

import torch
from torch import nn


class Config(SimpleNamespace):
    def to_dict(self):
        return dict(vars(self))


def config(model_type="llama", dim=16, heads=4, key_heads=2, **others):
    return Config(model_type=model_type, hidden_size=dim * heads, num_attention_heads=heads, head_dim=dim,
                  num_key_value_heads=key_heads, num_hidden_layers=2, max_position_embeddings=512,
                  **{"rope_theta": 10000.0, **others})


def frequencies(dim, base):
    return 1.0 / (base ** (torch.arange(0, dim, 2, dtype=torch.float32) / dim))


class RotaryEmbedding(nn.Module):
    """forward(x, position_ids) → cos, sin of [rows, tokens, dim], as in transformers since 4.38."""

    def __init__(self, dim, base=10000.0, interleaved=False):
        super().__init__()
        self.register_buffer("inv_freq", frequencies(dim, base), persistent=False)
        self.interleaved = interleaved

    @torch.no_grad()
    def forward(self, x, position_ids):
        angles = position_ids[..., None].float() * self.inv_freq.float()
        both = angles.repeat_interleave(2, dim=-1) if self.interleaved else torch.cat((angles, angles), dim=-1)
        return both.cos().to(x.dtype), both.sin().to(x.dtype)


class Attention(nn.Module):
    def __init__(self, config, layer_idx):
        super().__init__()
        self.config, self.layer_idx = config, layer_idx
        self.heads, self.key_heads, self.dim = (config.num_attention_heads, config.num_key_value_heads, config.head_dim)
        self.q_proj = nn.Linear(config.hidden_size, self.heads * self.dim, bias=False)
        self.k_proj = nn.Linear(config.hidden_size, self.key_heads * self.dim, bias=False)
        self.v_proj = nn.Linear(config.hidden_size, self.key_heads * self.dim, bias=False)
        self.o_proj = nn.Linear(self.heads * self.dim, config.hidden_size, bias=False)

    def forward(self, hidden_states, position_embeddings=None, position_ids=None):
        shape = (*hidden_states.shape[:-1], -1, self.dim)
        query_states = self.q_proj(hidden_states).view(shape).transpose(1, 2)
        key_states = self.k_proj(hidden_states).view(shape).transpose(1, 2)
        value_states = self.v_proj(hidden_states).view(shape).transpose(1, 2)
        query_states, key_states = self.rotate(query_states, key_states, position_embeddings, position_ids)
        groups = self.heads // self.key_heads
        key_states, value_states = (part.repeat_interleave(groups, 1) for part in (key_states, value_states))
        weights = (query_states @ key_states.transpose(2, 3) * self.dim ** -0.5).softmax(-1)
        return self.o_proj((weights @ value_states).transpose(1, 2).flatten(2))


class Layer(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.self_attn = attention

    def forward(self, hidden_states, position_embeddings, position_ids=None):
        return hidden_states + self.self_attn(hidden_states, position_embeddings, position_ids)


class Model(nn.Module):
    def __init__(self, config, attention, rotary_emb):
        super().__init__()
        torch.manual_seed(7)
        self.config = config
        self.embed_tokens = nn.Embedding(100, config.hidden_size)
        self.layers = nn.ModuleList(Layer(attention(config, index)) for index in range(config.num_hidden_layers))
        self.rotary_emb = rotary_emb

    def forward(self, input_ids, position_ids=None):
        hidden_states = self.embed_tokens(input_ids)
        if position_ids is None:
            position_ids = torch.arange(input_ids.shape[1])[None]
        position_embeddings = self.rotary_emb(hidden_states, position_ids) if self.rotary_emb is not None else None
        for layer in self.layers:
            hidden_states = layer(hidden_states, position_embeddings, position_ids)
        return hidden_states


def halves(x):
    left, right = x.chunk(2, dim=-1)
    return torch.cat((-right, left), dim=-1)


def twos(x):
    return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)
