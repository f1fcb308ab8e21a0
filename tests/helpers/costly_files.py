"""Files whose check would take long or much memory: each is refused, with little of both."""

from helpers import false_theorems as forged


def _nested(depth, inner="0"):
    """{{..{0|0}|0}|0}, as deep as `depth`."""
    return "{" * depth + inner + "|{0|0}}" * depth


def _pair(left, right):
    return "{" + ",".join(left) + "|" + ",".join(right) + "}"


def _everywhere(value):
    """A12 with this value for every word."""
    return {**forged.stored("A12"), "words": dict.fromkeys(forged.stored("A12")["words"], value)}


def _asked_first(name):
    """A table in which useless questions come first."""
    table = forged.stored(name)
    word, tree = next(iter(table["words"].items()))
    for question in ("5a-7b+4c-3d-1", "5c-4d+3e-7f-1", "3a-5f+4b-7e-1"):
        tree = [question, tree, tree]
    table["words"][word] = tree
    return table


def _splits(names):
    """A proof that splits a cone of many parameters into as many parts as a file may hold."""

    def node(depth):
        return (
            {"split": f"{names[depth]}-1", "cases": [node(depth + 1), node(depth + 1)]}
            if depth < 13
            else {"by": "jumps"}
        )

    return node(0)


def _played(bound):
    position = ".^5 T F .^5 T F .^2"
    return forged.claim("t", position, forged.at(f"{position} <= {bound}", by="play"), bound=bound)


def _claim_of(k):
    return forged.claim(f"c{k}", "T .", forged.at("T . <= 1", by="play"), bound="1")


_NAMES = [f"{letter}{digit}" for letter in "abcdefgh" for digit in range(10)]
_TREE = ["b-1", "b", "b"]
for _ in range(12):
    _TREE = ["b-1", _TREE, _TREE]

# name -> (certificate, text of the refusal, or of the counts of those that are true)
COSTLY = {
    "T4 with another free move": ({**forged.stored("T4-zero"), "free": -1}, "more than 15000000 operations"),
    "a table of frogs": (forged.table("T" + "." * 30 + "F" * 10), "too many positions"),
    "a table of 10^6 squares": (forged.table("T" + "." * 10**6 + "F"), "at most 200 squares"),
    "the largest table within the bound": (forged.table("T" * 6 + "." * 9 + "F" * 6), "positions"),
    "values as deep as a text": (_everywhere(_nested(60)), "is not the value"),
    "values of many options": (_everywhere(_pair([_pair("*" * 6, "*" * 6)] * 8, [_pair("*" * 6, "*" * 6)] * 8)), "words, .FF: "),
    "many formulas": (forged.families("A11", {"F.": _TREE}), "words, F.: "),
    "many questions that split": (_asked_first("A51"), "steps; --allow-long"),
    "many claims": (forged.cases(*map(_claim_of, range(15_000))), ""),
    "many parameters, split many times": (
        forged.cases(forged.claim("t", " ".join(f"T^({name})" for name in _NAMES[:70]), _splits(_NAMES), **dict.fromkeys(_NAMES[:70], 0))),
        "claims[0].proof.cases",
    ),
    "a bound of many parts, played": (forged.cases(_played(_nested(50))), "claims"),
    "a bound of -100000, played": (
        forged.cases(forged.claim("t", "F .", forged.at("F . <= -100000", by="play"), bound="-100000")), "claims[0].proof: ",
    ),
}  # fmt: skip
