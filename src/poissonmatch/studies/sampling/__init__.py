"""Cells of a study, and the sampling of the points of their replicates."""
