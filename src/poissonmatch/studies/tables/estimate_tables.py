"""Declarations of the tables `transitions`, `estimates` and `laws`, made from those of replicates, and all by name."""

from __future__ import annotations

from collections.abc import Iterator

from .tables import (
    BLOCK_TABLES,
    CELL,
    COLOR,
    DIM,
    INF,
    NAN,
    ORDER,
    SIGNED,
    Column,
    Table,
    X,
    float_column,
    int_column,
    nullable_float,
    text_column,
)

INFINITE = "infinite in infinite volume"  # notes of the table `estimates`: an estimate of what is infinite,
INFINITE_VARIANCE = "variance infinite: the value concerns tori of this size"
UNKNOWN_MOMENTS = "not known whether the mean is finite in infinite volume"
ZERO = "0 in infinite volume"  # or of what is 0 there, and not on a torus
ONE_REPLICATE = "one replicate, no error"
NOT_TESTED = "not tested: add a size of at most {points} points"  # to compare with
NO_POWER_LAW = "P(X > r) is not a power law"  # notes of an exponent in the table `transitions`
UNKNOWN_LAW = "not known whether P(X > r) is a power law"
STUDENT, LOG, LOGIT, PROPORTION = "student", "log", "logit", "proportion"  # kinds of intervals: docs/error-bars.md
COUNT, EXCESS, EQUAL, CROSSING = "count", "excess", "equal", "crossing"


COLOR_NAME = text_column("color_name", "name of the color under the rule; null if the rule has one color, "
                         "or the row is not about a color", nullable=True)  # fmt: skip


ESTIMATES = Table(
    "estimates",
    "estimates with standard errors over replicates",
    (
        *CELL,
        text_column("quantity", "name of the quantity; see results/README.md", "key"),
        COLOR,
        ORDER,
        X,
        COLOR_NAME,
        nullable_float("value", "the estimate, from all replicates together; null for size_converged if it was not tested",
                       min_value=SIGNED),
        nullable_float("standard_error",
                       "its standard error over replicates; null for a single replicate, and where the value is infinite"),
        nullable_float("lower",
                       "lower end of the 95 % confidence interval over replicates; null as standard_error",
                       min_value=SIGNED),
        float_column("upper", "upper end; null as standard_error, inf if a quantile has none", min_value=SIGNED,
                     also=(*NAN, *INF)),
        int_column("n_replicates", "number of replicates", min_value=1),
        text_column("interval",
                    f"kind of the interval: {STUDENT}, {LOG}, {LOGIT}, {PROPORTION}, {COUNT}, {EXCESS}, {EQUAL} or {CROSSING}, see docs/error-bars.md; "
                    "null as standard_error", nullable=True),
        nullable_float("dispersion", f"index of dispersion behind an interval of the kind {COUNT}, else null"),
        nullable_float("total",
                       "number of points, pairs or tori, or volume, of all replicates by which the value is divided; null if there is no such number"),
        nullable_float("exact",
                       "the exact value if known, else null: in infinite volume, for alice_wins in this volume",
                       min_value=SIGNED),
        nullable_float("exact_torus", "the exact value on tori of this size if known, else null"),
        Column("cutoff", "float64", "length",
               "largest distance at which finite-size effects are negligible; null if the row is not about a distance",
               also=NAN),
        Column("below_cutoff", "bool", "",
               "the distance (x of a tail, value of a quantile) is at most the cutoff; false for a mean that is infinite"),
        text_column("note",
                    f"{INFINITE}; {INFINITE_VARIANCE}; {UNKNOWN_MOMENTS}; {ZERO}; {ONE_REPLICATE}; "
                    "exists in k of n replicates (a quantile); not tested: ... (size_converged); null for most",
                    nullable=True),
    ),
)  # fmt: skip


MEASURES = (  # columns of the table `transitions`: quantity, unit, words, values beyond finite ones
    ("unmatched_fraction", "", "unmatched fraction u of the points of the color", 0.0, ()),
    ("unmatched_density", "points / length^d", "unmatched points of the color per unit volume", 0.0, ()),
    ("mean_distance", "length", "mean partner distance of the matched points", 0.0, INF),
    (
        "tail_exponent",
        "",
        "local exponent of P(X > r) at tail_exponent_r, if the law of the rule is a power law",
        SIGNED,
        (),
    ),
)


