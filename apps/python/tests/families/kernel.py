"""Llama in transformers 5 with the package `kernels`: the function is a torch module that every layer shares."""

import inspect

from torch import nn

from . import common


def use_kernel_func_from_hub(function):
    class Func(nn.Module):
        def forward(self, *args, **kwargs):
            return function(*args, **kwargs)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    signature = inspect.signature(function)
    Func.forward.__signature__ = signature.replace(parameters=[own, *signature.parameters.values()])
    Func.forward.__module__ = "kernels.layer.func"
    return Func()


@use_kernel_func_from_hub
def apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=1):
    cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
    return q * cos + common.halves(q) * sin, k * cos + common.halves(k) * sin


class LlamaAttention(common.Attention):
    def __init__(self, config, layer_idx):
        super().__init__(config, layer_idx)
        self.__dict__["_hidden_kernels"] = {"rotary_pos_emb": apply_rotary_pos_emb}

    def rotate(self, q, k, position_embeddings, position_ids):
        return apply_rotary_pos_emb(q, k, *position_embeddings)


def model(**others):
    config = common.config(**others)
    return common.Model(config, LlamaAttention, common.RotaryEmbedding(config.head_dim, config.rope_theta))
