"""Cells of a study, and the points of their replicates."""
