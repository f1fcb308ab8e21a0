"""Exact combinatorial games."""
