"""From a study file (YAML) to cells, and what they will cost."""
