"""Graphs of positions as pictures: where boxes stand, and the text of DOT and SVG files. It knows no rules and no values."""
