"""Errors, validation, immutable arrays, memory limits and other helpers that know nothing of points."""
