"""From a study file (YAML) to cells, and what they will cost."""

from .combine import cells_of, count, intensity_pairs
from .fits import remarks
from .processes import AS_TOLD, imports, read_points
from .read import load, of_data
from .schema import FigureSpec, Study, StudyFile, cells, for_editors

__all__ = [
    "AS_TOLD",
    "FigureSpec",
    "Study",
    "StudyFile",
    "cells",
    "cells_of",
    "count",
    "for_editors",
    "imports",
    "intensity_pairs",
    "load",
    "of_data",
    "read_points",
    "remarks",
]
