"""Answers are dataclasses; errors raise exceptions of the right kind."""

import dataclasses
import json
import math
import types

import numpy
import pytest

import rope_check

LAYOUT = {"layout": "half", "dim": 16}


@pytest.fixture(scope="module")
def right():
    return rope_check.golden(positions=range(20), **LAYOUT)


def test_diagnosis(right):
    found = rope_check.diagnose(right.x, right.y, positions=right.positions, base=500000, **LAYOUT)
    assert (found.verdict, found.stated) == ("unique", "differs")
    assert found.answer.startswith("One convention explains these tensors along axis 0, not the one you assume: half layout")
    assert repr(found).startswith(found.answer[:60]) and "make its base 500000" in repr(found)
    assert found.best.base == 10000 and found.best.layout == "half" and len(found.best.theta) == 8
    assert [each.remedy_id for each in found.differences] == ["base"]
    assert found.document["schema"] == "rope.diagnose/2" and "answer.json" not in found.text
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.verdict = "none"


def test_differences_hold_whatever_is_to_be_changed(right):
    """Also where no rotation explains y, or where it explains only part of it."""
    stated = {"positions": right.positions, "base": 10000, **LAYOUT}
    y = right.y.copy()
    y[:, 1] = right.x[:, 1]
    found = rope_check.diagnose(right.x, y, **stated)
    assert [each.remedy_id for each in found.differences] == ["unrotated"] and found.stated == "differs"
    angles = numpy.arange(20)[:, None, None] * numpy.repeat(10000.0 ** (-numpy.arange(8) / 8), 2)
    turned = numpy.concatenate((-right.x[..., 8:], right.x[..., :8]), -1)
    found = rope_check.diagnose(right.x, right.x * numpy.cos(angles) + turned * numpy.sin(angles), dim=16, layout="half",
                                base=10000)
    assert [each.remedy_id for each in found.differences] == ["half-with-interleaved-tables"]
    noise = numpy.random.default_rng(1).normal(scale=1e-3, size=right.y.shape)
    found = rope_check.diagnose(right.x, right.y + noise, **stated)
    assert (found.stated, found.differences) == ("closest", ())


def test_no_explanation_has_no_best(right):
    found = rope_check.diagnose(right.x, right.y[::-1] ** 3, positions=right.positions, **LAYOUT)
    assert found.verdict == "none" and found.best is None and found.differences == ()


def test_verification_says_where(right):
    wrong = right.y.copy()
    wrong[5:9, 1, 3] += 1e-3
    found = rope_check.verify(right.x, wrong, positions=right.positions, **LAYOUT)
    assert not found.passed and found.violations == 4
    assert found.failing("heads") == ((1, 1),) and found.failing("tokens") == ((5, 8),)
    assert found.failing("dimensions") == ((3, 3),) and found.worst.pair == 3
    assert "call rope_check.diagnose" in found.text and "safetensors" not in found.text
    with pytest.raises(AssertionError, match=r"(?s)Tokens 5 … 8 fail.*Head 1 fails.*Dimension 3 .*rope diagnose:\n"):
        rope_check.assert_rotated(right.x, wrong, positions=right.positions, **LAYOUT)
    with pytest.raises(AssertionError, match="Head 1 fails"):
        right.check(wrong)


def test_policy_and_shape_of_positions(right):
    x, y = right.x.astype("f4"), right.y.astype("f4")
    assert rope_check.verify(x, y, policy="float32", **LAYOUT).policy == "float32"
    for positions in (right.positions, list(range(20)), range(20), "0:19", [list(range(20))] * 3):
        assert rope_check.verify(x, y, positions=positions, token_axis=0, **LAYOUT).passed
    assert rope_check.verify(x[3:4], y[3:4], positions=3, **LAYOUT).passed
    with pytest.raises(rope_check.InvalidInput, match="positions: expected integers, got F64"):
        rope_check.verify(x, y, positions=[0.5] * 20, **LAYOUT)


def test_rows_with_positions_of_their_own():
    x = numpy.random.default_rng(1).standard_normal((2, 3, 6, 16))
    rows = numpy.array([range(6), range(4, 10)])
    made = rope_check.golden(x=x, positions=rows, token_axis=2, **LAYOUT)
    assert rope_check.verify(made.x, made.y, positions=rows, token_axis=2, **LAYOUT).passed
    assert rope_check.diagnose(made.x, made.y, positions=rows, **LAYOUT).stated == "fits"
    made.check(made.y)


