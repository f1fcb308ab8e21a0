"""Colors that color-blind people can tell, and that differ in grey print: of figures, of pads in a terminal and on a page."""

# Five hues (of Paul Tol's) that stay at least 23 apart in CIELAB in normal, protan, deutan and tritan sight, and 11 apart in
# lightness alone: dark blue, green, wine, brown, yellow.
PALETTE = ("#004488", "#44AA99", "#994455", "#997700", "#CCBB44")
# Colors of points, by name: of a pair that a rule has, one is light and one dark.
POINTS = {"amber": "#E69F00", "blue": "#0055A4", "green": "#5DBB92", "red": "#A51122"}
