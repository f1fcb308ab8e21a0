"""Spaces, patterns of points and point processes."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__, ["descending_chains", "infinite", "mass_transport", "processes"]
)
