"""Matching rules: compatible colors, capacities, excluded pairs, labels, and the exact laws known for each rule."""
