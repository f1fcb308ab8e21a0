"""Matching rules: compatible colors, capacities, excluded pairs, labels and exact laws."""