def _measure_columns() -> Iterator[Column]:
    """Yield the columns of each quantity of the table `transitions`."""
    for name, unit, meaning, low, infinite in MEASURES:
        exact = "exact value in infinite volume, null if unknown" + ("; inf if it is infinite" if infinite else "")
        texts = {
            "": f"{meaning}; null if there is no estimate",
            "_standard_error": "its standard error over replicates; null without an interval",
            "_lower": "lower end of its 95 % confidence interval; null for one replicate, and if the exact value is inf",
            "_upper": "upper end; null as the lower end",
            "_exact": exact,
            "_exact_torus": "exact value on tori of this size, null if unknown",
        }
        for suffix, text in texts.items():
            lowest = 0.0 if suffix == "_standard_error" else low
            also = (*NAN, *infinite) if suffix == "_exact" else NAN
            yield Column(name + suffix, "float64", unit, text, min_value=lowest, also=also)
        yield text_column(f"{name}_note", "what limits the value; null for most", nullable=True)


TRANSITIONS = Table(
    "transitions",
    "one row for each cell and color: what most users want to know; the other tables have the details",
    (
        *CELL,
        COLOR,
        COLOR_NAME,
        Column("intensity", "float64", "points / length^d", "intensity of the color"),
        int_column("n_replicates", "number of replicates", min_value=1),
        *_measure_columns(),
        Column("tail_exponent_r", "float64", "length",
               "distance of the exponent: the largest whose window of a fifth of a decade is below the cutoff", also=NAN),
        Column("size_converged", "bool", "",
               "whether finite-size effects on the unmatched fraction of red points are negligible; null if it was not tested, "
               "and for other colors and rules", nullable=True),
        text_column("size_converged_note", "why it was not tested, else null", nullable=True),
    ),
)  # fmt: skip


COVARIANCES = tuple(f"covariance_{k}" for k in range(4))  # of the laws with the largest number of parameters


LAW_TABLE = Table(
    "laws",
    "laws fitted to u(rho), the unmatched fraction of fussy matchings, and to Y(V), the response; one row for each parameter",
    (
        DIM,
        text_column("of", "u: ln(1/u) at rho is fitted; Y: Y at l = ln V", "key"),
        text_column("data", "measured, or exact: the exact u in d = 1 with the errors of d = 2", "key"),
        text_column("fit", "name of the law; formula: docs/measurements.md", "key"),
        text_column("window", "the range of the fitted data", "key"),
        text_column("parameter", "name of the parameter; C_d: the constant of ln(1/u) ~ C_d / sqrt(rho)",
                    "key"),
        text_column("study", "names of the studies in the YAML file, separated by commas"),
        float_column("value", "value of the parameter", min_value=SIGNED),
        nullable_float("standard_error", "its standard error; null if the value is at an end of its range"),
        nullable_float("lower", "lower end of the 95 % confidence interval; null as standard_error",
                       min_value=SIGNED),
        nullable_float("upper", "upper end; null as standard_error", min_value=SIGNED),
        *(
            nullable_float(name, f"covariance with parameter {k} of the law; null if there is none",
                           min_value=SIGNED)
            for k, name in enumerate(COVARIANCES)
        ),
        int_column("points", "number of fitted values", min_value=1),
        float_column("chi2", "sum of squared residuals, weighted by the inverse covariance"),
        int_column("dof", "degrees of freedom: points minus parameters", min_value=1),
        float_column("aic", "chi2 plus twice the number of parameters"),
        float_column("above", "aic minus the smallest aic of the laws in this window"),
        Column("excluded", "bool", "", "above is more than 10 in every window"),
    ),
)  # fmt: skip
TABLES = {TRANSITIONS.name: TRANSITIONS, ESTIMATES.name: ESTIMATES, **BLOCK_TABLES, LAW_TABLE.name: LAW_TABLE}
