"""Arrays of every framework arrive as the same bits."""

import struct
import subprocess
import sys

import numpy
import pytest

try:
    import torch
except ImportError:
    torch = None

import rope_check
from rope_check.arrays import read_npy, tensor, write_safetensors

VALUES = numpy.arange(24.0).reshape(2, 3, 4)


@pytest.mark.parametrize("name", ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">f4", ">i8"])
def test_numpy(name):
    value = VALUES.astype(name)
    got = tensor(value)
    assert got.shape == (2, 3, 4) and got.data == VALUES.astype("<" + name[-2:]).tobytes()
    assert got.dtype == {"f": "F", "i": "I", "u": "U"}[name[-2]] + str(8 * int(name[-1]))
    assert tensor(value.T).data == VALUES.T.astype("<" + name[-2:]).tobytes()  # not contiguous


def test_bfloat16_of_an_npy_file():
    assert tensor(numpy.zeros(3, "V2")).dtype == "BF16"


def test_lists_and_buffers():
    assert tensor([[1, 2], [3, 4]]) == ("I64", (2, 2), struct.pack("<4q", 1, 2, 3, 4))
    assert tensor([[1, 2.5]]) == ("F64", (1, 2), struct.pack("<2d", 1, 2.5))
    assert tensor([numpy.ones(2, "f4"), numpy.zeros(2, "f4")]) == ("F32", (2, 2), struct.pack("<4f", 1, 1, 0, 0))
    assert tensor(range(2)).data == struct.pack("<2q", 0, 1)
    assert tensor(memoryview(struct.pack("<2f", 1, 2)).cast("f")) == ("F32", (2,), struct.pack("<2f", 1, 2))


@pytest.mark.parametrize("value", [[[1.0], [2.0, 3.0]], [[1.0], 2.0], ["a"], [None], [2 ** 70], {}, None, object(), "x",
                                   numpy.ones(2, complex), numpy.array(["a"]), numpy.ones(2, "f4") > 0])
def test_what_is_no_array_of_numbers_is_refused(value):
    with pytest.raises(rope_check.InvalidInput, match="expected"):
        tensor(value)


class Dtype:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        return self.name


def test_mlx(monkeypatch):
    """An mlx.core.array has a buffer, except in bfloat16, whose bits are read through view(uint16)."""
    class array(numpy.ndarray):
        dtype = Dtype("mlx.core.float32")

        def view(self, to):
            assert to == "mlx.core.uint16"
            bits = numpy.array([0x3F80, 0x4000], "u2").view(array)
            return bits
    array.__module__ = "mlx.core"
    module = type(sys)("mlx.core")
    module.uint16 = "mlx.core.uint16"
    monkeypatch.setitem(sys.modules, "mlx.core", module)
    plain = numpy.ndarray.view(numpy.arange(4, dtype="f4").reshape(2, 2).T, array)
    assert tensor(plain) == ("F32", (2, 2), numpy.float32([0, 2, 1, 3]).tobytes())


def test_mlx_bfloat16(monkeypatch):
    """bfloat16 has no buffer of its own: the bits come from the view."""
    class array:
        dtype = Dtype("mlx.core.bfloat16")

        def view(self, to):
            return memoryview(struct.pack("<2H", 0x3F80, 0x4000)).cast("H")
    array.__module__ = "mlx.core"
    module = type(sys)("mlx.core")
    module.uint16 = None
    monkeypatch.setitem(sys.modules, "mlx.core", module)
    assert tensor(array()) == ("BF16", (2,), struct.pack("<2H", 0x3F80, 0x4000))


def test_jax():
    """A jax.Array is read through __array__."""
    class Array:
        def __array__(self, dtype=None):
            return numpy.float32([1, 2])
    Array.__module__ = "jaxlib.xla_extension"
    assert tensor(Array()) == ("F32", (2,), struct.pack("<2f", 1, 2))


def test_dlpack():
    class Capsule:
        def __init__(self, value):
            self.value = value

        def __dlpack__(self, **how):
            return self.value.__dlpack__(**how)

        def __dlpack_device__(self):
            return self.value.__dlpack_device__()
    assert tensor(Capsule(numpy.float32([1, 2]))).data == struct.pack("<2f", 1, 2)


@pytest.mark.skipif(torch is None, reason="no PyTorch here")
class TestTorch:

    @pytest.mark.parametrize("name", ["float16", "float32", "float64", "int32", "int64", "uint8"])
    def test_types(self, name):
        value = torch.arange(24).reshape(2, 3, 4).to(getattr(torch, name))
        assert tensor(value)[1:] == (tuple(value.shape), value.numpy().tobytes())
        assert tensor(value.transpose(0, 2)).data == value.numpy().T.tobytes()

    def test_bfloat16_bit_for_bit(self):
        bits = torch.arange(-32768, 32768, dtype=torch.int32).to(torch.int16)  # all there are
        value = bits.view(torch.bfloat16)
        assert tensor(value) == ("BF16", (65536,), bits.numpy().tobytes())
        assert tensor(value.reshape(256, 256).T).data == bits.reshape(256, 256).T.contiguous().numpy().tobytes()

    def test_gradients_parameters_views_and_empty(self):
        value = torch.ones(2, 3, requires_grad=True)
        assert tensor(value * 2).data == numpy.full(6, 2, "f4").tobytes()
        assert tensor(torch.nn.Parameter(value[:, 1:])).shape == (2, 2)
        assert tensor(value.expand(4, 2, 3)).shape == (4, 2, 3)
        assert tensor(torch.empty(0, 4)) == ("F32", (0, 4), b"")
        assert tensor(torch.complex(value, -value).conj().imag).data == numpy.ones(6, "f4").tobytes()

    def test_what_has_no_numbers_is_refused(self):
        for value in (torch.ones(2, device="meta"), torch.ones(2, dtype=torch.complex64),
                      torch.ones(2, 2).to_sparse()):
            with pytest.raises(rope_check.InvalidInput):
                tensor(value)

    def test_dlpack_of_another_framework(self):
        class Capsule:
            def __init__(self, value):
                self.value = value

            def __dlpack__(self, **how):
                return self.value.__dlpack__(**how)

            def __dlpack_device__(self):
                return self.value.__dlpack_device__()
        assert tensor(Capsule(torch.ones(2, dtype=torch.bfloat16))).dtype == "BF16"


def test_files_are_read_back(tmp_path):
    numpy.save(tmp_path / "a.npy", VALUES)
    assert numpy.array_equal(read_npy(str(tmp_path / "a.npy")), VALUES)
    write_safetensors(str(tmp_path / "a.safetensors"), tensor(VALUES))
    data = (tmp_path / "a.safetensors").read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    assert length % 8 == 0 and data[8 + length:] == VALUES.tobytes()


def test_numpy_is_not_needed():
    """Everything works with lists if NumPy cannot be imported."""
    code = """
import sys
sys.modules["numpy"] = None
import rope_check
right = rope_check.golden(dim=8, layout="half", positions=range(6))
assert isinstance(right.x, memoryview) and right.x.shape == (6, 2, 8), right.x
right.check(right.y.tolist())
found = rope_check.diagnose(right.x.tolist(), right.y.tolist(), dim=8, layout="half", positions=list(range(6)))
assert found.stated == "fits"
exact = rope_check.table(positions=[0, 1], dim=8)
assert exact.cos[0] == [1.0] * 4 and exact.sin[1][0] == 0.8414709848078965
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={**__import__("os").environ,
                                                                   "PYTHONPATH": ":".join(sys.path)})
