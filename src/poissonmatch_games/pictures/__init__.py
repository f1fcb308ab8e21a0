"""Graphs of positions and their pictures (DOT, SVG), independent of rules and values."""
