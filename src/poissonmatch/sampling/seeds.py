"""Random streams of replicates."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from ..utils.fingerprint import canonical


def seed_sequence(seed: int, source: Any, replicate: int) -> np.random.SeedSequence:
    """Return the seed sequence of one replicate.

    It depends only on the root seed, the parameters of the point process (`source`) and the replicate. Adding replicates or cells
    therefore changes no other replicate, blocks do not matter, and all rules see the same points.
    """
    words = np.frombuffer(hashlib.sha256(canonical(source).encode()).digest()[:16], dtype="<u4")
    return np.random.SeedSequence(seed, spawn_key=(*(int(w) for w in words), replicate))
