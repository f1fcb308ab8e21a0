"""What lies on disk: batches, manifests, tables, and what of them is up to date. Each module is imported on first use."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__, ["batch_files", "cell_records", "integrity", "provenance", "scan", "up_to_date"]
)
