# The public names; those of __init__.py, which imports each on first use.
from . import impartial as impartial
from . import partisan as partisan
from . import tables as tables
from . import toads as toads
from .expressions import position_from as position_from
from .impartial import Nim as Nim
from .impartial import TriangleGame as TriangleGame
from .impartial import game_named as game_named
from .option_graphs import option_graph as option_graph
from .partisan import parse as parse
from .toads import ToadsAndFrogs as ToadsAndFrogs
from .toads import one_blank as one_blank
