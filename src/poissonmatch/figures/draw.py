"""Tables become figures: which rows a figure shows, in which order, and who draws them."""

from __future__ import annotations

import pandas as pd

from ..errors import BadInput
from .canvas import Drawing, headed, styled
from .kinds import KINDS


def draw(kind: str, table: pd.DataFrame, studies: list[str], title: str = "") -> Drawing:
    """Draw one figure of some studies, from the table that its kind needs.

    Raises BadInput (a ValueError) if the table holds nothing to show in it, or for a title that is no mathematics.
    """
    with styled():
        rows = table[table["study"].isin(studies)]
        rows = rows.assign(study=pd.Categorical(rows["study"], studies, ordered=True))
        rows = rows.sort_values(["study", "dim", "size"], kind="stable")
        rows["study"] = rows["study"].astype(str)
        if rows.empty:
            raise BadInput(f"there is nothing to draw of {', '.join(studies)}")
        figure, caption = KINDS[kind].function(rows)
        if title:
            headed(figure, title)
        return Drawing(figure, caption)
