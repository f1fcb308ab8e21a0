"""Stable matchings of random points, and the games that they solve."""
