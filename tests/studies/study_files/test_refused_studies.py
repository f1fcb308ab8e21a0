"""Studies that are refused, by topic: keys, where the message stands if that is said, and words of it, a line each."""

import pytest

from helpers.refusals import refusal, rows
from helpers.runs import write_study
from poissonmatch.studies import study_files as studies

# The keys that a study of a topic has beside those of the row, and the rows. $ is the end of the message.
TOPICS = {
    "all keys": ("", """
dims: 2, sizes: 100 →  → the key 'replicates' is missing
dims: 2, sizes: 100, replicates: 4, dims: 3 →  → the key 'dims' is given twice, first on line 2
dims: 2, sizes: 100, replicates: 4, sizes: 2024-01-01 →  → is given twice
"""),
    "values": ("dims: 2; sizes: 100; replicates: 4", """
replicats: 3 → studies.a.replicats: → unknown key 'replicats'; did you mean 'replicates'?
sizes: big → studies.a.sizes[0]: → 'big' is text
replicates: '4' → studies.a.replicates: → '4' is text; write it without quotes
replicates: 4.0 → studies.a.replicates: → must be a whole number, got 4.0; write 4
replicates: true → studies.a.replicates: → whole number
replicates: 0 → studies.a.replicates: → at least 1, got 0
dims: [] → studies.a.dims: → at least 1 item
sizes: [] → studies.a.sizes: → at least 1 item
sizes: [100, -1] → studies.a.sizes[1]: → greater than 0, got -1
sizes: .nan → studies.a.sizes[0]: → finite number, got nan
sizes: .inf → studies.a.sizes[0]: → finite number, got inf
dims: 2.5 → studies.a.dims[0]: → whole number from 1 to 20
dims: 0 → studies.a.dims[0]: → whole number from 1 to 20
intensities: -0.5 → studies.a.intensities[0]: → greater than 0
intensities: [] → studies.a.intensities: → at least 1 item
rule: fusy → studies.a.rule: → did you mean 'fussy'?
rule: multi(0) → studies.a.rule: → at least 1
rule: labels(65) → studies.a.rule: → from 0 to 64
process: tomas → studies.a.process: → did you mean 'thomas'?
process: {name: thomas, sprad: 2} → studies.a.process.sprad: → did you mean 'spread'?
process: {name: thomas, spread: -2} → studies.a.process.spread: → greater than 0
process: {name: matern, spread: 1.0} → studies.a.process.spread: → unknown key 'spread'; there are name, distance
observables: [distnces] → studies.a.observables[0]: → did you mean 'distances'?
dims: inf, process: thomas →  → has no mean-field model
dims: inf, sizes: 1000000, observables: [desirers] →  → desirers in the mean-field model (dims: inf) needs sizes up to 20000
sizes: {from: 1, to: 5} → studies.a.sizes: → the key 'steps' is missing
sizes: {from: 1, to: 5, steps: 3, skale: log} → studies.a.sizes.skale: → did you mean 'scale'?
sizes: {from: 1, to: 5, steps: 1} → studies.a.sizes.steps: → at least 2
__use_yte__: true → studies.a.__use_yte__: → unknown key '__use_yte__'
"""),
    "colors": ("dims: 2; sizes: 64; replicates: 4", """
intensities: [[1, 0.5]], ratios: 1 → studies.a → give either intensities or ratios, not both
intensities: [[1, -1]] → studies.a.intensities[0][1] → 0 or greater than 0, got -1
intensities: [[0, 0]] → studies.a.intensities[0] → no color has points
intensities: [[red, 1]] → studies.a.intensities[0][0] → 'red' is text
intensities: [[1, .nan]] → studies.a.intensities[0][1] → finite
intensities: [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]] → studies.a.intensities[0] → at most 16 items, got 17; write fewer$
rule: fussy, intensities: [[1, 1, 1]] → studies.a → 3 colors, and fussy knows 2
rule: {compatible: [[1, 1], [0, 1]]} → studies.a.rule → symmetric
rule: {compatible: [[1, 1]]} → studies.a.rule → square matrix
rule: {compatible: [[1, 1], [1]]} → studies.a.rule → in an array of one shape
rule: {compatible: [[1, 2], [2, 1]]} → studies.a.rule → True and False
rule: {compatible: yes please} → studies.a.rule → compatible must be
rule: {capacity: 0} → studies.a.rule → capacity must be whole numbers from 1
rule: {capacity: [1, 2.5]} → studies.a.rule → capacity must be whole numbers from 1
rule: {capacity: []} → studies.a.rule → capacity must be whole numbers from 1
rule: {capacity: [1, 2, 3], compatible: [[1, 1], [1, 0]]} → studies.a.rule → capacity has 3 colors, compatible 2
rule: {labels: 65} → studies.a.rule → labels must be a whole number from 0 to 64
rule: {exclude: [[0, 1]]} → studies.a.rule → excludes pairs of indices has no name
rule: {exclude: nearest} → studies.a.rule → exclude must be None, 'mutually nearest'
rule: {capasity: 2} → studies.a.rule.capasity → unknown key 'capasity'; did you mean 'capacity'?
rule: [1, 2] → studies.a.rule → a rule must be a name, or a mapping
rule: custom(10/11) → studies.a.rule → symmetric
"""),
    "sides": ("replicates: 1", """
dims: 2, radius: 1 → a torus has no radius; write `geometry: sphere`
window: {side: [4, 2]}, dims: 2 → points from files have a `window: {side: [...]}`, simulated points have a `side: [...]`
side: [4, 2], dims: [2, 3] → d = 3, and side has 2 sides
side: 4, dims: .inf → d = inf, and side has 1 side
side: [8, 8], dims: 2, tiles: 2 → tiles are for tori given by sizes
side: [8.5, 8], dims: 2, process: lattice → lattice
"""),
    "windows": ("process: {name: points, files: t.csv, coords: [x, y], color: kind}; dims: 2; replicates: 1; rule: two-color", """
window: {side: [3, 2], origin: [10, 20]} → line 4, column 'x': 13.9 is outside [10, 13), the window of this study; `wrap: true` moves it inside
window: {side: [4, 2], origin: [10, 20]} → t.csv: line 5, column 'x': 14.0 is outside [10, 14)
geometry: box, window: {side: [3, 2], origin: [10, 20]} → line 4, column 'x': 13.9 is outside [10, 13], the window of this study
window: {side: [30, 30]}, sizes: 5 → sizes: 5, and 't.csv' has 4 points; leave sizes out
sizes: 5, intensities: [[0.001, 0.001]] → studies.a.sizes: 5, and the file has 4 points; write `sizes: 4`, or a `window` instead of sizes
sizes: 8, intensities: [[0.001, 0.001]] → studies.a.sizes: 8, and the file has 4 points
window: {side: [0, 2]} → must be greater than 0
window: {side: [-4, 2]} → must be greater than 0
window: {side: [.inf, 2]} → must be a finite number
window: {side: [4, 2, 2]} → d = 2, and window has 3 sides
window: {side: [4, 2], origin: [1]} → d = 2, and origin has 1 coordinates
window: {side: [4, 2], orgin: [1, 1]} → unknown key 'orgin'; did you mean 'origin'?
geometry: box, window: {side: [4, 2], wrap: true} → wrap moves points on a torus; a box has walls
window: {side: [40, 30]}, intensities: [[1, 1]] → the intensities are those of the points in the window
side: [4, 2] → points from files have a `window: {side: [...]}`
window: {side: [40, 30]}, side: 3 → give either side or window, not both
geometry: torus → the key 'sizes' is missing
"""),
    "spheres": ("dims: 2; geometry: sphere; replicates: 1", """
rule: one-color → the key 'sizes' is missing
dims: 3, radius: 1 → a sphere has `dims: 2`
radius: 1, sizes: 5 → a sphere has either a radius, or `sizes`
sizes: 4, side: [2, 2] → a sphere has no side, but a radius
sizes: 64, tiles: 2 → a sphere has no tiles, but a radius
radius: -1 → radius: must be greater than 0
radius: 1, process: thomas → this process needs coordinates in a finite
radius: 1, rule: fussy, observables: survivor_pairs → needs a torus, not a sphere
process: {name: points, files: places.csv, coords: [lon, lat]}, sizes: 5 → points from files on a sphere have a `radius`
"""),
    "places": ("process: {name: points, files: places.csv, coords: [lon, lat], capacity: limit}; dims: 2; geometry: sphere; radius: 6371; replicates: 1", """
process: {name: points, files: places.csv, coords: [lon, lat], color: kind}, intensities: [[1, 1]], rule: fussy → those of the points in the files
rule: labels(2) → leave capacity out
observables: rounds → rounds needs a matching without a column of capacities
process: {name: points, files: places.csv, coords: [lon, lat], capacity: limits} → there is no column 'limits'; did you mean 'limit'?
process: {name: points, files: places.csv, coords: [lon, lat], capacity: kind} → line 2, column 'kind': 'a' is not a number
process: {name: points, files: places.csv, coords: [lon, lat], capacity: lat} → line 2, column 'lat': 51.5 is no whole number from 0 to 999999999
"""),
    "max_distance": ("dims: 2; sizes: 200; replicates: 2", """
max_distance: 0 → max_distance: must be greater than 0
max_distance: -1 → max_distance: must be greater than 0
max_distance: .nan → max_distance: must be a finite number
max_distance: .inf → max_distance: must be a finite number
max_distance: far → max_distance: must be a
max_distance: 1, observables: [rounds] → rounds needs a matching without max_distance; unmatched, distances
max_distance: 1, tiles: 1 → tiles are for matchings without max_distance
"""),
    "tiles": ("process: two_color; rule: fussy; dims: 2; sizes: 1000; replicates: 1; tiles: 4; observables: [distances]", """
tiles: 3 → studies.a.tiles: 3 is not a power of two
tiles: 0 → at least 1
tiles: 8192 → at most 4096
tiles: 32 → 1000 points in d = 2 are drawn in 16 parts an axis; there cannot be 32 tiles
rule: misere → misere in d = 2 cannot be matched in tiles: mutually nearest pairs depend on
rule: multi(2) → multi(2) in d = 2 cannot be matched in tiles: a point with a partner in the tile may have others
rule: labels(2) → cannot be matched in tiles
dims: [2, 5] → fussy in d = 5 cannot be matched in tiles: d must be from 1 to 4
dims: inf → fussy in d = inf cannot be matched in tiles: d must be from 1 to
process: thomas, intensities: [[1, 0.5]] → studies.a.process: thomas cannot be drawn in tiles; poisson, two_color, binomial can
process: {import: mine.ring} → studies.a.process: mine.ring cannot be drawn in tiles; poisson, two_color, binomial can
process: {name: points, files: t.csv, coords: [x, y]} → studies.a.process: points cannot be drawn in tiles; poisson, two_color, binomial can
observables: [realization] → realization cannot be measured in tiles; unmatched, distances can
"""),
    "observables": ("process: two_color; rule: fussy; dims: 2; sizes: 20; replicates: 1", """
observables: balls, rule: multi(2) → balls needs a rule with one partner for every point
observables: balls, dims: 5 → balls is measured in d = 1 to 4, not in d = 5
observables: balls, geometry: box → balls needs a torus, not a box
observables: flip, rule: two-color → flip is defined for the rule fussy; leave it out
observables: flip, dims: [2, 7] → flip is measured in d = 1 to 6, not in d = 7; leave it out
observables: flip, dims: inf → flip needs coordinates, which a mean-field pattern does not have
observables: flip, tiles: 2 → flip cannot be measured in tiles
observables: flow, rule: two-color → flow needs a rule with a reference color
observables: octaves, rule: two-color → octaves is defined for the rule fussy; leave it out
observables: octaves, dims: [2, 4] → octaves is measured in d = 1 to 3, not in d = 4
observables: octaves, sizes: 1000000000 → octaves is for tori of up to 100000000 points
observables: realization, dims: inf → realization needs coordinates, which a mean-field pattern does not have
observables: response → response is defined for the rule one-color; leave it out
observables: response, rule: labels(2) → response is defined for the rule one-color
observables: response, rule: one-color, dims: [2, 7] → response is measured in d = 1 to 6, not in d = 7
observables: rounds, rule: labels(2) → rounds needs a rule with capacities, not with labels; leave it out of observables
observables: survivor_pairs, rule: one-color → survivor_pairs needs a rule under which points of color 1 may not be matched to each other
observables: survivor_pairs, rule: misere → survivor_pairs needs a rule under which points of color 1 may not be matched to each other
observables: survivor_pairs, dims: [2, 7] → survivor_pairs is measured in d = 1 to 6, not in d = 7
observables: survivor_pairs, sizes: [20, 300000] → survivor_pairs is for tori of up to 262144 points, not of 300000
observables: window, rule: multi(2) → window needs a rule with one partner for every point and without excluded pairs; leave it out
observables: window, dims: 5 → window is measured in d = 1 to 4, not in d = 5
"""),
}  # fmt: skip
FILES = {
    "t.csv": "x,y,kind\n10.1,20.2,oak\n10.4,20.9,ash\n13.9,21.9,oak\n14.0,20.5,oak\n",
    "places.csv": "lon,lat,kind,limit\n-0.1,51.5,a,1\n2.4,48.9,b,2\n179.9,-16.6,a,1\n-179.9,-16.6,b,0\n10,10,b,3\n",
    "mine.py": "raise SystemExit('imported')",
}


def read(path):
    """Read a study and the points of its files."""
    file = studies.load(path)
    studies.cells(file)
    studies.read_points(file)


@pytest.mark.parametrize(("usual", "row"), [(usual, row) for usual, table in TOPICS.values() for row in rows(table)])
def test_a_study_is_refused_in_a_line(tmp_path, usual, row):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    keys, *where, words = row
    more = [part for part in usual.split("; ") if f"{part.partition(':')[0]}:" not in keys]
    path = write_study(tmp_path, f"studies:\n  a: {{{', '.join([keys, *filter(None, more)])}}}\n", "s")
    line = refusal(read, path)
    assert words in f"{line}$"
    if where:
        assert line.startswith(f"{path}, line 2: {where[0]}")
