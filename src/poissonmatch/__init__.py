"""Stable matchings of random points, and the games that they solve.

For example:

    import numpy as np, poissonmatch as pm
    torus = pm.Torus(side=100.0, dim=2)
    pattern = pm.processes.two_color(torus, intensities=(1.0, 0.5), rng=np.random.default_rng(7))
    matching = pm.match(pattern, "fussy")

The command line is `poissonmatch`.
"""

import importlib

import lazy_loader

from .utils import drawing

_public_name, _, _names = lazy_loader.attach_stub(__name__, __file__)  # those of __init__.pyi
__all__ = [*_names, "games"]


def __getattr__(name: str):
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version(__name__)
    if name == "games":
        return importlib.import_module("poissonmatch_games")
    return _public_name(name)


def __dir__() -> list[str]:
    return sorted(__all__)


def _plot(item, ax=None, **options):
    return importlib.import_module(".figures.pattern_figures", __name__).plot(item, ax, **options)


def _svg(item):
    return importlib.import_module(".figures.pattern_figures", __name__).svg(item)


# Patterns and matchings draw themselves with Matplotlib, which is imported when the first picture
# is requested.
drawing.register(plot=_plot, svg=_svg)
