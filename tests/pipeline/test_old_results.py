"""Results in the layout of an older version: named, moved aside by a run, never mixed with new ones."""

import shutil
import sys

import pytest

from poissonmatch import studies
from poissonmatch.cli import main
from poissonmatch.pipeline import atomic_files, integrity, progress, quarantine, stages
from poissonmatch.utils.errors import IntegrityError


def test_results_of_an_older_version_are_named_and_made_anew(tiny, tmp_path, monkeypatch, capsys):
    """Blocks in `shards`, and tables with old names: verify and status name them (exit 4), a run moves them aside; nothing is mixed."""
    file = studies.load(tiny[0])
    folder = tmp_path / tiny[0].stem
    shutil.copytree(tiny[1], folder)
    right = {path.name: path.read_bytes() for path in folder.glob("*.parquet")}
    for path in sorted((folder / "blocks").rglob("*.ratios.parquet")):
        path.rename(path.with_name(path.name.replace("ratios", "frogs")))
    (folder / "blocks").rename(folder / "shards")
    (folder / "ratios.parquet").rename(folder / "frogs.parquet")
    (folder / "realizations.parquet").rename(folder / "realisations.parquet")
    manifest = folder / "manifest.json"
    about = atomic_files.read_json(manifest)
    names = {"ratios.parquet": "frogs.parquet", "realizations.parquet": "realisations.parquet"}
    about["sha256"] = {names.get(name, name): digest for name, digest in about["sha256"].items()}
    manifest.write_bytes(atomic_files.to_json(about))
    before = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    old = {"shards", "frogs.parquet", "realisations.parquet", "manifest.json", "estimates.parquet", "laws.parquet"}
    old |= {"replicates.parquet", "distances.parquet"}
    for problems in (integrity.verify(folder).problems, integrity.verify(folder, file).problems):
        assert {p.path.name for p in problems} == old and {p.kind for p in problems} == {"made by other code"}
        assert str(problems[0]).endswith("made by other code: results of an older version of poissonmatch")
    with pytest.raises(IntegrityError, match="shards: made by other code: results of an older version"):
        next(progress.status(file, folder))
    for command in ("verify", "status"):
        words = [str(folder)] if command == "verify" else [str(tiny[0]), "--results", str(tmp_path)]
        monkeypatch.setattr(sys, "argv", ["poissonmatch", command, *words])
        with pytest.raises(SystemExit) as error:
            main.main()
        assert error.value.code == 4
        said = "".join(capsys.readouterr())
        assert "shards: made by other code" in said
        assert said.endswith(
            f"poissonmatch run {'STUDY' if command == 'verify' else tiny[0]} --results {tmp_path} makes them again\n"
        )
    assert {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    quarantine.set_old_aside(folder)  # what `run` does before it starts
    aside = folder / "quarantine"
    assert {p.name for p in aside.iterdir()} == old and not list(folder.glob("*.parquet"))
    assert all(line.rows is None for line in progress.status(file, folder))  # no old block is taken for a new one
    shutil.copytree(tiny[1] / "blocks", folder / "blocks")
    stages.aggregate(file, folder)
    assert {path.name: path.read_bytes() for path in folder.glob("*.parquet")} == right
    assert not integrity.verify(folder, file).problems
