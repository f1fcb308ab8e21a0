"""Certificates that u > 0 in the infinite space, with an error probability, and their independent check."""

from .independent_check import check
from .survival import Certificate, read, survival

__all__ = ["Certificate", "check", "read", "survival"]
