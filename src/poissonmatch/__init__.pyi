# The public names; those of __init__.py, which imports each on first use.

import poissonmatch_games

from . import frogs as frogs
from . import rules as rules
from . import theory as theory
from .matching import deletion as deletion
from .matching import desire as desire
from .matching import lazy as lazy
from .matching.match import match as match
from .matching.matching import Matching as Matching
from .matching.rounds import rounds as rounds
from .matching.sprague_grundy import sprague_grundy as sprague_grundy
from .matching.stability import blocking_pairs as blocking_pairs
from .points import descending_chains as descending_chains
from .points import infinite as infinite
from .points import mass_transport as mass_transport
from .points import processes as processes
from .points.distance_tables import DistanceTable as DistanceTable
from .points.distance_tables import MeanField as MeanField
from .points.geometry import Geometry as Geometry
from .points.pattern import Pattern as Pattern
from .points.pattern_files import load_pattern as load_pattern
from .points.second_moments import number_variance as number_variance
from .points.second_moments import structure_factor as structure_factor
from .points.spaces import Box as Box
from .points.spaces import Euclidean as Euclidean
from .points.spaces import Slab as Slab
from .points.spaces import Torus as Torus
from .points.sphere import Sphere as Sphere
from .rules.catalogue import RULES as RULES
from .rules.rule import Rule as Rule
from .studies import figures as figures
from .studies.results.load import load as load
from .studies.run.replicates import replicates as replicates
from .studies.run.sweep import sweep as sweep
from .survival import certificates as certificates
from .survival.octaves import octaves as octaves
from .survival.step_scaling import step_scaling as step_scaling
from .utils.errors import IntegrityError as IntegrityError

games = poissonmatch_games
__all__: list[str]
__version__: str
