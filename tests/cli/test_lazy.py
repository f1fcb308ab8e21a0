"""The first answer comes fast: what a command does not need, it does not import."""

import pytest

from helpers.processes import python
from helpers.refusals import rows
from helpers.runs import TINY, write_study

# The name of pandas alone is in sys.modules before the library is imported.
HEAVY = "pandas.core pyarrow.lib scipy.stats scipy.spatial numba matplotlib rich jinja2 snakemake loky".split()
# These are not imported for --help either.
LIGHT = "pydantic yaml psutil._common filelock numpy.ma poissonmatch.studies.run.batches poissonmatch.studies.tables".split()
CODE = """
import sys
sys.argv = ["poissonmatch", *sys.argv[1:]]
from poissonmatch.cli.main import main
try:
    main()
finally:
    print([m for m in HEAVY if m in sys.modules], file=sys.stderr)
"""


def loaded(code, *words, cwd):
    text = f"HEAVY = {HEAVY!r}\n{code}"
    return python("-c", text, *words, cwd=cwd).stderr.strip().splitlines()[-1]


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(
    "words", (["--help"], ["--version"], ["validate", "STUDY"], ["status", "STUDY"], ["run", "-h"])
)
def test_the_command_line_begins_without(tmp_path, words):
    study = write_study(tmp_path, TINY, "tiny")
    code = CODE.replace("m in HEAVY", f"m in [*HEAVY, *{LIGHT if words == ['--help'] else []}]")
    assert loaded(code, *[study if word == "STUDY" else word for word in words], cwd=tmp_path) == "[]"


# What is done with the package, and the heavy libraries that this imports.
PACKAGE = """
pm → []
pm.Pattern([[0.5]], geometry=pm.Torus(1.0, 1)) → []
pm.processes.poisson(pm.Torus(9.0, 2), rng=1) → []
pm.match(pm.processes.poisson(pm.Torus(9.0, 2), rng=1)) → ['numba']
pm.processes.poisson(pm.Torus(9.0, 2), rng=1).to_frame() → ['pandas.core', 'pyarrow.lib']
"""


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("code, names", rows(PACKAGE))
def test_the_package_begins_without(tmp_path, code, names):
    found = loaded(
        f"import poissonmatch as pm\n{code}\nimport sys\nprint([m for m in HEAVY if m in sys.modules], file=sys.stderr)",
        cwd=tmp_path,
    )
    assert found == names


WITHOUT_SNAKEMAKE = """
import sys
sys.modules["snakemake"] = None
import poissonmatch as pm
from poissonmatch.cli.main import main
assert len(pm.sweep(dims=1, sizes=20, replicates=2, observables=["unmatched"]).replicates) == 2
for words in ("games value TF.TF", "play --points 5 --human nobody --seed 1", "run s.yaml"):
    sys.argv = ["poissonmatch", *words.split()]
    try:
        main()
    except SystemExit as stop:
        print(words.split()[0], stop.code)
"""


@pytest.mark.slow
@pytest.mark.long
def test_sweeps_and_games_need_no_snakemake(tmp_path):
    """`run` says in one line what is missing."""
    write_study(tmp_path, "studies: {a: {dims: 1, sizes: 5, replicates: 1}}\n", "s")
    done = python("-c", WITHOUT_SNAKEMAKE, cwd=tmp_path)
    codes = [line for line in done.stdout.splitlines() if line.split()[0] in ("games", "play", "run")]
    assert codes == ["games 0", "play 0", "run 3"], done
    assert "Traceback" not in done.stderr
    assert len([line for line in done.stderr.splitlines() if "Snakemake is not installed" in line]) == 1
    assert not (tmp_path / "results").exists()
