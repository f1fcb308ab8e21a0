"""The progress display of poissonmatch for any Snakemake: `snakemake --logger poissonmatch`. Snakemake finds it by its name."""

from poissonmatch.studies.run.snakemake import LogHandler

__all__ = ["LogHandler"]
