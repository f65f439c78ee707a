"""capture(model): what went into a Hugging Face model's rotation and what came out, layer by layer."""

from __future__ import annotations

import functools
import inspect as signatures
import re
import sys
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, Callable, Collection, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple

from . import checks, results
from .program import RopeError

_ROTATES = re.compile(r"apply.*(rotary|rope)", re.I)  # apply_rotary_pos_emb, _apply_rotary_emb, apply_rope …
_ROTARY = re.compile(r"rotary|rope(?!r)", re.I)
_OWN = ("transformers.", "torch.", "kernels.")  # `kernels` itself only wraps what it may replace
_TABLES = re.compile(r"cos|sin|freq|pos|table|rotary|rope|mask|seqlen|scale", re.I)  # parameters that are not q or k


@dataclass(frozen=True, repr=False, eq=False)
class CapturedRotation:
    """One rotation: q and k before and after it, and cos, sin and positions as used, all on the CPU.

    `replaced_by` names a kernel of another package that replaces the model's own function.
    """
    layer: str
    index: Optional[int]
    function: str
    replaced_by: Optional[str]
    q_before: Any
    q_after: Any
    k_before: Any
    k_after: Any
    cos: Any
    sin: Any
    positions: Any
    arguments: Mapping[str, Any] = field(default_factory=dict)
    config: Any = None

    def __repr__(self) -> str:
        def shape(value: Any) -> str:
            return "-" if value is None else str(tuple(value.shape))
        rotated = f" (replaced by {self.replaced_by})" if self.replaced_by else ""
        return (f"{self.layer}: q {shape(self.q_before)}, k {shape(self.k_before)}, cos {shape(self.cos)}, "
                f"positions {shape(self.positions)}, by {self.function}{rotated}")

    def diagnose(self, which: str = "q", **stated: Any) -> results.Diagnosis:
        """Runs `rope_check.diagnose` on q or k, against the model's own config unless a model is stated."""
        return checks.diagnose(*self._pair(which), **self._stated(which, stated))

    def verify(self, which: str = "q", **stated: Any) -> results.Verification:
        """Runs `rope_check.verify` on q or k, against the model's own config unless a model is stated."""
        return checks.verify(*self._pair(which), **self._stated(which, stated))

    def assert_rotated(self, which: str = "q", **stated: Any) -> None:
        """Raises an AssertionError that shows where, unless q or k is rotated as stated."""
        __tracebackhide__ = True
        checks.assert_rotated(*self._pair(which), **self._stated(which, stated))

    def _pair(self, which: str) -> Tuple[Any, Any]:
        found = {"q": (self.q_before, self.q_after), "k": (self.k_before, self.k_after)}[which]
        if found[0] is None:
            raise RopeError(f"{self.layer}: no {which} was captured")
        if self.function.endswith("_interleave"):  # returns pairs (2i, 2i+1) as halves: undo that
            return found[0], found[1].unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2)
        return found

    def _stated(self, which: str, stated: Mapping[str, Any]) -> Dict[str, Any]:
        stated = dict(stated)
        before, _ = self._pair(which)
        stated.setdefault("positions", self.positions)
        if len(before.shape) == 4 and "unsqueeze_dim" in self.arguments:
            stated.setdefault("token_axis", 2 if self.arguments["unsqueeze_dim"] in (1, -3) else 1)
        if "model" not in stated and "config" not in stated:
            stated["config"] = self.config
        model = stated.get("config") or stated.get("model")
        if model is None or stated.keys() & {"dim", "rotary_dim", "frequencies"}:
            return stated
        kinds = checks.inspect(model).layer_types
        kind = self._layer_type(kinds)
        if len(kinds) > 1:  # the program takes the first type that rotates: give it this layer's numbers
            stated.pop("model", None)
            stated.pop("config", None)
            stated.update(dim=kind.head_dim, layout=kind.layout, frequencies=kind.inv_freq)
        if before.shape[-1] == kind.rotary_dim < kind.head_dim:  # the model passed only the rotated part
            stated.update(dim=kind.rotary_dim, rotary_dim=kind.rotary_dim)
        elif len(kinds) > 1:
            stated.update(rotary_dim=kind.rotary_dim)
        return stated

    def _layer_type(self, kinds: Mapping[str, results.Rotary]) -> results.Rotary:
        config = getattr(self.config, "text_config", None) or self.config
        types = getattr(config, "layer_types", None) or []
        named = types[self.index] if self.index is not None and self.index < len(types) else None
        return kinds[named] if named in kinds else next(iter(kinds.values()))


