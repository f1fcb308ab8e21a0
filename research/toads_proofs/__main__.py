"""Find a proof about Toads and Frogs, check it, print it, and write it as a certificate.

From the checkout: PYTHONPATH=research python -m toads_proofs NAME [FILE]
"""

import sys
from pathlib import Path

from poissonmatch_games.checkers import certificates
from poissonmatch_games.toads.claims import claimed

from .proof_text import lines
from .provers import PROOFS, prove


def main(name: str = "", output: str = "") -> None:
    """Find the proof of this name and write its certificate.

    The default output is NAME.json in the current folder.
    """
    if name not in PROOFS:
        sys.exit(f"the claim must be one of {', '.join(PROOFS)}, got {name!r}")
    certificate = prove(name)
    certificates.check(certificate, bounded=False)
    for line in lines(certificate):
        print(line)
    path = Path(output or f"{name}.json")
    path.write_bytes(certificates.written(certificate))
    print(f"{path}: {claimed(certificate)}")


main(*sys.argv[1:])
