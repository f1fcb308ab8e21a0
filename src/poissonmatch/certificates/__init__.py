"""Certificates that u > 0 in the infinite space, with an error probability, and their independent check."""

from .certificate import Certificate, Intervals, read
from .independent_check import check
from .survival import cover, planned, survival

__all__ = ["Certificate", "Intervals", "check", "cover", "planned", "read", "survival"]
