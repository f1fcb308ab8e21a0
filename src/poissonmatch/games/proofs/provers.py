"""Registry of the proofs of `poissonmatch games prove`: an entry for each stored certificate."""

from collections.abc import Callable
from functools import partial

from ..checkers.certificates import Certificate, load
from ..checkers.check_families import Lookup
from ..toads.notation import parse_strip
from .find_cases import find_cases
from .find_strategy import find_strategy
from .guess_families import prove_class

CLAIMS = [
    {"name": "Lemma 5.1", "position": "L T^a F . T^k F T . F^b", "bound": "1/2^n", "least": dict(a=0, k=0, b=1, n=0)},
    {"name": "Theorem 2", "position": "T^a .^2 F^a", "bound": "1/2^n", "least": dict(a=4, n=0)},
]


def _theorem_2() -> Certificate:
    uses = ["A21", "A22"]
    return {"uses": uses, **find_cases(CLAIMS, {name: Lookup(load(name)) for name in uses})}


def _table(strip: str, star: int = 0) -> Certificate:
    return {"kind": "table", "strip": parse_strip(strip), "star": star, "free": 0, "first": "Left"}


_T4, _E4 = "T^6 .^12 F^6", "T^7 .^7 F^6"
# name -> (statement, function that makes the certificate)
PROOFS: dict[str, tuple[str, Callable[[], Certificate]]] = {
    **{
        f"A{blanks}{frogs}": (
            f"the value of every strip with {blanks} empty and {frogs} frogs' squares, and any number of toads",
            partial(prove_class, "T", "." * blanks + "F" * frogs, first),
        )
        for blanks, frogs, first in ((1, 1, 5), (1, 2, 5), (2, 1, 5), (2, 2, 5), (3, 2, 8))
    },
    "B11": (
        "the value of every strip with one toad, one frog, and any number of empty squares",
        partial(prove_class, ".", "TF"),
    ),
    "B12": (
        "the value of every strip with one toad, two frogs, and any number of empty squares, but of T .. F .. F",
        partial(prove_class, ".", "TFF", 6, leave=("TFF",)),
    ),
    "B21": (
        "the value of every strip with two toads, one frog, and any number of empty squares, but of T .. T .. F",
        partial(prove_class, ".", "TTF", 6, leave=("TTF",)),
    ),
    "Theorem-2": (
        "T^a .. F^a <= 1/2^n for all a >= 4 and all n; so it is infinitesimal, being its own negative",
        _theorem_2,
    ),
    "T4-zero": (f"{_T4} is not 0: the first player wins it", partial(_table, _T4)),
    "T4-star": (f"{_T4} is not *: the first player wins it plus *", partial(_table, _T4, star=1)),
    "E4": (f"{_E4} >= 2: Left wins it minus 2 if Right starts", partial(find_strategy, _E4, free=-2, first="Right")),
    **{
        f"row-3-{b}": (f"T^3 .^{b} F^3 is not 0: the first player wins it", partial(find_strategy, f"T^3 .^{b} F^3"))
        for b in (14, 29, 59)
    },
}


def prove(name: str) -> Certificate:
    """Return a new certificate for an entry of PROOFS. Raises KeyError for an unknown name."""
    statement, find = PROOFS[name]
    return {"name": name, "statement": statement, **find()}
