"""Writes arrays of any framework to files, bit for bit, without importing the framework; for little-endian machines."""

from __future__ import annotations

import array
import ast
import ctypes
import json
import math
import re
import struct
import sys
from typing import Any, List, NamedTuple, Optional, Tuple

from .program import InvalidInput

# The names of types in frameworks and in .safetensors. NumPy reads bfloat16 from an .npy file as void16.
_TYPES = {"float64": "F64", "double": "F64", "float32": "F32", "float": "F32", "float16": "F16", "half": "F16",
          "bfloat16": "BF16", "void16": "BF16", "int64": "I64", "int32": "I32", "int16": "I16", "int8": "I8",
          "uint64": "U64", "uint32": "U32", "uint16": "U16", "uint8": "U8"}
_KINDS = {"F": "dfe", "I": "qlihb", "U": "QLIHB"}  # by the format letters of buffers


class Tensor(NamedTuple):
    """Numbers in C order, little-endian."""
    dtype: str
    shape: Tuple[int, ...]
    data: bytes


def tensor(value: Any) -> Tensor:
    """The numbers of a NumPy, PyTorch, MLX or JAX array, of a buffer, or of nested lists.

    >>> tensor([[1.0, 2.0], [3.0, 4.0]]).shape
    (2, 2)
    >>> tensor(range(3)).dtype
    'I64'
    """
    package = type(value).__module__.partition(".")[0]
    if hasattr(value, "detach") and hasattr(value, "data_ptr"):
        return _of_torch(value)
    if isinstance(value, (list, tuple, range)):
        return _of_lists(value)
    if package == "mlx":
        if str(value.dtype).endswith("bfloat16"):  # offers no buffer of its own, but its bits do
            bits = tensor(value.view(sys.modules["mlx.core"].uint16))
            return bits._replace(dtype="BF16")
        return _of_buffer(value)
    if hasattr(value, "__array__"):
        return _of_numpy(value.get() if package == "cupy" else value)
    try:
        return _of_buffer(value)
    except TypeError:
        pass
    if hasattr(value, "__dlpack__"):
        torch: Any = sys.modules.get("torch")
        if torch:
            return _of_torch(torch.from_dlpack(value))
        import numpy
        return _of_numpy(numpy.from_dlpack(value))
    raise InvalidInput(f"expected an array of NumPy, PyTorch, MLX or JAX, or lists of numbers, got {_kind(value)}")


def _kind(value: Any) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}".replace("builtins.", "")


def _known(name: str, value: Any) -> str:
    if name not in _TYPES:
        raise InvalidInput(f"expected real numbers in 16, 32 or 64 bits or integers, got {name} in {_kind(value)}: "
                           "convert it to the type that the rotation computed in.")
    return _TYPES[name]


def _of_torch(value: Any) -> Tensor:
    if hasattr(value, "full_tensor"):  # a DTensor, spread over devices
        value = value.full_tensor()
    name = str(value.dtype).replace("torch.", "")
    dtype = _known(name, value)
    try:
        value = value.detach().cpu().resolve_neg().contiguous()
        size = value.numel() * value.element_size()
        data = ctypes.string_at(value.data_ptr(), size) if size else b""
    except (RuntimeError, NotImplementedError) as error:
        raise InvalidInput(f"the numbers of a tensor on {value.device}, layout {value.layout}, cannot be read: "
                           f"{error}") from error
    return Tensor(dtype, tuple(value.shape), data)


def _of_numpy(value: Any) -> Tensor:
    import numpy
    found = numpy.asarray(value)
    dtype = _known(found.dtype.name, value)
    if dtype != "BF16":
        found = found.astype(found.dtype.newbyteorder("<"), copy=False)
    return Tensor(dtype, tuple(found.shape), found.tobytes())


def _of_buffer(value: Any) -> Tensor:
    view = memoryview(value)
    kinds = [kind for kind, letters in _KINDS.items() if view.format.lstrip("@=<") in letters]
    if not kinds:
        raise InvalidInput(f"expected a buffer of numbers, got one of format {view.format!r} in {_kind(value)}")
    return Tensor(f"{kinds[0]}{8 * view.itemsize}", tuple(view.shape or ()), view.tobytes())


def _of_lists(value: Any) -> Tensor:
    shape: List[int] = []
    level = value
    while isinstance(level, (list, tuple, range)):
        shape.append(len(level))
        level = level[0] if len(level) else None
    if level is not None and not isinstance(level, (int, float)):  # a list of arrays, or of numbers from arrays
        parts = [tensor(part) for part in value] if hasattr(level, "shape") and len(shape) == 1 else []
        if parts and all(part[:2] == parts[0][:2] for part in parts):
            return Tensor(parts[0].dtype, (len(parts), *parts[0].shape), b"".join(part.data for part in parts))
        raise InvalidInput(f"expected lists of numbers, got {_kind(level)} in them")
    flat: List[Any] = [value]
    for length in shape:
        if any(not isinstance(part, (list, tuple, range)) or len(part) != length for part in flat):
            raise InvalidInput("expected lists of one length on each level, got lists of several lengths")
        flat = [number for part in flat for number in part]
    try:
        integers = bool(flat) and all(type(number) is int for number in flat)
        numbers = array.array("q" if integers else "d", flat)
    except (TypeError, OverflowError) as error:
        raise InvalidInput(f"expected lists of numbers: {error}") from error
    return Tensor("I64" if integers else "F64", tuple(shape), numbers.tobytes())


def write_safetensors(path: str, value: Tensor) -> None:
    """Writes a file with one tensor, whose name does not matter."""
    described = {"tensor": {"dtype": value.dtype, "shape": list(value.shape), "data_offsets": [0, len(value.data)]}}
    header = json.dumps(described).encode()
    header += b" " * (-len(header) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header + value.data)


def read_npy(path: str) -> Any:
    """Reads what the program wrote: a NumPy array or, if NumPy is missing, a memoryview of the same shape."""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<H", data, 8)[0]
    described = ast.literal_eval(data[10:10 + length].decode("latin1").strip())
    letter, shape = {"<f8": "d", "<i8": "q"}[described["descr"]], described["shape"]
    numbers = bytearray(data[10 + length:10 + length + 8 * math.prod(shape)])
    try:
        import numpy
        return numpy.frombuffer(numbers, described["descr"]).reshape(shape)
    except ImportError:
        return memoryview(numbers).cast(letter, shape) if math.prod(shape) else memoryview(numbers).cast(letter)


def common_row(value: Tensor) -> Optional[Tensor]:
    """[rows, tokens] as [tokens] if all rows are the same, as they usually are in position_ids; else None."""
    row = value.data[:len(value.data) // max(value.shape[0], 1)]
    return Tensor(value.dtype, tuple(value.shape[1:]), row) if row and row * value.shape[0] == value.data else None


def repeated_rows(value: Tensor, times: int) -> Tensor:
    """[…, rows, tokens] with each row repeated so many times in succession."""
    if len(value.shape) < 2 or not value.data:
        return value
    *others, rows, tokens = value.shape
    size = len(value.data) // math.prod([*others, rows])
    starts = range(0, len(value.data), size)
    return Tensor(value.dtype, (*others, rows * times, tokens),
                  b"".join(value.data[start:start + size] * times for start in starts))


def is_array(value: Any) -> bool:
    """Whether the value has to be passed as a file."""
    return not isinstance(value, (str, bytes, int, float, list, tuple, range)) and \
        bool(re.search("array|tensor", type(value).__name__, re.I) or hasattr(value, "__array__"))
