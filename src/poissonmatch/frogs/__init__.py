"""Games on point sets."""
