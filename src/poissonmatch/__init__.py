"""Stable matchings of random points, and the games that they solve.

For example:

    import numpy as np, poissonmatch as pm
    torus = pm.Torus(side=100.0, dim=2)
    pattern = pm.processes.two_color(torus, intensities=(1.0, 0.5), rng=np.random.default_rng(7))
    matching = pm.match(pattern, "fussy")

The command line is `poissonmatch`; the README says where to begin.
"""

import importlib

TYPE_CHECKING = False  # typing's own is not imported: with `python -m` it might be a file of the current folder
if TYPE_CHECKING:  # what __getattr__ imports when it is first asked for
    from . import deletion as deletion
    from . import descents as descents
    from . import desire as desire
    from . import endless as endless
    from . import figures as figures
    from . import frogs as frogs
    from . import games as games
    from . import lazy as lazy
    from . import preferences as preferences
    from . import processes as processes
    from . import theory as theory
    from . import transport as transport
    from .errors import IntegrityError as IntegrityError
    from .frogs import retrograde as retrograde
    from .geometry import Euclidean as Euclidean
    from .geometry import MeanField as MeanField
    from .geometry import Torus as Torus
    from .labeled_pairs import LabeledPairs as LabeledPairs
    from .labeled_pairs import sprague_grundy as sprague_grundy
    from .matching import Matching as Matching
    from .matching import match as match
    from .pattern import Pattern as Pattern
    from .pipeline import game_tables as gametables  # noqa: F401
    from .pipeline.load import load as load
    from .rules import RULES as RULES
    from .rules import Rule as Rule
    from .stability import blocking_pairs as blocking_pairs
    from .statistics import measures as measures
    from .statistics.pictures import picture as picture
    from .studies.replicates import replicates as replicates
    from .studies.sweep import sweep as sweep

# Where each public name lives; a module where nothing follows the colon. A simulation job needs few of them.
_HOMES = {
    "RULES": "rules:RULES",
    "Euclidean": "geometry:Euclidean",
    "IntegrityError": "errors:IntegrityError",
    "LabeledPairs": "labeled_pairs:LabeledPairs",
    "Matching": "matching:Matching",
    "MeanField": "geometry:MeanField",
    "Pattern": "pattern:Pattern",
    "Rule": "rules:Rule",
    "Torus": "geometry:Torus",
    "blocking_pairs": "stability:blocking_pairs",
    "deletion": "deletion:",
    "descents": "descents:",
    "desire": "desire:",
    "endless": "endless:",
    "figures": "figures:",
    "frogs": "frogs:",
    "games": "games:",
    "gametables": "pipeline.game_tables:",
    "lazy": "lazy:",
    "load": "pipeline.load:load",
    "match": "matching:match",
    "measures": "statistics.measures:",
    "picture": "statistics.pictures:picture",
    "preferences": "preferences:",
    "processes": "processes:",
    "replicates": "studies.replicates:replicates",
    "retrograde": "frogs.retrograde:",
    "sprague_grundy": "labeled_pairs:sprague_grundy",
    "sweep": "studies.sweep:sweep",
    "theory": "theory:",
    "transport": "transport:",
}
__all__ = [*_HOMES]

if not TYPE_CHECKING:

    def __getattr__(name):
        if name == "__version__":
            return importlib.import_module("importlib.metadata").version(__name__)
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, _, attribute = _HOMES[name].partition(":")
        found = importlib.import_module(f".{module}", __name__)
        globals()[name] = found = getattr(found, attribute) if attribute else found
        return found

    def __dir__():
        return sorted(__all__)
