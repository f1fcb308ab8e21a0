# The names that the command line uses; __init__.py imports each on first use.

from . import figures as figures
from .report import reports as reports
from .results import batch_files as batch_files
from .results import integrity as integrity
from .results import progress as progress
from .results import provenance as provenance
from .results import scan as scan
from .results import up_to_date as up_to_date
from .results.load import kind_of as kind_of
from .results.results import Results as Results
from .results.results import results_folder as results_folder
from .run import batches as batches
from .run import repair as repair
from .run import runs as runs
from .run import stages as stages
from .run import workflow as workflow
from .study_files import forecast as forecast
from .study_files import plan as plan
from .study_files import stopping as stopping
from .study_files.checks import imports as imports
from .study_files.checks import remarks as remarks
from .study_files.read import load as load
from .study_files.schema import StudyFile as StudyFile
from .study_files.schema import for_editors as for_editors
from .study_files.window_checks import read_points as read_points
from .study_files.window_checks import windows as windows
