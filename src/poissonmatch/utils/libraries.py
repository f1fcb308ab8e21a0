"""Libraries that take long to import; each is imported when one of its names is first used."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
else:
    import lazy_loader

    pd, pa = lazy_loader.load("pandas"), lazy_loader.load("pyarrow")

__all__ = ["pa", "pd"]
