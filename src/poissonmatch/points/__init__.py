"""Spaces, patterns of points and point processes."""
