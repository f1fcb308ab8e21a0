"""Names of the two players of every game."""

PLAYERS = ("Alice", "Bob")  # Alice begins
