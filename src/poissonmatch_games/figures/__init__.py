"""Figures of exact games."""
