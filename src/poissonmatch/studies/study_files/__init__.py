"""From a study file (YAML) to cells and their cost. Each name is imported on first use, as pydantic is slow."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)  # the names of __init__.pyi
