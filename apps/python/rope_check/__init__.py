"""rope_check: finds and proves how a rotary position embedding was applied, from tensors of any framework.

>>> right = golden("llama-3.1-8b", positions=range(8))
>>> print(diagnose(right.x, right.y, positions=right.positions, model="llama-3.1-8b").answer)
What you state fits along axis 0: ...
"""

from .arrays import Tensor
from .capture import Captured, CapturedRotation, capture
from .checks import Golden, assert_rotated, diagnose, golden, inspect, table, verify
from .program import InvalidInput, ProgramFailed, ProgramNotFound, RopeError, find_program, program_version
from .results import Diagnosis, Difference, Explanation, Inspection, Pair, Places, Rotary, Table, Verification

__all__ = ["Captured", "CapturedRotation", "Diagnosis", "Difference", "Explanation", "Golden", "Inspection",
           "InvalidInput", "Pair", "Places", "ProgramFailed", "ProgramNotFound", "RopeError", "Rotary", "Table",
           "Tensor", "Verification", "assert_rotated", "capture", "diagnose", "find_program", "golden", "inspect",
           "program_version", "table", "verify"]
