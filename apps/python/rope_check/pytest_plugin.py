"""Fixtures for pytest: `rope_golden(model, …)` and `assert_rotated(x, y, …)`."""

from typing import Callable

import pytest

from . import checks


@pytest.fixture(scope="session")
def rope_golden() -> Callable[..., checks.Golden]:
    """Test vectors of a model: `vectors = rope_golden("llama-3.1-8b"); vectors.check(my_rope(vectors.x, …))`."""
    return checks.golden


@pytest.fixture(scope="session")
def assert_rotated() -> Callable[..., None]:
    """`assert_rotated(x, y, model="llama-3.1-8b")`: passes, or says which heads, tokens and dimensions fail."""
    return checks.assert_rotated
