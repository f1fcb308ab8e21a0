"""Studies in Python whose keys are written as in a study file."""

from typing import Any

import yaml

import poissonmatch as pm
from poissonmatch.studies.run.sweep import Sweep


def swept(keys: str, **options: Any) -> Sweep:
    """Run the study with these keys of YAML, and with more keywords of `pm.sweep`."""
    return pm.sweep(**yaml.safe_load(f"{{{keys}}}"), **options)
