"""Matching rules: compatible colors, capacities, excluded pairs, labels and exact laws."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "catalogue": ["FAMILIES", "rule_name", "rule_named"],
        "laws": ["Law", "Moments"],
        "rule": ["MAX_COLORS"],
    },
)
