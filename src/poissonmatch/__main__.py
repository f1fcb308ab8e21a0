"""python -m poissonmatch"""

from .cli import main

main()
