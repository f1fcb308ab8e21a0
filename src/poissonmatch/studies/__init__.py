"""From a study file (YAML) to cells, and what they will cost."""

from .combine import cells_of, count, intensity_pairs
from .fits import remarks
from .read import load
from .schema import FigureSpec, Study, StudyFile, cells

__all__ = ["FigureSpec", "Study", "StudyFile", "cells", "cells_of", "count", "intensity_pairs", "load", "remarks"]
