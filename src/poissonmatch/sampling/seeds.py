"""Random streams of replicates."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from ..utils.fingerprint import canonical


def seed_sequence(seed: int, source: Any, replicate: int) -> np.random.SeedSequence:
    """The random stream of one replicate.

    It depends on the root seed, on the point process's own parameters (`source`) and on the replicate, and on nothing else: so more
    replicates or cells change no other, blocks do not matter, and all rules see the same points.
    """
    words = np.frombuffer(hashlib.sha256(canonical(source).encode()).digest()[:16], dtype="<u4")
    return np.random.SeedSequence(seed, spawn_key=(*(int(w) for w in words), replicate))
