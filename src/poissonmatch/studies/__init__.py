"""Studies: from a study file to tables, figures and a report. Each name is imported on first use."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)  # the names of __init__.pyi
