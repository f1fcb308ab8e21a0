"""Stable matchings of random points, and the games that they solve.

For example:

    import numpy as np, poissonmatch as pm
    torus = pm.Torus(side=100.0, dim=2)
    pattern = pm.processes.two_color(torus, intensities=(1.0, 0.5), rng=np.random.default_rng(7))
    matching = pm.match(pattern, "fussy")

The command line is `poissonmatch`.
"""

import importlib

TYPE_CHECKING = False  # not imported from typing, which could be a file of the current folder with `python -m`
if TYPE_CHECKING:  # the names that __getattr__ imports on first use
    from . import certificates as certificates
    from . import figures as figures
    from . import frogs as frogs
    from . import games as games
    from . import theory as theory
    from .matching import deletion as deletion
    from .matching import desire as desire
    from .matching import lazy as lazy
    from .matching import preferences as preferences
    from .matching.labels import sprague_grundy as sprague_grundy
    from .matching.match import match as match
    from .matching.matching import Matching as Matching
    from .matching.rounds import rounds as rounds
    from .matching.stability import blocking_pairs as blocking_pairs
    from .pipeline.load import load as load
    from .points import descending_chains as descending_chains
    from .points import infinite as infinite
    from .points import mass_transport as mass_transport
    from .points import processes as processes
    from .points.pattern import Pattern as Pattern
    from .points.spaces import Box as Box
    from .points.spaces import Euclidean as Euclidean
    from .points.spaces import MeanField as MeanField
    from .points.spaces import Torus as Torus
    from .points.sphere import Sphere as Sphere
    from .rules.catalogue import RULES as RULES
    from .rules.rule import Rule as Rule
    from .statistics.octaves import octaves as octaves
    from .statistics.step_scaling import step_scaling as step_scaling
    from .studies.replicates import replicates as replicates
    from .studies.sweep import sweep as sweep
    from .utils.errors import IntegrityError as IntegrityError

# Module and attribute of each public name; without an attribute the module itself. Imported on first use.
_HOMES = {
    "Box": "points.spaces:Box",
    "Euclidean": "points.spaces:Euclidean",
    "IntegrityError": "utils.errors:IntegrityError",
    "Matching": "matching.matching:Matching",
    "MeanField": "points.spaces:MeanField",
    "Pattern": "points.pattern:Pattern",
    "RULES": "rules.catalogue:RULES",
    "Rule": "rules.rule:Rule",
    "Sphere": "points.sphere:Sphere",
    "Torus": "points.spaces:Torus",
    "blocking_pairs": "matching.stability:blocking_pairs",
    "certificates": "certificates:",
    "deletion": "matching.deletion:",
    "descending_chains": "points.descending_chains:",
    "desire": "matching.desire:",
    "figures": "figures:",
    "frogs": "frogs:",
    "games": "games:",
    "infinite": "points.infinite:",
    "lazy": "matching.lazy:",
    "load": "pipeline.load:load",
    "mass_transport": "points.mass_transport:",
    "match": "matching.match:match",
    "octaves": "statistics.octaves:octaves",
    "preferences": "matching.preferences:",
    "processes": "points.processes:",
    "replicates": "studies.replicates:replicates",
    "rounds": "matching.rounds:rounds",
    "sprague_grundy": "matching.labels:sprague_grundy",
    "step_scaling": "statistics.step_scaling:step_scaling",
    "sweep": "studies.sweep:sweep",
    "theory": "theory:",
}
__all__ = [*_HOMES]

# Public names of earlier versions.
_RENAMED = {
    "descents": "descending_chains",
    "endless": "infinite",
    "gametables": "games.tables",
    "picture": "figures.picture",
    "retrograde": "frogs.retrograde",
    "transport": "mass_transport",
}

if not TYPE_CHECKING:

    def __getattr__(name):
        if name == "__version__":
            return importlib.import_module("importlib.metadata").version(__name__)
        if name not in _HOMES:
            new = f"; renamed to {_RENAMED[name]!r}" if name in _RENAMED else ""
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}{new}")
        module, _, attribute = _HOMES[name].partition(":")
        value = importlib.import_module(f".{module}", __name__)
        globals()[name] = value = getattr(value, attribute) if attribute else value
        return value

    def __dir__():
        return sorted(__all__)


# Loaders for utils/display. Nothing is imported here: with `python -m` it might be a file of the current folder.
_HOOKS = {
    "game_tables": lambda: importlib.import_module(".pipeline.game_tables", __name__),
    "plot": lambda: importlib.import_module(".figures.objects", __name__).plot,
    "svg": lambda: importlib.import_module(".figures.objects", __name__).svg,
}
