"""Variants that the package does not have: what a class of attributes must be enough for."""

from poissonmatch.frogs.one_pond import BLUE, ColoredPoints, Fussy, Shy


class ShyFussy(Shy, Fussy):
    """Shy fussy frogs: Bob keeps away from Alice, and the two frogs may not both be on pink pads."""

    name = "shy-fussy"
    pads = ("gold", "pink")
    clash = "pink is for one frog only"


class BlueFirst(ColoredPoints):
    """Colored points, where Alice has the blue pads."""

    name = "blue-first"
    begins_on = BLUE


THROWAWAY = {variant.name: variant for variant in (ShyFussy, BlueFirst)}
OWN = {"shy-fussy": {"c": 0.3}, "blue-first": {"missing": True}}
