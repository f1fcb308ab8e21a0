"""Stable matchings of random points, and the games that they solve.

For example:

    import numpy as np, poissonmatch as pm
    torus = pm.Torus(side=100.0, dim=2)
    pattern = pm.processes.two_color(torus, intensities=(1.0, 0.5), rng=np.random.default_rng(7))
    matching = pm.match(pattern, "fussy")

The command line is `poissonmatch`.
"""

import importlib

from .utils import drawing

# Nothing else is imported here: with `python -m` it might be a file of the current folder.


def __getattr__(name: str):
    """Import a public name, one of those in __init__.pyi, on first use."""
    import lazy_loader

    public_name, _, names = lazy_loader.attach_stub(__name__, __file__)
    if name == "__all__":
        value = [*names, "games"]
    elif name == "__version__":
        value = importlib.import_module("importlib.metadata").version(__name__)
    elif name == "games":
        value = importlib.import_module("poissonmatch_games")
    else:
        value = public_name(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__getattr__("__all__"))


def _plot(item, ax=None, **options):
    return importlib.import_module(".studies.figures.pattern_figures", __name__).plot(item, ax, **options)


def _svg(item):
    return importlib.import_module(".studies.figures.pattern_figures", __name__).svg(item)


# Patterns and matchings draw themselves with Matplotlib, which is imported when the first picture is requested.
drawing.register(plot=_plot, svg=_svg)
