"""Nothing that lies in the folder around is executed, or read as settings: whoever can write there gets no say in a command."""

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib
import pytest

import poissonmatch as pm
from helpers import traps
from helpers.bad_files import GOOD
from helpers.checkout import ROOT
from helpers.command_line import call
from helpers.refusals import rows
from helpers.tables import tables
from poissonmatch.cli import main as cli
from poissonmatch.engine import jit
from poissonmatch.studies.figures import canvas, draw
from poissonmatch.studies.run import runs

SOURCES = ("Snakefile", "workflow", "profiles", "environment.yml")
WAYS = {"script": [str(Path(sys.executable).parent / "poissonmatch")], "module": [sys.executable, "-m", "poissonmatch"]}
STUDY = """
studies: {a: {dims: 1, sizes: 30, replicates: 2, observables: [realization]}}
figures: {f: {kind: realization, studies: a}}
"""


def command(*words: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, **environment}
    done = subprocess.run(list(map(str, words)), cwd=cwd, env=environment, capture_output=True, text=True, timeout=600)
    lines = done.stderr.splitlines(keepends=True)
    of_kernels = ("still at work after 2 seconds", "compiling the kernels")
    done.stderr = "".join(line for line in lines if not any(text in line for text in of_kernels))
    return done


def copied(folder: Path) -> Path:
    """The sources that Snakemake reads, in a folder of their own, with a study."""
    folder.mkdir()
    for name in SOURCES:
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, folder / name)
    (folder / "s.yaml").write_text(STUDY)
    return folder


# ---- modules ----


COMMANDS = """
module → validate s.yaml
module → plan s.yaml
module → games puzzle --output p.png
module → play --human nobody
script → plan s.yaml
"""


@pytest.fixture(scope="module")
def trapped(tmp_path_factory):
    """A folder full of traps with a study in it, and the mark that they leave."""
    folder = tmp_path_factory.mktemp("trapped")
    traps.lay(folder, folder / "mark")
    traps.lay(folder / ".snakemake/pip-deployments", folder / "mark")  # where Snakemake looks for modules
    (folder / "s.yaml").write_text(GOOD)
    return folder, folder / "mark"


@pytest.mark.slow
@pytest.mark.workflow
@pytest.mark.parametrize("way, words", rows(COMMANDS))
def test_no_module_of_the_current_folder_is_executed(trapped, way, words):
    folder, mark = trapped
    done = command(*WAYS[way], *words.split(), cwd=folder)
    assert (done.returncode, done.stderr) == (0, "") and not mark.exists()


@pytest.mark.slow
@pytest.mark.workflow
def test_nor_by_an_empty_entry_of_a_path(tmp_path):
    """Which is the current folder, for Python as for a shell: no library, and no command."""
    for name in ("numpy", "pandas", "pydantic", "typer", "snakemake"):
        (tmp_path / f"{name}.py").write_text(traps.TRAP.format(mark=str(tmp_path / "mark"), name=name))
    (tmp_path / "s.yaml").write_text(GOOD)
    path = os.environ.get("PYTHONPATH", "")
    done = command(*WAYS["module"], "plan", "s.yaml", cwd=tmp_path, PYTHONPATH=f"{os.pathsep}{path}{os.pathsep}.")
    assert (done.returncode, done.stderr) == (0, "") and not (tmp_path / "mark").exists()


@pytest.mark.slow
@pytest.mark.workflow
def test_nor_one_beside_the_sources_of_a_run(tmp_path):
    """In no job either; with a profile of the user's own, and without a home, where Snakemake would have its cache."""
    folder, mark = copied(tmp_path / "house"), tmp_path / "mark"
    for place in (folder, folder / "workflow", folder / "workflow/rules"):
        traps.lay(place, mark)
    (tmp_path / "profile").mkdir()
    (tmp_path / "profile/config.yaml").write_text("dry-run: true\n")
    environment = {
        "SNAKEMAKE_PROFILE": str(tmp_path / "profile"),
        "HOME": "/proc/none",
        "XDG_CACHE_HOME": "",
        "NUMBA_CACHE_DIR": str(next(jit.cache_folders()).parent),  # only so that nothing is compiled anew
    }
    done = command(*WAYS["script"], "run", "s.yaml", cwd=folder, **environment)
    assert done.returncode == 0 and not mark.exists(), done.stderr
    assert (folder / "results/s/figures/f.png").exists()


# ---- what Snakemake executes ----

RECORDS = "results/s/.run/.snakemake"  # of a run; a plain `snakemake` has them in the folder around


@pytest.fixture
def house(tmp_path, monkeypatch):
    folder = copied(tmp_path / "house")
    (folder / ".snakemake/iocache").mkdir(parents=True)
    (folder / ".snakemake/iocache/latest.pkl").touch()
    (folder / RECORDS / "iocache").mkdir(parents=True)
    (folder / RECORDS / "iocache/latest.pkl").touch()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(runs, "workflow_files", lambda: folder)
    return folder


def mine_no_more(path: Path) -> None:
    if os.getuid():
        pytest.skip("only root gives files away")
    os.chown(path, 12345, 12345, follow_symlinks=False)


