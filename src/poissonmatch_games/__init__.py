"""Exact combinatorial games: impartial (Nim, Kayles, ...) and partisan (Toads and Frogs, ...).

The games are in groups: `impartial`, `partisan`, `toads` (Toads and Frogs), and `tables` (results
as Parquet files). The names used most are also here. In Python the package is `pm.games`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)  # the names of __init__.pyi
