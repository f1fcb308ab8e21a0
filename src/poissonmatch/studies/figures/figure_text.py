"""All words of figures: labels of axes and legends by quantity or column, and sentences of captions by kind of figure.

Mathematics is LaTeX between dollar signs. Names between braces, such as {first}, are replaced by `filled`; other
braces belong to mathematics.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...rules.rule import MAX_COLORS, Rule
from ...theory.volumes import is_mean_field
from ...utils.libraries import pd
from .figure_rows import color_names, families, total_intensity
from .text_format import filled, number, of_space, spread

COUNT = "number of points"
RATIO = r"$\rho$ = intensity of {second} / of {first} points"
INVERSE, INVERSE_ROOT = r"$1/\rho$", r"$1/\sqrt{\rho}$"
RADIUS, STEPS, VOLUME = "$r$", "$k$", "$V$"
ALICE_WINS, WHO_WINS = "P(Alice wins)", "who wins"
UNMATCHED_RED, LOG_INVERSE = r"$u(\rho)$, red points unmatched", r"$\ln(1/u)$"
UNMATCHED_POINTS, OF_POINTS, QUANTILE = "unmatched points", "fraction of the points", "quantile of $X_k$"
BEYOND, FARTHER = "balls, partner beyond", "the fraction of the balls with a partner farther than"
PARTNERED = {"_matched": "of matched points", "_unmatched": "of unmatched points"}

# For each kind and quantity, or other key of an aspect: the labels of the x and y axes, and its name in the caption.
AXES: dict[str, dict[str, tuple[str, ...]]] = {
    "tail": {"tail": (RADIUS, "$P(X > r)$")},
    "scaled-tail": {"scaled_tail": (RADIUS, r"$V(r)\,P(X > r)$")},
    "transition": {
        "unmatched_density": (RATIO, "unmatched points / {first} points", UNMATCHED_POINTS),
        "deviation": (RATIO, "estimate $-$ exact", "deviation"),
    },
    "fussy": {"linear": (RATIO, UNMATCHED_RED, "linear"), "logarithmic": (RATIO, UNMATCHED_RED, "logarithmic")},
    "fussy-log": {
        "inverse": (INVERSE, LOG_INVERSE, f"against {INVERSE}"),
        "inverse_root": (INVERSE_ROOT, LOG_INVERSE, f"against {INVERSE_ROOT}"),
    },
    "collapse": {"ratio_slope": (r"$\epsilon - \rho$", r"$(d \ln \epsilon / d \ln V)^2$")},
    "response": {
        "response": (VOLUME, "$Y(V)$", "the response"),
        "response_slope": (VOLUME, r"$d Y / d \ln V$", "its slope"),
    },
    "laws": {"log_inverse_unmatched": (r"$\sqrt{\rho}$", r"$\sqrt{\rho} \, \ln(1/u)$")},
    "finite-size": {"unmatched_fraction": ("$m$, expected unmatched red points on a torus", "$u(N) / u(N_{max})$")},
    "winner": {"alice_wins": (COUNT, ALICE_WINS)},
    "winner-ratio": {
        "alice_wins": (RATIO, ALICE_WINS, WHO_WINS),
        "n_unmatched": (RATIO, "P(Bob wins)", WHO_WINS),
        "unmatched_fraction": (RATIO, "unmatched fraction of {second} points", UNMATCHED_POINTS),
    },
    "n-unmatched": {"n_unmatched": (COUNT, "probability")},
    "incomplete": {"incomplete_fraction": (COUNT, "fraction of points below their capacity")},
    "shy": {
        "tail": ("$c$", "$P(X > c)$", "the fraction of the points whose partner is farther than $c$"),
        "desirers": (
            RADIUS,
            "desirers within $r$",
            "the mean number of points within $r$ that desire a typical point",
        ),
    },
    "labels": {
        "tail": (RADIUS, "$P(X_k > r)$", "tails"),
        "quantile": (STEPS, QUANTILE, "quantiles"),
        "quantile_of_label": ("label $k$", QUANTILE, "quantiles"),
    },
    "balls": {
        "outside": (
            RADIUS,
            "points with partners outside",
            "the fraction of the points of a ball with partners outside",
        ),
        "farther_than_2r": (RADIUS, f"{BEYOND} $2 r$", f"{FARTHER} $2 r$ from the center"),
        "farther_than_4r": (RADIUS, f"{BEYOND} $4 r$", f"{FARTHER} $4 r$ from the center"),
    },
    "components": {"": (COUNT, OF_POINTS)},
    "rounds": {
        "rounds": (COUNT, "rounds", "the rounds that the matching takes"),
        "round_tail": (STEPS, OF_POINTS, "points without a partner after $k$ rounds"),
    },
    "play-length": {
        "longest_play": (COUNT, "moves", "the longest game of a torus"),
        "play_length_tail": (STEPS, OF_POINTS, "games of more than $k$ moves"),
    },
    "chains": {
        "chain_steps": (VOLUME, "steps", "its mean number of steps, the first within the ball of $V$ points"),
        "chain_tail": (STEPS, OF_POINTS, "the fraction of points with $k$ steps or more, $V = 1$"),
    },
    "window": {"window_tail": (RADIUS, OF_POINTS)},
    "structure-factor": {f"structure_factor{key}": ("$k$", f"$S(k)$ {of}", of) for key, of in PARTNERED.items()},
    "number-variance": {
        f"number_variance{key}": (RADIUS, f"variance / mean {of}", of) for key, of in PARTNERED.items()
    },
}
MAP = ("longitude", "latitude")  # axes of a map of a sphere
BEFORE_AND_AFTER = ("the matching", "what is left")  # panels of a deletion

# ---- legends ----

# Values of a column, by column; for some kinds, by column or by column and value.
ENTRIES: dict[str, str] = {
    "size": "{value} points",
    "ratio": r"$\rho = {value}$",
    "intensity_0": "intensity {value}",
    "intensity_1": "second intensity {value}",
    **{f"intensity_{k}": f"intensity {{value}} of color {k}" for k in range(2, MAX_COLORS)},
}
LABEL_ENTRY = "label {value}"
ENTRIES_OF_KIND: dict[str, dict[str, str]] = {
    "n-unmatched": {"x": "{value} left"},
    "labels": {"x": "quantile {value}", "order": "k = {value}"},
    "components": {
        "quantity largest_component": "largest",
        "quantity second_component": "second",
        "quantity component_squares": "sum of squares",
    },
}
EXACT_LABEL = "exact"
INFINITE_VOLUME = "infinite volume"
LIMIT = "limit"
CONSTANT_FROM_U, CONSTANT_FROM_Y = "$C_d$ from $u$", "$C_d$ from $Y$"
OCTAVES = "octave by octave"
UNMATCHED = "without a partner"
PARTNERS = ("nearest partner", "second partner", "third partner")
PLAYERS = {"Alice": "Alice", "Bob": "Bob", "either": "either player"}
PAD = "{name} pad"
CUSTOM_RULE, POINTS, MATCHING = "custom rule", "points", "matching"  # names of what has none


def dim_name(dim: float) -> str:
    """Return a dimension for a legend."""
    return "mean field" if is_mean_field(dim) else f"$d = {dim:g}$"


def partner_name(rule: Rule, order: int) -> str:
    """Return the name of the partners of an order."""
    if rule.labels:
        return filled(LABEL_ENTRY, value=order)
    return PARTNERS[order] if order < len(PARTNERS) else f"partner {order + 1}"


# ---- captions ----

OPEN_PROBLEM = r"""Fussy matching: $\rho$ red points for each green one, no red-red pair. Whether red points stay
    unmatched for every $\rho > 0$ in fixed $d \ge 2$ is an open problem (Deijfen, Holroyd and Martin, sec. 3.3)."""
# First sentences, by kind or by what is drawn. Here and in FACTS, the end of a line is a space.
CAPTIONS: dict[str, str] = {
    "tail": "Probability that the partner of a typical point is farther than $r$ (unmatched: infinitely far).",
    "scaled-tail": """The tail of the partner distance times $V(r)$, the expected number of points in a ball of
        radius $r$; only distances below the cutoff of the torus are shown.""",
    "transition": r"""Stable matching of points of intensities $\alpha$ ({first}) and $\beta$ ({second}): intensity
        of the unmatched points of each color, divided by $\alpha$, against $\rho = \beta/\alpha$.""",
    "fussy": f"{OPEN_PROBLEM} Unmatched fraction $u$ of red points.",
    "fussy-log": f"""{OPEN_PROBLEM} Logarithm of $1/u$, with the unmatched fraction $u$ of red points, against
        {INVERSE} and {INVERSE_ROOT}.""",
    "collapse": r"""The flow of fussy matchings: $\epsilon$ is the number of red over that of green points whose
        partner is farther than $r$, $V$ the expected number of green points within $r$. With a threshold, $y$ would
        tend to 0 at some $x > 0$.""",
    "response": r"""The response of one-color matchings: $Y = P(X \le r < X') / P(X > r)$, where $X$ is the partner
        distance of a point, $X'$ its partner distance if its own pair alone is forbidden, and $V$ the expected
        number of points within $r$.""",
    "laws": r"""Fussy matching: $u$, the fraction of the red points that have no partner, where it is converged.
        Formally $\ln(1/u)$ is about $C_d / \sqrt{\rho}$ as $\rho$ falls, so that the curves tend to $C_d$.""",
    "finite-size": """Fraction $u(N)$ of the red points that have no partner on tori of $N$ points, over that on the
        largest ones, against the number $m$ of such points that is expected on a torus of $N$ points from
        $u(N_{max})$.""",
    "winner": "Probability that Alice wins the game that the matching solves, against the number of points{mean}.",
    "winner-ratio": """Probability that Alice wins the game that the matching solves, against the ratio of {second}
        to {first} points.""",
    "winner-ratio-of-two-color": r"""Colored frogs on colored points: Alice ({first}, intensity $\alpha$) wins if
        and only if there are more {first} points than {second} ones. Against $\rho = \beta/\alpha$ the probability
        becomes a step at 1 as the torus grows (Thm 8: in infinite volume Alice wins for $\alpha > \beta$, Bob for
        $\alpha \le \beta$).""",
    "winner-ratio-of-fussy": r"""Fussy frogs against $\rho$: probability that Bob wins, which he does if and only if
        no point is unmatched, and the fraction of red points that are unmatched. Where unmatched red points have a
        positive density, P(Bob wins) falls to 0 as the torus grows; whether they do for every $\rho > 0$ is the
        open problem of Deijfen, Holroyd and Martin, sec. 3.3.""",
    "n-unmatched": """Probability that 0, 1 or 2 points have fewer partners than their capacity, against the number
        of points.""",
    "incomplete": "Fraction of the points with fewer partners than their capacity, against the number of points.",
    "shy": """Distance $X$ from a point to its partner, and the points that desire it: those to which it is nearer
        than their own partner. Matching of points of {intensity}; only distances below the cutoff of the torus are
        shown.""",
    "labels": """$X_k$ is the distance from a typical point to its partner {which}. Points of {intensity}; only
        tails below the cutoff of the torus are shown.""",
    "balls": """Balls of radius $r$ and the partners of their points; points without a partner are treated as if it
        were infinitely far away. In two-color matchings only the points of the first color are considered. The
        fraction outside tends to 0 if every point has a partner (proof of Thm 8). The other fractions show how far
        Bob must go if Alice is confined to the ball (sec. 2.1).""",
    "components": """Components of the matching as a graph{source}: fraction of the points in the largest component
        and in the second largest, and the sum of the squares of the fractions of all components, against the number
        of points. If the largest fraction remains constant while the second decreases, this suggests an infinite
        component in infinite volume.""",
    "rounds": """Rounds of the procedure that constructs the matching: in each round, all mutually first pairs are
        matched (Deijfen, Holroyd and Martin, proof of Prop. 2).""",
    "play-length": """Number of moves of the game that the matching solves, both placements included, if Alice
        begins on a point on which Bob wins: he wins as fast as possible, and she loses as slowly as possible.""",
    "chains": """The longest descending chain from a typical point, which is a sequence of points in which each step
        is shorter than the one before. There are no infinite chains; the mean number of chains of $k$ steps is at
        most $V^k / k!$.""",
    "window": "Fraction of the points whose partner is not determined by the points within $r$.",
    "structure-factor": r"""Structure factor $S(k)$, the mean of $|\sum_x e^{-i k x}|^2$ over the number of points $x$: 1 for
        a Poisson process; of hyperuniform points it tends to 0 as $k$ falls.""",
    "number-variance": """Variance of the number of points in a ball of radius $r$, over its mean: 1 for a Poisson
        process; of hyperuniform points it tends to 0 as $r$ grows.""",
    "points": "Points.",
    "matching": "Points and their partners.",
    "matchings": "Points and their partners under each rule.",
    "sphere": "Points on a sphere{pairs}, by longitude and latitude.",
    "infinite": "Part of an infinite pattern and partners of its points.",
    "game": "A game of frogs, move by move.",
    "moves": "Legal moves of the frogs.",
    "deletion": """Theorem 7 (ii): if {deleted} On a Poisson process this has probability 0, so infinitely many
        points desire $x$.""",
    "deletion-of-colors": "If {deleted}",
}
# Sentences that follow for rules of a family, by kind and family.
OF_RULES: dict[tuple[str, str], str] = {
    ("scaled-tail", "one-color"): "For one color it is bounded in every $d$ (Holroyd, Pemantle, Peres, Schramm).",
    ("winner", "one-color"): """With one color the parity decides (Thm 1): 1 for an odd number, 0 for an even one, about
        1/2 for a Poisson number.""",
    ("winner", "misere"): "Misere: Cor. 10.",
    ("winner", "multi"): "Several partners, multi($m$): the game with $m - 1$ stones (Thm 12).",
    ("winner", "two-color"): "Two colors: Alice wins if and only if there are more amber points (Thm 8).",
    ("winner", "fussy"): "Fussy: she wins if and only if a point is unmatched (sec. 3.3).",
    ("n-unmatched", "misere"): """In misere frogs an odd number leaves one; an even number none, or two that are
        mutually nearest; in infinite volume all points are matched and Bob wins (Prop. 9, Cor. 10).""",
    ("incomplete", "multi"): """Under multi($m$), the stable $m$-matching, it falls like 1 / (number of points), because
        at most $m$ points can be below their capacity: in infinite volume every point has its $m = k + 1$ partners,
        and Bob wins the game with $k$ stones (Thm 12).""",
    ("shy", "one-color"): r"""One-color matching solves shy frogs (Thm 7): Bob may not begin within $c$, so Alice wins
        by beginning on a point whose partner is nearer; in shy colored frogs he always finds a pad, since the
        number of desirers grows without bound, like $\log r$ if $r^d P(X > r)$ tends to a constant.""",
}
# Parts of the sentences above, and descriptions of panels and curves.
PARTS: dict[str, str] = {
    "mean-number": " (its mean, where it is random)",
    "partner-of-a-label": """of label $k$; label 0 is the one-color matching (Sprague-Grundy labels of all pairs,
        Prop. 14)""",
    "partner-of-an-order": "$k$, where 0 is the nearest",
    "source-of-components": ", for multi($m$) see sec. 4.2 and refs [7-9]",
    "pairs-on-a-sphere": " and the shortest arcs between partners",
    "deleted": """all points that desire $x$ and their partners except $x$ are deleted, the other points keep their
        partners, and $x$ has none.""",
    "winner": " {name} wins.",
    "picture": "{name}, {dim}: {count} points",
    "unmatched-points": ", {count} without a partner",
    "none": "none",
    "pale-partners": "; pale: partners outside it",
    "one-panel": "Shown: {panel}",
    "bars": "bars",
    "bands": "shaded bands",
}
# Sentences that explain what is drawn; those that end in a comma are followed by items.
FACTS: dict[str, str] = {
    "exact": "Dotted: exact.",
    "exact-curves": "Dotted: exact,",
    "exact-for-a-Poisson-number": "Dotted: exact, for Poisson numbers of points.",
    "exact-for-two-Poisson-numbers": "Dotted: exact, from two Poisson numbers.",
    "infinite-volume": "Dotted: infinite volume,",
    "difference-of-colors": r"""Two colors: $|1 - \rho|$ for the majority and 0 for the minority (Deijfen, Holroyd,
        Martin, Thm 8); the corner at ratio 1 sharpens as the torus grows.""",
    "equal-laws": "Where both colors have the same law, their mean is shown.",
    "deviation": "Deviation: the estimate minus the exact value on tori of its size, or else in infinite volume.",
    "unmatched-fraction": "Dashed: the fraction of unmatched points in infinite volume.",
    "slopes": "Gray lines, with their slopes $-p$: $E X^p$ is infinite.",
    "limits": "Dashed: the exact limits,",
    "measured-limits": "Dashed: limits measured by this program,",
    "bounds": r"Pale bars: the bounds $(R - G)/\rho$ and $R/\rho$ of $u$ at the largest distance, if $R > G$ there.",
    "no-unmatched-points": "Tori without unmatched red points have no marker.",
    "octaves": "Stars: octave by octave, with 95 % intervals (of a file: 1.96 standard errors).",
    "largest-tori": "The largest tori are shown.",
    "formal-law": r"Dashed: $y = 4 a_1 x$, the formal law of $d = 1$ as $\rho$ falls.",
    "vague": r"Ratios at which $\ln(1/u)$ has a relative error above {error} are left out.",
    "fitted-law": "Dashed: ${law}$ fitted; open circle at 0: its $C_d$.",
    "fitted-response": r"Open diamonds: $C_d$ from the response, ${law}$, $l = \ln V$, fitted where ${window}$.",
    "long-interval": "Not drawn: a $C_d$ whose interval is longer than its value.",
    "no-denominator": "Ratios at which the interval of $u(N_{max})$ reaches down to 0 are left out.",
    "threshold": "Dashed: $m = {m}$, the threshold of convergence.",
    "common-error": "The bars include the error of $u(N_{max})$, which is common to all points of a curve.",
    "rounds": "Unmatched points after each round: of the largest tori.",
    "play-length": "Games of more than $k$ moves: on the largest tori.",
    "odd-numbers": "Open markers: odd numbers of points, which are not joined to even numbers.",
    "estimates-of-0": "Estimates that are 0 have no marker.",
    "not-converged": "Open markers: finite-size effects are not negligible (size_converged is 0).",
    "not-tested": "Half-filled markers: there is no torus of at most 1/8 of the points to compare with (size_converged is null).",
    "long-bars": "Triangles at the edge: bars that end beyond it.",
    "upper-ends": "Arrows: upper ends of 95 % intervals that reach down to 0.",
    "cutoff": r"""The bar on a curve is its cutoff ($L/5$ in $d = 1$, $L/8$ in $d \ge 2$, volume$/20$ in the mean
        field); beyond it (pale) finite-size effects matter.""",
    "replicates": "{what} are 95 % confidence intervals over {number} replicates.",  # intervals.CONFIDENCE
    "sequence": "A curve without an entry of the legend lies between its neighbors in the sequence.",
    "tori": "Tori of {number} points on average.",
    "process": "Process: {names}.",
    "processes": "Processes: {names}.",
    "max-distance": "Largest distance of a pair: {distances}.",
    "shortest-path": """On the {geometry}, partners are joined along the shortest path: a line that leaves the frame
        continues on the opposite side.""",
    "slab": "In $d = 3$ a slab of thickness {thickness} is seen from above{pale}.",
    "orders": "The color of a line shows which partner it leads to, for the end at which this number is smaller.",
    "scale-bar": r"Scale bar: ${length}$ in {dim}, $\lambda$ the intensity of all points.",
    "slope-of-structure-factor": "Gray line: slope 2.",
    "limits-at-the-edge": "Triangles on the axis: exact limits.",
    "undetermined-neighbor": "Dashed: to the nearest point, if both have no determined partner.",
    "undetermined": "Open: not determined by the points within {distance}.",
    "intervals": "Gray: the intervals $[3i, 3i+1]$.",
    "window": "Green: the window, of radius {radius}, outside which nothing affects the partners of one point.",
    "clipped": "Lines that cross the edge of the torus are clipped there.",
    "desirers": "Ring: the point $x$. Dashed arrows: the {count} points that desire it.",
    "deleted": "Open: the {count} points that are deleted.",
    "frogs": "Rings: the frogs.",
    "torus": "Thin lines: the torus; distances are also measured across its edges.",
    "coordinates": "Of {dim} coordinates, the first two are drawn.",
    "moves": "Rings: placements; arrows: jumps; both are numbered.",
    "frogs-at-the-end": "Pale discs: the frogs at the end.",
    "stones": "Crosses: stones, with the numbers of the moves after which they are there.",
}
# Exact curves with special names, by quantity and dimension; the others are named by their dimension.
CURVES: dict[tuple[str, float], str] = {
    ("unmatched_fraction", 1.0): "in $d = 1$ (numerical solution)",
    ("unmatched_fraction", np.inf): r"$u = e^{-1/\rho}$ in the mean-field model",
    ("response", np.inf): r"$\ln(1 + V)$ and its slope in the mean field",
}


def curve_name(quantity: str, dim: float) -> str:
    """Return the name of an exact curve."""
    return CURVES.get((quantity, dim), dim_name(dim))


def axis_texts(kind: str, key: str, rows: pd.DataFrame) -> dict[str, Any]:
    """Return the texts of an aspect by the names of its fields; {} if none are listed."""
    first, second = color_names(rows)
    texts = (filled(text, first=first, second=second) for text in AXES.get(kind, {}).get(key, ()))
    named = zip(("xlabel", "ylabel", "caption_name"), texts, strict=False)
    return {name: of_space(text, rows.get("geometry", ())) for name, text in named}


def sentence(template: str, **values: Any) -> str:
    """Return a template of a sentence in one line, with these values."""
    return " ".join(filled(template, **values).split())


def caption_of(key: str, rows: pd.DataFrame, **values: str) -> str:
    """Return the first sentences of the caption of a kind of figure, with those for the rules of these rows."""
    first, second = color_names(rows)
    totals = total_intensity(rows)
    template = "intensities {value}" if totals.nunique() > 1 else ENTRIES["intensity_0"]
    values |= {"intensity": filled(template, value=spread(totals, "{:g}".format)), "first": first, "second": second}
    of_rules = [text for (kind, family), text in OF_RULES.items() if kind == key and family in families(rows)]
    return sentence(" ".join([CAPTIONS[key], *of_rules]), **values)


def entry_text(entries: dict[str, str], column: str, value: Any) -> str:
    """Return a value of a column as text of a legend with these entries."""
    if column == "dim":
        return dim_name(value)
    text = number(value) if column == "size" else f"{value:g}" if isinstance(value, float) else str(value)
    return filled(entries.get(f"{column} {text}") or entries.get(column, "{value}"), value=text)
