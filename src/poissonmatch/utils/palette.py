"""Colors of figures and boards, distinguishable for color-blind readers and in grayscale print."""

# Five hues of Paul Tol's with CIELAB distances of at least 23 in normal, protan, deutan and tritan
# vision, and differences in lightness of at least 11: dark blue, green, wine, brown, yellow.
PALETTE = ("#004488", "#44AA99", "#994455", "#997700", "#CCBB44")
# Colors of points by name; of the two colors of a rule, one is light and one dark.
POINTS = {"amber": "#E69F00", "blue": "#0055A4", "green": "#5DBB92", "red": "#A51122"}
