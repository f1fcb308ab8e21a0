"""Toads and Frogs: the values of its strips, by canonical forms and by search, and what is claimed of them."""
