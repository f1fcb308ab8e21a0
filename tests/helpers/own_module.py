"""A module of a user's own, and a study beside it that names one of its functions."""

STUDY = """studies:
  mine: {process: {import: %s}, rule: %s, dims: 2, sizes: 30, replicates: 3%s}
"""
LAB = """
import numpy as np
import poissonmatch as pm
open("mark", "a").write("imported ")
def ring(torus, intensity=1.0, wobble=0.1, *, rng):
    n = round(intensity * torus.volume)
    points = np.linspace(0, torus.side, n, endpoint=False)[:, None] * np.ones(torus.dim)
    return torus.wrap(points + rng.normal(0, wobble, points.shape))
def pairs(torus, intensities=(1.0, 1.0), words=("a",), *, rng):
    return pm.processes.two_color(torus, intensities, rng=rng)
by_number = lambda torus, counts, *, rng: pm.processes.binomial(torus, counts, rng=rng)
"""


def lay(folder, function="lab.ring", rule="one-color", more="", lab=LAB):
    (folder / "lab.py").write_text(lab)
    path = folder / "s.yaml"
    path.write_text(STUDY % (function, rule, more))
    return path


def mark(home):
    return sorted(path.name for path in (home / "here").iterdir())
