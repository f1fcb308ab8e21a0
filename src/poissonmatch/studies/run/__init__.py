"""Jobs, stages, Snakemake, repair, and sweeps in memory. Each module is imported on first use."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__, ["batches", "progress", "repair", "runs", "stages", "workflow"]
)
