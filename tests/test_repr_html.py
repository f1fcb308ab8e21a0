"""What a notebook shows of a rule, a solution, a value of a game and a sweep: well-formed HTML with the facts."""

from xml.etree import ElementTree

import poissonmatch as pm


def table(value) -> list[list[str]]:
    """The rows of the table that an object is shown as; ElementTree refuses HTML that is not well-formed."""
    return [
        ["".join(cell.itertext()) for cell in row] for row in ElementTree.fromstring(value._repr_html_()).iter("tr")
    ]


def test_a_rule():
    assert table(pm.RULES["fussy"]) == [
        ["may be matched with", "green", "red", "capacity"],
        ["green", "yes", "yes", "1"],
        ["red", "yes", "no", "1"],
    ]
    assert table(pm.Rule(capacity=3))[1] == ["any point", "yes", "3"]
    assert table(pm.Rule(labels=2)) == [["may be matched with", "any point", "2 labels"], ["any point", "yes", ""]]
    assert table(pm.Rule([[True]], (1, 2)))[2] == ["color 1", "yes", "yes", "2"]
    assert "excluded pairs: mutually nearest" in pm.RULES["misere"]._repr_html_()
    assert "excluded pairs: 1 listed" in pm.Rule(exclude=[[0, 1]])._repr_html_()


LINE = pm.Pattern([[0.0], [1.0], [3.0]], geometry=pm.Euclidean(1))


def test_a_solution():
    rows = dict(table(pm.frogs.solve(LINE, "friendly")))
    assert rows["game"] == "friendly" and rows["winner"] == "Alice"
    assert (rows["winning placements of Alice"], rows["stable matching"]) == ("2", "1 pairs, 1 unmatched")
    even = pm.Pattern(LINE.points[:2], geometry=LINE.geometry)
    assert dict(table(pm.frogs.solve(even, "friendly")))["winning placements of Alice"] == "none"
    red = pm.Pattern([[2.0**k] for k in range(25)], [1] * 25, pm.Euclidean(1))
    assert dict(table(pm.frogs.solve(red, "fussy")))["winning placements of Alice"].endswith("18, 19 and 5 more")
    ponds = dict(table(pm.frogs.solve([LINE, even], "ponds")))
    assert ponds["pads of the ponds"] == "3, 2" and ponds["winner"] in ("Alice", "Bob")


def test_a_value():
    value = pm.games.parse("{4|{2|-1}}")
    assert value._repr_latex_() == f"${value.latex}$"


def test_a_sweep(monkeypatch):
    sweep = pm.sweep(rule="fussy", dims=1, sizes=200, ratios=[0.5, 1], replicates=2, observables=["unmatched"])
    head, *rows = table(sweep)
    assert head == ["study", "d", "points", "ratio", "quantity", "value(error)", "replicates"]
    assert [row[:5] for row in rows] == [["sweep", "1", "200", rho, "unmatched_fraction[1]"] for rho in ("0.5", "1")]
    value = sweep.estimates.query("quantity == 'unmatched_fraction' and color == 1")["value"].iloc[0]
    number, _, error = rows[0][5].partition("(")
    assert abs(float(number) - value) < 0.06 and error.endswith(")") and rows[0][6] == "2"
    assert "Sweep(2 cells, 4 replicates)" in sweep._repr_html_()
    monkeypatch.setattr("poissonmatch.studies.run.sweep.MAX_SHOWN", 2)
    assert len(table(sweep)) == 3 and "more" not in sweep._repr_html_()
    monkeypatch.setattr("poissonmatch.studies.run.sweep.MAX_SHOWN", 1)
    assert len(table(sweep)) == 2 and "the first 1 cells, and 1 more" in sweep._repr_html_()
    one = pm.sweep(dims=1, sizes=200, replicates=1, observables=["unmatched"])
    assert "(" not in table(one)[1][5]
