"""Files that have the names of libraries, and leave a mark when they are executed."""

import pkgutil
import subprocess
import sys
from pathlib import Path

WANTED = {
    "sitecustomize",
    "usercustomize",
    "numexpr",
    "bottleneck",
    "snakemake_executor_plugin_trap",
}  # if they were there
TRAP = """
import os
os.write(os.open({mark!r}, os.O_CREAT | os.O_APPEND | os.O_WRONLY), b"{name} ")
raise SystemExit("trap {name}")
"""


def lay(folder: Path, mark: Path) -> None:
    """A trap for each module that a process of ours may ask for, but for those that `python -m` has imported before it comes to us."""
    (folder / "started").mkdir(parents=True)
    (folder / "started" / "__init__.py").touch()
    (folder / "started" / "__main__.py").write_text("import sys; print(*(name.split('.')[0] for name in sys.modules))")
    done = subprocess.run([sys.executable, "-m", "started"], cwd=folder, capture_output=True, text=True, check=True)
    installed = {module.name for module in pkgutil.iter_modules([p for p in sys.path if "site-packages" in p])}
    for name in (sys.stdlib_module_names | installed | WANTED) - {*done.stdout.split(), "poissonmatch"}:
        (folder / f"{name}.py").write_text(TRAP.format(mark=str(mark), name=name))
