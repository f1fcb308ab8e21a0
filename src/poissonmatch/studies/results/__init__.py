"""What lies on disk: batches, manifests, tables. Each module is imported on first use."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__, ["batch_files", "cell_records", "integrity", "provenance", "up_to_date"]
)
STATE = ".run"  # folder of the plan of a run and of what Snakemake remembers, in the results folder
STAMPS = "stamps"  # folder there: empty files, named by a rule and a digest of what its outputs were made from