class _Caller(NamedTuple):
    module: Any
    names: Mapping[str, Any]
    positions: Any


class Captured(Sequence[CapturedRotation]):
    """The rotations in the order in which they ran; as a context manager, this hooks the model and restores it."""

    def __init__(self, model: Any, layers: Optional[Collection[int]], functions: Collection[str]) -> None:
        self._model = model
        self._layers = layers
        self._functions = functions
        self._hooked: Set[Tuple[int, str]] = set()
        self._paths = {id(module): path for path, module in model.named_modules()}
        self._rotations: List[CapturedRotation] = []
        self._restore: List[Callable[[], None]] = []
        self._given: List[Tuple[Any, Any]] = []  # cos or a complex table, and the positions it was made from
        self._inside = False

    def __enter__(self) -> Captured:
        try:
            self._hook()
            if not self._hooked:
                raise RopeError(f"No function that applies a rotation was found. {self._hints()}")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: Any) -> None:
        while self._restore:
            self._restore.pop()()
        self._hooked.clear()
        self._given.clear()

    def __len__(self) -> int:
        return len(self._rotations)

    def __getitem__(self, index: Any) -> Any:
        if not self._rotations:
            raise RopeError(f"No rotation was captured: run the model inside of `with capture(model)`. {self._hints()}")
        return self._rotations[index]

    def __repr__(self) -> str:
        return "\n".join(map(repr, self._rotations)) or "nothing captured"

    def _hints(self) -> str:
        """Names what may rotate unseen: compiled models, methods of other packages, rotary modules."""
        hints = []
        if hasattr(self._model, "_orig_mod"):
            hints.append("The model is compiled: capture model._orig_mod, the model it was compiled from.")
        classes = {type(module) for module in self._model.modules()}
        for kind in sorted(classes, key=lambda kind: kind.__qualname__):
            origin = _origin(getattr(kind, "forward", None))
            if _foreign(origin, kind.__module__) and not origin.startswith("torch."):
                hints.append(f"{kind.__qualname__}.forward is {origin}: it may rotate by itself.")
            elif _ROTARY.search(kind.__qualname__):
                hints.append(f"The model has {kind.__module__}.{kind.__qualname__}.")
        return " ".join([*hints, 'capture(model, functions=["NAME"]) names a function of the model\'s module to hook.'])

    def _hook(self) -> None:
        for module in self._model.modules():
            for kind in type(module).__mro__:
                for space in _namespaces(kind):
                    for name in list(space):
                        self._hook_one(space, name, str(space.get("__name__")))
                for name, found in list(vars(kind).items()):
                    if isinstance(found, staticmethod) and self._rotates(name, found.__func__):
                        self._replace_static(kind, name, found)
            for name in list(vars(module)):  # self.rotary_fn = apply_rotary_pos_emb
                self._hook_one(vars(module), name, type(module).__module__)
            positions = _position_parameter(module.forward)
            if positions and _ROTARY.search(type(module).__qualname__):
                self._watch(module, positions)
        if not self._hooked:  # rotary modules that rotate q and k themselves, as Falcon's once did and vLLM's do
            for module in self._model.modules():
                names = " ".join(_parameters(module.forward))
                if _ROTARY.search(type(module).__qualname__) and re.search(r"\bx?q", names) and re.search(r"\bx?k", names):
                    self._hooked.add((id(vars(module)), "forward"))
                    recording = self._recording(module.forward, _origin(module.forward), None)
                    self._put(vars(module), "forward", recording)

    def _rotates(self, name: str, found: Any) -> bool:
        names = (name, getattr(found, "__name__", ""))
        named = any(each in self._functions or _ROTATES.search(each) for each in names)
        return named and callable(found) and not isinstance(found, type)

    def _hook_one(self, space: Dict[str, Any], name: str, home: str) -> None:
        """Replaces a function by one that records; if it is a torch module, its forward is replaced."""
        function = space[name]
        if not self._rotates(name, function):
            return
        label = f"{home}.{getattr(function, '__name__', name)}"
        if hasattr(function, "forward") and hasattr(function, "_modules"):
            space, name, function = vars(function), "forward", function.forward
        if (id(space), name) not in self._hooked:
            self._hooked.add((id(space), name))
            origin = _origin(function)
            foreign = _foreign(origin, home) and not origin.startswith(_OWN)
            self._put(space, name, self._recording(function, label, origin if foreign else None))

    def _put(self, space: Dict[str, Any], name: str, value: Any) -> None:
        had, before = name in space, space.get(name)
        space[name] = value
        self._restore.append(lambda: space.__setitem__(name, before) if had else space.__delitem__(name))

    def _replace_static(self, kind: type, name: str, found: Any) -> None:
        if (id(kind), name) in self._hooked:
            return
        self._hooked.add((id(kind), name))
        setattr(kind, name, staticmethod(self._recording(found.__func__, _origin(found.__func__), None)))
        self._restore.append(lambda: setattr(kind, name, found))

    def _watch(self, module: Any, name: str) -> None:
        """Remembers the positions from which a rotary module makes its tables."""
        inner = module.forward
        place = list(signatures.signature(inner).parameters).index(name)

        @functools.wraps(inner)
        def forward(*args: Any, **kwargs: Any) -> Any:
            result = inner(*args, **kwargs)
            positions = kwargs.get(name, args[place] if place < len(args) else None)
            if positions is not None:
                table = result[0] if isinstance(result, (tuple, list)) else result
                self._given = [*self._given[-63:], (table, positions)]
            return result

        self._put(vars(module), "forward", forward)

    def _recording(self, inner: Callable[..., Any], function: str, replaced_by: Optional[str]) -> Callable[..., Any]:
        try:
            signature: Optional[signatures.Signature] = signatures.signature(inner)
        except (TypeError, ValueError):  # a builtin
            signature = None

        @functools.wraps(inner)
        def record(*args: Any, **kwargs: Any) -> Any:
            caller = None if self._inside else self._caller(sys._getframe(1))
            if caller is None or not self._wanted(caller.module):  # another model's call, or one within a recorded call
                return inner(*args, **kwargs)
            given = _bound(signature, args, kwargs)
            rotated = {name: value for name, value in given.items() if _is_tensor(value) and not _TABLES.search(name)}
            before = {name: _copy(value) for name, value in rotated.items()}
            self._inside = True
            try:
                result = inner(*args, **kwargs)
            finally:
                self._inside = False
            made = [value for value in (result if isinstance(result, (tuple, list)) else [result]) if _is_tensor(value)]
            after = made or list(rotated.values())  # a kernel that works in place may return nothing
            parts = [(self._role(caller, name, value, place, len(rotated)), before[name], after[place])
                     for place, (name, value) in enumerate(rotated.items()) if place < len(after)]
            self._add(caller, function, replaced_by, parts, given)
            return result

        return record

    def _caller(self, frame: Optional[FrameType]) -> Optional[_Caller]:
        """The module of this model whose method makes the call, its local variables, and the nearest position_ids."""
        module, names, positions = None, {}, None
        while frame is not None:
            variables = frame.f_locals
            owner = variables.get("self")
            if id(owner) in self._paths:
                if module is None:
                    module, names = owner, dict(variables)
                passed = variables.get("kwargs")
                found = variables.get("position_ids")
                if found is None and isinstance(passed, dict):
                    found = passed.get("position_ids")
                if positions is None and _is_tensor(found):
                    positions = found
            frame = frame.f_back
        return None if module is None else _Caller(module, names, positions)

    def _index(self, module: Any) -> Optional[int]:
        index = getattr(module, "layer_idx", None)
        found = re.search(r"\.(\d+)(\.|$)", "." + self._paths[id(module)])
        return index if isinstance(index, int) else int(found.group(1)) if found else None

    def _wanted(self, module: Any) -> bool:
        return self._layers is None or self._index(module) in self._layers

    @staticmethod
    def _role(caller: _Caller, name: str, value: Any, place: int, count: int) -> str:
        """q or k: by the order or, for one tensor at a time, by the name of the parameter or caller's variable."""
        if count > 1:
            return "k" if place else "q"
        names = [name, *(variable for variable, held in caller.names.items() if held is value)]
        keys = any(re.match(r"(x|xs)?k|.*_k(_|$)|.*key", each) for each in names)
        return "k" if keys and not any(re.match(r"x?q|.*_q(_|$)|.*query", each) for each in names) else "q"

    def _add(self, caller: _Caller, function: str, replaced_by: Optional[str], parts: List[Tuple[str, Any, Any]],
             given: Mapping[str, Any]) -> None:
        values: Dict[str, Any] = dict.fromkeys(("q_before", "q_after", "k_before", "k_after"))
        for role, before, after in parts[:2]:
            values[f"{role}_before"], values[f"{role}_after"] = before, _copy(after)
        layer = self._paths[id(caller.module)] or type(caller.module).__qualname__
        last = self._rotations[-1] if self._rotations else None
        if last and len(parts) == 1 and last.layer == layer and getattr(last, f"{parts[0][0]}_before") is None:
            kept = {name: getattr(last, name) for name, value in values.items() if value is None}
            self._rotations[-1] = CapturedRotation(**{**vars(last), **values, **kept})
            return
        cos, sin = _tables(given)
        arguments = {name: value for name, value in given.items() if not _is_tensor(value) and value is not None}
        self._rotations.append(CapturedRotation(
            layer=layer, index=self._index(caller.module), function=function, replaced_by=replaced_by, cos=_copy(cos),
            sin=_copy(sin), positions=_copy(self._positions(caller, given, cos)), arguments=arguments,
            config=getattr(self._model, "config", None), **values))

    def _positions(self, caller: _Caller, given: Mapping[str, Any], cos: Any) -> Any:
        """The positions given to the function, else those its table was made from, else those of its callers."""
        for name, value in given.items():
            if name in ("position_ids", "positions") and _is_tensor(value):
                return value
        tables = [value for value in given.values() if _is_tensor(value)]
        for table, positions in reversed(self._given):
            if any(table is value for value in tables):
                return positions
        tokens = None if cos is None else max(cos.shape[-2:-1], default=None)
        found = caller.positions
        return found if found is None or tokens is None or found.shape[-1] == tokens else None


