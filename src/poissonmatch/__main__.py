"""The command `python -m poissonmatch`."""

from .cli.main import main

main()
