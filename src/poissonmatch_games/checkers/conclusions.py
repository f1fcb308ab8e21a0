"""What a certificate proves, compared with what it is stored for."""

from typing import Any

from .check_families import Lookup
from .cones import Undecided, read_integer
from .trees import read_tree

# A position and who wins it: {strip, star, free, first}. An inequality: {name, position, bound, least}; an equality has a value, no bound.
# The value of a family: {symbol, letters, word, runs, value}, the runs and the value with the same parameters.
Conclusion = dict[str, Any]

_PROOFS = {"proof", "mirror"}
_VALUE = {"symbol", "letters", "word", "runs", "value"}


def concludes(certificate: dict[str, Any], conclusion: Conclusion) -> bool:
    """Return whether a certificate that its checker accepted proves the conclusion."""
    kind = certificate["kind"]
    if kind == "cases":
        return any(
            {**conclusion, **{k: claim[k] for k in _PROOFS & set(claim)}} == claim for claim in certificate["claims"]
        )
    if kind == "families":
        return set(conclusion) == _VALUE and _has_value(certificate, conclusion)
    return set(conclusion) == {"strip", "star", "free", "first"} and all(
        certificate[key] == x for key, x in conclusion.items()
    )


def _has_value(certificate: dict[str, Any], conclusion: Conclusion) -> bool:
    if any(certificate[key] != conclusion[key] for key in ("symbol", "letters")):
        return False
    try:
        value = Lookup(certificate).value(conclusion["word"], [read_integer(run) for run in conclusion["runs"]])
    except Undecided:
        return False
    return value == read_tree(conclusion["value"])
