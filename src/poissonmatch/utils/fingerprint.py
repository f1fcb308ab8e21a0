"""Canonical JSON and short names for values."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical(value: Any) -> str:
    """Return the canonical JSON text of a value made of dicts, lists, strings and numbers."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=True)


def fingerprint(value: Any, length: int = 10) -> str:
    """Return the first hexadecimal digits of the SHA-256 of the value's canonical JSON."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:length]