def test_table_is_exact():
    exact = rope_check.table(positions=[0, 1, 7, 100, 1000], dim=128)
    theta = numpy.longdouble(10000) ** (-numpy.arange(64, dtype=numpy.longdouble) / 64)
    angles = numpy.outer(numpy.longdouble([0, 1, 7, 100, 1000]), theta)
    assert abs(exact.cos - numpy.cos(angles)).max() < 2.3e-16 and abs(exact.sin - numpy.sin(angles)).max() < 2.3e-16
    assert exact.cos.dtype == numpy.float64 and exact.cos.shape == (5, 64)
    part = rope_check.table("gpt-neox-20b", [3])
    assert part.cos.shape == (1, 12) and part.rotary["head_dim"] == 96
    assert rope_check.table("gpt-j-6b", 5).cos[0, 0] == math.cos(5.0)
    yarn = rope_check.table(dim=64, positions=[0], scaling="yarn:factor=4,original=4096")
    assert yarn.cos[0, 0] == pytest.approx(1 + 0.1 * numpy.log(4))
    with pytest.raises(rope_check.InvalidInput, match="expected integers"):
        rope_check.table(positions="0:3")


def test_golden(right):
    assert right.x.shape == right.y.shape == right.bound.shape == (20, 2, 16)
    assert right.policy == "float32" and len(right.inv_freq) == 8
    right.check(right.y.astype("f4"))
    coarse = rope_check.golden("llama-3.1-8b", policy="bfloat16-table", seed=7)
    assert coarse.bound.max() > 1e-3 and coarse.rotary["base"] == 500000
    coarse.check(coarse.y)
    held = numpy.zeros((3, 16), "u2") + 0x3F80  # 1.0, as the bits of bfloat16
    assert rope_check.golden(dim=16, x=held, bfloat16=True).x.max() == 1
    assert not numpy.array_equal(coarse.x, rope_check.golden("llama-3.1-8b", policy="bfloat16-table", seed=8).x)


CONFIG = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 500000.0,
          "max_position_embeddings": 512}


def test_a_model_is_a_preset_a_file_a_dict_or_an_object(tmp_path, monkeypatch):
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    config = types.SimpleNamespace(to_dict=lambda: {**CONFIG, "dtype": object()})
    monkeypatch.chdir(tmp_path)
    for model in (CONFIG, config, types.SimpleNamespace(config=config), tmp_path, "config.json"):
        found = rope_check.inspect(model)
        assert (found.rotary.head_dim, found.rotary.base, found.context) == (16, 500000, 512)
    assert rope_check.inspect("llama-3.1-8b").name == "llama-3.1-8b"
    assert rope_check.inspect("llama-3.1-8b").answer.startswith("llama-3.1-8b rotates all 128 dimensions")
    layers = rope_check.inspect("gemma-3-27b").layer_types
    assert [layers[name].base for name in layers] == [1000000, 10000]


def test_what_is_given_wrong_is_the_programs_message(right):
    for call, message in [
            (lambda: rope_check.diagnose(right.x, right.y, dim=7), "dim: expected an even integer"),
            (lambda: rope_check.diagnose(right.x, right.y, model="nosuch"), "name of a preset, got 'nosuch'"),
            (lambda: rope_check.diagnose(right.x, right.y, colour="red"), "unknown option 'colour="),
            (lambda: rope_check.verify(right.x, right.y[:3]), "shape"),
            (lambda: rope_check.inspect(3), "expected a preset's name"),
            (lambda: rope_check.diagnose("x.npy", right.y), "expected an array")]:
        with pytest.raises(rope_check.InvalidInput, match=message):
            call()
    assert issubclass(rope_check.InvalidInput, ValueError)


def test_warnings_are_kept(right):
    found = rope_check.diagnose(right.x, right.y, model="llama-3.1-8b", dim=16)
    assert "dim=16 replaces head_dim 128" in found.warnings[0] and "Warning: dim=16" in repr(found)


def test_options_of_every_kind(right):
    theta = list(right.inv_freq)
    assert rope_check.verify(right.x, right.y, frequencies=theta, **LAYOUT).passed
    assert rope_check.verify(right.x, right.y, start=0, base=1e4, noise=None, details=True, **LAYOUT).passed
    bits = (right.x.astype("f4").view("u4") >> 16).astype("u2")
    assert rope_check.diagnose(bits, bits, bfloat16=True).document["unchanged"]
