"""capture() on tiny models of eleven families: it sees the rotation, changes nothing, and restores everything."""

import importlib
import sys
import types

import pytest

torch = pytest.importorskip("torch")
import rope_check  # noqa: E402

FAMILIES = ["llama", "kernel", "gpt_neox", "gptj", "cohere", "phi3", "qwen2_vl", "deepseek_v3", "llama4", "roformer", "falcon"]
WIDTH = {"gpt_neox": 8, "gptj": 8, "phi3": 32}  # of the captured vectors; 16 for other families
IDS = torch.arange(24).reshape(2, 12)


def family(name):
    return importlib.import_module(f"families.{name}")


def positions_of(name):
    if name != "qwen2_vl":
        return None
    rows = torch.arange(12).repeat(2, 1)
    return torch.stack([rows, rows // 4, rows % 4])


def state(module, model):
    """Everything that a capture could leave changed."""
    functions = {name: value for name, value in vars(module).items() if callable(value)}
    attributes = [dict(vars(each)) for each in model.modules()]
    forwards = [vars(value).get("forward") for value in functions.values() if hasattr(value, "forward")]
    classes = [dict(vars(type(each))) for each in model.modules() if not type(each).__module__.startswith("torch")]
    return functions, attributes, forwards, classes


@pytest.mark.parametrize("name", FAMILIES)
def test_sees_every_layer_and_changes_nothing(name):
    module = family(name)
    model = module.model()
    before = state(module, model)
    expected = model(IDS, positions_of(name))
    with rope_check.capture(model) as captured:
        result = model(IDS, positions_of(name))
    assert torch.equal(result, expected)
    after = state(module, model)
    assert all(before[part] == after[part] for part in (0, 2, 3))
    assert [list(each) for each in before[1]] == [list(each) for each in after[1]]
    inner = ".maybe_rotary" if name == "falcon" else ""
    assert [each.layer for each in captured] == [f"layers.{index}.self_attn{inner}" for index in (0, 1)]
    assert [each.index for each in captured] == [0, 1]
    for each in captured:
        assert each.q_before.shape == each.q_after.shape and each.k_before.shape == each.k_after.shape
        assert each.q_before.shape[-1] == WIDTH.get(name, 16)
        assert not torch.equal(each.q_before, each.q_after) and not torch.equal(each.k_before, each.k_after)
        assert each.positions is not None and each.positions.shape[-1] == 12
        assert each.replaced_by is None and each.function.startswith("families.")
    assert torch.equal(model(IDS, positions_of(name)), expected)
    assert len(captured) == 2  # nothing more is recorded


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("which", ["q", "k"])
def test_each_layer_is_what_its_config_asks_for(name, which):
    model = family(name).model()
    with rope_check.capture(model) as captured:
        model(IDS, positions_of(name))
    if name in ("llama4", "roformer"):
        assert captured[1].verify(which, config=None, dim=16, layout="interleaved").passed
        return
    assert captured[1].verify(which).passed, captured[1].verify(which)
    found = captured[1].diagnose(which)
    assert found.stated == "fits", found
    captured[0].assert_rotated(which)


def test_names_the_planted_bug():
    module = family("llama")
    model = module.model(rope_theta=500000.0)
    model.config.rope_theta = 10000.0
    with rope_check.capture(model) as captured:
        model(IDS)
    assert captured[0].diagnose().best.base == 500000
    with pytest.raises(AssertionError, match="Tokens 1 … 11 fail; token 0 is right"):
        captured[0].assert_rotated()


def test_restores_after_an_exception():
    module = family("llama")
    model = module.model()
    before = module.apply_rotary_pos_emb
    with pytest.raises(KeyError):
        with rope_check.capture(model):
            assert module.apply_rotary_pos_emb is not before
            raise KeyError
    assert module.apply_rotary_pos_emb is before and "forward" not in vars(model.rotary_emb)


def test_an_error_of_the_model_stays_its_own():
    module = family("llama")
    model = module.model()
    model.rotary_emb.inv_freq = model.rotary_emb.inv_freq[:3]
    with rope_check.capture(model) as captured, pytest.raises(RuntimeError, match="size of tensor"):
        model(IDS)
    assert len(captured) == 0
    with pytest.raises(TypeError):
        with rope_check.capture(model):
            module.apply_rotary_pos_emb(IDS)


def test_gradients_are_the_same_bits():
    model = family("llama").model()
    model(IDS).sum().backward()
    expected = [each.grad.clone() for each in model.parameters()]
    model.zero_grad()
    with rope_check.capture(model) as captured:
        model(IDS).sum().backward()
    assert all(torch.equal(each.grad, right) for each, right in zip(model.parameters(), expected))
    assert not captured[0].q_before.requires_grad


def test_other_models_of_the_same_module_are_left_out():
    module = family("llama")
    model, other = module.model(), module.model()
    with rope_check.capture(model) as captured:
        other(IDS)
        assert len(captured) == 0
        model(IDS)
    assert len(captured) == 2


def test_layers_can_be_chosen_and_each_pass_counts():
    model = family("llama").model()
    with rope_check.capture(model, layers=[1]) as captured:
        model(IDS)
        model(IDS[:, :1], torch.full((2, 1), 12))  # as in generation
    assert [each.index for each in captured] == [1, 1]
    assert captured[1].positions.tolist() == [[12], [12]]


def test_positions_of_rows_padded_on_the_left():
    model = family("llama").model()
    rows = torch.stack([torch.arange(12), (torch.arange(12) - 3).clamp(min=0)])
    with rope_check.capture(model) as captured:
        model(IDS, rows)
    assert torch.equal(captured[0].positions, rows)
    assert captured[0].diagnose().stated == "fits"


def test_bfloat16_is_kept():
    model = family("llama").model().to(torch.bfloat16)
    model.rotary_emb.inv_freq = model.rotary_emb.inv_freq.float()
    model.rotary_emb.inv_freq = family("common").frequencies(16, 10000.0)
    with rope_check.capture(model) as captured:
        model(IDS)
    assert captured[0].q_after.dtype == torch.bfloat16
    assert captured[0].verify().passed
    assert captured[0].verify().document["numbers_of"] == "bf16"


def fused(monkeypatch, module):
    """A kernel of another package that works in place and replaces the model's function."""
    package = types.ModuleType("liger_kernel.rope")
    exec("def liger_rotary_pos_emb(q, k, cos, sin, position_ids=None, unsqueeze_dim=1):\n"
         "    rotated = inner(q, k, cos, sin, position_ids, unsqueeze_dim)\n"
         "    q.copy_(rotated[0]), k.copy_(rotated[1])\n"
         "    return q, k\n", vars(package))
    package.inner = module.apply_rotary_pos_emb
    monkeypatch.setitem(sys.modules, "liger_kernel.rope", package)
    return package.liger_rotary_pos_emb


def test_a_fused_kernel_is_named_and_seen_before_it_writes(monkeypatch):
    module = family("llama")
    model = module.model().requires_grad_(False)
    monkeypatch.setattr(module, "apply_rotary_pos_emb", fused(monkeypatch, module))
    with rope_check.capture(model) as captured:
        model(IDS)
    assert captured[0].replaced_by == "liger_kernel.rope.liger_rotary_pos_emb"
    assert "replaced by liger_kernel" in repr(captured)
    assert captured[0].diagnose().stated == "fits"


def test_a_hub_kernel_is_named(monkeypatch):
    module = family("kernel")
    model = module.model().requires_grad_(False)
    kernel = types.MethodType(fused(monkeypatch, family("llama")), module.apply_rotary_pos_emb)
    monkeypatch.setattr(module.apply_rotary_pos_emb, "forward", kernel.__func__, raising=False)
    with rope_check.capture(model) as captured:
        model(IDS)
    assert captured[0].replaced_by == "liger_kernel.rope.liger_rotary_pos_emb"
    assert vars(module.apply_rotary_pos_emb)["forward"] is kernel.__func__


def test_a_function_kept_in_the_layer_is_found():
    module = family("llama")
    model = module.model()
    original = module.apply_rotary_pos_emb
    attention = model.layers[0].self_attn
    attention.rotary_fn = original
    attention.rotate = lambda q, k, tables, positions: attention.rotary_fn(q, k, *tables)
    with rope_check.capture(model) as captured:
        model(IDS)
    assert [each.index for each in captured] == [0, 1]
    assert attention.rotary_fn is original


def test_what_rotates_unseen_is_named():
    class Fused(torch.nn.Module):
        def forward(self, x):
            return x

    class MyRotaryEmbedding(Fused):
        pass
    model = torch.nn.Sequential(Fused(), MyRotaryEmbedding())
    with pytest.raises(rope_check.RopeError, match="No function that applies a rotation.*MyRotaryEmb.*functions="):
        with rope_check.capture(model):
            pass
    llama = family("llama").model()
    with rope_check.capture(llama) as captured:
        pass
    with pytest.raises(rope_check.RopeError, match="No rotation was captured: run the model inside"):
        captured[0]


def my_turn(x, cos, sin):
    return x * cos + x.flip(-1) * sin


class Own(torch.nn.Module):
    def forward(self, query, cos, sin):
        return my_turn(query, cos, sin)


def test_a_function_of_any_name_can_be_named():
    model = Own()
    with rope_check.capture(model, functions=["my_turn"]) as captured:
        model(torch.ones(1, 2, 3, 4), torch.ones(4), torch.ones(4))
    assert captured[0].layer == "Own" and captured[0].k_before is None
    with pytest.raises(rope_check.RopeError, match="no k was captured"):
        captured[0].diagnose("k")


def test_layer_types_are_judged_by_their_own_base():
    """Gemma 3: layers with a window have another base; layer_types in the config shows which they are."""
    module = family("llama")
    model = module.model(model_type="gemma3_text", rope_theta=1000000.0, rope_local_base_freq=10000.0, sliding_window=8,
                         layer_types=["sliding_attention", "full_attention"])
    local = family("common").RotaryEmbedding(16, 10000.0)
    layer = model.layers[0]
    inner = layer.forward
    layer.forward = lambda hidden, tables, positions: inner(hidden, local(hidden, positions), positions)
    with rope_check.capture(model) as captured:
        model(IDS)
    for each in captured:
        assert each.diagnose().stated == "fits", each.diagnose()
        assert each.verify("k").passed


def test_a_compiled_model_is_named():
    class Compiled(torch.nn.Module):
        def __init__(self, model):
            super().__init__()
            self._orig_mod = model
    with rope_check.capture(Compiled(family("llama").model())) as captured:
        pass
    with pytest.raises(rope_check.RopeError, match="capture model._orig_mod"):
        captured[0]


def test_a_forward_of_another_package_is_named(monkeypatch):
    def fast_forward(self, *args, **kwargs):
        return args[0]
    fast_forward.__module__ = "unsloth.models.llama"
    module = family("llama")
    monkeypatch.setattr(module.LlamaAttention, "forward", fast_forward)
    model = module.model()
    with rope_check.capture(model) as captured:
        model(IDS)
    with pytest.raises(rope_check.RopeError, match="forward is unsloth.models.llama.*fast_forward: it may"):
        captured[0]
