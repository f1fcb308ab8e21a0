"""Declarations of all tables, and reading and writing them as Parquet."""
