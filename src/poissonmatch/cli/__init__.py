"""The command line: words and paths in, one clear message and an exit code out."""
