"""Measures on replicates, and estimates from them."""
