"""Order of canonical forms."""

from .forms import Form
from .names import named_leq

KNOWN: dict[tuple[int, int], bool] = {}  # g <= h, by their indices


def leq(g: Form, h: Form) -> bool:
    """Return whether g <= h.

    This holds if no left option of g is >= h, and no right option of h is <= g (Siegel, II.3).
    Stops decide most cases.
    """
    if g is h or g._high < h._low:
        return True
    if g._high > h._high or g._low > h._low:
        return False
    if g.name is not None and h.name is not None and g._low == h._low:
        return named_leq(g.name, h.name)
    key = g.index, h.index
    result = KNOWN.get(key)
    if result is None:
        result = KNOWN[key] = not any(leq(h, x) for x in g.left) and not any(leq(x, g) for x in h.right)
    return result
