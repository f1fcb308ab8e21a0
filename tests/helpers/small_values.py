"""Random small values of partisan games."""

from hypothesis import settings
from hypothesis import strategies as st

from poissonmatch_games.partisan.value_notation import parse
from poissonmatch_games.partisan.values import game

leaves = st.sampled_from([parse(s) for s in ("0", "1", "-1", "*", "1/2", "^", "*2", "2", "-3/4", "v*")])

games = st.recursive(
    leaves,
    lambda inner: st.builds(game, st.lists(inner, max_size=2), st.lists(inner, max_size=2)),
    max_leaves=5,
)

small = settings(max_examples=60, deadline=None)
