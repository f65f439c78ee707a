"""What the functions return: the program's answer in its own words, with its numbers as fields."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Tuple

from .words import in_python

Ranges = Tuple[Tuple[int, int], ...]


@dataclass(frozen=True, repr=False, eq=False)
class Answer:
    """The report as the program prints it, the whole JSON document, and the warnings."""
    text: str
    document: Mapping[str, Any]
    warnings: Tuple[str, ...]

    @property
    def answer(self) -> str:
        """The first sentences: the answer itself."""
        lines: List[str] = []
        for line in self.text.splitlines():
            if lines and (not line or line.startswith(" ") or lines[-1].endswith(".")):
                break
            lines.append(line)
        return " ".join(lines)

    def __repr__(self) -> str:
        return "\n".join([self.text, *(f"Warning: {warning}" for warning in self.warnings)])

    __str__ = __repr__


@dataclass(frozen=True)
class Difference:
    """What differs from what was stated, what to do about it, and the name of that remedy."""
    finding: str
    remedy: Optional[str]
    remedy_id: Optional[str]


@dataclass(frozen=True)
class Explanation:
    """One convention that reproduces y. `theta` is None for a pair that does not visibly turn."""
    layout: Optional[str]
    direction: Optional[str]
    base: Optional[float]
    scaling: Mapping[str, Any]
    rotary_dim: Optional[int]
    attention_factor: Optional[float]
    position_offset: Optional[int]
    theta: Tuple[Optional[float], ...] = field(repr=False)
    policy: Optional[str]
    max_error: Optional[float]
    assumed: bool
    remarks: Tuple[Difference, ...]
    differences: Tuple[Difference, ...]


@dataclass(frozen=True, repr=False, eq=False)
class Diagnosis(Answer):
    """Which convention explains x and y. `verdict` is unique, ambiguous or none; `stated` is fits, closest (apart from noise), differs or None. `differences` lists what to change: vectors that were not rotated, a known bug, and how the first explanation, or the closest fit if there is none, differs from what was stated.
    """
    verdict: str
    stated: Optional[str]
    explanations: Tuple[Explanation, ...]
    differences: Tuple[Difference, ...]

    @property
    def best(self) -> Optional[Explanation]:
        """The first explanation, if there is one."""
        return self.explanations[0] if self.explanations else None

    @property
    def remarks(self) -> Tuple[Difference, ...]:
        """What is unusual in the first explanation, such as positions that do not start at 0."""
        return self.best.remarks if self.best else ()


@dataclass(frozen=True)
class Pair:
    """One pair of one vector: where it is, what was found and what is right."""
    vector: int
    position: Any
    pair: int
    error: float
    bound: float
    found: Tuple[float, float]
    exact: Tuple[float, float]


@dataclass(frozen=True)
class Places:
    """Which parts of an axis (rows, heads, tokens, dimensions) fail and which are right, as ranges."""
    axis: str
    length: int
    failing: Ranges
    right: Ranges


@dataclass(frozen=True, repr=False, eq=False)
class Verification(Answer):
    """Whether y is x rotated as stated, within rounding. `verdict` is pass, fail or inconclusive."""
    verdict: str
    policy: str
    compared: int
    violations: int
    worst: Optional[Pair]
    first_violation: Optional[Pair]
    places: Tuple[Places, ...]

    @property
    def passed(self) -> bool:
        return self.verdict == "pass"

    def failing(self, axis: str) -> Ranges:
        """The failing ranges of one axis: "heads", "tokens" or "dimensions"."""
        return next((places.failing for places in self.places if places.axis == axis), ())


@dataclass(frozen=True)
class Rotary:
    """One rotary embedding of a model."""
    head_dim: int
    rotary_dim: int
    base: Optional[float]
    layout: str
    attention_factor: float
    scaling: Mapping[str, Any]
    inv_freq: Tuple[float, ...] = field(repr=False)


@dataclass(frozen=True, repr=False, eq=False)
class Inspection(Answer):
    """What a model's file or a preset asks for. `layer_types` has one entry, named "", if all layers are alike."""
    name: str
    model_type: Optional[str]
    context: Optional[int]
    layer_types: Mapping[str, Rotary]

    @property
    def rotary(self) -> Rotary:
        """The embedding of the first layer type that rotates."""
        return next(iter(self.layer_types.values()))


@dataclass(frozen=True)
class Table:
    """Exact cos and sin, [tokens, rotary_dim / 2] in float64, times the attention factor; lists if NumPy is missing."""
    cos: Any = field(repr=False)
    sin: Any = field(repr=False)
    rotary: Mapping[str, Any]


def only(kind: Any, document: Optional[Mapping[str, Any]], **given: Any) -> Any:
    """Fills a dataclass from the document's keys of the same names; lists become tuples."""
    if document is None:
        return None
    keys = {name: _frozen(document.get(name)) for name in kind.__dataclass_fields__}
    return kind(**{**keys, **given})


def _frozen(value: Any) -> Any:
    return tuple(_frozen(part) for part in value) if isinstance(value, list) else value


def _difference(found: Mapping[str, Any]) -> Difference:
    remedy = found.get("remedy")
    return only(Difference, found, finding=in_python(found["finding"]), remedy=remedy and in_python(remedy))


def diagnosis(text: str, document: Mapping[str, Any], warnings: Tuple[str, ...]) -> Diagnosis:
    def advice(found: Mapping[str, Any], kind: str) -> Tuple[Difference, ...]:
        return tuple(_difference(each) for each in found.get(kind, []))

    explanations = tuple(
        only(Explanation, found, theta=_frozen(found.get("theta") or []), scaling=found.get("scaling") or {},
             remarks=advice(found, "remarks"), differences=advice(found, "differences"))
        for found in document["explanations"])
    fit = document.get("best_fit") or {}
    nearest = (document["explanations"] or [fit])[0]
    bug = {"finding": fit.get("known_bug"), "remedy": fit.get("remedy"), "remedy_id": fit.get("remedy_id")}
    return Diagnosis(text, document, warnings, document["verdict"], document["stated"], explanations,
                     advice(document.get("exceptions") or {}, "said") + ((_difference(bug),) if bug["finding"] else ()) +
                     advice(nearest, "differences"))


def verification(text: str, document: Mapping[str, Any], warnings: Tuple[str, ...]) -> Verification:
    outputs: Dict[str, Any] = document["outputs"]
    places = (document.get("places") or {}).get("axes", [])
    return Verification(text, document, warnings, document["verdict"], document["policy"]["name"], outputs["compared"],
                        outputs["violations"], only(Pair, outputs["worst"]), only(Pair, outputs["first_violation"]),
                        tuple(only(Places, each) for each in places))


def inspection(text: str, document: Mapping[str, Any], warnings: Tuple[str, ...]) -> Inspection:
    kinds = document.get("layer_types") or {"": document}
    rotaries = {name: only(Rotary, kind, scaling=kind["scaling"]) for name, kind in kinds.items() if "inv_freq" in kind}
    return Inspection(text, document, warnings, document["name"], document["model_type"], document["context"], rotaries)
