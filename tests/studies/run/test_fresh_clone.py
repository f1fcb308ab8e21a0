"""What a newcomer does: clone, type the commands of the README, read the tables. Installs from the lock file, so it needs a package index."""

import os
import re
import shutil
import subprocess

import pytest

from helpers.sources import ROOT, text_of
from poissonmatch.studies import study_files as studies

KEPT = ("PIP_", "HTTP", "http", "NO_PROXY", "no_proxy", "SSL_", "REQUESTS_")  # how this machine reaches the index

# The commands from a clone to the first own study, as printed: all of the block but `make test`.
BLOCK = re.search(r"```sh\n(make .*?)```", text_of("README.md"), re.DOTALL)[1]
COMMANDS = "".join(line for line in BLOCK.splitlines(keepends=True) if not line.startswith("make test"))


@pytest.mark.parametrize("page", ["README.md", "docs/installation.md"])
def test_pages_name_the_commands_in_this_order(page):
    text = text_of(page)
    words = ["make ", ". .venv/bin/activate", "poissonmatch new mine && poissonmatch run mine.yaml", "make test"]
    places = [re.search(rf"^ *{re.escape(word)}", text, re.MULTILINE).start() for word in words]
    assert places == sorted(places)


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / ".git").exists() or not shutil.which("make"), reason="needs a git checkout, and make")
def test_make_in_a_fresh_clone_with_an_empty_home(tmp_path):
    clone, home = tmp_path / "poissonmatch", tmp_path / "home"
    home.mkdir()
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    environment = {k: v for k, v in os.environ.items() if k.startswith(KEPT)}
    environment |= {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(home)}
    done = subprocess.run(["sh", "-ec", COMMANDS], cwd=clone, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert done.stderr.count("compiling") + done.stdout.count("compiling") == 1
    assert done.stdout.index("next: . .venv/bin/activate && poissonmatch new mine") < done.stdout.index("mine.yaml\n")
    assert (clone / "results/mine/report.html").is_file()

    file, results = studies.load(clone / "config/quick.yaml"), clone / "results/quick"
    for name in file.figures:
        for suffix in (".pdf", ".png", ".txt"):
            assert (results / f"figures/{name}{suffix}").stat().st_size > 100
    words = [clone / ".venv/bin/poissonmatch", "verify", "config/quick.yaml"]
    verified = subprocess.run(words, cwd=clone, env=environment, capture_output=True, text=True)
    assert verified.returncode == 0 and "files verified" in verified.stdout, verified.stderr
    assert (home / ".cache/poissonmatch").is_dir() and not list(clone.glob("*.log"))
