"""The command new: it writes a study file to start from, and the schema of study files for editors."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from .. import studies
from ..studies.run import runs
from ..utils.atomic_writer import write_atomically
from ..utils.errors import BadInput, nearest
from ..utils.files import read_regular
from ..utils.manifests import to_json

SCHEMA = ".study.schema.json"  # in the folder of the study file, where editors find it
app = typer.Typer()


@app.command(epilog="Example: poissonmatch new mine --like quick")
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="name of the study file: letters, digits, _ and -")],
    like: Annotated[str, typer.Option(help="copy a study file of the package: quick, frogs, paper, ...")] = "",
) -> None:
    """Write a commented study file NAME.yaml to start from."""
    from ..studies.sampling.cells import NAME

    name = name.removesuffix(".yaml")
    if not NAME.fullmatch(name):
        raise BadInput(f"{name[:80]!r} is not a name: use letters, digits, _ and -, at most 64 of them")
    text = _our_own(like) if like else _template(name)
    try:
        with open(f"{name}.yaml", "x", encoding="utf-8") as file:
            file.write(_schema_line() + text)
    except FileExistsError:
        raise BadInput(f"{name}.yaml already exists") from None
    typer.echo(f"{name}.yaml")


def _template(name: str) -> str:
    from ..points.processes import PROCESSES
    from ..rules.catalogue import FAMILIES, RULES
    from ..studies.figures.kinds import KINDS
    from ..studies.statistics.observables import OBSERVABLES

    template = resources.files(__package__).joinpath("template.yaml").read_text(encoding="utf-8")
    rules = [*RULES, *(f"{family}(3)" for family in FAMILIES)]
    lists = {"processes": PROCESSES, "rules": rules, "observables": OBSERVABLES, "kinds": KINDS}
    return template.format(name=name, **{key: ", ".join(names) for key, names in lists.items()})


def _our_own(like: str) -> str:
    ours = {
        path.stem: path
        for path in sorted((runs.workflow_files() / "config").glob("*.yaml"))
        if path.stem not in ("certificates", "octave-runs")
    }
    if like not in ours:
        raise BadInput(f"--like {like[:80]}: the package has no study with this name{nearest(like, ours)}")
    return ours[like].read_text(encoding="utf-8")


def _schema_line() -> str:
    """Write the schema of study files for editors, and return the comment that names it ("" on failure)."""
    path, schema = Path(SCHEMA), studies.for_editors()
    try:
        if os.path.lexists(path) and schema["title"].encode() not in read_regular(path):
            return ""  # not a file of this program
        write_atomically(path, to_json(schema))
    except OSError:
        return ""
    return f"# yaml-language-server: $schema={SCHEMA}\n"
