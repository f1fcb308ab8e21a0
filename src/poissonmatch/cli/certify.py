"""`poissonmatch certify`: certificates that red points survive in infinite volume."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..utils.errors import BadInput, nearest
from . import terminal

if TYPE_CHECKING:
    from ..certificates import Certificate

app = typer.Typer()
PARAMETERS = ("dim", "ratio", "scale", "box", "boxes", "threshold", "seed")


@app.command()
def certify(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="an entry of config/certificates.yaml")] = "",
    check: Annotated[Path | None, typer.Option(help="check this certificate instead", dir_okay=False)] = None,
    boxes: Annotated[
        int | None, typer.Option(help="number of boxes; with --check, of those that are drawn again", min=1)
    ] = None,
    dim: Annotated[int | None, typer.Option(help="1, 2 or 3")] = None,
    ratio: Annotated[
        float | None, typer.Option(help="intensity of the red points; that of the green points is 1")
    ] = None,
    scale: Annotated[float | None, typer.Option(help="distance r up to which the matching is followed")] = None,
    box: Annotated[float | None, typer.Option(help="side of a box, at least 9 r")] = None,
    threshold: Annotated[
        int | None, typer.Option(help="smallest difference of red and green survivors that each box must have")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="random seed of the points")] = None,
    workers: Annotated[int, typer.Option(help="number of processes", min=1, max=4096)] = 1,
    output: Annotated[
        Path | None, typer.Option(help="the certificate (JSON)  [default: NAME.json]", dir_okay=False)
    ] = None,
) -> None:
    """Certify that u > 0 for the infinite process: count survivors in independent boxes, with an error probability."""
    given = {
        "dim": dim,
        "ratio": ratio,
        "scale": scale,
        "box": box,
        "boxes": boxes,
        "threshold": threshold,
        "seed": seed,
    }
    given = {key: value for key, value in given.items() if value is not None}
    if check:
        if name or output or set(given) - {"boxes"}:
            raise BadInput("--check takes a certificate, and no option but --boxes")
        _check(check, boxes or 1)
        return
    if name and given:
        raise BadInput(f"{name} fixes all parameters: leave out --{next(iter(given))}")
    parameters = _registered(name) if name else given
    if missing := [key for key in PARAMETERS if key not in parameters]:
        raise BadInput(f"--{missing[0]} is missing; or give a name of config/certificates.yaml")
    file = output or (Path(f"{name}.json") if name else None)
    if file is None:
        raise BadInput("--output is missing")
    if file.suffix != ".json":
        raise BadInput(f"{file}: the file must end in .json")
    _certify(parameters, workers, file)


def _registered(name: str) -> dict[str, Any]:
    """Return the parameters of a certificate that were fixed before its run. Raises BadInput."""
    from ..pipeline import runs
    from ..studies import yamlfile

    path = runs.workflow_files() / "config" / "certificates.yaml"
    known = yamlfile.read(path).data
    if name not in known:
        raise BadInput(f"there is no certificate {name!r} in {path.name}{nearest(name, known)}")
    return dict(known[name])


def _certify(parameters: dict[str, Any], workers: int, file: Path) -> None:
    from ..certificates import survival

    def log(certificate: Certificate) -> None:
        done = len(certificate.counts)
        print(
            f"box {done} of {certificate.boxes}: D = {certificate.counts[-1]}, threshold {certificate.threshold}",
            file=sys.stderr,
            flush=True,
        )

    certificate = survival(**parameters, workers=workers, file=file, progress=log)
    if certificate.failed:
        raise BadInput(
            f"{file}: failed: box {len(certificate.counts)} has D = {certificate.counts[-1]}, below {certificate.threshold}; nothing is certified"
        )
    terminal.echo(f"{file}: {certificate}")


def _check(file: Path, boxes: int) -> None:
    from ..certificates import check
    from ..pipeline import provenance

    certificate, numbers = check(file, boxes)
    which = "box" if len(numbers) == 1 else "boxes"
    drawn = f"{which} {', '.join(str(number + 1) for number in numbers)} of {certificate.boxes} drawn again"
    if certificate.code != provenance.code_digest("certify"):
        drawn += f"; counted by code {certificate.code}, not by the installed code"
    terminal.echo(f"{file}: right: {certificate}; {drawn}")
