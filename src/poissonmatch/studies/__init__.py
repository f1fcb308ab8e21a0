"""From a study file (YAML) to cells, and what they will cost."""

from .checks import imports, read_points, remarks
from .parameter_grid import cells, cells_of, count, intensity_pairs
from .process_spec import AS_GIVEN
from .read import load, of_data
from .schema import FigureSpec, Study, StudyFile, for_editors

__all__ = [
    "AS_GIVEN",
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