def linked_away(path: Path) -> None:
    mine_no_more(path)
    path.rename(path.parent.parent / "theirs")
    path.symlink_to(path.parent.parent / "theirs")


def a_file(path: Path) -> None:
    shutil.rmtree(path)
    path.touch()


def a_loop(path: Path) -> None:
    shutil.rmtree(path)
    path.symlink_to(path.name)


# What is changed, how, and words of the message.
REFUSED = f"""
.snakemake → mine_no_more → .snakemake belongs to user 12345
.snakemake/iocache/latest.pkl → mine_no_more → latest.pkl belongs to user 12345
.snakemake → linked_away → .snakemake belongs to user 12345
workflow/rules/common.smk → mine_no_more → common.smk belongs to user 12345
{RECORDS} → mine_no_more → .snakemake belongs to user 12345
results/s/.run → mine_no_more → .run belongs to user 12345
{RECORDS} → a_file → File exists; Snakemake keeps its records there
{RECORDS} → a_loop → Snakemake keeps its records there
"""


@pytest.mark.parametrize("name, change, said", rows(REFUSED))
def test_what_somebody_else_may_have_written_is_refused(house, name, change, said):
    {function.__name__: function for function in (mine_no_more, linked_away, a_file, a_loop)}[change](house / name)
    before = sorted(house.rglob("*"))
    code, text = call("run", "s.yaml")
    assert code == cli.ENVIRONMENT and said in text and len(text.splitlines()) == 1, text
    assert sorted(house.rglob("*")) == before


def test_another_users_records_without_being_root(house, monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    code, text = call("run", "s.yaml")
    assert code == cli.ENVIRONMENT and f"belongs to user {house.stat().st_uid}" in text


@pytest.mark.slow
@pytest.mark.workflow
def test_sources_that_cannot_be_written(house):
    """Results below them are refused in a line; results elsewhere are made."""
    shutil.rmtree(house / "results")
    shutil.rmtree(house / ".snakemake")
    mounted = f"mount --bind {house} {house} && mount -o remount,bind,ro {house} && cd {house}"
    if os.getuid() or subprocess.run(["unshare", "-m", "sh", "-c", mounted], capture_output=True).returncode:
        pytest.skip("needs root to mount a folder read-only")
    run = f"{mounted} && {WAYS['script'][0]} run s.yaml"
    done = command("unshare", "-m", "sh", "-c", run, cwd=house)
    assert done.returncode == cli.ENVIRONMENT and len(done.stderr.splitlines()) == 1
    assert "Read-only file system; Snakemake keeps its records there" in done.stderr
    done = command("unshare", "-m", "sh", "-c", f"{run} --results ../r", cwd=house)
    assert done.returncode == 0 and (house.parent / "r/s/figures/f.png").exists(), done.stderr


# ---- settings ----


def other_settings() -> str:
    """A matplotlibrc in which each setting is another than matplotlib's own, where a value for it is found."""
    values = "True False 3 0.7 red bold serif right -- 1,2 none both log C3".split()
    found = []
    for name, own in matplotlib.rcParamsDefault.items():
        for value in values:
            with contextlib.suppress(ValueError, TypeError, RuntimeError):
                if matplotlib.rcsetup._validators[name](value) != own:
                    found.append(f"{name}: {value}")
                    break
    assert len(found) > 250 and "text.usetex: True" in found
    return "\n".join(found)


def pictures(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "figures").iterdir())}


@pytest.fixture(scope="module")
def drawn(tiny, tmp_path_factory):
    """(study file, results folder, figures) as they are drawn without any settings."""
    study, results = tiny
    folder = tmp_path_factory.mktemp("drawn") / "results/tiny"
    shutil.copytree(results, folder)
    assert command(*WAYS["module"], "draw", study, "tail", "--results", folder.parent, cwd=folder).returncode == 0
    return study, folder, pictures(folder)


SETTINGS = tables(__file__)  # a file, and variables of the environment


@pytest.mark.slow
@pytest.mark.workflow
@pytest.mark.parametrize("case", SETTINGS)
def test_figures_do_not_depend_on_settings(drawn, tmp_path, case):
    study, folder, expected = drawn
    name, environment = SETTINGS[case]
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text(other_settings())
    environment = {key: value.format(here=tmp_path) for key, value in environment.items()}
    done = command(*WAYS["module"], "draw", study, "tail", "--results", folder.parent, cwd=tmp_path, **environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert pictures(folder) == expected


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The text")  # deprecated settings, which are set here
def test_figures_in_a_process_that_has_settings(tiny):
    """As in a notebook: the same bytes, and the settings are as they were."""
    study, results = tiny
    table = pm.load(results / "estimates.parquet")

    def bytes_of() -> dict[str, bytes]:
        return canvas.render(draw.draw("tail", table, ["one-color"]))

    expected = bytes_of()
    with matplotlib.rc_context():
        for line in other_settings().splitlines():
            name, value = line.split(": ")
            matplotlib.rcParams[name] = value
        before = dict(matplotlib.rcParams)
        assert bytes_of() == expected
        assert dict(matplotlib.rcParams) == before
