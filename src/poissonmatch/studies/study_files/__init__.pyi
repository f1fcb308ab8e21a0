# The names of the subpackage; __init__.py imports each on first use.

from . import forecast as forecast
from . import plan as plan
from . import stopping as stopping
from .checks import imports as imports
from .checks import remarks as remarks
from .parameter_grid import cells as cells
from .parameter_grid import cells_of as cells_of
from .parameter_grid import in_row_order as in_row_order
from .read import load as load
from .read import of_data as of_data
from .schema import FigureSpec as FigureSpec
from .schema import Study as Study
from .schema import StudyFile as StudyFile
from .schema import for_editors as for_editors
from .window_checks import read_points as read_points
from .window_checks import windows as windows
