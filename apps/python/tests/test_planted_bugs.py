"""A tiny Llama-like attention with a mistake in it: diagnose names it, and assert_rotated shows where."""

import pytest

torch = pytest.importorskip("torch")
import rope_check  # noqa: E402

DIM, HEADS, TOKENS = 64, 4, 24
STATED = {"dim": DIM, "layout": "half", "base": 10000.0, "positions": range(TOKENS)}


class Attention(torch.nn.Module):
    """The rotation in float32, its result in the type of the weights; a mistake can be planted in every part."""

    def __init__(self, base=10000.0, offset=0, interleaved=False):
        super().__init__()
        torch.manual_seed(11)
        self.q_proj = torch.nn.Linear(DIM * HEADS, DIM * HEADS, bias=False)
        self.theta = 1.0 / base ** (torch.arange(0, DIM, 2).double() / DIM)
        self.offset, self.interleaved = offset, interleaved

    def rotate(self, q):
        angles = (torch.arange(TOKENS).double()[:, None] + self.offset) * self.theta
        cos, sin = angles.cos().float(), angles.sin().float()
        x = q.float()
        if self.interleaved:
            first, second = x[..., 0::2], x[..., 1::2]
            turned = torch.stack((first * cos - second * sin, second * cos + first * sin), dim=-1).flatten(-2)
        else:
            first, second = x.chunk(2, dim=-1)
            turned = torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)
        return turned.to(q.dtype)

    def forward(self, hidden):
        q = self.q_proj(hidden).view(1, TOKENS, HEADS, DIM).transpose(1, 2)
        return q, self.rotate(q)


def run(dtype, **mistake):
    attention = Attention(**mistake).to(dtype)
    return attention(torch.randn(1, TOKENS, DIM * HEADS, generator=torch.Generator().manual_seed(3)).to(dtype))


TYPES = pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)


@TYPES
def test_right_code_passes(dtype):
    q, rotated = run(dtype)
    rope_check.assert_rotated(q, rotated, **STATED)
    found = rope_check.diagnose(q, rotated, **STATED)
    assert found.stated == "fits" and found.differences == ()
    assert found.document["storage"] == {torch.float32: "f32", torch.bfloat16: "bf16"}[dtype]


@TYPES
@pytest.mark.parametrize("mistake, remedy, says, place", [
    ({"interleaved": True}, "layout", "The pairs are interleaved", "Tokens 1 … 23 fail; token 0 is right"),
    ({"offset": 1}, "offset", "Positions are 1 higher than the given ones", "Every head"),
    ({"base": 500000.0}, "base", "The base is 500000; you assume 10000", "Tokens 1 … 23 fail; token 0 is right"),
], ids=["interleaved", "off-by-one", "base"])
def test_a_mistake_is_named_with_its_place(dtype, mistake, remedy, says, place):
    q, rotated = run(dtype, **mistake)
    found = rope_check.diagnose(q, rotated, **STATED)
    assert found.stated == "differs" and found.verdict == "unique", found
    assert found.best.base == mistake.get("base", 10000)
    assert found.best.layout == ("interleaved" if mistake.get("interleaved") else "half")
    assert found.best.position_offset == mistake.get("offset", 0)
    assert remedy in found.differences[0].remedy_id, found.differences
    with pytest.raises(AssertionError) as raised:
        rope_check.assert_rotated(q, rotated, **STATED)
    assert place in str(raised.value) and says.lower() in str(raised.value).lower()


@TYPES
def test_one_head_that_is_not_rotated(dtype):
    q, rotated = run(dtype)
    rotated[:, 2] = q[:, 2]
    with pytest.raises(AssertionError, match="Head 2 fails"):
        rope_check.assert_rotated(q, rotated, **STATED)
