"""Exact curves and constants in infinite volume, to compare with estimates.

[DHM] Deijfen, Holroyd, Martin, Friendly frogs, stable marriage, and the magic of invariance (2016);
[HPPS] Holroyd, Pemantle, Peres, Schramm, Poisson matching (2009);
[HMP] Holroyd, Martin, Peres, Stable matchings in high dimensions via the Poisson-weighted infinite
tree (2018).
"""

from . import finite_size, intervals, scaling_laws, volumes
from .formulas import (
    ein,
    first_round,
    fussy_epsilon,
    imbalance,
    label_tail,
    multi_tail,
    one_color_response,
    one_color_tail,
    structure_factor_limits,
    two_color_tail,
)
from .fussy_intervals import fussy_bounds
from .fussy_line import fussy_dispersion, fussy_line

__all__ = [
    "ein", "finite_size", "first_round", "fussy_bounds", "fussy_dispersion", "fussy_epsilon", "fussy_line", "imbalance", "intervals",
    "label_tail", "multi_tail", "one_color_response", "one_color_tail", "scaling_laws", "structure_factor_limits", "two_color_tail", "volumes",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted(__all__)
