"""docs/games.md: its Python runs, and gives what it says."""

import re
from pathlib import Path

TEXT = (Path(__file__).parents[2] / "docs/games.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT.partition("### Who wins")[0], re.S)


def test_the_blocks_run():
    space = {}
    for block in BLOCKS:
        exec(block, space)
    assert len(BLOCKS) == 3
    assert str(space["g"]) == "{1*|v}"
    assert str(space["graph"].values[0]) == "*" and space["graph"].outcomes[0] == "N"
    assert space["play"].strips[:2] == ("TTT..FF", "TTT.F.F")
