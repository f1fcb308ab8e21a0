"""Study files that are wrong: what each holds, and words that the answer must hold. A specification of what `validate` refuses."""


def study(body: str) -> str:
    return "studies:\n  a: {" + body + "}\n"


def with_title(title: str) -> str:
    return GOOD + "figures:\n  f: {kind: tail, studies: a, title: " + title + "}\n"


GOOD = study("dims: 2, sizes: 50, replicates: 2")
DEEP = "studies: " + "{a: " * 60 + "1" + "}" * 60
BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nstudies: [*b, *b]\n"

STRUCTURE = {
    "unknown key": (GOOD.replace("dims", "dmis"), ("line 2", "'dmis'", "did you mean 'dims'")),
    "duplicate key": (GOOD + "seed: 1\nseed: 2\n", ("line 4", "'seed'", "line 3")),
    "python tag": (GOOD + "seed: !!python/object/apply:os.system ['touch pwned']\n", ("line 3", "tag")),
    "alias bomb": (BOMB, ("line 1", "anchors")),
    "deep nesting": (DEEP, ("nested",)),
    "another YAML": ("%YAML 1.1\n---\n" + GOOD, ("line 1", "%", "YAML 1.2")),
    "a version that is no number": ("%YAML " + "9" * 5000 + ".1\n---\n" + GOOD, ("line 1", "not valid YAML")),
    "two documents": (GOOD + "---\n" + GOOD, ("line 3", "not valid YAML")),
    "no space after a colon": ("seed:7\n" + GOOD, ("line 1", "'seed:' needs a space after it")),
    "no YAML": ("a: [1, 2\nb: }", ("line 2", "not valid YAML")),
    "merge key": (GOOD.replace("sizes: 50", "<<: {sizes: 50}"), ("unknown key '<<'",)),
    "a list for a key": (GOOD + "? [a]\n: 1\n", ("line 3", "a key must be a word")),
    "yte": ("__use_yte__: true\n__definitions__:\n  - import os; os.system('touch pwned')\n" + GOOD, ("__use_yte__",)),
    "list of studies": ("studies: [1, 2]\n", ("studies",)),
    "a list of keys": ("- studies\n", ("mapping", "seed, studies, laws, figures")),
    "a scalar": ("42\n", ("mapping",)),
    "nothing": ("", ("mapping",)),
    "no studies": ("studies: {}\n", ("studies",)),
    "null": (GOOD.replace("50", "null"), ("sizes",)),
    "endless list": (GOOD.replace("50", "[" + "1," * 10_001 + "]"), ("sizes", "at most 10000", "a range")),
    "many problems": ("".join(f"k{k}: 1\n" for k in range(500)), ("and 481 more problems",)),
}
CHARACTERS = {
    "a NUL": ("a: \0", ("line 1", "not valid YAML", "U+0000")),
    "an escape": (GOOD + "# \x1b[31m\n", ("line 3", "U+001B", "remove it")),
    "an escape that is written out": (with_title('"\\e[31m"'), ("line 4", "U+001B")),
    "half a character": (with_title('"\\ud800"'), ("line 4", "U+D800")),
    "two lines": (with_title('"a\\nb"'), ("line 4", "U+000A")),
    "end of a line that is none": (GOOD.replace("a:", "a:\u2028"), ("line 2", "U+2028")),
    "UTF-16": (GOOD.encode("utf-16"), ("UTF-16", "save it as UTF-8")),
    "Latin-1": ("studies:\n  \xe4: 1\n".encode("latin-1"), ("line 2", "byte 3", "0xe4", "'ä' in Latin-1", "UTF-8")),
    "binary": (bytes(range(1, 256)) * 10, ("line 2", "byte 118", "0x80", "UTF-8")),
}
NUMBERS = {
    "yes": (GOOD.replace("50", "yes"), ("line 2", "studies.a.sizes", "'yes'", "true or false", "quotes")),
    "base 60": (GOOD.replace("50", "1:30"), ("line 2", "'1:30'", "plain decimal")),
    "base 8": (GOOD.replace("replicates: 2", "replicates: 010"), ("line 2", "'010'", "plain decimal")),
    "other digits": (GOOD.replace("50", "\u0665"), ("sizes", "is text")),
    "nan": (GOOD.replace("50", ".nan"), ("line 2", "sizes")),
    "infinity": (GOOD.replace("50", "-.inf"), ("line 2", "sizes")),
    "overflow": (GOOD.replace("50", "1.0e+999"), ("line 2", "sizes", "too large")),
    "underflow": (GOOD.replace("50", "1e-400"), ("line 2", "sizes", "too small")),
    "number as text": (GOOD.replace("50", "'50'"), ("line 2", "sizes", "'50' is text; write it without quotes")),
    "whole number with a point": (
        GOOD.replace(": 2}", ": 1000.0}"),
        ("replicates", "whole number, got 1000.0; write 1000"),
    ),
    "half a replicate": (GOOD.replace("replicates: 2", "replicates: 2.5"), ("replicates", "whole number, got 2.5")),
    "many digits": (GOOD.replace("50", "9" * 5000), ("sizes", "more than 100 characters")),
    "negative size": (GOOD.replace("50", "-5"), ("line 2", "greater than 0")),
    "huge size": (GOOD.replace("50", "1.0e+300"), ("less than",)),
    "tiny size": (GOOD.replace("50", "1.0e-300"), ("at least 1e-15",)),
    "negative replicates": (GOOD.replace("replicates: 2", "replicates: -2"), ("replicates",)),
    "true for a number": (GOOD.replace("replicates: 2", "replicates: true"), ("replicates",)),
    "dimension 0": (GOOD.replace("dims: 2", "dims: 0"), ("dimension",)),
    "a date": (GOOD.replace("50", "2020-01-01"), ("sizes",)),
    "negative seed": (GOOD + "seed: -1\n", ("line 3", "seed")),
    "seed too large": (GOOD + f"seed: {2**128}\n", ("seed",)),
    "logarithm of 0": (
        study("process: two_color, dims: 2, sizes: 9, ratios: {from: 0, to: 1, steps: 3, scale: log}, replicates: 2"),
        ("ratios", "logarithm", "0"),
    ),
    "yte expression": (GOOD.replace("50", "\"?__import__('os').system('touch pwned')\""), ("is text",)),
}
NAMES = {
    "name that climbs": (GOOD.replace("a:", "../../x:"), ("not a name",)),
    "name with a command": (GOOD.replace("a:", '"a; touch x #":'), ("not a name",)),
    "name with a line break": (GOOD.replace("a:", '"a\\nb":'), ("line 2", "U+000A")),
    "figure name that climbs": (GOOD + "figures: {../x: {kind: tail, studies: a}}", ("not a name",)),
    "rule with a command": (GOOD.replace("dims", 'rule: "multi(3); touch x", dims'), ("unknown rule",)),
    "a rule with the name of a process": (
        GOOD.replace("dims", "rule: two_color, dims"),
        (": unknown rule 'two_color'; did you mean 'two-color'?\n",),
    ),
    "a process without a name": (GOOD.replace("dims", "process: {name: [thomas]}, dims"), ("process", "a name")),
}
# Each would be simulated, and then fail in the tables or in the figures, or be drawn twice.
TWICE = {
    "one dimension twice": (GOOD.replace("dims: 2", "dims: [2, 2]"), ("line 2", "dims[1]: 2 occurs twice")),
    "one size twice": (GOOD.replace("50", "[64, 64.0]"), ("sizes[1]: 64 occurs twice",)),
    "a range that rounds to one": (
        GOOD.replace("50", "{from: 1, to: 1.0000000000001, steps: 3}"),
        ("sizes[1]: 1 occurs twice",),
    ),
    "one lattice twice": (
        study("process: lattice, dims: [1, 2], sizes: [60, 62], replicates: 1"),
        ("sizes[1]: 62 and 60 are both 64 points in d = 2",),
    ),
    "one ratio twice": (
        study("process: two_color, dims: 2, sizes: 9, ratios: [0.1, 1e-1], replicates: 2"),
        ("ratios[1]: 0.1 occurs twice",),
    ),
    "one intensity twice": (
        GOOD.replace("dims", "intensities: [1, [1.0]], dims"),
        ("intensities[1]: (1.0,) occurs twice",),
    ),
    "one study twice in a figure": (
        GOOD + "figures:\n  f: {kind: tail, studies: [a, a]}\n",
        ("line 4", "figures.f.studies[1]: 'a' occurs twice"),
    ),
    "studies that a Mac has in one folder": (
        GOOD + "  A: {dims: 2, sizes: 50, replicates: 2}\n",
        ("line 3", "studies.A: equals 'a' on a disk"),
    ),
    "figures that a Mac has in one file": (
        GOOD + "figures:\n  f: {kind: tail, studies: a}\n  F: {kind: tail, studies: a}\n",
        ("line 5", "figures.F: equals 'f' on a disk"),
    ),
}
MANY = "{from: 10, to: 1000, steps: 10000}"
# What no machine can make. Refused by arithmetic, before a list is written out.
IMPOSSIBLE = {
    "too dense": (
        GOOD.replace("dims", "process: {name: matern, distance: 5}, dims"),
        ("line 2", "studies.a.process", "d = 2", "distance 5 has intensity below 0.0127324, not 1"),
    ),
    "too dense at one intensity only": (
        GOOD.replace("dims", "process: matern, intensities: {from: 0.1, to: 2, steps: 99}, dims"),
        ("intensity 2", "intensity below 1.27324, not 2"),
    ),
    "smaller than its distance": (
        study("process: matern, dims: 1, sizes: [0.5, 50], replicates: 2"),
        ("0.5 points", "distance 0.5 must be at most half the side 0.5"),
    ),
    "many parents": (
        GOOD.replace("dims", "process: {name: thomas, offspring: 1.0e-14}, dims"),
        ("studies.a.process", "5e+15 points", "at most 1e+12"),
    ),
    "no children": (
        GOOD.replace("dims", "process: {name: thomas, offspring: 0}, dims"),
        ("offspring must be positive",),
    ),
    "many points": (GOOD.replace("50", "1e13"), ("sizes", "1e+13 points", "at most 1e+12")),
    "large points": (GOOD.replace("50", "1e10"), ("s.yaml", "memory, more than 64 GB", "--allow-large")),
    "a large table of distances": (
        GOOD.replace("dims: 2, sizes: 50", "dims: inf, sizes: 30000, observables: [desirers]"),
        ("up to 20000",),
    ),
    "thin": (GOOD.replace("dims", "intensities: 1.0e-300, dims"), ("intensities[0]", "at least 1e-15")),
    "dense": (GOOD.replace("dims", "intensities: 1.0e+300, dims"), ("intensities[0]", "less than 1e+15")),
    "points far apart": (GOOD.replace("dims", "intensities: 1e-14, dims"), ("1e+07 apart", "unit of length")),
    "no points": (GOOD.replace("dims", "intensities: [1, 0], dims"), ("intensities[1]", "no color has points")),
    "many cells": (
        study(f"process: two_color, dims: [1, 2], sizes: {MANY}, ratios: {MANY}, replicates: 2"),
        ("line 2", "studies.a", "200000000 cells", "at most 1000000"),
    ),
    "many replicates": (
        GOOD.replace("50, replicates: 2", "{from: 10, to: 1000, steps: 5000}, replicates: 1000000"),
        ("s.yaml", "--allow-large"),
    ),
}
MISFITS = {
    "target without a most": (GOOD.replace("dims", "target_rel_se: 0.1, dims"), ("max_replicates",)),
    "target of a color without points": (
        study("process: two_color, dims: 1, sizes: 9, ratios: 0, replicates: 8, max_replicates: 9, target_rel_se: 0.1"),
        ("no intensity may be 0",),
    ),
    "process parameter": (
        GOOD.replace("dims", "process: {name: thomas, spread: -1}, dims"),
        ("spread", "0 or greater"),
    ),
    "figure without study": (GOOD + "figures:\n  f: {kind: tail,\n      studies: b}", ("line 5", "no study 'b'")),
    "figure that needs more": (
        GOOD + "figures:\n  f: {kind: tail, studies: a}\n  g: {kind: components, studies: a}\n",
        ("line 5", "figures.g.studies[0]", "must list components"),
    ),
    "figure of a color without points": (
        study("process: two_color, rule: fussy, dims: 1, sizes: 9, ratios: 0, replicates: 2")
        + "figures: {f: {kind: fussy, studies: a}}",
        ("line 3", "study a has no points of a color"),
    ),
    "figure of no kind": (with_title("x").replace("tail", "tale"), ("line 4", "kind", "did you mean 'tail'?")),
    "title that is no formula": (with_title("'$\\foo$'"), ("line 4", "figures.f.title", "not a formula")),
}
FILES = {**STRUCTURE, **CHARACTERS, **NUMBERS, **NAMES, **TWICE, **IMPOSSIBLE, **MISFITS}

# Files that may be read, and what `validate` says of them beside their cells.
FINE = {
    "plain": (GOOD, ()),
    "lines that end as on Windows": (GOOD.replace("\n", "\r\n"), ()),
    "lines that end as on an old Mac": (GOOD.replace("\n", "\r"), ()),
    "a mark of the byte order": (b"\xef\xbb\xbf" + GOOD.encode(), ()),
    "letters": (with_title("Größe \u2014 \u5927\u5c0f"), ()),
    "words that are values elsewhere": (with_title("N") + "  no: {kind: tail, studies: a, title: 2020-01-01}\n", ()),
    "less than a point": (GOOD.replace("50", "[0.5, 2]"), ("note: ", "studies.a.sizes: 0.5 is less than one point")),
    "a lattice far from what was asked for": (
        study("process: lattice, dims: [2, 20], sizes: 3000, replicates: 2"),
        ("note: ", "the lattice in d = 20 nearest to 3000 points has 1"),
    ),
}
