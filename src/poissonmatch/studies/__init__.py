"""From a study file (YAML) to cells, and what they will cost."""

from .read import load
from .schema import FigureSpec, Study, StudyFile, cells, cells_of, count, intensity_pairs

__all__ = ["FigureSpec", "Study", "StudyFile", "cells", "cells_of", "count", "intensity_pairs", "load"]
