"""Compiled kernels of the matching: arrays in, arrays out. matching/match.py checks the input."""
