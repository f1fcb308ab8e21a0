"""Finders of the proofs whose certificates poissonmatch_games ships: searches and guessers, run from a checkout only."""
