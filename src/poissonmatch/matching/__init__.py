"""Stable matchings of patterns, and what follows from them."""
