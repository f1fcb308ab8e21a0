"""Impartial games: both players have the same moves."""
