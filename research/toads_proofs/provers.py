"""Registry of the proofs: an entry for each stored certificate."""

import json
from collections.abc import Callable
from functools import partial

from poissonmatch_games.checkers.certificates import Certificate, load
from poissonmatch_games.checkers.check_families import Lookup
from poissonmatch_games.toads.canonical import CanonicalEngine
from poissonmatch_games.toads.conjectures import AGAINST_T5, CLAIMS
from poissonmatch_games.toads.strips import shape

from .find_cases import find_cases
from .guess_families import prove_class
from .guess_pieces import Pieces, mirrored
from .lemmas import E1_LEMMAS, ONE_BLANK

# what the certificates of claims prove: certificate and claim -> conclusion
_CONCLUSIONS = {(name, claim.name): x for claim in CLAIMS for name, x in claim.certificates.items()}
E1 = _CONCLUSIONS["E1", "E1"]
LEMMA_5_1, THEOREM_2 = (_CONCLUSIONS["Theorem-2", name] for name in ("Lemma 5.1", "Theorem 2"))
WINS = {**AGAINST_T5[3], **{name: x for (name, _), x in _CONCLUSIONS.items() if "strip" in x}}


def _theorem_2() -> Certificate:
    uses = ["A21", "A22"]
    return {"uses": uses, **find_cases([LEMMA_5_1, THEOREM_2], {name: Lookup(load(name)) for name in uses})}


def _e1() -> Certificate:
    lemma = json.dumps(load("Theorem-2")["claims"][0]).replace('"Lemma 5.1"', '"E1.0"')  # its proof uses itself
    return {"uses": [], **find_cases([json.loads(lemma), *E1_LEMMAS, E1], {})}


def _one_blank() -> Certificate:
    return {"uses": [], **find_cases([*ONE_BLANK], {})}


def _table(name: str) -> Certificate:
    return {"kind": "table", **WINS[name]}


# where the values of .^a T .^b F .^c F .^d bend; the first is their slope
_BENDS = ("-2a-b+d", "b-c", "-a+c+d", "-a+c", "-4a-b+2c+2d", "-5a-2b+c+4d", "-a-2b+c", "-a+d")


def _b12() -> Certificate:
    table = prove_class(".", "TFF", leave=("TFF",))
    words = {**table["words"], "TFF": Pieces("TFF", 34, _BENDS, CanonicalEngine()).tree()}
    return {"kind": "families", "symbol": ".", "letters": "TFF", "words": words}


def _mirror_image(table: Certificate) -> Certificate:
    words = mirrored(table["words"])
    return {"kind": "families", "symbol": ".", "letters": sorted(words)[-1], "words": words}


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n > 1)}"


# name -> (statement, function that makes the certificate)
PROOFS: dict[str, tuple[str, Callable[[], Certificate]]] = {
    **{
        f"A{blanks}{frogs}": (
            f"the value of every strip with {_count(blanks, 'empty square')}, {_count(frogs, 'frog')}, and any number of toads",
            partial(prove_class, "T", "." * blanks + "F" * frogs),
        )
        for blanks, frogs in ((1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3), (4, 1), (5, 1))
    },
    "B11": (
        "the value of every strip with one toad, one frog, and any number of empty squares",
        partial(prove_class, ".", "TF"),
    ),
    "B12": ("the value of every strip with one toad, two frogs, and any number of empty squares", _b12),
    "B21": (
        "the value of every strip with two toads, one frog, and any number of empty squares",
        lambda: _mirror_image(load("B12")),
    ),
    "Theorem-2": (
        "T^a .. F^a <= 1/2^n for all a >= 4 and all n; so it is infinitesimal, being its own negative",
        _theorem_2,
    ),
    "E1": ("T^a .. F^b = {{a-3|a-b}|{*|3-b}} for all a > b >= 3, with a = b + k + 1", _e1),
    "one-blank": (
        "Lemmas 4.2 to 4.5 of [T] with any pieces beyond, and 4.6 and 4.7 for at most three pairs TF",
        _one_blank,
    ),
    "T4-zero": ("T^6 .^12 F^6 is not 0: the first player wins it", partial(_table, "T4-zero")),
    "T4-star": ("T^6 .^12 F^6 is not *: the first player wins it plus *", partial(_table, "T4-star")),
    "E4": ("T^7 .^7 F^6 >= 2: Left wins it minus 2 if Right starts", partial(_table, "E4")),
    **{
        name: (f"{shape(won['strip'])} is not 0: the first player wins it", partial(_table, name))
        for name, won in WINS.items()
        if name.startswith("row")
    },
}


def prove(name: str) -> Certificate:
    """Return a new certificate for an entry of PROOFS. Raises KeyError for an unknown name."""
    statement, find = PROOFS[name]
    return {"name": name, "statement": statement, **find()}