def capture(model: Any, *, layers: Optional[Collection[int]] = None, functions: Collection[str] = ()) -> Captured:
    """Hooks the functions that rotate in a Hugging Face model within the `with`; outputs stay the same, bit for bit.

    These functions of the model's own modules are found by name, such as apply_rotary_pos_emb and its variants; `functions` adds names. `layers` keeps only those indices. The vectors are copied to the CPU.

    with capture(model) as captured:
        model(input_ids)
    captured[0].diagnose()
    """
    return Captured(model, layers, functions)


def _is_tensor(value: Any) -> bool:
    return hasattr(value, "detach") and hasattr(value, "shape")


def _copy(value: Any) -> Any:
    return value.detach().to("cpu", copy=True) if _is_tensor(value) else None


def _foreign(origin: str, home: str) -> bool:
    return bool(origin) and origin.partition(".")[0] != home.partition(".")[0]


def _origin(function: Any) -> str:
    function = getattr(function, "__func__", function)
    return f"{getattr(function, '__module__', None) or ''}.{getattr(function, '__qualname__', type(function).__name__)}"


def _namespaces(kind: type) -> Iterable[Dict[str, Any]]:
    """The modules in which the methods of a class look up what they call."""
    if kind is object or kind.__module__.partition(".")[0] == "torch":
        return []
    functions = [signatures.unwrap(found) for found in vars(kind).values() if callable(found)]
    spaces = [vars(sys.modules[kind.__module__])] if kind.__module__ in sys.modules else []
    spaces += [found.__globals__ for found in functions if hasattr(found, "__globals__")]
    return {id(space): space for space in spaces if not str(space.get("__name__")).startswith("torch.")}.values()


def _position_parameter(forward: Any) -> Optional[str]:
    return next((name for name in ("position_ids", "positions") if name in _parameters(forward)), None)


def _parameters(function: Any) -> List[str]:
    try:
        return list(signatures.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def _bound(signature: Optional[signatures.Signature], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Dict[str, Any]:
    """The arguments by the names of their parameters."""
    if signature is None:
        return {**{f"argument{place}": value for place, value in enumerate(args)}, **kwargs}
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:  # the call itself reports what is wrong
        return {}
    bound.apply_defaults()
    return dict(bound.arguments)


def _tables(given: Mapping[str, Any]) -> Tuple[Any, Any]:
    """cos and sin, also from a complex table."""
    cos, sin = (next((value for name, value in given.items() if word in name and _is_tensor(value)), None)
                for word in ("cos", "sin"))
    if cos is None:
        table = next((value for name, value in given.items() if "freq" in name and _is_tensor(value)), None)
        if table is not None and table.is_complex():
            return table.real, table.imag
    return cos, sin
