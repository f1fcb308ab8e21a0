"""The commands `poissonmatch games` and `poissonmatch play`."""
