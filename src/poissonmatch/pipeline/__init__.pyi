# The names of the subpackage that the command line uses; __init__.py imports each on first use.

from . import batch_files as batch_files
from . import batches as batches
from . import integrity as integrity
from . import load as load
from . import progress as progress
from . import provenance as provenance
from . import reports as reports
from . import runs as runs
from . import scan as scan
from . import stages as stages
from . import up_to_date as up_to_date
from . import workflow as workflow
from .results import Results as Results
from .results import results_folder as results_folder
