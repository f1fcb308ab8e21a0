"""Unmatched points in infinite volume: certificates, octaves, step scaling. Each module is imported on first use."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, ["certificates"])
