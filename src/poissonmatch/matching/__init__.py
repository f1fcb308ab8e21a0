"""Stable matchings of patterns, and what follows from them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, ["deletion", "desire", "lazy"])
