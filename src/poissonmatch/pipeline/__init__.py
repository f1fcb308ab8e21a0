"""From cells to files: blocks, stages, runs, and whether the results are what they say they are."""
