"""Certificates that u > 0 in the infinite space, with an error probability, and their independent check."""

from .certificate import Certificate
from .certificate_files import read
from .independent_check import check
from .survival import survival

__all__ = ["Certificate", "check", "read", "survival"]


def __dir__() -> list[str]:
    return sorted(__all__)
