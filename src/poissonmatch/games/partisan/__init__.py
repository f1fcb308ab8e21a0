"""The values of short partisan games, and rulesets that have such values."""
