"""The table of Nim and the simplex of the Triangle Game: what is drawn is what is so."""

import numpy as np
from matplotlib.collections import PathCollection, PolyCollection

import poissonmatch as pm
from helpers.slow_games import both_plays, nim_moves, slow

PHI = (1 + 5**0.5) / 2


def test_the_table_of_the_lecture():
    """16 x 16, as the mex of the table itself."""
    figure = pm.figures.nim_table()
    (ax,), value = figure.axes, slow(nim_moves)
    found = {tuple(map(int, text.get_position()[::-1])): int(text.get_text()) for text in ax.texts}
    assert found == {(a, b): value((a, b)) for a in range(16) for b in range(16)}
    assert "numbers 0 to 15" in pm.figures.caption(figure)


def shares(places):
    """Shares of stones on the three vertices, of points of the picture."""
    second = places[:, 1] / (3**0.5 / 2)
    first = places[:, 0] - second / 2
    return np.stack([1 - first - second, first, second], axis=1)


@both_plays
def test_the_simplex(misere):
    total, game = 20, pm.games.TriangleGame(misere=misere)
    figure = pm.figures.simplex(total, misere)
    left, right = figure.axes[:2]
    (dots,) = (c for c in left.collections if isinstance(c, PathCollection))
    want = [
        (x / n, y / n, (n - x - y) / n)
        for n in range(1, total + 1)
        for x in range(n + 1)
        for y in range(n - x + 1)
        if game.is_p((x, y, n - x - y))
    ]
    assert np.allclose(sorted(map(tuple, shares(dots.get_offsets()).round(9))), sorted(np.round(want, 9).tolist()))
    (cells,) = (c for c in right.collections if isinstance(c, PolyCollection))
    assert len(cells.get_paths()) == (total + 1) * (total + 2) // 2
    for path, value in zip(cells.get_paths(), cells.get_array(), strict=True):
        stones = shares(path.vertices[:6].mean(axis=0, keepdims=True))[0] * total
        assert np.allclose(stones, stones.round()) and game.grundy(stones.round().astype(int)) == value


def test_the_golden_lines():
    """From the middle of an edge to z = phi x: every P-position lies on one, but for the small ones of misere play."""
    (ax, *_) = pm.figures.simplex(30).axes
    lines = [shares(line.get_xydata()) for line in ax.lines if len(line.get_xydata()) == 2]
    assert len(lines) == 3
    for turn, line in enumerate(lines):
        (x, y, z), (u, v, w) = np.roll(line, turn, axis=1)
        assert np.allclose((x, y, z), (0, 0.5, 0.5)) and np.isclose(v, u + w) and np.isclose(w, PHI * u)
