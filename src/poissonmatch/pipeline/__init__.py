"""Files of results: blocks, stages, runs, and the verification of results."""
