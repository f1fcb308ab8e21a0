"""Finders of the proofs whose certificates poissonmatch_games ships.

They are searches and guessers, run from a checkout only.
"""
