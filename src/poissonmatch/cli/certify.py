"""`poissonmatch certify`: certificates that red points survive in infinite volume."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import studies
from ..utils import code_digests
from ..utils.errors import BadInput, integrity_error, nearest
from . import terminal

if TYPE_CHECKING:
    from ..survival.certificates import Certificate
    from ..survival.certificates.cover import Cover

app = typer.Typer()
PARAMETERS = ("dim", "ratio", "scale", "box", "boxes", "threshold", "seed")
UNCHECKED = 5  # exit code


@app.command(epilog="Example: poissonmatch certify d2-rho0.3 --workers 2")
def certify(
    name: Annotated[str, typer.Argument(metavar="NAME", help="an entry of config/certificates.yaml")] = "",
    check: Annotated[Path | None, typer.Option(help="check this certificate instead", dir_okay=False)] = None,
    boxes: Annotated[
        str | None, typer.Option(help="number of boxes; with --check, the number to draw again, or all")
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
    number = int(boxes) if boxes and boxes.isdecimal() else boxes
    values = zip(PARAMETERS, (dim, ratio, scale, box, number, threshold, seed), strict=True)
    given = {key: value for key, value in values if value is not None}
    if check:
        if name or output or set(given) - {"boxes"}:
            raise BadInput("--check takes a certificate, and no option but --boxes")
        _check(check, given.get("boxes"))
        return
    if name and given:
        raise BadInput(f"{name} fixes all parameters: leave out --{next(iter(given))}")
    known = _registered() if name else {"": given}
    if name not in known:
        raise BadInput(f"there is no certificate {name!r} in certificates.yaml{nearest(name, known)}")
    parameters = known[name]
    required = PARAMETERS if "parts" not in parameters else ()
    if missing := [key for key in required if key not in parameters]:
        raise BadInput(f"--{missing[0]} is missing; or give a name of config/certificates.yaml")
    file = output or (Path(f"{name}.json") if name else None)
    if file is None:
        raise BadInput("--output is missing")
    if file.suffix != ".json":
        raise BadInput(f"{file}: the file must end in .json")
    if required:
        _certify(name, parameters, workers, file)
    else:
        _cover(name, parameters, file)


def _registered() -> dict[str, Any]:
    """Return the entries of config/certificates.yaml: the parameters that were fixed before the runs."""
    from ..studies.study_files import yamlfile

    return dict(yamlfile.read(studies.runs.workflow_files() / "config" / "certificates.yaml").data)


def _certify(name: str, parameters: dict[str, Any], workers: int, file: Path) -> None:
    from ..survival.certificates import survival

    def log(certificate: Certificate) -> None:
        done, last = len(certificate.counts), certificate.counts[-1]
        text = f"box {done} of {certificate.boxes}: D = {last}, threshold {certificate.threshold}"
        terminal.echo(text, err=True)

    certificate = survival(**parameters, workers=workers, file=file, progress=log)
    if certificate.failed:
        raise BadInput(f"{file}: {certificate}")
    terminal.echo(f"{file}: {certificate}")


def _cover(name: str, design: dict[str, Any], file: Path) -> None:
    from ..survival.certificates.survival import cover

    def log(done: Cover) -> None:
        last = done.done[-1]
        text = f"interval {len(done.done)} of {len(done.plan)}, {last.interval}: {len(last.counts)} boxes; {done}"
        terminal.echo(text, err=True)

    certificates = cover(name, design, file, log)
    if failed := [one for one in certificates.done if one.failed]:
        first = f"{failed[0].interval}: {failed[0].shortfall}"
        raise BadInput(f"{file}: {certificates}; {len(failed)} failed, the first is {first}")
    terminal.echo(f"{file}: {certificates}")


def _check(file: Path, boxes: Any) -> None:
    from ..survival.certificates import check, read
    from ..survival.certificates.certificate import PARAMETERS
    from ..survival.certificates.cover import Cover

    certificate = read(file)
    notes = []
    counted: list[Certificate]
    if isinstance(certificate, Cover):
        name, now = certificate.name, certificate.design
        counted = [*certificate.done]
    else:
        values = certificate.to_dict()
        name, now, counted = file.stem, {key: values[key] for key in PARAMETERS}, [certificate]
    entry = _registered().get(name)
    if entry is not None and entry != now:
        raise integrity_error(file, "not ours", f"{name} is registered with other parameters")
    if entry is None:
        notes.append("not registered in config/certificates.yaml")
    if others := sorted({one.code for one in counted} - {code_digests.of_stage("certify")}):
        notes.append(f"counted by code {', '.join(others)}, not by the installed code")
    if others := sorted({one.engine for one in counted} - {code_digests.of_stage("match"), ""}):
        notes.append(f"matched by the engine {', '.join(others)}, not by the installed engine")
    _, drawn, left = check(file, boxes)
    result = "no error in what was drawn again" if left else "right"
    terminal.echo(f"{file}: {result}; drawn again: {drawn} of {drawn + left}; not checked: {left}")
    if isinstance(certificate, Cover) and (entry is None or drawn < len(certificate.done)):
        reason = "it is not registered" if entry is None else f"{drawn} of {len(certificate.done)} intervals were drawn"
        terminal.echo("; ".join([f"not checked: the intervals of {name}, because {reason}", *notes]))
        raise typer.Exit(UNCHECKED)
    condition = [f"if the {left} other counts are right"] if left else []
    terminal.echo("; ".join([str(certificate), *condition, *notes]))
    if left:
        raise typer.Exit(UNCHECKED)
